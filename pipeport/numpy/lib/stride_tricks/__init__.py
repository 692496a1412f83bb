"""Natives of `numpy.lib.stride_tricks`, under the same names."""

from pipeport import _mirror
from pipeport.numpy.lib.stride_tricks._sliding_window_view import sliding_window_view as sliding_window_view

_mirror.answer_for(__name__)
