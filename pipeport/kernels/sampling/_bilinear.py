"""Sample a batch of images at coordinates: nearest pixel or linear interpolation.

Positions hold one flat pixel index per corner. They are computed with whole-array
arithmetic in float64 and only then handed to the gather, see `_affine.warp`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels.sampling._borders import RULES
from pipeport.kernels.sampling._coordinates import split


class LinearPositions(NamedTuple):
    """Flat pixel indices of the four corners, and the weights of the lower and right ones."""

    top_left: Any
    top_right: Any
    bottom_left: Any
    bottom_right: Any
    down: Any
    right: Any


def margin(mode: str) -> int:
    """Return how many pixels of fill the table needs on each side."""
    return 1 if mode == "constant" else 0


def _neighbours(coordinate: Any, size: Any, mode: str, weights: Any) -> tuple[Any, Any, Any]:
    folded = RULES[mode](coordinate, size)
    first, weight = split(folded)
    # A neighbour of weight zero is the pixel itself, as ceil(x) == floor(x) in the
    # references: a NaN beside an exactly hit pixel must not spread.
    second = first + tf.cast(tf.cast(weight, weights) > 0, folded.dtype)
    if mode == "wrap":
        second = tf.where(second >= size, tf.zeros_like(second), second)
    # Folded onto the edge, both neighbours are the edge pixel; with its own weights an
    # infinite one stays infinite instead of becoming 0 * inf.
    weight = tf.cast(tf.where(weight > 0, weight, split(coordinate)[1]), weights)
    # A weight that rounds to one is a hit of the second pixel: 0 * inf must not come from the first.
    return tf.where(weight >= 1, second, first), second, weight


def linear_positions(
    rows: Any,
    columns: Any,
    height: Any,
    width: Any,
    stride: Any,
    mode: str,
    weights: Any,
) -> LinearPositions:
    """Return where linear interpolation at (rows, columns) reads, and how it weighs.

    `rows`, `columns`: float64; coordinates in pixels, any common shape. `height`, `width`: scalar float64;
    True size of the image, without fill and padding. `stride`: scalar, int32; pixels per row of the table.
    `mode`: border rule, see `_borders`. Returns: indices int32 and weights, of the coordinates' shape.
    """
    top, bottom, down = _neighbours(rows, height, mode, weights)
    left, right, across = _neighbours(columns, width, mode, weights)
    fill = margin(mode)
    top, bottom, left, right = (tf.cast(value, tf.int32) + fill for value in (top, bottom, left, right))
    top, bottom = top * stride, bottom * stride
    return LinearPositions(
        top + left,
        top + right,
        bottom + left,
        bottom + right,
        down,
        across,
    )


class AdjacentPositions(NamedTuple):
    """Flat index of the upper left corner; the other corners lie beside and below it."""

    top_left: Any
    down: Any
    right: Any


def adjacent_positions(
    rows: Any, columns: Any, height: Any, width: Any, stride: Any, mode: str, weights: Any
) -> AdjacentPositions:
    """Return positions as `linear_positions` does, for a table with fill around the image.

    One index per pixel instead of four. A neighbour of weight zero is read and multiplied
    by zero, so the pixels must be finite.
    """
    folded = [RULES[mode](rows, height), RULES[mode](columns, width)]
    sizes = (height, width)
    first = [tf.minimum(split(at)[0], size - 1) for at, size in zip(folded, sizes, strict=True)]
    down, right = (tf.cast(value - low, weights) for value, low in zip(folded, first, strict=True))
    top, left = (tf.cast(low, tf.int32) + margin(mode) for low in first)
    return AdjacentPositions(top * stride + left, down, right)


def with_corners(positions: AdjacentPositions, stride: Any) -> LinearPositions:
    """Name all four corners."""
    first = positions.top_left
    return LinearPositions(
        first, first + 1, first + stride, first + stride + 1, positions.down, positions.right
    )


def _nearest(coordinate: Any, size: Any, mode: str) -> Any:
    # Folding whole numbers is exact, so the rule is applied after rounding.
    return RULES[mode](split(coordinate, nearest=True)[0], size)


def nearest_positions(rows: Any, columns: Any, height: Any, width: Any, stride: Any, mode: str) -> Any:
    """Return the flat index of the pixel nearest to (rows, columns); halves round up."""
    row, column = (_nearest(rows, height, mode), _nearest(columns, width, mode))
    fill = margin(mode)
    return (tf.cast(row, tf.int32) + fill) * stride + tf.cast(column, tf.int32) + fill


def mix(pixels: Any, positions: LinearPositions, compute: Any) -> Any:
    """Interpolate; `pixels` is (N, C), the result has one more axis than the positions."""

    def read(index: Any) -> Any:
        return tf.cast(tf.gather(pixels, index), compute)

    right = positions.right[..., tf.newaxis]
    down = positions.down[..., tf.newaxis]
    # Weights times values, not value + weight * difference: the difference of an infinity
    # and a number, or of two huge numbers, is not what the references compute.
    top = (1 - right) * read(positions.top_left) + right * read(positions.top_right)
    bottom = (1 - right) * read(positions.bottom_left) + right * read(positions.bottom_right)
    return (1 - down) * top + down * bottom
