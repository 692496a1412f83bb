"""`scipy.stats.zscore`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Axes, Integer, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.inputs.integers import whole_number


def _is_decided(call: Mapping[str, Any]) -> bool:
    """Say whether roundings do not decide if a line is flat, where there is no score."""
    a = np.asarray(call["a"])
    x = a.astype(np.float64)
    axis = call.get("axis", 0)
    if x.ndim == 0 or x.size == 0 or axis == ():
        return False
    low, high = x.min(axis=axis), x.max(axis=axis)
    most = np.maximum(np.abs(low), np.abs(high))
    exact = (low == high) & (low == np.rint(low)) & (most < 2**10)
    decided = (high - low > most / 64) | exact
    return bool(np.isfinite(x).all() and decided.all())


@replaces(
    "scipy.stats.zscore",
    domain={
        "a": Array(
            dtypes=("bool", "uint8", "int32", "float32", "float64"),
            ranks=(1, 2, 3),
            sides=(1, 8),
            values=(-3.0, 3.0),
            non_finite=False,
        ),
        "axis": Axes(of="a", none=True),
        "ddof": Integer(0, 2, typical=0),
        "nan_policy": OneOf("propagate"),
    },
    agreement=AsReference(),
    valid=_is_decided,
)
@batchable
def zscore(batch_axes: int, a: Any, axis: Any = 0, ddof: int = 0, nan_policy: str = "propagate") -> Any:
    """Return how many standard deviations each element lies above the mean.

    Parameters
    ----------
    a : array_like, bool or real numbers
        The array; sizes may be unknown while tracing.
    axis : int, tuple of int or None, default 0
        Along which axes there is one mean; None takes all.
    ddof : int, default 0
        By how much the divisor of the variance is less than the number of elements.
    nan_policy : {'propagate'}
        Lines with a NaN are NaN; 'omit' and 'raise' are refused.

    Returns
    -------
    tf.Tensor, shape of `a`
        The scores, of the dtype of `a`; float64 of bool and integers.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        `nan_policy` is another, or there is no axis.
    UnsupportedArgument
        `nan_policy` is 'omit' or 'raise', or the rank is unknown, or the numbers are complex.
    WrongType
        `ddof` is not a whole number.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Scores of lines whose elements are
    all equal are NaN where their mean is exact; in other lines that are next to flat, roundings decide
    between NaN and a number, in the reference too.
    Graph: two reductions. Static shape is kept.

    Source: `scipy/stats/_stats_py.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.stats import zscore
    >>> zscore(tf.constant([1.0, 3.0])).numpy().tolist()
    [-1.0, 1.0]
    """
    _checks.word(nan_policy, ("propagate", "omit", "raise"), "nan_policy")
    if nan_policy != "propagate":
        advice = "Use numpy.nanmean and numpy.nanstd."
        raise UnsupportedArgument(explain("nan_policy", repr(nan_policy), "'propagate'", advice))
    x = as_tensor(a, "a")
    if x.dtype.is_complex:
        raise UnsupportedArgument(explain("a", f"dtype {x.dtype.name}", "real numbers", "Take its parts."))
    missing = whole_number(ddof, "ddof")
    rank = known_rank(x, "a") - batch_axes
    axes = range(rank) if axis is None else axis_tuple(axis, rank, "axis")
    places = [place + batch_axes for place in axes]
    if not places:
        raise OutsideDomain(explain("axis", repr(axis), "one axis or more", "Give the array an axis."))
    if not x.dtype.is_floating:
        x = tf.cast(x, tf.float64)
    wide = tf.cast(x, tf.float32) if x.dtype == tf.float16 else x
    mean = tf.reduce_mean(wide, places, keepdims=True)
    apart = wide - mean
    variance = tf.reduce_mean(apart * apart, places, keepdims=True)
    if missing:
        count = tf.reduce_prod(tf.gather(tf.shape(x), places)) if places else tf.constant(1)
        number, left = tf.cast(count, wide.dtype), tf.cast(count - missing, wide.dtype)
        variance *= tf.where(left > 0, number / left, tf.constant(np.nan, wide.dtype))
    spread = tf.sqrt(variance)
    flat = spread <= tf.abs(mean) * tf.constant(np.finfo(x.dtype.as_numpy_dtype).eps, wide.dtype)
    scores = tf.where(flat, tf.constant(np.nan, wide.dtype), apart / spread)
    return tf.ensure_shape(tf.cast(scores, x.dtype), x.shape)
