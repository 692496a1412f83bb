"""Blurs by boxes whose sides are no whole numbers, in Pillow's fixed point."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.pillow import _arguments as arguments

_BITS = 24
_PASSES = 3


def blurred(pixels: Any, across: Any, down: Any) -> Any:
    """Return bytes (B, H, W, C) blurred nearly as by a Gaussian: three boxes along rows, three along columns.

    `across`, `down`: standard deviations, scalar float32 tensors from 0.
    """
    levels = tf.cast(pixels, tf.int32)
    for axis, deviation in ((2, across), (1, down)):
        whole, weights = _box(deviation)
        for _ in range(_PASSES):
            levels = _averaged(levels, axis, whole, weights)
    return tf.ensure_shape(tf.cast(levels, pixels.dtype), pixels.shape)


def deviations_of(radius: Any) -> tuple[Any, Any]:
    """Return standard deviations along rows and along columns, as float32 numbers or tensors from 0."""
    pair = radius if isinstance(radius, (tuple, list)) else (radius, radius)
    across, down = (_deviation(one) for one in arguments.real_entries(pair, 2, "radius"))
    return across, down


def _deviation(value: Any) -> Any:
    allowed, advice = "numbers from 0", "Take its size."
    if not tf.is_tensor(value):
        if value < 0:
            raise OutsideDomain(explain("radius", str(value), allowed, advice))
        return tf.constant(value, tf.float32)
    message = explain("radius", "a negative number, or none", allowed, advice)
    check = tf.debugging.Assert(tf.math.is_finite(value) & (value >= 0), [message])
    with tf.control_dependencies([check]):
        return tf.cast(value, tf.float32)


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
    first, last = (
        levels[(slice(None),) * axis + (slice(1),)],
        levels[(slice(None),) * axis + (slice(-1, None),)],
    )
    shape = [-1 if other == axis else 1 for other in range(4)]
    before, behind = (
        tf.reshape(tf.maximum(count, 0), shape)
        for count in (radius - places + 1, places + radius - (size - 1))
    )
    total = at(sums, places + radius) - at(sums, places - radius - 1) + first * before + last * behind
    # Where no pixel lies before the box, the first was taken off and added once more.
    around = at(levels, places - radius - 1) + at(levels, places + radius + 1)
    inner, outer = weights
    bulk = tf.cast(total, tf.int64) * inner + tf.cast(around, tf.int64) * outer
    return tf.cast((bulk + (1 << (_BITS - 1))) // (1 << _BITS), tf.int32)
