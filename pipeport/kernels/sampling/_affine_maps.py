"""Affine coordinate maps of images, for `_affine`.

A matrix here is the upper two rows of the homogeneous one, flat: (a, b, c, d, e, f) sends
the output pixel (column x, row y) to the input point (a x + b y + c, d x + e y + f). With nine
entries the map is projective: both are divided by (g x + h y + i).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import Coordinates, quotients, sums


def _rotation(angle: Any, column: Any, row: Any) -> Any:
    cosine, sine = tf.cos(angle), tf.sin(angle)
    entries = [cosine, -sine, column - cosine * column + sine * row]
    entries += [sine, cosine, row - sine * column - cosine * row]
    return tf.stack([entry + tf.zeros_like(entries[2]) for entry in entries], axis=-1)


def about_point(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """Return the maps that turn images counter-clockwise about a point.

    Parameters are (degrees, column, row), float64, each of shape (1,) or (B,).
    """
    del height, width
    return _rotation(_radians(parameters[0]), *parameters[1:])


def about_middle(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """Return the maps that turn images about their middle; parameters are (degrees,)."""
    return about_middle_radians((_radians(parameters[0]),), height, width)


def about_middle_radians(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """As `about_middle`, with parameters (radians,)."""
    return _rotation(parameters[0], width / 2 - 0.5, height / 2 - 0.5)


def _radians(degrees: Any) -> Any:
    return degrees * tf.constant(math.pi / 180, tf.float64)


def _shifted(matrix: Any, start: Any) -> Any:
    a, b, c, d, e, f = tf.unstack(matrix, axis=-1)
    x, y = start[0], start[1]
    return tf.stack([a, b, a * x + b * y + c, d, e, d * x + e * y + f], axis=-1)


def about_point_from(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """As `about_point`, for an output that starts at (x, y), the first parameter."""
    return _shifted(about_point(parameters[1:], height, width), parameters[0])


def about_middle_from(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """As `about_middle`, for an output that starts at (x, y), the first parameter."""
    return _shifted(about_middle(parameters[1:], height, width), parameters[0])


def coordinates(matrix: Any, height: int | Any, width: int | Any) -> Coordinates:
    """Return the input (rows, columns) of every output pixel: float64, (B, height, width)."""
    a, b, c, d, e, f, *last = (tf.reshape(value, [-1, 1, 1]) for value in tf.unstack(matrix, axis=-1))
    x = tf.reshape(tf.range(width, dtype=tf.float64), [1, 1, -1])
    y = tf.reshape(tf.range(height, dtype=tf.float64), [1, -1, 1])
    lines = [[e * y, f, d * x], [b * y, c, a * x]]
    if not last:
        return sums(lines)
    g, h, i = last
    return quotients([*lines, [h * y, i, g * x]])


def of_matrix(parameters: tuple[Any, ...], height: Any, width: Any) -> Any:
    """Return the maps that are given as matrices: one parameter, (B or 1, 6 or 9)."""
    del height, width
    return parameters[0]


# A map is a module-level function `(parameters, height, width) -> matrix (B or 1, 6)`, so that
# the few scalar operations it takes are compiled with the rest: as graph nodes they cost a
# fifth of the throughput (1181 against 1399 elements/s at 256 px).
Map = Callable[[tuple[Any, ...], Any, Any], Any]
