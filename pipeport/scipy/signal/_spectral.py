"""`scipy.signal.stft` and `spectrogram`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Boolean, OneOf, Shaped, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._spectra import half_of
from pipeport.scipy.signal import _arguments as arguments
from pipeport.scipy.signal._detrend import flattened
from pipeport.scipy.signal._windows import named

_SIGNAL = Shaped(
    shape=((8, 40),), dtypes=("float32", "float64", "int16", "int32"), values=(-1.0, 1.0), per_image=True
)


@dataclass(frozen=True)
class _Segments:
    """How a signal is cut: the window, its step, the length of the transform, what is taken off first."""

    window: np.ndarray
    step: int
    length: int
    detrend: str | None


def _segments(
    size: int | None, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any, shared: int
) -> _Segments:
    count = None if nperseg is None else whole_number(nperseg, "nperseg", least=1)
    if isinstance(window, (str, tuple)):
        count = 256 if count is None else count
        if size is not None and count > size:
            warnings.warn(f"nperseg = {count} is greater than the signal: using {size}", stacklevel=4)
            count = size
        values = named(window, count, periodic=True)
    else:
        values = arguments.coefficients(window, "window")
        if tf.is_tensor(values) or count not in (None, len(values)):
            advice = "Give values known while tracing, as many as `nperseg`."
            raise OutsideDomain(explain("window", repr(window), "known values", advice))
        count = len(values)
    overlap = count // shared if noverlap is None else whole_number(noverlap, "noverlap")
    length = count if nfft is None else whole_number(nfft, "nfft")
    if not 0 <= overlap < count or length < count:
        given = f"{count}, {overlap}, {length}"
        advice = "Take a longer transform, or less overlap."
        allowed = "noverlap below nperseg, and nfft from nperseg on"
        raise OutsideDomain(explain("nperseg, noverlap, nfft", given, allowed, advice))
    kinds = {False: None, "constant": "constant", "linear": "linear"}
    if not isinstance(detrend, (str, bool)) or detrend not in kinds:
        allowed = ", ".join(map(repr, kinds))
        raise UnsupportedArgument(explain("detrend", repr(detrend), allowed, "Take it off before."))
    return _Segments(values.astype(np.float64), count - overlap, length, kinds[detrend])


def _rate(fs: Any) -> float:
    rate = _checks.finite_scalar(fs, "fs")
    if tf.is_tensor(rate) or rate <= 0:
        raise OutsideDomain(explain("fs", repr(fs), "a positive Python number", "Give it in hertz."))
    return float(rate)


def _spectra(
    lines: Any, how: _Segments, fs: Any, scale: float, *, onesided: bool, margin: bool, padded: bool
) -> Any:
    """Return frequencies, times, and the scaled transforms (..., frequency, time) in their dtype."""
    rate, count = _rate(fs), len(how.window)
    x, size = lines.x, lines.x.shape[-1]
    short = x.dtype in (tf.float16, tf.float32, tf.complex64)
    narrow = short or x.dtype.is_bool or (x.dtype.is_integer and x.dtype.size < 4)
    whole_dtype = tf.complex64 if short else tf.complex128
    work = whole_dtype if x.dtype.is_complex else whole_dtype.real_dtype
    message = explain("x", "a signal shorter than `nperseg`", f"{count} elements or more", "Pad it.")
    if size is None:
        check = tf.debugging.assert_greater_equal(tf.shape(x)[-1], count, message)
        with tf.control_dependencies([check]):
            x = tf.identity(x)
    elif size < count:
        raise OutsideDomain(message)
    more = 2 * (count // 2) if margin else 0
    whole = (tf.shape(x)[-1] if size is None else size) + more
    behind = (-(whole - count) % how.step) % count if padded else 0
    around = [[0, 0]] * (x.shape.rank - 1) + [[more // 2, more // 2 + behind]]
    frames = tf.signal.frame(tf.pad(tf.cast(x, work), around), count, how.step)
    frames = frames if how.detrend is None else flattened(frames, how.detrend)
    frames *= tf.cast(how.window * scale, work)
    missing = [[0, 0]] * (frames.shape.rank - 1) + [[0, how.length - count]]
    frames = tf.pad(frames, missing)
    found = half_of(frames) if onesided else tf.signal.fft(tf.cast(frames, whole_dtype))
    found = tf.cast(found, tf.complex64 if narrow else tf.complex128)
    number = (whole + behind - count) // how.step + 1
    times = (count / 2 + tf.cast(tf.range(number) * how.step, tf.float64)) / rate
    times = times - (count / 2) / rate if margin else times
    rank = found.shape.rank
    order = [*range(rank - 2)]
    order.insert(lines.axis, rank - 1)
    frequencies = (np.fft.rfftfreq if onesided else np.fft.fftfreq)(how.length, 1 / rate)
    return tf.constant(frequencies), times, tf.transpose(found, [*order, rank - 2])


def _results(found: tuple[Any, ...], like: Any, batch_axes: int) -> tuple[Any, ...]:
    """Return frequencies and times once for each element of a batch."""
    frequencies, times, spectra = found
    if batch_axes:
        batch = tf.shape(like)[0]
        frequencies, times = (
            tf.broadcast_to(one, tf.stack([batch, tf.shape(one)[0]])) for one in (frequencies, times)
        )
    return frequencies, times, spectra


def _onesided(value: Any, x: Any) -> bool:
    """Say whether the half is wanted that the other one is conjugate to: of complex signals it is not."""
    wanted = _checks.flag(value, "return_onesided")
    if wanted and x.dtype.is_complex:
        warnings.warn("the signal is complex: return_onesided is False", stacklevel=4)
    return wanted and not x.dtype.is_complex


def _among(value: Any, allowed: tuple[Any, ...], name: str) -> Any:
    _checks.one_of(value, allowed, name, "Name one of these.")
    return value


def _fits(call: Mapping[str, Any]) -> bool:
    """Say whether the signal is long enough, so that no warning is given."""
    count = call.get("nperseg") or 256
    overlap = call.get("noverlap")
    return np.asarray(call["x"]).shape[-1] >= count and (overlap is None or overlap < count)


_DOMAIN = {
    "x": _SIGNAL,
    "fs": OneOf(1.0, 16000, typical=16000),
    "window": OneOf(
        "hann",
        "hamming",
        ("tukey", 0.25),
        ("kaiser_symmetric", 5.0),
        "boxcar",
        "flattop",
        "blackmanharris",
        ("gaussian", 2.0),
        "triang",
        "parzen_symmetric",
        typical="hann",
    ),
    "nperseg": OneOf(4, 7, 8, typical=8),
    "noverlap": OneOf(None, None, 0, 3, typical=None),
    "nfft": OneOf(None, None, 9, 16, typical=None),
    "detrend": OneOf(False, "constant", "linear", typical=False),
    "return_onesided": OneOf(True, True, False, typical=True),
}
_PROMISE: dict[str, Any] = {
    "agreement": AsReference(),
    "proven_against": ">=1.16",
    "valid": _fits,
}


@replaces(
    "scipy.signal.stft",
    domain={
        **_DOMAIN,
        "boundary": OneOf("zeros", None, typical="zeros"),
        "padded": Boolean(),
        "axis": OneOf(-1, 0),
        "scaling": OneOf("spectrum", "psd", typical="spectrum"),
    },
    returns=("f", "t", "Zxx"),
    **_PROMISE,
)
@batchable
def stft(
    batch_axes: int,
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: Any = 256,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[Any, ...]:
    """Return the Fourier transforms of overlapping segments of signals.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or any numbers
        The signals. Sizes may be unknown while tracing.
    fs : float, default 1.0
        Elements per second.
    window : str, tuple or array_like, default 'hann_periodic'
        A name of `scipy.signal.get_window`, or a tuple of one and its values, or the elements. Not 'chebwin',
        'dpss', 'general_cosine', 'kaiser_bessel_derived' and 'taylor'. Names may end with '_periodic', as is
        understood, or with '_symmetric'.
    nperseg : int, default 256
        Elements of a segment; of a shorter signal of known size all, with a warning.
    noverlap : int, optional
        How many of them two neighbours share; half of them when None.
    nfft : int, optional
        Length of the transform, `nperseg` or more: zeros are added.
    detrend : {False, 'constant', 'linear'}, default False
        What is taken off each segment.
    return_onesided : bool, default True
        Whether negative frequencies, which are conjugate to the positive ones, are left out. Of complex
        signals they never are, with a warning.
    boundary : {'zeros', None}, default 'zeros'
        Whether half a segment of zeros is put before and behind.
    padded : bool, default True
        Whether zeros are added until the last segment is whole; else what is left over is dropped.
    axis : int, default -1
        Along which axis the signals run.
    scaling : {'spectrum', 'psd'}, default 'spectrum'
        Whether the transform is divided by the sum of the window, or as a density of power asks for.

    Returns
    -------
    f : tf.Tensor, shape (F,), float64
        Frequencies.
    t : tf.Tensor, shape (T,), float64
        Times of the middles of the segments.
    Zxx : tf.Tensor, complex64 or complex128
        Transforms, frequencies where the signals ran, times last; complex128 of float64, of complex128 and of
        integers of 32 bits or more.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        A signal without elements, or values of a window, lengths or `fs` that do not fit.
    UnsupportedArgument
        Another window, `boundary`, `scaling` or `detrend`, or a rank that is unknown while tracing.
    WrongType
        A length is not a whole number, or `fs` no number.
    tf.errors.InvalidArgumentError
        A signal of unknown size turns out to be shorter than a segment.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: one transform of all segments. What is known of sizes is static.

    Source: `scipy/signal/_spectral_py.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import stft
    >>> frequencies, times, spectra = stft(tf.ones([16000]), 16000, nperseg=512)
    >>> spectra.shape
    TensorShape([257, 64])
    """
    margin = _among(boundary, ("zeros", None), "boundary") is not None
    lines = arguments.lines_of(x, "x", axis, batch_axes, of_complex=True)
    onesided = _onesided(return_onesided, lines.x)
    how = _segments(lines.x.shape[-1], window, nperseg, noverlap, nfft, detrend, 2)
    scale = 1 / np.abs(how.window.sum())
    if _among(scaling, ("spectrum", "psd"), "scaling") == "psd":
        scale = np.sqrt(1 / (_rate(fs) * np.square(how.window).sum()))
    whole = _checks.flag(padded, "padded")
    found = _spectra(lines, how, fs, scale, onesided=onesided, margin=margin, padded=whole)
    return _results(found, lines.x, batch_axes)


@replaces(
    "scipy.signal.spectrogram",
    domain={
        **_DOMAIN,
        "scaling": OneOf("density", "spectrum", typical="density"),
        "axis": OneOf(-1, 0),
        "mode": OneOf("psd", "magnitude", "complex", typical="psd"),
    },
    returns=("f", "t", "Sxx"),
    **_PROMISE,
)
@batchable
def spectrogram(
    batch_axes: int,
    x: Any,
    fs: Any = 1.0,
    window: Any = ("tukey_periodic", 0.25),
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[Any, ...]:
    """Return the power of overlapping segments of signals, by frequency.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or any numbers
        The signals. Sizes may be unknown while tracing.
    fs : float, default 1.0
        Elements per second.
    window : str, tuple or array_like, default ('tukey_periodic', 0.25)
        A name of `scipy.signal.get_window`, or a tuple of one and its values, or the elements. Not 'chebwin',
        'dpss', 'general_cosine', 'kaiser_bessel_derived' and 'taylor'. Names may end with '_periodic', as is
        understood, or with '_symmetric'.
    nperseg : int, optional
        Elements of a segment, 256 or as many as the values of a window; of a shorter signal of known size
        all, with a warning.
    noverlap : int, optional
        How many of them two neighbours share; an eighth of them when None.
    nfft : int, optional
        Length of the transform, `nperseg` or more: zeros are added.
    detrend : {'constant', 'linear', False}, default 'constant'
        What is taken off each segment.
    return_onesided : bool, default True
        Whether negative frequencies, which are conjugate to the positive ones, are left out. Of complex
        signals they never are, with a warning.
    scaling : {'density', 'spectrum'}, default 'density'
        Whether power is given per hertz, or as it is.
    axis : int, default -1
        Along which axis the signals run.
    mode : {'psd', 'magnitude', 'complex'}, default 'psd'
        Power, absolute values, or the transforms themselves.

    Returns
    -------
    f : tf.Tensor, shape (F,), float64
        Frequencies.
    t : tf.Tensor, shape (T,), float64
        Times of the middles of the segments.
    Sxx : tf.Tensor, float32, float64 or complex
        Power, frequencies where the signals ran, times last; float64 of float64, of complex128 and of
        integers of 32 bits or more.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        A signal without elements, or values of a window, lengths or `fs` that do not fit.
    UnsupportedArgument
        Another window, `scaling`, `mode` or `detrend`, or a rank that is unknown while tracing.
    WrongType
        A length is not a whole number, or `fs` no number.
    tf.errors.InvalidArgumentError
        A signal of unknown size turns out to be shorter than a segment.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: one transform of all segments. What is known of sizes is static.

    Source: `scipy/signal/_spectral_py.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import spectrogram
    >>> frequencies, times, power = spectrogram(tf.ones([16000]), 16000, nperseg=512)
    >>> power.shape
    TensorShape([257, 35])
    """
    lines = arguments.lines_of(x, "x", axis, batch_axes, of_complex=True)
    onesided = _onesided(return_onesided, lines.x)
    how = _segments(lines.x.shape[-1], window, nperseg, noverlap, nfft, detrend, 8)
    power = 1 / np.square(how.window.sum())
    if _among(scaling, ("density", "spectrum"), "scaling") == "density":
        power = 1 / (_rate(fs) * np.square(how.window).sum())
    kind = _among(mode, ("psd", "magnitude", "complex"), "mode")
    scale = np.sqrt(power)
    frequencies, times, found = _spectra(lines, how, fs, scale, onesided=onesided, margin=False, padded=False)
    if kind == "psd":
        found = tf.square(tf.math.real(found)) + tf.square(tf.math.imag(found))
    if kind == "psd" and onesided:
        # All but the first, and the last of an even length, stand for two.
        twice = np.full(how.length // 2 + 1, 2.0)
        twice[0] = 1
        twice[-1] = 2 if how.length % 2 else 1
        shape = [-1 if place == lines.axis else 1 for place in range(found.shape.rank)]
        found *= tf.reshape(tf.constant(twice, found.dtype), shape)
    elif kind == "magnitude":
        found = tf.abs(found)
    return _results((frequencies, times, found), lines.x, batch_axes)
