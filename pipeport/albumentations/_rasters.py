"""Boxes and points as pixels: drawn into a mask, moved by a map of pixels, and found again."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._state import Rows

# Rows and columns of a filled circle of radius 1.
_CIRCLE = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))


def span(flags: Any) -> tuple[Any, Any]:
    """Return of every row of bools where the first one begins that is True, and where the last one ends."""
    values = tf.cast(flags, tf.int32)
    last = tf.argmax(tf.reverse(values, [1]), 1, output_type=tf.int32)
    return tf.argmax(values, 1, output_type=tf.int32), tf.shape(flags)[1] - last


def nearest(columns: Any, rows: Any) -> tuple[Any, Any]:
    """Return the pixel that each pixel of a map shows: column and row, int32, also outside the image."""
    # Farther out OpenCV's integers end; float32 holds these bounds.
    across, down = (tf.clip_by_value(tf.round(one), -(2.0**15), 2.0**15) for one in (columns, rows))
    return tf.cast(across, tf.int32), tf.cast(down, tf.int32)


def moved_boxes(boxes: Any, source: tuple[Any, Any], size: Size) -> Any:
    """Return boxes around the pixels that show one of their own.

    `boxes`: shape (N, 4), floating. `source`: (tf.Tensor, tf.Tensor), shape (H, W), int32. Returns: shape (N,
    4); whole pixels, as fractions; as it was a box that no pixel shows.
    """
    height, width = numbers(size, tf.float64)
    sides = tf.stack([width, height, width, height])
    corners = tf.clip_by_value(tf.round(tf.cast(boxes, tf.float64) * sides), 0.0, sides - 1)
    left, top, right, bottom = (
        one[:, tf.newaxis, tf.newaxis] for one in tf.unstack(tf.cast(corners, tf.int32), axis=1)
    )
    across, down = source
    shown = (across >= left) & (across <= right) & (down >= top) & (down <= bottom)
    x, y = span(tf.reduce_any(shown, 1)), span(tf.reduce_any(shown, 2))
    found = tf.cast(tf.stack([x[0], y[0], x[1] - 1, y[1] - 1], 1), tf.float64) / sides
    return tf.where(tf.reduce_any(shown, [1, 2])[:, tf.newaxis], tf.cast(found, boxes.dtype), boxes)


def moved_points(rows: Rows, source: tuple[Any, Any], size: Size) -> Rows:
    """Return points at the first pixel, row by row, that shows the circle around them.

    Of circles that overlap, the last one lies on top. A point that no pixel shows is dropped, and one
    outside the image.

    `rows`: points (N, 5). `source`: (tf.Tensor, tf.Tensor), shape (H, W), int32. Returns: as many, at whole
    pixels.
    """
    height, width = numbers(size, tf.int32)
    points = rows.values
    count = tf.shape(points)[0]
    at = tf.cast(tf.clip_by_value(tf.round(points[:, :2]), -(2.0**15), 2.0**15), tf.int32)
    x, y = at[:, 0], at[:, 1]
    inside = rows.keep & (x >= 0) & (x < width) & (y >= 0) & (y < height)
    # With a border of one pixel, where circles may reach; 0 is not a point.
    names = tf.where(inside, tf.range(1, count + 1), 0)
    x, y = tf.where(inside, x, 0), tf.where(inside, y, 0)
    cells = tf.concat([(y + 1 + down) * (width + 2) + x + 1 + across for down, across in _CIRCLE], 0)
    room = (height + 2) * (width + 2)
    drawn = tf.math.unsorted_segment_max(tf.tile(names, [len(_CIRCLE)]), cells, room)
    across, down = source
    shows = (across >= 0) & (across < width) & (down >= 0) & (down < height)
    place = tf.where(shows, (down + 1) * (width + 2) + across + 1, 0)
    shown = tf.maximum(tf.gather(drawn, tf.reshape(place, [-1])), 0)
    pixels = tf.range(height * width)
    first = tf.math.unsorted_segment_min(pixels, shown, count + 1)[1:]
    seen = first < height * width
    first = tf.where(seen, first, 0)
    found = tf.cast(tf.stack([first % width, first // width], 1), points.dtype)
    return rows._replace(values=tf.concat([found, points[:, 2:]], 1), keep=rows.keep & inside & seen)
