"""Weighted sums and medians of windows, as the filters of TensorFlow Addons take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.sampling._selection import median, sorted_values


def gaussian(size: int, sigma: float, dtype: Any) -> Any:
    """Return the weights of a Gaussian, shape (size,): sigma is rounded to float32 first."""
    deviation = tf.cast(tf.constant(sigma, tf.float32), dtype)
    places = tf.cast(tf.range(-size // 2 + 1, size // 2 + 1) ** 2, dtype)
    return tf.nn.softmax(-places / (2.0 * deviation**2))


def weighed(wide: Any, down: Any, across: Any) -> Any:
    """Return the sums of windows of images (B, H, W, C) with a border, with weights by row and by column.

    TensorFlow's own kernel is one of XLA's that lets NaN of one channel into the others.
    """
    return xla.run(summed, down.shape[0], across.shape[0])(wide, down, across)


def summed(rows: int, columns: int) -> Callable[..., Any]:
    """Return what sums windows of so many rows and columns, as `weighed` does."""

    def run(wide: Any, down: Any, across: Any) -> Any:
        # In float16 each sum of two would be rounded.
        work = tf.float32 if wide.dtype == tf.float16 else wide.dtype
        found, down, across = (tf.cast(one, work) for one in (wide, down, across))
        for axis, count, weights in ((1, rows, down), (2, columns, across)):
            parts = _neighbours(found, axis, count)
            found = parts[0] * weights[0]
            for part, number in zip(parts[1:], range(1, count), strict=True):
                found += part * weights[number]
        return tf.cast(found, wide.dtype)

    return run


def _neighbours(x: Any, axis: int, count: int) -> list[Any]:
    """Return the elements of each window along an axis, the first of all, the second of all, and so on."""
    size = (x.shape[axis] or tf.shape(x)[axis]) - count + 1
    before = (slice(None),) * axis
    return [x[(*before, slice(step, step + size))] for step in range(count)]


def medians(wide: Any, sides: tuple[int, int]) -> Any:
    """Return the medians of windows of images (B, H, W, C) with a border; of two, their mean in the dtype."""
    return xla.run(_selected, *sides)(wide)


def _selected(rows: int, columns: int) -> Callable[[Any], Any]:
    count = rows * columns

    def run(wide: Any) -> Any:
        values = [part for row in _neighbours(wide, 1, rows) for part in _neighbours(row, 2, columns)]
        if count % 2:
            return median(values)
        low, high = sorted_values(values)[count // 2 - 1 : count // 2 + 1]
        # The sum of bytes wraps around, as in the reference.
        return tf.cast((high + low) / 2, wide.dtype)

    return run
