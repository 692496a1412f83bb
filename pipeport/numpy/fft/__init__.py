"""Natives of `numpy.fft`, under the same names."""

from pipeport import _mirror
from pipeport.numpy.fft._real import irfft as irfft
from pipeport.numpy.fft._shifts import fftfreq as fftfreq
from pipeport.numpy.fft._shifts import fftshift as fftshift
from pipeport.numpy.fft._shifts import ifftshift as ifftshift
from pipeport.numpy.fft._shifts import rfftfreq as rfftfreq
from pipeport.numpy.fft._transforms import fft as fft
from pipeport.numpy.fft._transforms import fft2 as fft2
from pipeport.numpy.fft._transforms import fftn as fftn
from pipeport.numpy.fft._transforms import ifft as ifft
from pipeport.numpy.fft._transforms import ifft2 as ifft2
from pipeport.numpy.fft._transforms import ifftn as ifftn
from pipeport.numpy.fft._transforms import rfft as rfft

_mirror.answer_for(__name__)
