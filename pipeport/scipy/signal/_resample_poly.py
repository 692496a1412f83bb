"""`scipy.signal.resample_poly`."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Integer, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import holds_tensor, static_value
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._polyphase import Polyphase, elements, resampled
from pipeport.scipy.signal import _arguments as arguments
from pipeport.scipy.signal._windows import named

# What is taken off a line before, and put on it again.
_LEVELS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda x: tf.reduce_mean(x, -1, keepdims=True),
    "minimum": lambda x: tf.reduce_min(x, -1, keepdims=True),
    "maximum": lambda x: tf.reduce_max(x, -1, keepdims=True),
}
# Elements of a matrix of weights: 32 MB of float64.
_MOST = 2**22


def _rate(value: Any, name: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return whole_number(value, name, least=1)


def _designed(window: Any, most: int) -> np.ndarray:
    """Return the taps of a low-pass filter at the lower of both rates, whose sum is 1."""
    half = 10 * most
    places = np.arange(-half, half + 1)
    taps = np.sinc(places / most) / most * named(window, 2 * half + 1, periodic=False)
    return np.asarray(taps / taps.sum())


def _taps(window: Any, most: int, dtype: np.dtype[Any]) -> np.ndarray:
    if isinstance(window, (str, tuple)) and not holds_tensor(window):
        taps = _designed(window, most)
        return taps.astype(dtype) if dtype.kind == "f" else taps
    found = arguments.coefficients(static_value(window, "window"), "window")
    if tf.is_tensor(found):
        advice = "Design the filter while tracing."
        raise UnsupportedArgument(explain("window", "a tensor", "known taps", advice))
    return np.asarray(found)


def _is_served(call: Mapping[str, Any]) -> bool:
    # A mean of integers is not one, and minima of unsigned ones are subtracted in their dtype.
    constant = call.get("padtype", "constant") == "constant"
    return constant or (np.asarray(call["x"]).dtype.kind == "f" and call.get("cval") is None)


def _check_level(cval: Any, padtype: str) -> None:
    if cval is not None:
        if padtype != "constant":
            raise OutsideDomain(explain("cval", repr(cval), f"None for padtype {padtype!r}", "Leave it out."))
        if not isinstance(cval, numbers.Real):
            raise WrongType(explain("cval", repr(cval), "None or 0", "Subtract the level before."))
        if cval != 0:
            raise UnsupportedArgument(explain("cval", repr(cval), "None or 0", "Subtract the level before."))


@replaces(
    "scipy.signal.resample_poly",
    domain={
        "x": arguments.SIGNALS,
        "up": Integer(1, 7, typical=2),
        "down": Integer(1, 7, typical=3),
        "axis": OneOf(0, -1),
        "window": OneOf(
            ("kaiser", 5.0), "hamming", "hann", "nuttall", (0.25, 0.5, 0.25), typical=("kaiser", 5.0)
        ),
        "padtype": OneOf("constant", "mean", "minimum", "maximum", typical="constant"),
        "cval": OneOf(None, None, None, 0, typical=None),
    },
    agreement=AsReference(),
    valid=_is_served,
)
@batchable
def resample_poly(
    batch_axes: int,
    x: Any,
    up: int,
    down: int,
    axis: int = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: float | None = None,
) -> Any:
    """Resample the lines of an array by a ratio of whole numbers, with a filter.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    up, down : int
        The ratio, known while tracing: N elements become N * up / down, rounded up.
    axis : int, default 0
        Along which axis they run.
    window : str, tuple or array_like, default ('kaiser', 5.0)
        The window of the low-pass filter, known while tracing: a name, or a tuple of one and its values, see
        `stft`; or the taps of a filter.
    padtype : {'constant', 'mean', 'minimum', 'maximum'}, default 'constant'
        What lies beyond the ends: zeros, or that of the line.
    cval : float, optional
        The value beyond the ends for 'constant'; only 0.

    Returns
    -------
    tf.Tensor, float32 or float64
        The signals; of float32 float32, of integers float64.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        A rate is below 1, there are no elements along the axis, or `cval` is given for another `padtype`.
    UnsupportedArgument
        Another `window` or `padtype`, a `cval` but 0, rates with a product of more than two millions, or what
        is not known while tracing.
    WrongType
        A rate is not a whole number.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: the product of overlapping frames with a matrix, output by output where something is not finite.
    Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import resample_poly
    >>> resample_poly(tf.zeros([16000]), 1, 2).shape
    TensorShape([8000])
    """
    ups, downs = _rate(up, "up"), _rate(down, "down")
    _checks.word(
        padtype, ("constant", *_LEVELS), "padtype", "Pad the signal yourself.", error=UnsupportedArgument
    )
    _check_level(cval, padtype)
    lines = arguments.lines_of(x, "x", axis, batch_axes)
    common = math.gcd(ups, downs)
    ups, downs = ups // common, downs // common
    if ups == downs == 1:
        return lines.back(lines.x)
    if elements(ups, downs) > _MOST:
        advice = "Choose a ratio of smaller numbers."
        given = f"{ups} / {downs}"
        raise UnsupportedArgument(explain("up, down", given, f"a product up to {_MOST // 2}", advice))
    own = np.dtype(lines.x.dtype.as_numpy_dtype)
    taps = _taps(window, max(ups, downs), own)
    taps = taps * taps.dtype.type(ups)
    taps = taps.astype(np.result_type(taps, own, np.float32))
    signal = tf.cast(lines.x, taps.dtype)
    level = _LEVELS.get(padtype)
    if level is None:
        return lines.back(resampled(signal, Polyphase(taps, ups, downs)))
    base = level(signal)
    return lines.back(resampled(signal - base, Polyphase(taps, ups, downs)) + base)
