"""`scipy.signal.detrend`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import OneOf, Within, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.scipy.signal import _arguments as arguments


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
        "overwrite_data": OneOf(False),
    },
    agreement=Within(1e-6, "sums of the line of least squares, which the reference solves for"),
    refused={"bp": "the signal is one piece"},
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
    bp : 0
        Refused otherwise: the signal is one piece.
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
        There are no elements along the axis, or `type` is another.
    UnsupportedArgument
        `bp` is given, complex numbers, or the rank is unknown while tracing.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis.

    Notes
    -----
    Agreement: within 1e-6 on values in [-1, 1]; float64 to about the last digits of the largest element.
    Graph: a few sums. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import detrend
    >>> detrend(tf.constant([1.0, 3.0, 2.0]), type="constant").numpy().tolist()
    [-1.0, 1.0, 0.0]
    """
    _checks.word(type, ("linear", "constant", "l", "c"), "type")
    if any(map(tf.is_tensor, tf.nest.flatten(bp))) or np.any(np.asarray(bp) != 0):
        raise UnsupportedArgument(explain("bp", repr(bp), "0", "Cut the signal, and join the parts."))
    _checks.flag(overwrite_data, "overwrite_data")
    lines = arguments.lines_of(data, "data", axis, batch_axes)
    x = lines.x if lines.x.dtype in (tf.float32, tf.float64) else tf.cast(lines.x, tf.float64)
    # Sums of float32 would be less accurate than the reference's.
    wide = flattened(tf.cast(x, tf.float64), "linear" if type.startswith("l") else "constant")
    return lines.back(tf.ensure_shape(tf.cast(wide, x.dtype), x.shape))
