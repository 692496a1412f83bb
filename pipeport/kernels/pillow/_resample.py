"""Pillow's resampling: two passes, one per axis, rounded to pixels in between.

A pass works on (outer, size, inner): axes before, the axis itself, axes after. Sums are taken one
coefficient after the other, in the reference's order, and never fused with the product, so that
results are equal bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.pillow._bytes import (
    FRACTION_BITS,
    bytes_of,
    fixed_point,
    resampled_bytes,
    vertical_first,
)
from pipeport.kernels.pillow._filters import Table, graph_table, table
from pipeport.kernels.xla._rounding import plus_product

_UNROLLED = 24  # coefficients; more are summed in a loop, which compiles in constant time


def _sums(dtype: Any, weights: Any) -> tuple[Any, Any]:
    """Return the start of the sum and the coefficients, in the dtype of the sum."""
    if dtype != tf.uint8:
        return tf.constant(0.0, tf.float64), tf.convert_to_tensor(weights, tf.float64)
    return tf.constant(1 << (FRACTION_BITS - 1), tf.int32), fixed_point(weights)


def _pixels(total: Any, dtype: Any) -> Any:
    """Return sums as pixels."""
    if dtype == tf.uint8:
        return bytes_of(total)
    if dtype == tf.float32:
        # Pillow's sums begin with zero, so none is -0.0; the compiler leaves such a beginning out.
        return tf.cast(tf.where(tf.equal(total, 0.0), tf.zeros_like(total), total), dtype)
    whole = truncated(total + tf.where(total >= 0, *(tf.constant(s, tf.float64) for s in (0.5, -0.5))))
    if dtype == tf.int32:
        return whole
    return tf.cast(tf.clip_by_value(whole, 0, 65535), dtype)


def truncated(values: Any) -> Any:
    """Return float64 values as int32 like a cast in C here: out of range is the lowest integer."""
    low = tf.constant(float(-(2**31)), tf.float64)
    fits = (values > low - 1) & (values < -low)
    return tf.cast(tf.where(fits, values, low), tf.int32)


def _step(x: Any, total: Any, index: Any, weight: Any, within: Any) -> Any:
    """Add one coefficient's share to the sums of bytes, or with `within` of other pixels."""
    index = tf.minimum(index, tf.shape(x)[1] - 1)
    term = tf.cast(tf.gather(x, index, axis=1), total.dtype) * weight[:, tf.newaxis]
    if x.dtype == tf.uint8:
        return total + term
    if x.dtype == tf.float32:
        # Beyond the last coefficient nothing is read, not even a NaN.
        term = tf.where(within[:, tf.newaxis], term, tf.zeros_like(term))
    return plus_product(total, term, tf.cast(tf.reshape(x, [-1])[0], total.dtype))


def _pass(x: Any, coefficients: Table) -> Any:
    """Resample axis 1 of (outer, size, inner)."""
    total, weights = _sums(x.dtype, coefficients.weights)
    first = tf.convert_to_tensor(coefficients.first)
    taps = weights.shape[0]
    if taps is None or taps > _UNROLLED:
        return _pixels(_looped(x, first, weights, coefficients.count), x.dtype)
    for tap in range(taps):
        total = _step(x, total, first + tap, weights[tap], tap < coefficients.count)
    return _pixels(total, x.dtype)


def _looped(x: Any, first: Any, weights: Any, count: Any) -> Any:
    """Return the sums of all coefficients; bytes need no `count`."""
    shape = tf.concat([tf.shape(x)[:1], tf.shape(first), tf.shape(x)[2:]], 0)
    total = tf.fill(shape, _sums(x.dtype, np.zeros([1, 1]))[0])
    total.set_shape([x.shape[0], first.shape[0], x.shape[2]])

    def body(tap: Any, total: Any) -> tuple[Any, Any]:
        within = None if count is None else tap < count
        return tap + 1, _step(x, total, first + tap, weights[tap], within)

    return tf.while_loop(lambda tap, _total: tap < tf.shape(weights)[0], body, (0, total))[1]


