"""Bilinear interpolation of a batch of images at points, in the two forms TensorFlow Addons has.

Both repeat its arithmetic step by step. `at_points` holds points outside to the edge, `resampled`
fades to zero there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import _xla
from pipeport.kernels._apart import apart

Body = Callable[..., Any]


def _offsets(batch: Any, pixels: Any, rank: int) -> Any:
    return tf.reshape(tf.range(batch) * pixels, [-1] + [1] * (rank - 1))


def _whole(value: Any) -> Any:
    # NaN is no index, but its weight makes NaN of the result.
    return tf.cast(tf.where(tf.math.is_nan(value), tf.zeros_like(value), value), tf.int32)


def _clipped(value: Any, low: Any, high: Any) -> Any:
    return tf.minimum(tf.maximum(tf.cast(low, value.dtype), value), tf.cast(high, value.dtype))


def at_points(images: Any, rows: Any, columns: Any, size: Any, isolate: bool) -> Any:
    """Interpolate images at points; beyond the edge the edge counts.

    Parameters
    ----------
    images : tf.Tensor, shape (B, H, W, C)
        H and W at least two.
    rows, columns : tf.Tensor, floating, one shape of leading size B (or 1)
        Coordinates in pixels.
    size : tf.Tensor, int32, shape (2,)
        H and W.
    isolate : bool
        Whether the body is compiled on its own.

    Returns
    -------
    tf.Tensor, shape (B, ..., C), dtype of `images`
        NaN where a coordinate is NaN.
    """
    height, width = tf.unstack(size)
    batch, channels = tf.shape(images)[0], images.shape[3]
    table = tf.reshape(images, [-1, tf.shape(images)[3] if channels is None else channels])

    def place() -> Any:
        top = _clipped(tf.floor(rows), 0, height - 2)
        left = _clipped(tf.floor(columns), 0, width - 2)
        down = _clipped(tf.cast(rows - top, images.dtype), 0, 1)
        right = _clipped(tf.cast(columns - left, images.dtype), 0, 1)
        first = _offsets(batch, height * width, rows.shape.rank) + _whole(top) * width + _whole(left)
        return first, down, right

    first, down, right = apart(height > 0, place) if isolate else place()
    down, right = down[..., tf.newaxis], right[..., tf.newaxis]
    top_left, bottom_left = tf.gather(table, first), tf.gather(table, first + width)
    top = right * (tf.gather(table, first + 1) - top_left) + top_left
    bottom = right * (tf.gather(table, first + width + 1) - bottom_left) + bottom_left
    return down * (bottom - top) + top


def warped(images: Any, flow: Any, size: Any, isolate: bool) -> Any:
    """Interpolate images at (row, column) - flow, for every pixel; `flow` is (B, H, W, 2)."""
    height, width = tf.unstack(tf.shape(images)[1:3])
    rows = tf.cast(tf.range(height), flow.dtype)[:, tf.newaxis] - flow[..., 0]
    columns = tf.cast(tf.range(width), flow.dtype) - flow[..., 1]
    return at_points(images, rows, columns, size, isolate)


def at_pairs(images: Any, points: Any, size: Any, isolate: bool) -> Any:
    """Interpolate images at points (B, N, 2) of (row, column)."""
    return at_points(images, points[..., 0], points[..., 1], size, isolate)


def at_swapped_pairs(images: Any, points: Any, size: Any, isolate: bool) -> Any:
    """Interpolate images at points (B, N, 2) of (column, row)."""
    return at_points(images, points[..., 1], points[..., 0], size, isolate)


def resampled(images: Any, points: Any, size: Any, isolate: bool) -> Any:
    """Interpolate images (B, H, W, C) at points (B, N, 2) of (column, row), as if zeros lay around.

    `images` and `points` have one floating dtype, which is that of the result; `size` is H and W.
    """
    height, width = tf.unstack(size)
    batch, channels = tf.shape(images)[0], images.shape[3]
    stride, pixels = width + 3, (height + 3) * (width + 3)

    def place() -> Any:
        x, y = points[..., 0], points[..., 1]
        high_x, high_y = tf.cast(width, x.dtype), tf.cast(height, y.dtype)
        inside = (x > -1) & (y > -1) & (x < high_x) & (y < high_y)
        x, y = tf.where(inside, x, tf.zeros_like(x)), tf.where(inside, y, tf.zeros_like(y))
        # The reference takes the floor of a float32.
        left = tf.floor(tf.cast(x, tf.float32))
        top = tf.floor(tf.cast(y, tf.float32))
        across, along = tf.cast(left + 1, x.dtype) - x, tf.cast(top + 1, y.dtype) - y
        # A float64 just below the far edge has its floor there.
        left = tf.minimum(tf.cast(left, tf.int32), width - 1)
        top = tf.minimum(tf.cast(top, tf.int32), height - 1)
        first = tf.where(inside, (top + 2) * stride + left + 2, 0)
        first = _offsets(batch, pixels, 2) + first
        # Made here, once per point; below it would be once per channel.
        weights = across * along, (1 - across) * (1 - along), across * (1 - along), (1 - across) * along
        # Two rows and columns before the image, so that a point outside reads four zeros there: a
        # weight of zero would make NaN of an infinite pixel. Left outside, the borders would be
        # told apart anew for every pixel that is read: half as fast again.
        padded = tf.pad(images, [[0, 0], [2, 1], [2, 1], [0, 0]])
        return padded, first, *weights

    padded, first, *weights = apart(height > 0, place) if isolate else place()
    table = tf.reshape(padded, [-1, tf.shape(images)[3] if channels is None else channels])
    near, far, below, beside = (weight[..., tf.newaxis] for weight in weights)

    def read(index: Any) -> Any:
        return tf.gather(table, index)

    return (
        near * read(first)
        + far * read(first + stride + 1)
        + below * read(first + stride)
        + beside * read(first + 1)
    )


def run(body: Body, images: Any, points: Any) -> Any:
    """Run one of the bodies above, compiled where that gains and keeps the rounding.

    XLA does not round float16 after every operation, so that is left to graph ops.
    """
    exact = all(tensor.dtype in (tf.float32, tf.float64) for tensor in (images, points))
    known = images.shape.is_fully_defined() and points.shape.is_fully_defined()
    if exact and known and _xla.should_compile(gains=True):
        # The size is an argument, because what XLA knows to be positive makes no conditional.
        size = tf.constant(images.shape[1:3].as_list(), tf.int32)
        return _xla.compiled(_compiled_body, body)(images, points, size)
    return body(images, points, tf.shape(images)[1:3], False)


def _compiled_body(body: Body) -> Body:
    def call(images: Any, points: Any, size: Any) -> Any:
        return body(images, points, size, True)

    return call
