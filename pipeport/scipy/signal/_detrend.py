"""`scipy.signal.detrend`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import OneOf, Within, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.inputs.integers import static, whole_number
from pipeport.scipy.signal import _arguments as arguments


def _starts(bp: Any) -> list[int]:
    """Return where pieces begin, in ascending order, 0 among them."""
    found = static(bp, "bp")
    if np.ndim(found) > 1:
        raise OutsideDomain(explain("bp", f"rank {np.ndim(found)}", "a number or a list", "Flatten it."))
    return sorted({0, *(whole_number(one, "bp", least=0) for one in np.atleast_1d(np.asarray(found)))})


def _pieces(x: Any, starts: list[int]) -> list[Any]:
    """Return lines (..., N) in pieces, of which the last one may have no elements."""
    size, given = tf.convert_to_tensor(sizes_of(x)[-1]), f"{starts[-1]}, behind the end of `data`"
    allowed, advice = "places up to the number of elements", "Leave this one out."
    (size,) = _checks.check(lambda one: one >= starts[-1], "bp", given, allowed, advice, size)
    with tf.control_dependencies([size]):
        x = tf.identity(x)
    return [x[..., start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)]


def flattened(x: Any, kind: str) -> Any:
    """Return lines (..., N) of floats without their mean, or without the straight line through them."""
    level = x - tf.reduce_mean(x, -1, keepdims=True)
    if kind == "constant":
        return level
    size = tf.shape(x)[-1]
    places = tf.cast(tf.range(size), x.dtype) - tf.cast(size - 1, x.dtype) / 2
    slope = tf.reduce_sum(level * places, -1, keepdims=True)
    return level - tf.math.divide_no_nan(slope, tf.reduce_sum(tf.square(places))) * places


@replaces(
    "scipy.signal.detrend",
    domain={
        "data": arguments.SIGNALS,
        "axis": OneOf(-1, 0),
        "type": OneOf("linear", "constant", "l", "c", typical="linear"),
        "bp": OneOf(0, 0, 1, (3, 2), (0, 4, 4, 7), typical=0),
        "overwrite_data": OneOf(False),
    },
    agreement=Within(1e-6, "sums of the line of least squares, which the reference solves for"),
    valid=lambda call: np.max(call.get("bp", 0)) <= np.shape(call["data"])[call.get("axis", -1)],
)
@batchable
def detrend(
    batch_axes: int,
    data: Any,
    axis: int = -1,
    type: str = "linear",
    bp: Any = 0,
    overwrite_data: bool = False,
) -> Any:
    """Take the straight line, or the mean, off the lines of an array.

    Parameters
    ----------
    data : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    axis : int, default -1
        Along which axis they run.
    type : {'linear', 'constant'}, default 'linear'
        What is taken off: the line of least squares, or the mean.
    bp : int or array_like of int, default 0
        Where another piece begins, known while tracing: each has a line of its own. Of no effect on the mean,
        which is that of all.
    overwrite_data : bool, default False
        Of no effect: tensors are not written in place.

    Returns
    -------
    tf.Tensor, shape of `data`, float32 or float64
        The rest; float32 of float32, else float64.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axis, `type` is another, or `bp` lies beyond the ends.
    UnsupportedArgument
        `bp` or the rank is unknown while tracing, or complex numbers.
    WrongType
        `bp` is not whole numbers.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis, or fewer than `bp`.

    Notes
    -----
    Agreement: within 1e-6 on values in [-1, 1]; float64 to about the last digits of the largest element.
    Graph: a few sums for each piece. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import detrend
    >>> detrend(tf.constant([1.0, 3.0, 2.0]), type="constant").numpy().tolist()
    [-1.0, 1.0, 0.0]
    """
    _checks.word(type, ("linear", "constant", "l", "c"), "type")
    _checks.flag(overwrite_data, "overwrite_data")
    lines = arguments.lines_of(data, "data", axis, batch_axes)
    x = lines.x if lines.x.dtype in (tf.float32, tf.float64) else tf.cast(lines.x, tf.float64)
    # Sums of float32 would be less accurate than the reference's.
    wide, linear = tf.cast(x, tf.float64), type.startswith("l")
    starts = _starts(bp) if linear else [0]
    pieces = _pieces(wide, starts) if len(starts) > 1 else [wide]
    wide = tf.concat([flattened(piece, "linear" if linear else "constant") for piece in pieces], -1)
    return lines.back(tf.ensure_shape(tf.cast(wide, x.dtype), x.shape))
