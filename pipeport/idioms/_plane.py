"""Shared by framing idioms: checked planes and sizes, resizing to integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor, static_value
from pipeport.kernels.inputs.integers import whole_numbers

_RANKS = "(H, W) or (H, W, C), no axis empty"


def plane(value: Any, name: str, batch_axes: int) -> Any:
    """Return an image argument as a tensor of known rank, checked not to be empty."""
    x = as_tensor(value, name)
    rank = x.shape.rank
    if rank is None:
        raise UnsupportedArgument(explain(name, "an unknown rank", _RANKS, "State it with tf.ensure_shape."))
    if rank - batch_axes not in (2, 3) or 0 in x.shape[batch_axes:].as_list():
        raise OutsideDomain(explain(name, f"shape {x.shape[batch_axes:]}", _RANKS, "Give one image."))
    if x.shape[batch_axes:].is_fully_defined():
        return x
    message = explain(name, "an empty axis at run time", _RANKS, "Filter such images out first.")
    with tf.control_dependencies([tf.debugging.assert_positive(tf.shape(x)[batch_axes:], message)]):
        return tf.identity(x)


def planes(image: Any, mask: Any, batch_axes: int) -> tuple[Any, Any]:
    """Return image and mask as tensors, ordered after the check that their planes have one size."""
    x, y = plane(image, "image", batch_axes), plane(mask, "mask", batch_axes)
    one, other = x.shape[: batch_axes + 2], y.shape[: batch_axes + 2]
    allowed, advice = "the height and width of `image`", "They must show the same scene."
    if not one.is_compatible_with(other):
        raise OutsideDomain(explain("mask", f"shape {y.shape[batch_axes:]}", allowed, advice))
    if one.is_fully_defined() and other.is_fully_defined():
        return x, y
    message = explain("mask", "another size at run time", allowed, advice)
    check = tf.debugging.assert_equal(tf.shape(x)[: batch_axes + 2], tf.shape(y)[: batch_axes + 2], message)
    with tf.control_dependencies([check]):
        return tf.identity(x), tf.identity(y)


def size_of(size: Any) -> tuple[int, int]:
    """Return a (height, width) known while tracing."""
    sides = whole_numbers(size, "size")
    if len(sides) != 2 or min(sides) < 1:
        advice = "Height first, then width."
        raise OutsideDomain(explain("size", repr(size), "two whole numbers from 1", advice))
    return sides[0], sides[1]


def sides_of(x: Any, batch_axes: int) -> tuple[Any, Any]:
    """Return height and width, as int64 scalars where tracing does not know them."""
    known = x.shape[batch_axes : batch_axes + 2].as_list()
    found = tf.shape(x, out_type=tf.int64)
    height, width = (found[batch_axes + n] if side is None else side for n, side in enumerate(known))
    return height, width


def fill_of(fill: Any, dtype: Any, name: str) -> Any:
    """Return the value of a border in the image's dtype: one number, or one per channel."""
    fill = static_value(fill, name)
    if tf.is_tensor(fill):
        return tf.cast(fill, dtype)
    value = np.asarray(fill)
    if value.dtype.kind not in "biuf" or value.ndim > 1:
        raise WrongType(explain(name, repr(fill), "a number, or one per channel", "Give numbers."))
    if dtype.is_integer:
        info = np.iinfo(dtype.as_numpy_dtype)
        if value.size and not (info.min <= value.min() and value.max() <= info.max):
            raise OutsideDomain(
                explain(name, repr(fill), f"values {dtype.name} can hold", "Choose one of its levels.")
            )
    return tf.constant(value.astype(dtype.as_numpy_dtype))


