"""The padding modes that compute: a statistic of the axis, or a ramp from its edge to an end value."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

STATISTICS = ("maximum", "mean", "median", "minimum")


def _taken(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _is_whole(dtype: Any) -> bool:
    return bool(dtype.is_integer or dtype.is_bool)


def check(x: Any, mode: str, lengths: list[tuple[Any, Any]]) -> None:
    """Refuse what has no statistic.

    `lengths`: elements taken into account, per axis and side.
    """
    if x.dtype.is_complex and mode != "mean":
        advice = "Pad real and imaginary parts apart."
        given = f"{mode!r} of dtype {x.dtype.name}"
        raise UnsupportedArgument(explain("mode", given, "'mean' for complex numbers", advice))
    empty = x.shape.num_elements() == 0
    if empty or not any(length == 0 for pair in lengths for length in pair):
        return
    given, allowed = f"0 with mode={mode!r}", "1 or more, or None for the whole axis"
    if mode in ("maximum", "minimum"):
        raise OutsideDomain(explain("stat_length", given, allowed, "Leave it out."))
    if _is_whole(x.dtype):
        advice = "Leave it out: the mean of nothing is NaN, which the dtype cannot hold."
        raise UnsupportedArgument(explain("stat_length", given, allowed, advice))


def _mean_of_whole(x: Any, axis: int) -> Any:
    """Return the mean rounded half to even, from exact sums."""
    if x.dtype.is_bool:
        return tf.reduce_any(x, axis, keepdims=True)  # NumPy stores whether the mean is not zero
    if x.dtype.size == 8:
        return tf.round(tf.reduce_mean(tf.cast(x, tf.float64), axis, keepdims=True))
    count = tf.shape(x, out_type=tf.int64)[axis]
    total = tf.reduce_sum(tf.cast(x, tf.int64), axis, keepdims=True)
    # No division of floats: compiled code multiplies by the reciprocal, and ties go astray.
    low = total // count
    twice = 2 * (total - low * count)
    up = (twice > count) | ((twice == count) & (low % 2 == 1))
    return low + tf.cast(up, tf.int64)


def _mean(x: Any, axis: int) -> Any:
    if _is_whole(x.dtype):
        return _mean_of_whole(x, axis)
    work = tf.complex128 if x.dtype.is_complex else tf.float64
    return tf.reduce_mean(tf.cast(x, work), axis, keepdims=True)


def _median(x: Any, axis: int) -> Any:
    size = x.shape[axis]
    if size == 0:
        return tf.reduce_mean(tf.cast(x, tf.float64), axis, keepdims=True)  # NaN, as NumPy gives
    own = x.dtype
    # Compiled code sorts no integers of 16 bits, and nothing sorts bool.
    x = tf.cast(x, tf.int32) if own.is_bool or (own.is_integer and own.size < 4) else x
    ordered = tf.sort(x, axis)
    count = tf.shape(x)[axis] if size is None else size
    middle = [tf.gather(ordered, [place], axis=axis) for place in ((count - 1) // 2, count // 2)]
    if own.is_bool:
        return tf.maximum(*middle) > 0
    if own.is_integer:
        return tf.round((tf.cast(middle[0], tf.float64) + tf.cast(middle[1], tf.float64)) / 2)
    # NumPy adds float16 in float32, the others in their own dtype.
    work = tf.float32 if own.size < 4 else own
    half = (tf.cast(middle[0], work) + tf.cast(middle[1], work)) / 2
    lost = tf.reduce_any(tf.math.is_nan(x), axis, keepdims=True)
    return tf.where(lost, tf.constant(float("nan"), work), half)


def _extreme(x: Any, axis: int, mode: str) -> Any:
    reduce = tf.reduce_max if mode == "maximum" else tf.reduce_min
    if x.dtype.is_bool:
        return tf.cast(reduce(tf.cast(x, tf.uint8), axis, keepdims=True), tf.bool)
    most = reduce(x, axis, keepdims=True)
    if not x.dtype.is_floating:
        return most
    # The kernels differ in what they make of NaN; NumPy hands it on.
    lost = tf.reduce_any(tf.math.is_nan(x), axis, keepdims=True)
    return tf.where(lost, tf.constant(float("nan"), x.dtype), most)


def _statistic(x: Any, axis: int, mode: str) -> Any:
    if mode == "mean":
        found = _mean(x, axis)
    elif mode == "median":
        found = _median(x, axis)
    else:
        found = _extreme(x, axis, mode)
    return cast(found, x.dtype.as_numpy_dtype)


def _widened(x: Any, axis: int, width: Any) -> Any:
    """Return an array of size one along an axis, repeated there."""
    return tf.gather(x, tf.zeros([width], tf.int32), axis=axis)


def statistics(x: Any, axis: int, before: Any, after: Any, mode: str, lengths: tuple[Any, Any]) -> Any:
    """Pad one axis with a statistic of its elements.

    `before`, `after`: int or scalar int32 tensor. `lengths`: how many elements from each end count; None, or
    more than there are, takes all.
    """
    left, right = lengths
    first = _statistic(_taken(x, axis, None, left), axis, mode)
    if left is None and right is None:
        last = first
    else:
        tail = _taken(x, axis, 0, 0) if right == 0 else _taken(x, axis, right and -right, None)
        last = _statistic(tail, axis, mode)
    return tf.concat([_widened(first, axis, before), x, _widened(last, axis, after)], axis)


def _unfused(product: Any, steady: Any) -> Any:
    """Return `product()`, in a way that no compiler joins it with what follows.

    A product and a sum in one rounding (which XLA forms) fall on the other side of whole numbers,
    where the ramps of integers are cut. Nothing is joined across a loop of unknown length.
    """
    times = tf.where(tf.reduce_any(steady), 1, 2)
    start = (tf.constant(0), tf.zeros_like(product()))
    shape = start[1].shape
    return tf.while_loop(
        lambda k, _: k < times,
        lambda k, _: (k + 1, tf.ensure_shape(product(), shape)),
        start,
    )[1]


def _ramp(edge: Any, end: Any, axis: int, width: Any, batch_axes: int, *, reverse: bool) -> Any:
    """Return the values from `end` towards `edge`, which is not reached; backwards on the right side."""
    work = tf.complex128 if edge.dtype.is_complex else tf.float64
    column = [1] * axis + [-1] + [1] * (edge.shape.rank - axis - 1)
    if isinstance(width, int):
        steps = np.arange(width)[::-1] if reverse else np.arange(width)
        i = tf.constant(steps.reshape(column), work)
        share = tf.constant((steps / width).reshape(column), work)
        count = tf.constant(width, work)
    else:
        steps = tf.range(width)
        steps = tf.reverse(steps, [0]) if reverse else steps
        count = tf.cast(width, work)
        i = tf.reshape(tf.cast(steps, work), column)
        share = i / count
    start = tf.constant(end, work)
    delta = tf.cast(edge, work) - start
    # numpy.linspace multiplies otherwise when a step is zero anywhere, and rounding shows it.
    steady = tf.reduce_any(delta == 0, list(range(batch_axes, delta.shape.rank)), keepdims=True)
    # Data, not a constant: compilers divide by constants through their reciprocals.
    divisor = tf.where(steady, tf.ones([], work), count)

    def product() -> Any:
        return tf.where(steady, share * delta, i * (delta / divisor))

    if not edge.dtype.is_integer:
        return cast(product() + start, edge.dtype.as_numpy_dtype)
    return cast(tf.floor(_unfused(product, steady) + start), edge.dtype.as_numpy_dtype)


def ramps(x: Any, axis: int, before: Any, after: Any, ends: tuple[Any, Any], batch_axes: int) -> Any:
    """Pad one axis with linear ramps.

    `x`: the axis is not empty. `before`, `after`: int or scalar int32 tensor. `batch_axes`: axes in front of
    the element's.
    """
    parts = [x]
    if not (isinstance(before, int) and before == 0):
        parts.insert(0, _ramp(_taken(x, axis, 0, 1), ends[0], axis, before, batch_axes, reverse=False))
    if not (isinstance(after, int) and after == 0):
        parts.append(_ramp(_taken(x, axis, -1, None), ends[1], axis, after, batch_axes, reverse=True))
    return tf.concat(parts, axis)
