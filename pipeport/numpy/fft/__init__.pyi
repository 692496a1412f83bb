# Written by `python tools/readme_table.py`.
"""Natives of `numpy.fft`, under the same names."""

from typing import Any

from pipeport.numpy.fft._real import irfft as irfft

def fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    """Return the frequencies of a transform."""

def fftshift(x: Any, axes: Any = None) -> Any:
    """Move the frequency zero to the middle."""

def ifftshift(x: Any, axes: Any = None) -> Any:
    """Move the frequency zero from the middle to the front."""

def rfftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    """Return the frequencies of a transform of real numbers."""

def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """Return the Fourier transform along an axis."""

def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """Return the Fourier transform along two axes."""

def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """Return the Fourier transform along several axes."""

def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """Return the inverse Fourier transform along an axis."""

def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """Return the inverse Fourier transform along two axes."""

def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """Return the inverse Fourier transform along several axes."""

def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """Return the Fourier transform of real numbers, without the half that follows from the other."""
