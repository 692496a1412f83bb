"""Means over the part of the old pixels that each new pixel covers, along one axis.

The weights form a band: a new pixel reads a few neighbouring old ones. Along an axis 256 to 224 that is
three reads a pixel where a matrix product does 256. But zero times NaN is NaN: where a pixel is not finite
the reference's matrix product spoils its whole line, so then the matrix product is what answers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.xla._divide import divided


def _breaks(old: Any, new: int, grid_mode: bool) -> Any:
    """Return where new pixels begin, and where the last one ends, in old pixels: float64, (new + 1,)."""
    if grid_mode:
        return _evenly(0.0, old, new + 1)
    # Corners stand on corners: the outermost pixels reach half as far.
    last = old - 1.0
    half = divided(0.5 * last, max(new - 1.0, 1.0))
    ends = ([0.0], _evenly(half, last - half, new - 1), [last])
    return tf.concat(ends, 0) if tf.is_tensor(old) else np.concatenate(ends)


def _evenly(start: Any, stop: Any, count: int) -> Any:
    """Return `numpy.linspace(start, stop, count)`: the last is not counted, but set."""
    if not tf.is_tensor(stop):
        return np.linspace(start, stop, count)
    if count < 2:
        return tf.fill([count], tf.cast(start, tf.float64))
    number = tf.range(count - 1.0, dtype=tf.float64)
    return tf.concat([number * divided(stop - start, count - 1.0) + start, [stop]], 0)


def _least(first: Any, second: Any) -> Any:
    tensors = tf.is_tensor(first) or tf.is_tensor(second)
    return tf.minimum(first, second) if tensors else np.minimum(first, second)


def _most(first: Any, second: Any) -> Any:
    tensors = tf.is_tensor(first) or tf.is_tensor(second)
    return tf.maximum(first, second) if tensors else np.maximum(first, second)


def _floor(value: Any) -> Any:
    return tf.floor(value) if tf.is_tensor(value) else np.floor(value)


def _bounds(old: Any, new: int, grid_mode: bool) -> tuple[Any, Any, Any]:
    """Return where each new pixel begins and ends, and the first old one it covers."""
    breaks = _breaks(old, new, grid_mode)
    begin, end = breaks[:-1], breaks[1:]
    return begin, end, _floor(begin if grid_mode else begin + 0.5)


def _overlap(begin: Any, end: Any, pixel: Any, old: Any, grid_mode: bool) -> Any:
    """Return how much of an old pixel lies between begin and end."""
    if grid_mode:
        low, high = pixel, pixel + 1
    else:
        zero = 0.0 * pixel
        low, high = (_most(zero, _least(edge, zero + (old - 1.0))) for edge in (pixel - 0.5, pixel + 0.5))
    return _most(_least(end, high) - _most(begin, low), 0.0 * pixel)


@functools.lru_cache(maxsize=256)
def _band(old: int, new: int, grid_mode: bool) -> tuple[Any, Any]:
    """Return the first old pixel of each new one (new,), and weights (taps, new)."""
    begin, end, first = _bounds(float(old), new, grid_mode)
    taps = int(np.max(np.ceil(end) - first)) + 2
    parts = np.stack([_overlap(begin, end, first + tap, float(old), grid_mode) for tap in range(taps)])
    while len(parts) > 1 and not parts[-1].any():
        parts = parts[:-1]
    with np.errstate(invalid="ignore"):  # one old pixel stretched corner to corner: the reference's NaN
        return first.astype(np.int32), parts / parts.sum(axis=0)


def _matrix(old: Any, new: int, grid_mode: bool) -> Any:
    """Return the weights as a dense matrix (new, old), float64."""
    begin, end, _ = _bounds(old, new, grid_mode)
    pixel = tf.range(old, dtype=tf.float64) if tf.is_tensor(old) else np.arange(old, dtype=np.float64)
    begin, end = begin[:, np.newaxis], end[:, np.newaxis]
    parts = _overlap(begin, end, pixel[np.newaxis] + 0.0 * begin, old, grid_mode)
    if tf.is_tensor(parts):
        return parts / tf.reduce_sum(parts, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return parts / parts.sum(axis=1, keepdims=True)


def averaged(x: Any, axis: int, new: Any, grid_mode: bool) -> Any:
    """Resample one axis to `new` pixels, each the mean of what it covers.

    `grid_mode`: whether pixels are areas that meet at their edges, or points of which the outermost stay.
    Returns: the array with the axis resampled.
    """
    old = x.shape[axis]
    if old is not None:
        return _spread(x, axis, _static(x, axis, new, grid_mode), lambda: _matrix(old, new, grid_mode))
    size = tf.shape(x)[axis]

    def resampled() -> Any:
        return _spread(
            x,
            axis,
            _dynamic(x, axis, new, grid_mode),
            lambda: _matrix(tf.cast(size, tf.float64), new, grid_mode),
        )

    def kept() -> Any:
        # All of it; but both branches have `new` pixels, as XLA asks.
        return tf.gather(x, tf.minimum(tf.range(new), size - 1), axis=axis)

    # An axis that keeps its size is left alone, NaN and all.
    shape = [*x.shape[:axis], new, *x.shape[axis + 1 :]]
    return tf.ensure_shape(tf.cond(tf.equal(size, new), kept, resampled), shape)


def _spread(x: Any, axis: int, result: Any, matrix: Callable[[], Any]) -> Any:
    """Return the result, or the matrix product where something is not finite: each pixel counts once."""
    return tf.cond(
        tf.reduce_all(tf.math.is_finite(result)), lambda: result, lambda: _dense(x, axis, matrix())
    )


def _static(x: Any, axis: int, new: int, grid_mode: bool) -> Any:
    return xla.run(_program, axis, new, grid_mode)(x)


def _program(axis: int, new: int, grid_mode: bool) -> Callable[..., Any]:
    """Return the body to compile."""

    def body(x: Any) -> Any:
        first, parts = _band(x.shape[axis], new, grid_mode)
        total: Any = None
        for tap, weight in enumerate(parts):
            pixels = tf.gather(x, np.minimum(first + tap, x.shape[axis] - 1), axis=axis)
            term = pixels * _along(tf.constant(weight, x.dtype), axis, x.shape.rank)
            total = term if total is None else total + term
        return total

    return body


def _along(weight: Any, axis: int, rank: int) -> Any:
    return tf.reshape(weight, [-1 if place == axis else 1 for place in range(rank)])


def _dynamic(x: Any, axis: int, new: int, grid_mode: bool) -> Any:
    """As `_static`, for a size known only when the graph runs."""
    size = tf.shape(x)[axis]
    old = tf.cast(size, tf.float64)
    begin, end, first = _bounds(old, new, grid_mode)
    taps = tf.cast(tf.reduce_max(tf.math.ceil(end) - first), tf.int32) + 1

    def tap_weight(tap: Any) -> Any:
        return _overlap(begin, end, first + tf.cast(tap, tf.float64), old, grid_mode)

    def step(tap: Any, total: Any, weights: Any) -> tuple[Any, Any, Any]:
        pixels = tf.gather(x, tf.minimum(tf.cast(first, tf.int32) + tap, size - 1), axis=axis)
        weight = tap_weight(tap)
        term = pixels * _along(tf.cast(weight, x.dtype), axis, x.shape.rank)
        return tap + 1, total + term, weights + weight

    shape = [*x.shape[:axis], new, *x.shape[axis + 1 :]]
    sizes = tf.concat([tf.shape(x)[:axis], [new], tf.shape(x)[axis + 1 :]], 0)
    start = (tf.constant(0), tf.ensure_shape(tf.zeros(sizes, x.dtype), shape), tf.zeros([new], tf.float64))
    _, total, weights = tf.while_loop(lambda tap, *_: tap < taps, step, start)
    return total / _along(tf.cast(weights, x.dtype), axis, x.shape.rank)


def _dense(x: Any, axis: int, matrix: Any) -> Any:
    moved = tf.tensordot(x, tf.cast(matrix, x.dtype), [[axis], [1]])
    last = x.shape.rank - 1
    return tf.transpose(moved, [*range(axis), last, *range(axis, last)])
