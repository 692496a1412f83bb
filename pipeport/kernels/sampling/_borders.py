"""Border rules: the pixel of the image for a coordinate outside of it.

Names are those of `numpy.pad`. A rule folds coordinates into the image, so that
interpolation on the endless, extended image becomes interpolation inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

# Each rule maps float coordinates of one axis to equivalent ones that need no pixel beyond
# [low, size - 1 + high]; `size` is a scalar of the coordinates' dtype.
Rule = Callable[[Any, Any], Any]


def _constant(coordinate: Any, size: Any) -> Any:
    # The table has one pixel of fill on every side: whatever lies further out reads it.
    return tf.clip_by_value(coordinate, tf.constant(-1.0, coordinate.dtype), size)


def _edge(coordinate: Any, size: Any) -> Any:
    return tf.clip_by_value(coordinate, tf.zeros([], coordinate.dtype), size - 1)


def _symmetric(coordinate: Any, size: Any) -> Any:
    period = 2 * size
    folded = tf.math.floormod(coordinate + 0.5, period)
    folded = tf.where(folded >= size, period - folded, folded) - 0.5
    # Between the edge pixel and its mirror image both neighbours are the edge pixel.
    return tf.where(_inside(coordinate, size), coordinate, _edge(folded, size))


def _reflect(coordinate: Any, size: Any) -> Any:
    period = tf.maximum(2 * size - 2, 1)  # 1 keeps floormod defined for one-pixel axes
    folded = tf.math.floormod(coordinate, period)
    folded = tf.where(folded > size - 1, period - folded, folded)
    return tf.where(_inside(coordinate, size), coordinate, _edge(folded, size))


def _wrap(coordinate: Any, size: Any) -> Any:
    folded = tf.math.floormod(coordinate, size)
    # floormod of a tiny negative rounds up to `size` itself.
    return tf.where(folded >= size, tf.zeros_like(folded), folded)


def _inside(coordinate: Any, size: Any) -> Any:
    return (coordinate >= 0) & (coordinate <= size - 1)


RULES: dict[str, Rule] = {
    "constant": _constant,
    "edge": _edge,
    "symmetric": _symmetric,
    "reflect": _reflect,
    "wrap": _wrap,
}
