"""`scipy.signal.decimate`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, OneOf, batchable, replaces
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._convolution import convolved
from pipeport.kernels.sampling._polyphase import Polyphase, resampled
from pipeport.kernels.sampling._recursion import Filter, recursed
from pipeport.scipy.signal import _arguments as arguments
from pipeport.scipy.signal._lfilter import extended, long_enough
from pipeport.scipy.signal._windows import named


def _sections(order: int, edge: float) -> list[Filter]:
    """Return a Chebyshev low-pass of a ripple of 0.05 decibels, as filters of two poles, or of one.

    `edge`: where its pass band ends, as a part of Nyquist's frequency.
    """
    ripple = 10**0.005
    spread = math.asinh(1 / math.sqrt(ripple - 1)) / order
    # Poles of the analog filter on and above the real axis, then scaled and mapped onto the unit circle.
    angles = np.pi / 2 / order * np.arange(1 - order % 2, order, 2)
    scaled = -np.sinh(spread + 1j * angles) * math.tan(np.pi / 2 * edge)
    poles, gains = (1 + scaled) / (1 - scaled), np.abs(scaled / (1 - scaled))
    found = []
    for pole, gain in zip(poles, gains, strict=True):
        if pole.imag == 0:
            found.append(Filter(np.array([gain, gain]), np.array([1.0, -pole.real])))
        else:
            weights = gain**2 * np.array([1.0, 2.0, 1.0])
            found.append(Filter(weights, np.array([1.0, -2 * pole.real, abs(pole) ** 2])))
    if order % 2 == 0:  # at frequency zero it lies at the bottom of the ripple
        found[0] = Filter(found[0].b / math.sqrt(ripple), found[0].a)
    return found


def _low_pass(count: int, edge: float) -> np.ndarray:
    """Return so many taps of a low-pass filter whose sum is 1."""
    taps = edge * np.sinc(edge * (np.arange(count) - (count - 1) / 2))
    taps *= named("hamming", count, periodic=False)
    return np.asarray(taps / taps.sum())


def _recursive(x: Any, order: int, ratio: int, both_ways: bool) -> Any:
    """Return every so many-th element of filtered lines of any dtype, in float64."""
    sections, size = _sections(order, 0.8 / ratio), sizes_of(x)[-1]
    if not both_ways:
        wide = tf.cast(x, tf.float64)
        for one in sections:
            wide = recursed(wide, one)
        return wide[..., ::ratio]
    edge = 3 * (order + 1)
    wide = tf.cast(extended(long_enough(x, edge), "odd", edge), tf.float64)
    for _ in range(2):
        for one in sections:
            wide = recursed(wide, one, wide[..., :1] * tf.constant(one.steady()))
        wide = tf.reverse(wide, [-1])
    return wide[..., edge : edge + size : ratio]


def _without_feedback(x: Any, order: int, ratio: int, zero_phase: bool) -> Any:
    """Return every so many-th element of lines of floats that a filter of taps has gone through."""
    taps = _low_pass(order + 1, 1 / ratio).astype(x.dtype.as_numpy_dtype)
    if zero_phase:
        return resampled(x, Polyphase(taps, 1, ratio))
    return convolved(x, tf.constant(taps), 0, sizes_of(x)[-1])[..., ::ratio]


def _is_long(call: Mapping[str, Any]) -> bool:
    order = call.get("n") or 8
    both_ways = call.get("ftype", "iir") == "iir" and call.get("zero_phase", True)
    return not both_ways or np.shape(call["x"])[call.get("axis", -1)] > 3 * (order + 1)


@replaces(
    "scipy.signal.decimate",
    domain={
        "x": Array(
            dtypes=arguments.DTYPES, ranks=(1, 2), sides=(1, 40), values=(-1.0, 1.0), non_finite=False
        ),
        "q": OneOf(2, 3, 5, typical=2),
        "n": OneOf(None, 1, 2, 3, 4, typical=None),
        "ftype": OneOf("iir", "fir", typical="iir"),
        "axis": OneOf(-1, 0),
        "zero_phase": OneOf(True, False, typical=True),
    },
    agreement=AsReference(coordinates_of="x"),
    valid=_is_long,
)
@batchable
def decimate(
    batch_axes: int,
    x: Any,
    q: int,
    n: int | None = None,
    ftype: str = "iir",
    axis: int = -1,
    zero_phase: bool = True,
) -> Any:
    """Filter the lines of an array with a low-pass, and keep every so many-th element.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    q : int
        Of how many elements one is kept, known while tracing.
    n : int, optional
        The order of the filter; 8 of a recursive one, 20 times `q` of one of taps when None.
    ftype : {'iir', 'fir'}, default 'iir'
        Whether the filter is recursive, of Chebyshev, or of taps, under a window of Hamming's.
    axis : int, default -1
        Along which axis the signals run.
    zero_phase : bool, default True
        Whether results are not delayed: a recursive filter goes there and back.

    Returns
    -------
    tf.Tensor, float32 or float64
        The signals; of float32 float32, else float64.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        `q` or `n` is below 1, `q` is 1 for 'fir', `ftype` is another, there are no elements along the axis,
        or not more than three times ``n + 1`` where a recursive filter goes there and back.
    UnsupportedArgument
        `q`, `n` or the rank is not known while tracing, or complex numbers.
    WrongType
        `q` or `n` is not a whole number.
    tf.errors.InvalidArgumentError
        There turn out to be too few elements along the axis.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: that of `lfilter` for each two orders, or of `resample_poly`. Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import decimate
    >>> decimate(tf.zeros([16000]), 2).shape
    TensorShape([8000])
    """
    _checks.word(ftype, ("iir", "fir"), "ftype", "Filter with `lfilter`, and take a slice.")
    is_recursive = ftype == "iir"
    ratio = whole_number(q, "q", least=1 if is_recursive else 2)
    order = whole_number((8 if is_recursive else 20 * ratio) if n is None else n, "n", least=1)
    delayed = not _checks.flag(zero_phase, "zero_phase")
    lines = arguments.lines_of(x, "x", axis, batch_axes)
    dtype = tf.float32 if lines.x.dtype == tf.float32 else tf.float64
    signal = lines.x if is_recursive and not lines.x.dtype.is_bool else tf.cast(lines.x, dtype)
    found = (_recursive if is_recursive else _without_feedback)(signal, order, ratio, not delayed)
    size = lines.x.shape[-1]
    kept = None if size is None else -(-size // ratio)
    return lines.back(tf.ensure_shape(tf.cast(found, dtype), [*lines.x.shape[:-1], kept]))
