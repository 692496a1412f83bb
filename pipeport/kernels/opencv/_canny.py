"""Edges by Canny's method: ridges of the gradient, as far as they are connected with a strong one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._borders import on_grown
from pipeport.kernels.opencv._correlate import Correlation, sums

# The tangent of 22.5 degrees, in parts of `_ONE`, as OpenCV rounds it.
_TANGENT, _ONE = 13573, 1 << 15
# Directions of the gradient, in the two lowest bits beside its magnitude.
_LEVEL, _UPRIGHT, _FALLING, _RISING = range(4)
_DIRECTIONS = 4
_WEAK, _STRONG = 1, 2
_EDGE = 255
# Rows whose pixels share a word.
_ROWS = 32


def edges_of(x: Any, low: Any, high: Any, derivatives: tuple[Correlation, Correlation], squared: bool) -> Any:
    """Return 255 where images (B, H, W, C) have an edge, else 0.

    `low`, `high`: shape (B, 1, 1) or (1, 1, 1), int32; an edge begins where the magnitude is above the
    second, and goes on where it is above the first. `derivatives`: those along rows and along columns, of one
    odd size. `squared`: whether the magnitude is the sum of squares; else that of absolute values. Returns:
    shape (B, H, W), uint8.
    """
    size = tf.stack([x.shape[axis] or tf.shape(x)[axis] for axis in (1, 2)])
    reach = derivatives[0].size[0] // 2
    # Around the image gradients are zero: a pixel more for ridges, and a column more for what is connected.
    around = ((reach + 1, reach + 1), (reach + 2, reach + 2))

    def run(program: Callable[..., Any], wide: Any) -> Any:
        # Three programs: of one XLA would compute a gradient again for each of its neighbours.
        found = program(_gradients, *derivatives, squared)(wide, size)
        return program(_connected)(program(_ridges)(found, low, high))

    return on_grown(x, "nearest", around, run)


def _gradients(along: Correlation, across: Correlation, squared: bool) -> Callable[[Any, Any], Any]:
    def gradients(wide: Any, size: Any) -> Any:
        """Return the largest magnitude of each pixel's channels, times four, and its direction."""
        channels = wide.shape[3]
        x, y = (tf.cast(sums(one, channels)(wide), tf.int32) for one in (along, across))
        aside, below = tf.abs(x), tf.abs(y)
        length = x * x + y * y if squared else aside + below
        near, far = aside * _TANGENT, below * _ONE
        slanting = tf.where((x < 0) ^ (y < 0), _RISING, _FALLING)
        steep = tf.where(far > near + aside * (2 * _ONE), _UPRIGHT, slanting)
        found = length * _DIRECTIONS + tf.where(far < near, _LEVEL, steep)
        best = found[..., 0]
        for channel in range(1, channels):
            other = found[..., channel]
            best = tf.where(_length(other) > _length(best), other, best)
        _, height, width = sizes_of(best)
        row, column = tf.range(height)[:, tf.newaxis], tf.range(width)
        inside = (row >= 1) & (row <= size[0]) & (column >= 2) & (column <= size[1] + 1)
        return tf.where(inside, best, 0)

    return gradients


def _length(found: Any) -> Any:
    return tf.bitwise.right_shift(found, 2)


def _ridges() -> Callable[[Any, Any, Any], Any]:
    def ridges(found: Any, low: Any, high: Any) -> Any:
        """Return which pixels are largest across their direction: weak or strong ones."""
        _, height, width = sizes_of(found)

        def at(down: int, right: int) -> Any:
            return tf.slice(found, [0, 1 + down, 1 + right], [-1, height - 2, width - 2])

        def neighbour(down: int, right: int) -> Any:
            return _length(at(down, right))

        here, direction = neighbour(0, 0), at(0, 0) & (_DIRECTIONS - 1)
        level = (here > neighbour(0, -1)) & (here >= neighbour(0, 1))
        upright = (here > neighbour(-1, 0)) & (here >= neighbour(1, 0))
        falling = (here > neighbour(-1, -1)) & (here > neighbour(1, 1))
        rising = (here > neighbour(-1, 1)) & (here > neighbour(1, -1))
        largest = (
            ((direction == _LEVEL) & level)
            | ((direction == _UPRIGHT) & upright)
            | ((direction == _FALLING) & falling)
            | ((direction == _RISING) & rising)
        )
        kind = tf.where(here > high, _STRONG, _WEAK)
        return tf.cast(tf.where(largest & (here > low), kind, 0), tf.uint8)

    return ridges


def _connected() -> Callable[[Any], Any]:
    def connected(ridges: Any) -> Any:
        """Return 255 at strong ridges and at weak ones connected with them, (B, H, W) of (B, H, W + 2).

        A word holds the pixels of a column in 32 rows, so that a step to all neighbours takes a few
        operations. The words have a margin of zeros.
        """
        batch, height, width = sizes_of(ridges)
        more = -height % _ROWS
        if not isinstance(more, int) or more:
            ridges = tf.pad(ridges, [[0, 0], [0, more], [0, 0]])
        words = (height + more) // _ROWS
        planes = tf.unstack(tf.reshape(ridges, [batch, words, _ROWS, width]), axis=2)
        either = _packed([tf.minimum(plane, 1) for plane in planes])
        inner = either[:, :, 1:-1]
        strong = tf.pad(
            _packed([tf.bitwise.right_shift(plane, 1) for plane in planes]), [[0, 0], [1, 1], [0, 0]]
        )

        def further(reached: Any, _changed: Any) -> tuple[Any, Any]:
            reached = _updated(reached, _step(reached) & inner)
            new = _step(reached) & inner
            changed = tf.reduce_any(new != reached[:, 1:-1, 1:-1])
            return _updated(reached, new), changed

        found, _ = tf.while_loop(lambda _reached, changed: changed, further, (strong, tf.constant(True)))
        rows = tf.range(_ROWS, dtype=tf.int64)[:, tf.newaxis]
        bits = tf.bitwise.right_shift(found[:, 1:-1, tf.newaxis, 1:-1], rows) & 1
        pixels = tf.reshape(tf.cast(bits * _EDGE, tf.uint8), [batch, height + more, width - 2])
        return pixels[:, :height]

    return connected


def _packed(planes: list[Any]) -> Any:
    """Return planes of zeros and ones as the bits of words."""
    parts = [tf.bitwise.left_shift(tf.cast(one, tf.int64), bit) for bit, one in enumerate(planes)]
    return functools.reduce(tf.bitwise.bitwise_or, parts)


def _step(reached: Any) -> Any:
    """Return words (B, K, W) of what touches the pixels in words with a margin, (B, K + 2, W + 2)."""
    beside = reached[:, :, :-2] | reached[:, :, 1:-1] | reached[:, :, 2:]
    above, here, below = beside[:, :-2], beside[:, 1:-1], beside[:, 2:]
    down = tf.bitwise.left_shift(here, 1) | tf.bitwise.right_shift(above, _ROWS - 1)
    up = tf.bitwise.right_shift(here, 1) | tf.bitwise.left_shift(below, _ROWS - 1)
    # Bits from the 33rd on are cut off by what the result is joined with.
    return here | down | up


def _updated(reached: Any, inner: Any) -> Any:
    """Return words with a margin, and new ones inside."""
    return tf.raw_ops.TensorStridedSliceUpdate(
        input=reached,
        begin=[0, 1, 1],
        end=[0, -1, -1],
        strides=[1, 1, 1],
        value=inner,
        begin_mask=1,
        end_mask=1,
    )
