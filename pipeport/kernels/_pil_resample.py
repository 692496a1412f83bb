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
from pipeport.kernels import _xla
from pipeport.kernels._pil_filters import Table, graph_table, table

_FRACTION_BITS = 22  # of the fixed-point coefficients of bytes
_UNROLLED = 24  # coefficients; more are summed in a loop, which compiles in constant time


def added(total: Any, product: Any) -> Any:
    """Return total + product, each rounded.

    XLA would contract the two to one fused operation, rounded once; not a product with two uses.
    """
    return tf.where(tf.math.is_nan(product), product, total + product)


def _sums(dtype: Any, weights: Any) -> tuple[Any, Any]:
    """Return the start of the sum and the coefficients, in the dtype of the sum."""
    if dtype != tf.uint8:
        return tf.constant(0.0, tf.float64), tf.convert_to_tensor(weights, tf.float64)
    fixed = weights * float(1 << _FRACTION_BITS)
    fixed = tf.cast(fixed + tf.where(fixed < 0, *(tf.constant(s, tf.float64) for s in (-0.5, 0.5))), tf.int32)
    return tf.constant(1 << (_FRACTION_BITS - 1), tf.int32), fixed


def _pixels(total: Any, dtype: Any) -> Any:
    """Return sums as pixels."""
    if dtype == tf.uint8:
        return tf.cast(tf.clip_by_value(tf.bitwise.right_shift(total, _FRACTION_BITS), 0, 255), dtype)
    if dtype == tf.float32:
        return tf.cast(total, dtype)
    whole = truncated(total + tf.where(total >= 0, *(tf.constant(s, tf.float64) for s in (0.5, -0.5))))
    if dtype == tf.int32:
        return whole
    return tf.cast(tf.clip_by_value(whole, 0, 65535), dtype)


def truncated(values: Any) -> Any:
    """Return float64 values as int32 like a cast in C here: out of range is the lowest integer."""
    low = tf.constant(float(-(2**31)), tf.float64)
    fits = (values > low - 1) & (values < -low)
    return tf.cast(tf.where(fits, values, low), tf.int32)


def _term(x: Any, dtype: Any, index: Any, weight: Any, within: Any) -> Any:
    wide = tf.int32 if dtype == tf.uint8 else tf.float64
    term = tf.cast(tf.gather(x, index, axis=1), wide) * weight[:, tf.newaxis]
    if dtype != tf.float32:
        return term
    # Beyond the last coefficient nothing is read, not even a NaN.
    return tf.where(within[:, tf.newaxis], term, tf.zeros_like(term))


def _pass(x: Any, coefficients: Table) -> Any:
    """Resample axis 1 of (outer, size, inner)."""
    dtype, last = x.dtype, tf.shape(x)[1] - 1
    start, weights = _sums(dtype, coefficients.weights)
    add = tf.add if dtype == tf.uint8 else added
    first = tf.convert_to_tensor(coefficients.first)

    def step(tap: Any, total: Any) -> Any:
        index = tf.minimum(first + tap, last)
        return add(total, _term(x, dtype, index, weights[tap], tap < coefficients.count))

    taps = weights.shape[0]
    if taps is not None and taps <= _UNROLLED:
        total = start
        for tap in range(taps):
            total = step(tap, total)
        return _pixels(total, dtype)
    shape = tf.concat([tf.shape(x)[:1], tf.shape(first), tf.shape(x)[2:]], 0)
    total = tf.fill(shape, start)
    total.set_shape([x.shape[0], first.shape[0], x.shape[2]])
    total = tf.while_loop(
        lambda tap, total: tap < tf.shape(weights)[0],  # noqa: ARG005
        lambda tap, total: (tap + 1, step(tap, total)),
        (0, total),
    )[1]
    return _pixels(total, dtype)


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
    if size == out and box == (0, size):
        return pixels
    run = _static_pass(size, *box, out, number)
    # 256x256x3 bytes to 224, bicubic, in Dataset.map: one compiled function per pass makes 1,627
    # elements/s, both in one 747 (1,154 with the rows in between materialised), matrix products
    # of float64 over blocks of pixels 631, Pillow in numpy_function 992.
    if _xla.should_compile(gains=True):
        run = _xla.compiled(_static_pass, size, *box, out, number)
    return _unflat(run(_flat(pixels, axis)), pixels, axis, out)


