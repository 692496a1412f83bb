"""Natives of `numpy.lib`, under the same names."""

from pipeport import _mirror

_mirror.answer_for(__name__)
