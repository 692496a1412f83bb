"""Weighted sums along one axis of images (B, H, W, C), tap by tap.

A rule is (index, weight), both (taps, out): which pixels each output pixel reads and what they count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.opencv._resize_axis import choose

# More taps than this are read as an array with an axis of taps: their loops would take long to compile.
_MOST_TAPS = 16
# Of weights in fixed point.
BITS = 11


def gather(x: Any, index: Any, axis: int) -> Any:
    """Return the rows (axis 1) or columns (axis 2) of an index."""
    return tf.gather(x, index, axis=axis)


def along(weight: Any, axis: int, dtype: Any) -> Any:
    """Return weights of one tap shaped to multiply axis 1 or 2 of a rank-4 image."""
    shape = [-1, 1, 1] if axis == 1 else [-1, 1]
    if isinstance(weight, np.ndarray):
        return tf.constant(weight.astype(dtype.as_numpy_dtype).reshape(shape))
    return tf.reshape(tf.cast(weight, dtype), shape)


def mixed(x: Any, axis: int, rule: Any) -> Any:
    """Two taps: first + (second - first) weight."""
    index, weight = rule
    first = gather(x, index[0], axis)
    return first + (gather(x, index[1], axis) - first) * along(weight[0], axis, x.dtype)


def summed(x: Any, axis: int, rule: Any) -> Any:
    """Add a few taps one by one, in their order."""
    index, weight = rule
    total = gather(x, index[0], axis) * along(weight[0], axis, x.dtype)
    for tap in range(1, weight.shape[0]):
        total += gather(x, index[tap], axis) * along(weight[tap], axis, x.dtype)
    return total


def summed_cells(x: Any, axis: int, rule: Any, holds: Any = None) -> Any:
    """Many taps, some of weight zero, which count for nothing even on NaN."""
    index, weight = rule
    if isinstance(weight, np.ndarray) and len(weight) <= _MOST_TAPS:
        return _summed_few(x, axis, index, weight, holds)
    index, weight = (tf.transpose(part) for part in rule)
    taken = gather(x, index, axis)
    shape = [*weight.shape] if weight.shape.is_fully_defined() else tf.unstack(tf.shape(weight))
    weight = tf.reshape(tf.cast(weight, x.dtype), [*shape, 1, 1] if axis == 1 else [*shape, 1])
    if not x.dtype.is_floating:
        return tf.reduce_sum(taken * weight, axis + 1)
    return tf.reduce_sum(tf.math.multiply_no_nan(taken, weight), axis + 1)


def _summed_few(x: Any, axis: int, index: Any, weight: Any, holds: Any) -> Any:
    total = None
    for tap in range(len(weight)):
        if np.any(weight[tap]):
            term = _times(gather(x, index[tap], axis), weight[tap], axis, holds)
            total = term if total is None else total + term
    return total


def _times(x: Any, weight: Any, axis: int, holds: Any) -> Any:
    """Multiply by weights known while tracing, and by zero to zero whatever is in the pixel."""
    product = x * along(weight, axis, x.dtype)
    if not x.dtype.is_floating:
        return product
    if holds is None:
        return product if np.all(weight) else tf.math.multiply_no_nan(x, along(weight, axis, x.dtype))
    # Bit by bit, which unlike a condition puts no jump into the loop (INTER_AREA, float32, 256 to 224
    # pixels, CPU time 1.04 ms against 1.22 by `multiply_no_nan`; without either 0.71), and which XLA
    # cannot contract with the sum to one rounding: bytes would come out a level off at ties.
    whole = tf.int64 if x.dtype == tf.float64 else tf.int32
    mask = along((weight != 0).astype(np.int32), axis, whole) * -tf.cast(holds, whole)
    return tf.bitcast(tf.bitwise.bitwise_and(tf.bitcast(product, whole), mask), x.dtype)


def scaled(weight: Any) -> Any:
    """Return weights as integers of 11 bits, halves to even."""
    if isinstance(weight, np.ndarray):
        return np.rint(weight * np.float32(1 << BITS)).astype(np.int32)
    return tf.cast(tf.round(weight * (1 << BITS)), tf.int32)


def pair(weight: Any) -> Any:
    """Return both weights of 11 bits for the second tap's weight; each is rounded by itself."""
    if isinstance(weight, np.ndarray):
        return np.stack([scaled(1 - weight), scaled(weight)])
    return tf.stack([scaled(1 - weight), scaled(weight)])


