"""LAB of float32 colours from 0 to 1, as `cv2.cvtColor` has it.

There by whole numbers: lightness and differences of 33 x 33 x 33 colours in 2**14, of which those between
have a weighted mean. Back by arithmetic in float32, but for the last step, a spline.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from pipeport._lazy import tf

# Colours of the table along each axis, and the parts into which whole numbers divide 1 and its cells.
_SIDE, _BITS, _CELL_BITS, _WEIGHT_BITS = 33, 14, 9, 4
_KNOTS = 1024
_DARK = np.float32(216) / np.float32(24389)
_SLOPE, _MORE = np.float32(841) / np.float32(108), np.float32(16) / np.float32(116)
# The last lightness, and the last root, up to which lightness is proportional to light.
_DARK_LIGHTNESS, _DARK_ROOT = 8.0, np.float32(6) / np.float32(29)
_STEEP, _ROOT_SLOPE = 903.3, 7.787  # as OpenCV rounds the slopes of lightness and of its root
# The quotient of polynomials that is a cube root from 1/8 to 1 to OpenCV, up to 2**-24.
_ABOVE = (45.2548339756803, 192.2798368355061, 119.16548242855816, 13.432501390862399, 0.16361612265857542)
_BELOW = (14.808840932191346, 151.97140510444356, 168.52544141015682, 33.99059413502156, 1.0)


def lab_of(x: Any, places: tuple[int, int, int], weights: Any) -> Any:
    """Return lightness, 0 to 100, and two differences of colours (..., C); beyond 0 to 1 they are clipped."""
    table = tf.constant(_table(tuple(map(tuple, weights.tolist()))))
    whole = [tf.cast(tf.round(_clipped(x[..., place]) * float(2**_BITS)), tf.int32) for place in places]
    cells = [tf.bitwise.right_shift(one, _CELL_BITS) for one in whole]
    most = 2**_WEIGHT_BITS
    inside = [tf.bitwise.right_shift(one, _CELL_BITS - _WEIGHT_BITS) & (most - 1) for one in whole]
    total: Any = 0
    for corner in np.ndindex(2, 2, 2):
        place: Any = 0
        weight: Any = 1
        for upper, cell, part in zip(corner, cells, inside, strict=True):
            place = place * _SIDE + tf.minimum(cell + upper, _SIDE - 1)
            weight *= part if upper else most - part
        total += tf.gather(table, place) * weight[..., tf.newaxis]
    bits = 3 * _WEIGHT_BITS
    found = tf.cast(tf.bitwise.right_shift(total + 2 ** (bits - 1), bits), tf.float32)
    return found * tf.constant([100.0, 256.0, 256.0]) * 2.0**-_BITS - tf.constant([0.0, 128.0, 128.0])


def colours_of(x: Any, places: tuple[int, int, int], weights: Any) -> Any:
    """Return colours, 0 to 1, of lightness and two differences (..., 3)."""
    lightness, first, second = tf.unstack(x, axis=-1)
    dark = lightness <= _DARK_LIGHTNESS
    low, high = lightness / _STEEP, (lightness + 16.0) / 116.0
    root = tf.where(dark, _ROOT_SLOPE * low + _MORE, high)
    xyz = [
        _light(first / 500.0 + root),
        tf.where(dark, low, high * high * high),
        _light(root - second / 200.0),
    ]
    sums = [
        tf.add_n([part * float(weight) for part, weight in zip(xyz, row, strict=True)])
        for row in weights.astype(np.float32)
    ]
    curved = _curved(_clipped(tf.stack(sums, -1)))
    return tf.stack([curved[..., places.index(place)] for place in range(3)], -1)


def _clipped(x: Any) -> Any:
    """Return numbers from 0 to 1; NaN, which has no place in a table, becomes 0."""
    return tf.where(x > 0, tf.minimum(x, 1.0), 0.0)


def _light(root: Any) -> Any:
    return tf.where(root <= _DARK_ROOT, (root - _MORE) / _ROOT_SLOPE, root * root * root)


def _curved(x: Any) -> Any:
    """Return colours of what is proportional to light, by the spline."""
    at = x * float(_KNOTS)
    piece = tf.minimum(tf.cast(at, tf.int32), _KNOTS - 1)
    at -= tf.cast(piece, tf.float32)
    constant, linear, square, cube = (tf.gather(tf.constant(row), piece) for row in _spline())
    return ((cube * at + square) * at + linear) * at + constant


@functools.cache
def _table(weights: tuple[tuple[float, ...], ...]) -> Any:
    """Return lightness and differences of the colours of the table, in 2**14: an array (35937, 3)."""
    levels = np.arange(_SIDE) / (_SIDE - 1)
    light = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4).astype(np.float32)
    red, green, blue = np.meshgrid(light, light, light, indexing="ij")
    xyz = [blue * row[2] + green * row[1] + red * row[0] for row in np.array(weights, np.float32)]
    x_root, y_root, z_root = map(_root, xyz)
    lightness = np.where(
        xyz[1] > _DARK,
        np.float32(116) * y_root - np.float32(16),
        np.float32(29**3) / np.float32(27) * xyz[1],
    )
    differences = np.float32(500) * (x_root - y_root), np.float32(200) * (y_root - z_root)
    whole, middle = np.float32(2**_BITS), np.float32(128)
    parts = [whole * lightness / np.float32(100)]
    parts += [whole * (one + middle) / np.float32(256) for one in differences]
    return np.rint(np.stack(parts, -1)).astype(np.int32).reshape(-1, 3)


def _root(values: Any) -> Any:
    """Return cube roots of float32 as OpenCV has them, the rest of the bits cut off; of dark ones a line."""
    wide = values.astype(np.float64)
    part, power = np.frexp(wide)
    eighths = -(-power // 3)
    part = np.ldexp(part, power - 3 * eighths)
    roots = np.ldexp(np.polyval(_ABOVE, part) / np.polyval(_BELOW, part), eighths)
    roots = (roots.view(np.int64) & -(1 << 29)).view(np.float64)
    line = wide * _SLOPE.astype(np.float64) + _MORE.astype(np.float64)
    return np.where(values > _DARK, roots, line).astype(np.float32)


@functools.cache
def _spline() -> Any:
    """Return the pieces of a natural cubic spline through the curve of colours: (4, 1024), float32."""
    levels = np.arange(_KNOTS + 1) / _KNOTS
    curve = np.where(levels <= 0.0031308, levels * 12.92, 1.055 * levels ** (1 / 2.4) - 0.055)
    value = curve.astype(np.float32)
    bend = (value[2:] - value[1:-1] * 2 + value[:-2]) * 3
    share, part = np.zeros((2, _KNOTS), np.float32)
    for at in range(1, _KNOTS):
        share[at] = 1 / (4 - share[at - 1])
        part[at] = (bend[at - 1] - part[at - 1]) * share[at]
    square = np.zeros(_KNOTS + 1, np.float32)
    for at in reversed(range(_KNOTS)):
        square[at] = part[at] - share[at] * square[at + 1]
    linear = np.diff(value) - (square[1:] + square[:-1] * 2) / 3
    return np.stack([value[:-1], linear, square[:-1], np.diff(square) / 3])
