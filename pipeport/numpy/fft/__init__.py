"""Natives of `numpy.fft`, under the same names."""

from pipeport import _mirror
from pipeport.numpy.fft._shifts import fftfreq as fftfreq
from pipeport.numpy.fft._shifts import fftshift as fftshift
from pipeport.numpy.fft._shifts import ifftshift as ifftshift

_mirror.answer_for(__name__)
