"""Natives of `scipy.fft`."""

from pipeport import _mirror
from pipeport.scipy.fft._dct import dct as dct
from pipeport.scipy.fft._dct import idct as idct

_mirror.answer_for(__name__)
