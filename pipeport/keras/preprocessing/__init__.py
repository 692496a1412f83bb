"""Natives of `keras.preprocessing`."""

from pipeport import _mirror

_mirror.answer_for(__name__)
