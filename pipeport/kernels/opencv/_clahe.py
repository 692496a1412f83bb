"""Histograms equalised tile by tile, with limited contrast, as `cv2.CLAHE` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.opencv._borders import grown
from pipeport.kernels.opencv._histogram import levels_counted
from pipeport.kernels.sampling._margins import fold_taps
from pipeport.kernels.xla._rounding import minus

# The tables of four tiles are packed into one integer, by the bits of a pixel.
_PACKED = {"uint8": "int32", "uint16": "int64"}


def equalized(x: Any, clip: Any, grid: tuple[int, int]) -> Any:
    """Return images (B, H, W, 1), uint8 or uint16, equalised by tiles.

    `clip`: shape (), float64; how often a level may come, in multiples of the mean; no limit if it is not
    positive. `grid`: tiles along rows and along columns, as OpenCV has them.
    """
    tiles = grid[::-1]
    sizes = [x.shape[axis] or tf.shape(x)[axis] for axis in (1, 2)]
    divided = [size % count == 0 for size, count in zip(sizes, tiles, strict=True)]
    more = [count - size % count for size, count in zip(sizes, tiles, strict=True)]
    if x.shape[1:3].is_fully_defined():
        wide = x if all(divided) else grown(x, "mirror", ((0, more[0]), (0, more[1])))
        sides = [int(wide.shape[axis]) // count for axis, count in zip((1, 2), tiles, strict=True)]
    else:
        whole = tf.reduce_all([tf.convert_to_tensor(one) for one in divided])
        more = [tf.where(whole, 0, one) for one in more]
        wide = x
        for axis, size, count in zip((1, 2), sizes, more, strict=True):
            wide = tf.gather(wide, fold_taps(tf.range(size + count), size, "mirror"), axis=axis)
        sides = [(size + count) // tile for size, count, tile in zip(sizes, more, tiles, strict=True)]
    tables = xla.run(_tables, tiles)(wide, clip)
    axes = [part for size, side in zip(sizes, sides, strict=True) for part in _axis(size, side)]
    return tf.ensure_shape(xla.run(_mixed, tiles)(x, tables, *axes), x.shape)


def _axis(size: Any, side: Any) -> tuple[Any, Any]:
    """Return between which tiles each pixel of an axis lies, and how near to the second of them."""
    if isinstance(size, int) and isinstance(side, int):
        places = np.arange(size, dtype=np.float32) * (np.float32(1) / np.float32(side)) - np.float32(0.5)
        first = np.floor(places)
        return tf.constant(first.astype(np.int32) + 1), tf.constant(places - first)
    inverse = tf.constant(1.0) / tf.cast(side, tf.float32)
    places = minus(tf.cast(tf.range(size), tf.float32) * inverse, tf.constant(0.5))
    first = tf.floor(places)
    return tf.cast(first, tf.int32) + 1, places - first


def _tables(tiles: tuple[int, int]) -> Callable[..., Any]:
    rows, columns = tiles

    def tables(wide: Any, clip: Any) -> Any:
        """Return the tables of the four tiles around each corner: (B, (rows + 1) (columns + 1), N)."""
        levels = wide.dtype.max + 1
        batch, height, width = (
            tf.shape(wide)[axis] if wide.shape[axis] is None else wide.shape[axis] for axis in range(3)
        )
        size = (height // rows) * (width // columns)
        apart = tf.reshape(wide, [batch, rows, height // rows, columns, width // columns])
        apart = tf.transpose(apart, [0, 1, 3, 2, 4])
        counts = levels_counted(
            tf.reshape(apart, [batch * rows * columns, height // rows, width // columns, 1])
        )
        summed = tf.cumsum(_clipped(counts, clip, size, levels), 1)
        scale = tf.constant(levels - 1.0) / tf.cast(size, tf.float32)
        found = tf.minimum(tf.round(tf.cast(summed, tf.float32) * scale), levels - 1.0)
        word = tf.as_dtype(_PACKED[wide.dtype.name])
        found = tf.reshape(tf.cast(found, word), [batch, rows, columns, levels])
        found = tf.concat([found[:, :1], found, found[:, -1:]], 1)
        found = tf.concat([found[:, :, :1], found, found[:, :, -1:]], 2)
        corners = [found[:, y : y + rows + 1, x : x + columns + 1] for y in (0, 1) for x in (0, 1)]
        packed = tf.add_n(
            [tf.bitwise.left_shift(one, at * wide.dtype.size * 8) for at, one in enumerate(corners)]
        )
        return tf.reshape(packed, [batch, (rows + 1) * (columns + 1), levels])

    return tables


def _clipped(counts: Any, clip: Any, size: Any, levels: int) -> Any:
    """Return counts (T, N) that are limited; what is above goes to all levels alike."""
    # No level comes more often than there are pixels.
    share = tf.minimum(clip * tf.cast(size, tf.float64) / levels, tf.cast(size, tf.float64))
    limit = tf.where(clip > 0, tf.maximum(tf.cast(share, tf.int32), 1), size)
    kept = tf.minimum(counts, limit)
    above = tf.reduce_sum(counts - kept, 1, keepdims=True)
    each, rest = above // levels, above % levels
    step = tf.maximum(levels // tf.maximum(rest, 1), 1)
    level = tf.range(levels)
    one_more = (level % step == 0) & (level // step < rest)
    return kept + each + tf.cast(one_more, tf.int32)


def _mixed(tiles: tuple[int, int]) -> Callable[..., Any]:
    columns = tiles[1]

    def mixed(x: Any, tables: Any, row: Any, down: Any, column: Any, across: Any) -> Any:
        levels, bits = tables.shape[2], x.dtype.size * 8
        corner = row[:, tf.newaxis] * (columns + 1) + column
        index = corner * levels + tf.cast(x[..., 0], tf.int32)
        flat = tf.reshape(tables, [tf.shape(tables)[0], -1])
        packed = tf.gather(flat, index, batch_dims=1)
        mask = tf.constant(levels - 1, packed.dtype)
        first, second, third, fourth = (
            tf.cast(tf.bitwise.bitwise_and(tf.bitwise.right_shift(packed, at * bits), mask), tf.float32)
            for at in range(4)
        )
        zero = tf.bitwise.right_shift(index, 31)  # which no compiler knows
        right, below = across, down[:, tf.newaxis]
        left, above = 1 - right, 1 - below
        upper = _product(first, left, zero) + _product(second, right, zero)
        lower = _product(third, left, zero) + _product(fourth, right, zero)
        found = tf.round(_product(upper, above, zero) + _product(lower, below, zero))
        return tf.cast(tf.minimum(found, levels - 1.0), x.dtype)[..., tf.newaxis]

    return mixed


def _product(one: Any, other: Any, zero: Any) -> Any:
    """Return a product in float32, rounded before it is added to anything: its bits are changed by a zero."""
    bits = tf.bitcast(one * other, tf.int32)
    return tf.bitcast(tf.bitwise.bitwise_xor(bits, zero), tf.float32)
