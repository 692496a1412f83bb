"""LAB of bytes, with the whole numbers of `cv2.cvtColor`; that of floats is in `_lab_floats`.

Both builders take the places of red, green and blue among the channels, and give a function of pixels
(..., C).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.opencv._lab_floats import colours_of, lab_of

Places = tuple[int, int, int]
# Fixed point: light in 2**3 times a byte, weights of colours in 2**12, cube roots in 2**15.
_LIGHT_BITS, _WEIGHT_BITS, _ROOT_BITS = 3, 12, 15
# The way back: roots and tristimulus values in 2**14, light in 2**12.
_BACK_BITS, _BACK_LIGHT_BITS = 14, 12
_WHITE = np.array([0.950456, 1.0, 1.088754])
_TO_XYZ = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
_FROM_XYZ = np.array(
    [[3.240479, -1.53715, -0.498535], [-0.969256, 1.875991, 0.041556], [0.055648, -0.204043, 1.057311]]
)
# Of 255 levels of lightness, those up to which it is proportional to light; likewise of a root in 2**14.
_DARK, _DARK_ROOT = 20, 3390


def to_lab(places: Places) -> Callable[[Any], Any]:
    """Return what makes lightness and two differences of colours."""
    shares = _TO_XYZ / _WHITE[:, np.newaxis]
    weights = np.rint(2**_WEIGHT_BITS * shares).astype(np.int32).tolist()
    # Of 116 roots less 16, in parts of 255.
    slope, less = 296, (16 * 255 * 2**_ROOT_BITS + 50) // 100

    def run(x: Any) -> Any:
        if x.dtype.is_floating:
            return lab_of(x, places, shares)
        light, roots = (tf.constant(table) for table in _tables())
        colours = [tf.gather(light, tf.cast(x[..., place], tf.int32)) for place in places]
        x_root, y_root, z_root = (
            tf.gather(roots, _shifted(_sum(colours, row), _WEIGHT_BITS)) for row in weights
        )
        middle = 128 << _ROOT_BITS
        parts = (slope * y_root - less, 500 * (x_root - y_root) + middle, 200 * (y_root - z_root) + middle)
        found = tf.stack([_shifted(part, _ROOT_BITS) for part in parts], -1)
        return tf.cast(tf.clip_by_value(found, 0, 255), tf.uint8)

    return run


def from_lab(places: Places) -> Callable[[Any], Any]:
    """Return what makes colours of lightness and two differences."""
    weights = np.rint(2**_WEIGHT_BITS * _FROM_XYZ * _WHITE).astype(np.int32).tolist()
    bits = _WEIGHT_BITS + _BACK_BITS - _BACK_LIGHT_BITS
    # The differences, less 128, in parts of 500 and of 200.
    first_middle, second_middle = 128 * 2**_BACK_BITS // 500, 128 * 2**_BACK_BITS // 200 - 1

    def run(x: Any) -> Any:
        if x.dtype.is_floating:
            return colours_of(x, places, _FROM_XYZ * _WHITE)
        values, roots, bytes_of = (tf.constant(table) for table in _tables_back())
        lightness, first, second = (tf.cast(x[..., place], tf.int32) for place in range(3))
        root = tf.gather(roots, lightness)
        first = tf.bitwise.right_shift(first * (5 * 53687) + 128, 13) - first_middle
        second = tf.bitwise.right_shift(second * 41943 + 16, 9) - second_middle
        xyz = [_value(root + first), tf.gather(values, lightness), _value(root - second)]
        lights = [_shifted(_sum(xyz, row), bits) for row in weights]
        most = 2**_BACK_LIGHT_BITS - 1
        colours = [tf.gather(bytes_of, tf.clip_by_value(light, 0, most)) for light in lights]
        return tf.cast(tf.stack([colours[places.index(place)] for place in range(3)], -1), tf.uint8)

    return run


def _value(root: Any) -> Any:
    """Return a tristimulus value of its root, both in 2**14."""
    dark = tf.truncatediv(root * 108, 841) - 2**_BACK_BITS * 16 // 116 * 108 // 841
    cube = tf.bitwise.right_shift(tf.bitwise.right_shift(root * root, _BACK_BITS) * root, _BACK_BITS)
    return tf.where(root <= _DARK_ROOT, dark, cube)


def _sum(parts: list[Any], weights: list[int]) -> Any:
    return tf.add_n([part * weight for part, weight in zip(parts, weights, strict=True)])


def _shifted(x: Any, bits: int) -> Any:
    return tf.bitwise.right_shift(x + (1 << (bits - 1)), bits)


@functools.cache
def _tables() -> tuple[Any, Any]:
    """Return the light of a byte, and the root of a tristimulus value."""
    levels = np.arange(256) / 255
    light = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    values = (np.arange(384 << _LIGHT_BITS) / (255 << _LIGHT_BITS)).astype(np.float32)
    dark = values * np.float32(841 / 108) + np.float32(16 / 116)
    # Float32 roots, not rounded but cut off: from float64, since those of float32 depend on the processor.
    # What is added brings roots that are whole back to them, wherever they come out a little less.
    roots = np.cbrt(values.astype(np.float64)) * (1 + 2.0**-50)
    roots = (roots.view(np.int64) & -(1 << 29)).view(np.float64)
    roots = np.where(values < 216 / 24389, dark.astype(np.float64), roots)
    scaled = (255 << _LIGHT_BITS) * light, 2**_ROOT_BITS * roots
    return np.rint(scaled[0]).astype(np.int32), np.rint(scaled[1]).astype(np.int32)


@functools.cache
def _tables_back() -> tuple[Any, Any, Any]:
    """Return value and root of a lightness, and the byte of a light."""
    levels, base = np.arange(256), 2**_BACK_BITS
    roots = levels * 100 * base / (255 * 116) + 16 * base / 116
    values = np.where(levels <= _DARK, levels * base * 180 / (17 * 29**3), roots**3 / base**2)
    roots = np.where(levels <= _DARK, base * (16 / 116 + levels * 5 / (3 * 17 * 29)), roots)
    light = np.arange(2**_BACK_LIGHT_BITS) / 2**_BACK_LIGHT_BITS
    curved = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    found = (np.rint(one).astype(np.int32) for one in (values, roots, 255 * curved))
    values, roots, bytes_of = found
    return values, roots, bytes_of