def _static_pass(size: int, start: float, stop: float, out: int, number: int) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        return _pass(x, table(size, start, stop, out, number))

    return run


def _flat(pixels: Any, axis: int) -> Any:
    """Return (B, H, W, C) as (outer, size, inner)."""
    batch, height, width, channels = (
        known if known is not None else size
        for known, size in zip(pixels.shape, tf.unstack(tf.shape(pixels)), strict=True)
    )
    if axis == 1:
        return tf.reshape(pixels, [batch, height, width * channels])
    return tf.reshape(pixels, [batch * height, width, channels])


def _unflat(flat: Any, pixels: Any, axis: int, out: Any) -> Any:
    shape = tf.unstack(tf.shape(pixels))
    known = pixels.shape.as_list()
    shape = [size if size is not None else shape[i] for i, size in enumerate(known)]
    shape[axis] = out
    known[axis] = out if isinstance(out, int) else None
    return tf.ensure_shape(tf.reshape(flat, shape), known)


def _resampled(pixels: Any, axis: int, out: int, box: tuple[float, float], number: int) -> Any:
    size = pixels.shape[axis]
    if size == out and box == (0.0, float(size)):
        return pixels
    # 256x256x3 bytes to 224, bicubic, in Dataset.map: one compiled function per pass makes 1,627
    # elements/s, both in one 747 (1,154 with the rows in between materialised), matrix products
    # of float64 over blocks of pixels 631, Pillow in numpy_function 992.
    run = xla.run(_static_pass, size, *box, out, number, known=True)
    return _unflat(run(_flat(pixels, axis)), pixels, axis, out)


def resampled(pixels: Any, size: tuple[int, int], number: int, box: tuple[float, ...]) -> Any:
    """Resample pixels (B, H, W, C) of known sizes.

    `pixels`: shape (B, H, W, C); uint8 (no alpha, or premultiplied), uint16, int32 or float32. `size`: width
    and height of the result. `box`: left, upper, right, lower, in single precision. Returns: shape (B,
    height, width, C).
    """
    height, width = pixels.shape[1:3]
    if all(start == int(start) and stop - start == out for out, start, stop in _ends(size, box)):
        # A crop: nothing else is read, not even with a weight of zero.
        return pixels[:, int(box[1]) : int(box[3]), int(box[0]) : int(box[2])]
    rows = (1, size[1], (box[1], box[3]), number)
    columns = (2, size[0], (box[0], box[2]), number)
    if vertical_first(height, width, size[1], size[0]):
        return _resampled(_resampled(pixels, *rows), *columns)
    if height != size[1] or (box[1], box[3]) != (0, height):
        # Only the rows that the second pass reads.
        used = table(height, *rows[2], size[1], number)
        low, high = int(used.first[0]), int(used.first[-1] + used.count[-1])
        if (low, high) != (0, height) and low < high:
            middle = _resampled(pixels[:, low:high], *columns)
            middle = tf.pad(middle, [[0, 0], [low, height - high], [0, 0], [0, 0]])
            return _resampled(middle, *rows)
    return _resampled(_resampled(pixels, *columns), *rows)


def _ends(size: tuple[Any, Any], box: tuple[Any, ...]) -> tuple[tuple[Any, Any, Any], ...]:
    """Return the size, start and stop of rows, then of columns."""
    return (size[1], box[1], box[3]), (size[0], box[0], box[2])


def resampled_in_graph(pixels: Any, size: tuple[Any, Any], number: int, box: tuple[Any, ...] | None) -> Any:
    """As `resampled`, for sizes or a box (float32 tensors; all by default) known when the graph runs."""
    form = xla.choose(pixels.dtype == tf.uint8, program=resampled_bytes, otherwise=_resampled_by_operations)
    return form(pixels, size, number, box)