def _vertical_first(height: Any, width: Any, out_height: Any, out_width: Any) -> Any:
    """Whether Pillow resamples rows first: when they shrink by more than twice as many as columns."""
    return (out_height < height) & (height - out_height > 2 * (width - out_width))


def resampled(pixels: Any, size: tuple[int, int], number: int, box: tuple[float, ...]) -> Any:
    """Resample pixels (B, H, W, C) of known sizes.

    Parameters
    ----------
    pixels : tf.Tensor, shape (B, H, W, C)
        uint8 (no alpha, or premultiplied), uint16, int32 or float32.
    size : (int, int)
        Width and height of the result.
    number : int
        The filter.
    box : (float, float, float, float)
        Left, upper, right, lower, in single precision.

    Returns
    -------
    tf.Tensor, shape (B, height, width, C)
        The resampled pixels.
    """
    height, width = pixels.shape[1:3]
    rows = (1, size[1], (box[1], box[3]), number)
    columns = (2, size[0], (box[0], box[2]), number)
    if _vertical_first(height, width, size[1], size[0]):
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


def resampled_in_graph(pixels: Any, size: tuple[Any, Any], number: int, box: tuple[Any, ...]) -> Any:
    """As `resampled`, for sizes or a box (float32 tensors) known when the graph runs."""
    height, width = tf.unstack(tf.shape(pixels)[1:3])
    # A transposition decides which axis comes first: XLA takes no conditional whose branches
    # differ in shape, and the kernel hands an image through that keeps its order.
    swap = _vertical_first(height, width, size[1], size[0])
    order = tf.where(swap, [0, 2, 1, 3], [0, 1, 2, 3])
    rows, columns = (size[1], box[1], box[3]), (size[0], box[0], box[2])
    x = tf.transpose(pixels, order)
    x = tf.ensure_shape(x, [pixels.shape[0], None, None, pixels.shape[3]])
    pairs = list(zip(rows, columns, strict=True))
    x = _resampled_in_graph(x, 2, number, *(tf.where(swap, row, column) for row, column in pairs))
    x = _resampled_in_graph(x, 1, number, *(tf.where(swap, column, row) for row, column in pairs))
    sides = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(tf.transpose(x, order), [pixels.shape[0], *sides, pixels.shape[3]])


def _resampled_in_graph(pixels: Any, axis: int, number: int, out: Any, start: Any, stop: Any) -> Any:
    length = tf.shape(pixels)[axis]
    kept = tf.equal(length, out) & tf.equal(start, 0) & tf.equal(stop, tf.cast(length, tf.float32))
    found = graph_table(length, start, stop, out, number, kept)
    return _unflat(_pass(_flat(pixels, axis), found), pixels, axis, out)


def running(start: Any, step: Any, count: Any) -> Any:
    """Return start, start + step, ..., added up one by one as a loop does: float64, shape (count,).

    Parameters
    ----------
    start, step : float or scalar float64 tensor
        First value and increment.
    count : int or scalar int32 tensor
        How many values.

    Returns
    -------
    numpy.ndarray or tf.Tensor
        The values; an array where everything is known.
    """
    if not any(tf.is_tensor(value) for value in (start, step, count)):
        return np.cumsum(np.r_[start, np.full(max(count - 1, 0), step)])[:count]
    start, step = (tf.cast(value, tf.float64) for value in (start, step))
    if isinstance(count, int) and _xla.should_compile(gains=True):
        return _xla.compiled(_one_by_one, count)(start, step)
    steps = tf.concat([start[tf.newaxis], tf.fill([tf.maximum(count - 1, 0)], step)], 0)
    return tf.cumsum(steps)[:count]


def _one_by_one(count: int) -> Callable[[Any, Any], Any]:
    # XLA adds a cumsum up in a tree.
    def run(start: Any, step: Any) -> Any:
        def body(index: Any, value: Any, values: Any) -> Any:
            return index + 1, value + step, tf.tensor_scatter_nd_update(values, [[index]], [value])

        values = tf.zeros([count], tf.float64)
        return tf.while_loop(lambda i, *_: i < count, body, (0, start, values))[2]

    return run
