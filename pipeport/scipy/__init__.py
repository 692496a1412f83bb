"""Natives of SciPy functions, at the mirrored import paths."""

from pipeport import _mirror

_mirror.answer_for(__name__)
