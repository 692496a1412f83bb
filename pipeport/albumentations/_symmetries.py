"""The eight symmetries of the square, for images, boxes and points, under the reference's names.

Each one reverses rows, columns, both or neither, and then may exchange the two axes.
"""

from __future__ import annotations

import math
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._sizes import Size, numbers
from pipeport.kernels.layout._transposed import transposed

# In the order in which the reference draws them.
ELEMENTS = ("e", "r90", "r180", "r270", "v", "hvt", "h", "t")
# 0 stands for rows, 1 for columns.
_REVERSED = {"r90": (1,), "r180": (0, 1), "r270": (0,), "v": (0,), "hvt": (0, 1), "h": (1,)}
_EXCHANGED = ("r90", "r270", "hvt", "t")


def of_image(element: str, image: Any, batch_axes: int = 0) -> Any:
    """Apply a symmetry to an image (H, W, ...), or to a stack of them with `batch_axes` axes before."""
    axes = tuple(batch_axes + axis for axis in _REVERSED.get(element, ()))
    if element in _EXCHANGED:
        order = list(range(image.shape.rank))
        order[batch_axes], order[batch_axes + 1] = batch_axes + 1, batch_axes
        return transposed(image, order, axes)
    return tf.reverse(image, axes) if axes else image


def of_boxes(element: str, boxes: Any, unfiltered: bool = False) -> Any:
    """Apply a symmetry to boxes (N, 4): x_min, y_min, x_max, y_max as fractions.

    Those of a pipeline are float32 in the reference while they are unfiltered, and so are the results here:
    CoarseDropout cuts them off to whole pixels, and 47 may be 46.99999.
    """

    def from_the_end(fraction: Any) -> Any:
        return tf.cast(1 - tf.cast(fraction, tf.float32), fraction.dtype) if unfiltered else 1 - fraction

    left, top, right, bottom = tf.unstack(boxes, axis=1)
    axes = _REVERSED.get(element, ())
    if 1 in axes:
        left, right = from_the_end(right), from_the_end(left)
    if 0 in axes:
        top, bottom = from_the_end(bottom), from_the_end(top)
    if element in _EXCHANGED:
        left, top, right, bottom = top, left, bottom, right
    return tf.stack([left, top, right, bottom], 1)


def of_points(element: str, points: Any, size: Size) -> Any:
    """Apply a symmetry to points (N, 5): x, y, z, angle in radians, scale; the size is that before."""
    if element == "e":
        return points
    x, y, z, angle, scale = tf.unstack(points, axis=1)
    height, width = numbers(size, points.dtype)
    axes = _REVERSED.get(element, ())
    x = width - 1 - x if 1 in axes else x
    y = height - 1 - y if 0 in axes else y
    if element in _EXCHANGED:
        x, y = y, x
    return tf.stack([x, y, z, within_a_turn(_angle(element, angle)), scale], 1)


def within_a_turn(angle: Any) -> Any:
    """Return an angle from 0 to a whole turn."""
    return tf.math.floormod(angle, tf.constant(2 * math.pi, angle.dtype))


def _angle(element: str, angle: Any) -> Any:
    half = tf.constant(math.pi, angle.dtype)
    match element:
        case "h":
            return half - angle
        case "v":
            return -angle
        case "r90":
            return angle - half / 2
        case "r180":
            return angle - half
        case "r270":
            return angle + half / 2
        case "t":
            return _exchanged_angle(angle, half)
        case _:
            return _exchanged_angle(within_a_turn(angle - half), half)


def _exchanged_angle(angle: Any, half: Any) -> Any:
    # Beyond half a turn the reference adds another half: kept, since a drop-in repeats it.
    return tf.where(angle <= half, half / 2 - angle, 3 * half / 2 - angle)