def steps(old: Any, new: Any, start: Any, out: int) -> tuple[Any, Any, Any]:
    """Return for each of `out` pixels where it looks, in halves of a new pixel, and whether it does.

    Pixel centres lie on halves: pixel i of `new` looks at ((2 i + 1) old - new) / (2 new). Numbers
    are whole, so that no rounding decides which pixel is meant.
    """
    if all(isinstance(one, int) for one in (old, new, start)):
        at = np.arange(out, dtype=np.int64) - start
        return (2 * np.clip(at, 0, new - 1) + 1) * old, at >= 0, at < new
    at = tf.range(out, dtype=tf.int64) - tf.cast(start, tf.int64)
    old, new = tf.cast(old, tf.int64), tf.cast(new, tf.int64)
    return (2 * tf.clip_by_value(at, tf.constant(0, tf.int64), new - 1) + 1) * old, at >= 0, at < new


def nearest(x: Any, axis: int, old: Any, new: Any) -> Any:
    """Resize one axis to the nearest pixel; `new` is known while tracing."""
    place, _, _ = steps(old, new, 0, new)
    return tf.gather(x, place // (2 * new), axis=axis)


def _mixed(x: Any, axis: int, place: Any, old: Any, new: Any) -> tuple[Any, Any]:
    """Interpolate along one axis; integers times the unit, which is returned too."""
    unit = 2 * new
    low, part = (place - new) // unit, (place - new) % unit
    if isinstance(place, np.ndarray):
        near, far = np.clip(low, 0, old - 1), np.clip(low + 1, 0, old - 1)
    else:
        near, far = (tf.clip_by_value(n, tf.constant(0, tf.int64), old - 1) for n in (low, low + 1))
    column = [1] * axis + [-1] + [1] * (x.shape.rank - axis - 1)
    first, second = tf.gather(x, near, axis=axis), tf.gather(x, far, axis=axis)
    if x.dtype.is_integer:
        part = tf.reshape(tf.cast(part, x.dtype), column)
        unit = tf.cast(unit, x.dtype)
        return first * (unit - part) + second * part, unit
    share = tf.reshape(tf.cast(part, tf.float64) / tf.cast(unit, tf.float64), column)
    share = tf.cast(share, x.dtype)
    return first * (1 - share) + second * share, None


def _linear_body(
    rows: tuple[Any, Any, Any, int], columns: tuple[Any, Any, Any, int], batch_axes: int, narrow: bool
) -> Callable[[Any], Any]:
    def resized(x: Any) -> Any:
        own = x.dtype
        if own.is_integer:
            work = tf.int32 if narrow else tf.int64
        else:
            work = tf.float64 if own == tf.float64 else tf.float32
        values, units = tf.cast(x, work), []
        for axis, (old, new, start, out) in enumerate((rows, columns)):
            place, _, _ = steps(old, new, start, out)
            values, unit = _mixed(values, axis + batch_axes, place, old, new)
            units.append(unit)
        if own.is_integer:
            total = units[0] * units[1]
            values = (values + total // 2) // total
        return tf.cast(values, own)

    return resized


def linear(
    x: Any, rows: tuple[Any, Any, Any, int], columns: tuple[Any, Any, Any, int], batch_axes: int
) -> Any:
    """Resize a plane between pixel centres, into a window of the output.

    `x`: real numbers; integers of 32 bits or less, which are rounded half up, exactly. `rows`, `columns`:
    sizes before and after, where the new one starts in the output, and the output's size. `batch_axes`: axes
    in front of the plane. Returns: of the output's size; outside the window the edge goes on.
    """
    whole = x.dtype.is_integer
    if not (whole and x.dtype.size <= 4) and not x.dtype.is_floating:
        advice = "Cast it, or take the nearest pixel as masks do."
        allowed = "integers of 32 bits or less, or floating numbers"
        raise OutsideDomain(explain("image", f"dtype {x.dtype.name}", allowed, advice))
    known = all(isinstance(one, int) for one in (*rows, *columns))
    # Values of up to `largest` times both units must fit into 32 bits, which are faster.
    largest = int(np.iinfo(x.dtype.as_numpy_dtype).max) + 1 if whole else 0
    narrow = whole and known and largest * 4 * rows[1] * columns[1] < 2**30
    if known:
        return xla.run(_linear_body, rows, columns, batch_axes, narrow)(x)
    return _linear_body(rows, columns, batch_axes, narrow)(x)