def complement(weight: Any, one: int) -> Any:
    """Return both weights, whose sum is `one`, for the second tap's."""
    if isinstance(weight, np.ndarray):
        return np.stack([one - weight, weight])
    return tf.stack([one - weight, weight])


def saturated(value: Any, dtype: Any) -> Any:
    """Return values rounded to even and clipped to a dtype."""
    if dtype.is_floating:
        return tf.cast(value, dtype)
    return tf.cast(tf.clip_by_value(tf.round(value), dtype.min, dtype.max), dtype)


def mean(total: Any, inside: Any, pixels: Any, dtype: Any, up: Any) -> Any:
    """Return the mean of each block, rounded as OpenCV rounds it."""
    area = tf.cast(pixels, tf.float32)
    single = tf.cast(total, tf.float32)
    part = tf.cast(single / tf.maximum(inside, 1.0), total.dtype)
    if dtype.is_floating:
        full = total * tf.cast(1.0 / area, total.dtype)
        return tf.where(inside >= area, full, part)
    full = single * (1.0 / area)
    full = choose(up, lambda: tf.floor(full + 0.5), lambda: tf.round(full))
    part = single / tf.maximum(inside, 1.0)
    return saturated(tf.where(inside >= area, full, part), dtype)


class Window:
    """Taps along the columns as neighbours: where each output pixel's first one is, and weights.

    Each tap then has the same index into a view of the image that begins one pixel later, which a
    compiled loop reads and checks once for all taps. Taps beyond the border, which stand for the
    pixel on it, are added to that pixel's weight.

    `rule`: numbers and weights (taps, out), of rows of numbers.
    """

    def __init__(self, rule: Any, size: int, fold: int) -> None:
        index, weight = rule
        taps, out = weight.shape
        self.count = min(taps, size)
        last = (size - self.count) * fold + index[0] % fold
        self._index = np.minimum(index.min(axis=0), last).astype(np.int32)
        self._fold = fold
        self._length = (size - self.count + 1) * fold
        self.weight = np.zeros((self.count, out), weight.dtype)
        for tap in range(taps):
            np.add.at(self.weight, ((index[tap] - self._index) // fold, np.arange(out)), weight[tap])

    def read(self, x: Any, tap: int) -> Any:
        """Return the values that one tap reads for each output pixel."""
        start = tap * self._fold
        return gather(x[:, :, start : start + self._length], self._index, 2)

    def summed(self, x: Any) -> Any:
        """Add the taps one by one, in their order."""
        total = self.read(x, 0) * along(self.weight[0], 2, x.dtype)
        for tap in range(1, self.count):
            total += self.read(x, tap) * along(self.weight[tap], 2, x.dtype)
        return total

    def summed_cells(self, x: Any, holds: Any) -> Any:
        """Add the taps; those of weight zero count for nothing even on NaN."""
        total = _times(self.read(x, 0), self.weight[0], 2, holds)
        for tap in range(1, self.count):
            if np.any(self.weight[tap]):
                total += _times(self.read(x, tap), self.weight[tap], 2, holds)
        return total

    def mixed(self, x: Any) -> Any:
        """First + (second - first) weight, and the second itself where that is all."""
        first = self.read(x, 0)
        if self.count == 1:
            return first
        second = self.read(x, 1)
        weight = self.weight[1]
        value = first + (second - first) * along(weight, 2, x.dtype)
        if np.any(weight == 1):
            value = tf.where(tf.constant((weight == 1).reshape(-1, 1)), second, value)
        return value


def windowed(rule: Any) -> bool:
    """Say whether a rule is known while tracing and has few enough taps for a `Window`."""
    return isinstance(rule[1], np.ndarray) and len(rule[1]) <= _MOST_TAPS
