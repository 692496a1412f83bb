"""Natives of `scipy.signal`."""

from pipeport import _mirror
from pipeport.scipy.signal._decimate import decimate as decimate
from pipeport.scipy.signal._detrend import detrend as detrend
from pipeport.scipy.signal._fourier import fftconvolve as fftconvolve
from pipeport.scipy.signal._fourier import resample as resample
from pipeport.scipy.signal._lfilter import filtfilt as filtfilt
from pipeport.scipy.signal._lfilter import lfilter as lfilter
from pipeport.scipy.signal._medfilt import medfilt as medfilt
from pipeport.scipy.signal._resample_poly import resample_poly as resample_poly
from pipeport.scipy.signal._spectral import spectrogram as spectrogram
from pipeport.scipy.signal._spectral import stft as stft

_mirror.answer_for(__name__)
