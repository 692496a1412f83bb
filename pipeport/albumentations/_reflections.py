"""Boxes and points under a border that reflects: one copy in every image that is seen."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._state import Rows
from pipeport.cv2._constants import BORDER_REFLECT, BORDER_REFLECT_101

REFLECTING = (BORDER_REFLECT, BORDER_REFLECT_101)


def reflected(rows: Rows, kind: str, widths: tuple[Any, Any, Any, Any], size: Size) -> Rows:
    """Return rows with their copies in all images that a border shows.

    `kind`: {'bboxes', 'keypoints'}. `widths`: four of int or scalar int32; of the border: top, bottom, left,
    right. Returns: image by image, those of a row from left to right; coordinates count from the image given.

    As in the reference a point is reflected about the outer edge of the last pixel under both borders.
    """
    height, width = numbers(size, tf.int32)
    above, below, before, behind = (
        -(-tf.cast(one, tf.int32) // side)
        for one, side in zip(widths, (height, height, width, width), strict=True)
    )
    down, across = tf.meshgrid(tf.range(-above, below + 1), tf.range(-before, behind + 1), indexing="ij")
    down, across = tf.reshape(down, [-1]), tf.reshape(across, [-1])
    copies = tf.shape(down)[0]
    place = _boxes if kind == "bboxes" else _points
    placed = place(rows.values, down, across, size)
    return Rows(
        tf.reshape(placed, [-1, rows.values.shape[1]]),
        tf.tile(rows.keep, [copies]),
        tf.tile(rows.source, [copies]),
    )


def _boxes(boxes: Any, down: Any, across: Any, size: Size) -> Any:
    """Return boxes (copies, N, 4)."""
    del size
    left, top, right, bottom = tf.unstack(boxes, axis=1)
    x = _flipped_ends(left, right, across)
    y = _flipped_ends(top, bottom, down)
    return tf.stack([x[0], y[0], x[1], y[1]], 2)


def _flipped_ends(low: Any, high: Any, cells: Any) -> tuple[Any, Any]:
    odd = _odd(cells)
    shift = tf.cast(cells, low.dtype)[:, tf.newaxis]
    return tf.where(odd, 1 - high, low) + shift, tf.where(odd, 1 - low, high) + shift


def _points(points: Any, down: Any, across: Any, size: Size) -> Any:
    """Return points (copies, N, 5)."""
    x, y, z, angle, scale = tf.unstack(points, axis=1)
    height, width = numbers(size, points.dtype)
    turned = tf.where(_odd(down) ^ _odd(across), -angle, angle)
    others = [tf.broadcast_to(one, tf.shape(turned)) for one in (z, scale)]
    return tf.stack(
        [_flipped(x, width, across), _flipped(y, height, down), others[0], turned, others[1]],
        2,
    )


def _flipped(value: Any, side: Any, cells: Any) -> Any:
    return tf.where(_odd(cells), side - value, value) + tf.cast(cells, value.dtype)[:, tf.newaxis] * side


def _odd(cells: Any) -> Any:
    return tf.math.floormod(cells, 2)[:, tf.newaxis] == 1


def widths_of(affine: Any, size: Size) -> tuple[Any, Any, Any, Any]:
    """Return how far an affine map (2, 3), float64, looks beyond an image: top, bottom, left, right."""
    height, width = numbers(size, tf.float64)
    zero = tf.zeros([], tf.float64)
    x, y = tf.stack([zero, width, width, zero]), tf.stack([zero, zero, height, height])
    (a, b, c), (d, e, f) = (tf.unstack(row) for row in tf.unstack(affine))
    left, right = _ends(tf.concat([x, a * x + b * y + c], 0))
    top, bottom = _ends(tf.concat([y, d * x + e * y + f], 0))
    area = a * e - b * d
    x, y = tf.stack([left, right, right, left]) - c, tf.stack([top, top, bottom, bottom]) - f
    left, right = _ends((e * x - b * y) / area)
    top, bottom = _ends((a * y - d * x) / area)
    beyond = (-top, bottom - height, -left, right - width)
    above, below, before, behind = (tf.cast(tf.maximum(tf.math.ceil(one), 0), tf.int32) for one in beyond)
    return above, below, before, behind


def _ends(values: Any) -> tuple[Any, Any]:
    return tf.reduce_min(values), tf.reduce_max(values)