def _resampled_by_operations(
    pixels: Any, size: tuple[Any, Any], number: int, box: tuple[Any, ...] | None
) -> Any:
    height, width = tf.unstack(tf.shape(pixels))[1:3]
    swap = vertical_first(height, width, size[1], size[0])
    if box is None:
        box = (tf.zeros([]), tf.zeros([]), tf.cast(width, tf.float32), tf.cast(height, tf.float32))
    rows, columns = _ends(size, box)
    # A transposition decides which axis comes first: XLA takes no conditional whose branches
    # differ in shape, and the kernel hands an image through that keeps its order.
    order = tf.where(swap, [0, 2, 1, 3], [0, 1, 2, 3])
    x = tf.transpose(pixels, order)
    x = tf.ensure_shape(x, [pixels.shape[0], None, None, pixels.shape[3]])
    pairs = list(zip(rows, columns, strict=True))
    crop = tf.reduce_all([_moved(*ends) for ends in (rows, columns)])
    x = _resampled_in_graph(x, 2, number, crop, *(tf.where(swap, row, column) for row, column in pairs))
    x = _resampled_in_graph(x, 1, number, crop, *(tf.where(swap, column, row) for row, column in pairs))
    sides = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(tf.transpose(x, order), [pixels.shape[0], *sides, pixels.shape[3]])


def _moved(out: Any, start: Any, stop: Any) -> Any:
    """Say whether an axis is cut, from a whole pixel to a whole pixel, and not resampled."""
    return tf.equal(start, tf.floor(start)) & tf.equal(stop - start, tf.cast(out, tf.float32))


def _table_in_graph(
    length: Any, number: int, out: Any, start: Any, stop: Any, crop: bool | Any = False
) -> Table:
    kept = tf.equal(length, out) & tf.equal(start, 0) & tf.equal(stop, tf.cast(length, tf.float32))
    return graph_table(length, start, stop, out, number, kept | crop)


def _resampled_in_graph(
    pixels: Any, axis: int, number: int, crop: Any, out: Any, start: Any, stop: Any
) -> Any:
    found = _table_in_graph(tf.shape(pixels)[axis], number, out, start, stop, crop)
    return _unflat(_pass(_flat(pixels, axis), found), pixels, axis, out)


def running(start: Any, step: Any, count: Any) -> Any:
    """Return start, start + step, ..., added up one by one as a loop does: float64, shape (count, ...).

    `start`, `step`: float or float64 array or tensor; `step` broadcasts to the shape of `start`. `count`: int
    or scalar int32 tensor. Returns: an array where everything is known.
    """
    if not any(tf.is_tensor(value) for value in (start, step, count)):
        steps = np.broadcast_to(np.float64(step), (max(count, 1), *np.shape(start))).copy()
        steps[0] = start
        return np.cumsum(steps, axis=0)[:count]
    start, step = (tf.cast(value, tf.float64) for value in (start, step))

    def at_once(start: Any, step: Any) -> Any:
        more = tf.concat([[tf.maximum(count - 1, 0)], tf.shape(start)], 0)
        return tf.cumsum(tf.concat([start[tf.newaxis], tf.broadcast_to(step, more)], 0))[:count]

    known = isinstance(count, int) and start.shape.is_fully_defined()
    return xla.run(_one_by_one, count, known=known, otherwise=at_once)(start, step)


def _one_by_one(count: int) -> Callable[[Any, Any], Any]:
    # XLA adds a cumsum up in a tree.
    def run(start: Any, step: Any) -> Any:
        def body(index: Any, value: Any, values: Any) -> Any:
            return index + 1, value + step, tf.tensor_scatter_nd_update(values, [[index]], value[tf.newaxis])

        values = tf.zeros([count, *start.shape], tf.float64)
        return tf.while_loop(lambda i, *_: i < count, body, (0, start, values))[2]

    return run
