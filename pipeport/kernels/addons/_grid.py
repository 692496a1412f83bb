"""Bilinear interpolation of a batch of images at points, in the two forms TensorFlow Addons has.

Both repeat its arithmetic step by step. `at_points` holds points outside to the edge, `resampled`
fades to zero there. Points are kept in memory first: were they computed again where they are read,
XLA might contract a product in them here and not there, and index and weight would not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.sampling._coordinates import split
from pipeport.kernels.xla._materialize import keeping

Body = Callable[..., Any]


def _offsets(batch: Any, pixels: Any, rank: int) -> Any:
    return tf.reshape(tf.range(batch) * pixels, [-1] + [1] * (rank - 1))


def _whole(value: Any) -> Any:
    # NaN is not an index, but its weight makes NaN of the result.
    return tf.cast(tf.where(tf.math.is_nan(value), tf.zeros_like(value), value), tf.int32)


def _clipped(value: Any, low: Any, high: Any) -> Any:
    return tf.minimum(tf.maximum(tf.cast(low, value.dtype), value), tf.cast(high, value.dtype))


def _at(images: Any, points: Any, isolate: bool, coordinates_of: Callable[[Any], tuple[Any, Any]]) -> Any:
    """Interpolate images (B, H, W, C), H and W at least two; beyond the edge the edge counts.

    `coordinates_of` makes coordinates (rows, columns) of `points`, both of one shape with leading size
    B or 1. The result has the dtype of `images`, and is NaN where a coordinate is NaN.
    """
    height, width = tf.unstack(tf.shape(images)[1:3])
    batch, channels = tf.shape(images)[0], images.shape[3]
    table = tf.reshape(images, [-1, tf.shape(images)[3] if channels is None else channels])
    keep = keeping(images)
    points = keep(lambda: tf.identity(points))

    def place() -> Any:
        rows, columns = coordinates_of(points)
        top = _clipped(split(rows)[0], 0, height - 2)
        left = _clipped(split(columns)[0], 0, width - 2)
        down = _clipped(tf.cast(rows - top, images.dtype), 0, 1)
        right = _clipped(tf.cast(columns - left, images.dtype), 0, 1)
        first = _offsets(batch, height * width, rows.shape.rank) + _whole(top) * width + _whole(left)
        return first, down, right

    first, down, right = keep(place) if isolate else place()
    down, right = down[..., tf.newaxis], right[..., tf.newaxis]
    top_left, bottom_left = tf.gather(table, first), tf.gather(table, first + width)
    top = right * (tf.gather(table, first + 1) - top_left) + top_left
    bottom = right * (tf.gather(table, first + width + 1) - bottom_left) + bottom_left
    return down * (bottom - top) + top


def warped(images: Any, flow: Any, isolate: bool) -> Any:
    """Interpolate images at (row, column) - flow, for every pixel; `flow` is (B, H, W, 2)."""
    height, width = tf.unstack(tf.shape(images)[1:3])

    def moved(vectors: Any) -> tuple[Any, Any]:
        rows = tf.cast(tf.range(height), flow.dtype)[:, tf.newaxis] - vectors[..., 0]
        return rows, tf.cast(tf.range(width), flow.dtype) - vectors[..., 1]

    return _at(images, flow, isolate, moved)


def at_pairs(images: Any, points: Any, isolate: bool) -> Any:
    """Interpolate images at points (B or 1, N, 2) of (row, column)."""
    return _at(images, points, isolate, lambda pairs: (pairs[..., 0], pairs[..., 1]))


def at_swapped_pairs(images: Any, points: Any, isolate: bool) -> Any:
    """Interpolate images at points (B or 1, N, 2) of (column, row)."""
    return _at(images, points, isolate, lambda pairs: (pairs[..., 1], pairs[..., 0]))


def resampled(images: Any, points: Any, isolate: bool) -> Any:
    """Interpolate images (B, H, W, C) at points (B, N, 2) of (column, row), as if zeros lay around.

    `images` and `points` have one floating dtype, which is that of the result.
    """
    height, width = tf.unstack(tf.shape(images)[1:3])
    batch, channels = tf.shape(images)[0], images.shape[3]
    stride, pixels = width + 3, (height + 3) * (width + 3)
    keep = keeping(images)
    points = keep(lambda: tf.identity(points))

    def place() -> Any:
        x, y = points[..., 0], points[..., 1]
        high_x, high_y = tf.cast(width, x.dtype), tf.cast(height, y.dtype)
        inside = (x > -1) & (y > -1) & (x < high_x) & (y < high_y)
        x, y = tf.where(inside, x, tf.zeros_like(x)), tf.where(inside, y, tf.zeros_like(y))
        # The reference takes the floor of a float32.
        left, _ = split(tf.cast(x, tf.float32))
        top, _ = split(tf.cast(y, tf.float32))
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

    padded, first, *weights = keep(place) if isolate else place()
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

    def otherwise(images: Any, points: Any) -> Any:
        return body(images, points, False)

    return xla.run(_compiled_body, body, known=exact and known, otherwise=otherwise)(images, points)


def _compiled_body(body: Body) -> Body:
    def call(images: Any, points: Any) -> Any:
        return body(images, points, True)

    return call
