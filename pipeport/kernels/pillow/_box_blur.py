"""Blurs by boxes whose sides are not whole numbers, in Pillow's fixed point."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.pillow import _arguments as arguments

_BITS = 24
_PASSES = 3
# Neighbours on one side that are added up one by one; more are found by sums along the line.
_FEW = 8
_ENDS = (slice(1), slice(-1, None))


def blurred(pixels: Any, across: Any, down: Any) -> Any:
    """Return bytes (B, H, W, C) blurred nearly as by a Gaussian: three boxes along rows, three along columns.

    `across`, `down`: standard deviations from 0, numbers or scalar float32 tensors.
    """
    if not (tf.is_tensor(across) or tf.is_tensor(down)):
        boxes = tuple(_known_box(one) for one in (across, down))
        if max(radius for radius, *_ in boxes) <= _FEW:
            return xla.run(_by_neighbours, *boxes)(pixels)
    levels = tf.cast(pixels, tf.int32)
    for axis, deviation in ((2, across), (1, down)):
        whole, weights = _box(tf.cast(deviation, tf.float32))
        for _ in range(_PASSES):
            levels = _averaged(levels, axis, whole, weights)
    return tf.ensure_shape(tf.cast(levels, pixels.dtype), pixels.shape)


def _by_neighbours(across: tuple[int, ...], down: tuple[int, ...]) -> Callable[[Any], Any]:
    """Return the blur by boxes of known radius and weights, few pixels wide."""

    def run(pixels: Any) -> Any:
        levels = tf.cast(pixels, tf.int32)
        for axis, (radius, inner, outer) in ((2, across), (1, down)):
            for _ in range(_PASSES):
                size = levels.shape[axis] or tf.shape(levels)[axis]
                before = (slice(None),) * axis
                ends = (tf.repeat(levels[(*before, end)], radius + 1, axis) for end in _ENDS)
                first, last = ends
                wide = tf.concat([first, levels, last], axis)
                parts = [wide[(*before, slice(at, at + size))] for at in range(2 * radius + 3)]
                total, around = tf.add_n(parts[1:-1]), parts[0] + parts[-1]
                levels = _rounded(total, around, inner, outer)
        return tf.ensure_shape(tf.cast(levels, pixels.dtype), pixels.shape)

    return run


def deviations_of(radius: Any) -> tuple[Any, Any]:
    """Return standard deviations along rows and along columns, as numbers or float32 tensors from 0."""
    pair = radius if isinstance(radius, (tuple, list)) else (radius, radius)
    across, down = (_deviation(one) for one in arguments.real_entries(pair, 2, "radius"))
    return across, down


def _deviation(value: Any) -> Any:
    allowed, advice = "numbers from 0", "Take its size."
    if not tf.is_tensor(value):
        if value < 0:
            raise OutsideDomain(explain("radius", str(value), allowed, advice))
        return value
    message = explain("radius", "a negative number, or none", allowed, advice)
    check = tf.debugging.Assert(tf.math.is_finite(value) & (value >= 0), [message])
    with tf.control_dependencies([check]):
        return tf.cast(value, tf.float32)


@functools.lru_cache(maxsize=256)
def _known_box(deviation: float) -> tuple[int, int, int]:
    """Return the radius and the weights of `_box` as numbers."""
    with tf.init_scope():
        pixels, (inner, outer) = _box(tf.constant(deviation, tf.float32))
        return int(pixels), int(inner), int(outer)


def _box(deviation: Any) -> tuple[Any, Any]:
    """Return the radius of a box in whole pixels, and the weights of those within and of the two around."""
    square = tf.cast(deviation * deviation / np.float32(_PASSES), tf.float64)
    length = tf.cast(tf.sqrt(12.0 * square + 1.0), tf.float32)
    whole = tf.cast(tf.floor((tf.cast(length, tf.float64) - 1.0) / 2.0), tf.float32)
    narrow = tf.cast(square, tf.float32)
    share = (2 * whole + 1) * (whole * (whole + 1) - 3 * narrow)
    share /= 6 * (narrow - (whole + 1) * (whole + 1))
    radius = whole + share
    pixels = tf.cast(radius, tf.int32)
    inner = tf.cast(np.float32(1 << _BITS) / (radius * 2 + 1), tf.int64)
    outer = ((1 << _BITS) - tf.cast(2 * pixels + 1, tf.int64) * inner) // 2
    return pixels, (inner, outer)


def _averaged(levels: Any, axis: int, radius: Any, weights: tuple[Any, Any]) -> Any:
    size = tf.shape(levels)[axis]
    places = tf.range(size)

    def at(values: Any, where: Any) -> Any:
        return tf.gather(values, tf.clip_by_value(where, 0, size - 1), axis=axis)

    # Sums up to each pixel, that included; beyond the ends the last pixels come again.
    sums = tf.cumsum(levels, axis)
    first, last = (levels[(*(slice(None),) * axis, end)] for end in _ENDS)
    shape = [-1 if other == axis else 1 for other in range(4)]
    before, behind = (
        tf.reshape(tf.maximum(count, 0), shape)
        for count in (radius - places + 1, places + radius - (size - 1))
    )
    total = at(sums, places + radius) - at(sums, places - radius - 1) + first * before + last * behind
    # Where no pixel lies before the box, the first was taken off and added once more.
    around = at(levels, places - radius - 1) + at(levels, places + radius + 1)
    inner, outer = weights
    return _rounded(total, around, inner, outer)


def _rounded(total: Any, around: Any, inner: Any, outer: Any) -> Any:
    """Return the sums times their weights; Pillow's integers, too, have no sign and 32 bits."""
    total, inner, around, outer = (tf.cast(one, tf.uint32) for one in (total, inner, around, outer))
    half, bits = tf.constant(1 << (_BITS - 1), tf.uint32), tf.constant(_BITS, tf.uint32)
    return tf.cast(tf.bitwise.right_shift(total * inner + around * outer + half, bits), tf.int32)
