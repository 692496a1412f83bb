"""Colour spaces with the arithmetic of `cv2.cvtColor`: HSV, HLS, YCrCb and YUV.

Every builder takes the places of red, green and blue among the channels, and gives a function of pixels
(..., C).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf

Places = tuple[int, int, int]
Function = Callable[[Any], Any]
# Fixed point, as OpenCV has it: fractions of HSV in 2**12, weights of colours in 2**14.
_HSV_BITS, _LUMA_BITS = 12, 14
# What keeps OpenCV's divisors of HSV in floats from 0: the epsilon of float32.
_TINY = 2.0**-23
_LUMA_WHOLE, _LUMA_FLOATS = (4899, 9617, 1868), (0.299, 0.587, 0.114)


class Luma(NamedTuple):
    """A space of luma and two differences, from red and from blue.

    `blue_first`: whether the difference from blue comes before that from red. `whole`, `floats`: what the
    differences from red and from blue are multiplied by, of whole numbers in 2**14. `back_whole`,
    `back_floats`: likewise the way back: of red from its difference, of green from those of red and of blue,
    of blue from its own.
    """

    blue_first: bool
    whole: tuple[int, int]
    floats: tuple[float, float]
    back_whole: tuple[int, int, int, int]
    back_floats: tuple[float, float, float, float]


YCRCB = Luma(
    False, (11682, 9241), (0.713, 0.564), (22987, -11698, -5636, 29049), (1.403, -0.714, -0.344, 1.773)
)
YUV = Luma(True, (14369, 8061), (0.877, 0.492), (18678, -9519, -6472, 33292), (1.140, -0.581, -0.395, 2.032))


def to_hsv(places: Places, hues: int) -> Function:
    """Return what makes hue, saturation and value of bytes; `hues` make a full turn."""

    def run(x: Any) -> Any:
        red, green, blue = (tf.cast(x[..., place], tf.int32) for place in places)
        value = tf.maximum(tf.maximum(red, green), blue)
        spread = value - tf.minimum(tf.minimum(red, green), blue)
        saturation = _shifted(spread * _quotient(255, value), _HSV_BITS)
        of_red, of_green, of_blue = green - blue, blue - red + 2 * spread, red - green + 4 * spread
        hue = tf.where(value == red, of_red, tf.where(value == green, of_green, of_blue))
        hue = _shifted(hue * _quotient(hues, 6 * spread), _HSV_BITS)
        hue += tf.where(hue < 0, hues, 0)
        return tf.cast(tf.stack([tf.minimum(hue, 255), saturation, value], -1), x.dtype)

    return run


def _quotient(number: int, divisor: Any) -> Any:
    """Return the nearest whole number to 2**12 number / divisor, 0 for a divisor of 0.

    Of all divisors there are, quotients in float32 round as those in float64, which OpenCV has in a table.
    """
    divided = tf.constant(float(number << _HSV_BITS)) / tf.cast(tf.maximum(divisor, 1), tf.float32)
    return tf.where(divisor == 0, 0, tf.cast(tf.round(divided), tf.int32))


def from_hsv(places: Places, hues: int) -> Function:
    """Return what makes colours of hue, saturation and value in bytes.

    Where a turn has 180 hues OpenCV cuts off what its vectors compute and rounds the rest of a row; the rest
    is cut off here too.
    """

    def run(x: Any) -> Any:
        hue, saturation, value = (tf.cast(x[..., place], tf.float32) for place in range(3))
        saturation, value = saturation * (1 / 255), value * (1 / 255)
        colours = _in_places(places, _colours(hue * (6 / hues), saturation, value))
        colours = tf.clip_by_value(colours * 255, 0, 255)
        return tf.cast(colours if hues == 180 else tf.round(colours), x.dtype)

    return run


def floats_to_hsv(places: Places) -> Function:
    """Return what makes hue in degrees, saturation and value of float32."""

    def run(x: Any) -> Any:
        red, green, blue = (x[..., place] for place in places)
        value = tf.maximum(tf.maximum(red, green), blue)
        spread = value - tf.minimum(tf.minimum(red, green), blue)
        saturation = spread / (tf.abs(value) + _TINY)
        scale = 60.0 / (spread + _TINY)
        of_green, of_blue = (blue - red) * scale + 120.0, (red - green) * scale + 240.0
        hue = tf.where(
            tf.equal(value, red), (green - blue) * scale, tf.where(tf.equal(value, green), of_green, of_blue)
        )
        return tf.stack([tf.where(hue < 0.0, hue + 360.0, hue), saturation, value], -1)

    return run


def floats_from_hsv(places: Places) -> Function:
    """Return what makes colours of hue in degrees, saturation and value in float32."""

    def run(x: Any) -> Any:
        hue, saturation, value = tf.unstack(x, 3, axis=-1)
        return _in_places(places, _colours(hue * (6 / 360), saturation, value))

    return run


def to_hls(places: Places) -> Function:
    """Return what makes hue, lightness and saturation of bytes; 180 hues make a full turn."""
    of_floats = floats_to_hls(places, fused=True)

    def run(x: Any) -> Any:
        hue, lightness, saturation = tf.unstack(of_floats(tf.cast(x, tf.float32) * (1 / 255)), 3, axis=-1)
        levels = tf.stack([hue * 0.5, lightness * 255.0, saturation * 255.0], -1)
        return tf.cast(tf.clip_by_value(tf.round(levels), 0.0, 255.0), x.dtype)

    return run


def from_hls(places: Places) -> Function:
    """Return what makes colours of hue, lightness and saturation in bytes; 180 hues make a full turn."""
    of_floats = floats_from_hls(places)

    def run(x: Any) -> Any:
        hue, lightness, saturation = (tf.cast(x[..., place], tf.float32) for place in range(3))
        colours = of_floats(tf.stack([hue * 2.0, lightness * (1 / 255), saturation * (1 / 255)], -1))
        return tf.cast(tf.clip_by_value(tf.round(colours * 255.0), 0.0, 255.0), x.dtype)

    return run


def _scaled(x: Any, scale: Any, turned: float, fused: bool) -> Any:
    """Return x * scale + turned; `fused`: rounded once, as OpenCV's vectors do."""
    if not fused:
        return x * scale + turned
    exact = tf.cast(x, tf.float64) * tf.cast(scale, tf.float64)
    return tf.cast(exact + turned, tf.float32)


def floats_to_hls(places: Places, *, fused: bool = False) -> Function:
    """Return what makes hue in degrees, lightness and saturation of float32."""

    def run(x: Any) -> Any:
        red, green, blue = (x[..., place] for place in places)
        high, low = tf.maximum(tf.maximum(red, green), blue), tf.minimum(tf.minimum(red, green), blue)
        spread, both = high - low, high + low
        lightness = both * 0.5
        grey = spread <= _TINY
        divisor = tf.where(lightness < 0.5, both, 2.0 - both)
        saturation = tf.where(grey, 0.0, spread / tf.where(grey, 1.0, divisor))
        scale = 60.0 / tf.where(grey, 1.0, spread)
        of_green = _scaled(blue - red, scale, 120.0, fused)
        of_blue = _scaled(red - green, scale, 240.0, fused)
        hue = tf.where(
            tf.equal(high, red), (green - blue) * scale, tf.where(tf.equal(high, green), of_green, of_blue)
        )
        hue = tf.where(grey, 0.0, tf.where(hue < 0.0, hue + 360.0, hue))
        return tf.stack([hue, lightness, saturation], -1)

    return run


def floats_from_hls(places: Places) -> Function:
    """Return what makes colours of hue in degrees, lightness and saturation in float32.

    Of a hue below 0 OpenCV's vectors cut the number of sixths off, and its fraction is negative; the rest of
    a row is computed otherwise. Here all is computed as in vectors.
    """

    def run(x: Any) -> Any:
        hue, lightness, saturation = tf.unstack(x, 3, axis=-1)
        dark = lightness <= 0.5
        high = tf.where(dark, lightness * (1.0 + saturation), lightness + saturation - lightness * saturation)
        low = 2.0 * lightness - high
        sixth = hue * (6 / 360)
        whole = tf.sign(sixth) * tf.floor(tf.abs(sixth))
        part = sixth - whole
        turns = whole * (1 / 6)
        sector = whole - 6.0 * tf.sign(turns) * tf.floor(tf.abs(turns))
        falling, rising = low + (high - low) * (1.0 - part), low + (high - low) * part
        red = _by_sector(sector, (high, falling, low, low, rising, high))
        green = _by_sector(sector, (rising, high, high, falling, low, low))
        blue = _by_sector(sector, (low, low, rising, high, high, falling))
        grey = tf.equal(saturation, 0.0)
        return _in_places(places, tuple(tf.where(grey, lightness, one) for one in (red, green, blue)))

    return run


def _colours(hue: Any, saturation: Any, value: Any) -> tuple[Any, ...]:
    """Return red, green and blue; six hues make a full turn."""
    sector = tf.floor(hue)
    part = hue - sector
    sector = tf.where(sector < 6, sector, sector - 6)
    low = value * (1 - saturation)
    falling, rising = value * (1 - saturation * part), value * (1 - saturation * (1 - part))
    red = _by_sector(sector, (value, falling, low, low, rising, value))
    green = _by_sector(sector, (rising, value, value, falling, low, low))
    blue = _by_sector(sector, (low, low, rising, value, value, falling))
    return red, green, blue


def _by_sector(sector: Any, choices: tuple[Any, ...]) -> Any:
    found = choices[-1]
    for number, choice in reversed(list(enumerate(choices[:-1]))):
        found = tf.where(sector <= number, choice, found)
    return found


def to_luma(places: Places, space: Luma) -> Function:
    """Return what makes a luma and two differences of colours."""

    def run(x: Any) -> Any:
        work = x.dtype if x.dtype.is_floating else tf.int32
        red, green, blue = (tf.cast(x[..., place], work) for place in places)
        if x.dtype.is_floating:
            luma = _sum((red, green, blue), _LUMA_FLOATS)
            differences = [
                (colour - luma) * factor + 0.5
                for colour, factor in zip((red, blue), space.floats, strict=True)
            ]
        else:
            luma = _shifted(_sum((red, green, blue), _LUMA_WHOLE), _LUMA_BITS)
            middle = _middle(x.dtype) << _LUMA_BITS
            differences = [
                _shifted((colour - luma) * factor + middle, _LUMA_BITS)
                for colour, factor in zip((red, blue), space.whole, strict=True)
            ]
        if space.blue_first:
            differences.reverse()
        return _saturated(tf.stack([luma, *differences], -1), x.dtype)

    return run


def from_luma(places: Places, space: Luma) -> Function:
    """Return what makes colours of a luma and two differences."""

    def run(x: Any) -> Any:
        floating = x.dtype.is_floating
        work = x.dtype if floating else tf.int32
        luma, first, second = (tf.cast(x[..., place], work) for place in range(3))
        middle = tf.constant(0.5, x.dtype) if floating else _middle(x.dtype)
        differences = (first - middle, second - middle)
        of_red, of_blue = reversed(differences) if space.blue_first else differences
        if floating:
            factors = [tf.constant(one, x.dtype) for one in space.back_floats]
            moved = (of_red * factors[0], of_red * factors[1] + of_blue * factors[2], of_blue * factors[3])
        else:
            one, two, three, four = space.back_whole
            sums = (of_red * one, of_red * two + of_blue * three, of_blue * four)
            moved = tuple(_shifted(part, _LUMA_BITS) for part in sums)
        return _saturated(_in_places(places, tuple(luma + part for part in moved)), x.dtype)

    return run


def _in_places(places: Places, colours: tuple[Any, ...]) -> Any:
    return tf.stack([colours[places.index(place)] for place in range(3)], -1)


def _sum(colours: tuple[Any, ...], weights: tuple[float, ...]) -> Any:
    return tf.add_n(
        [colour * tf.constant(weight, colour.dtype) for colour, weight in zip(colours, weights, strict=True)]
    )


def _shifted(x: Any, bits: int) -> Any:
    return tf.bitwise.right_shift(x + (1 << (bits - 1)), bits)


def _middle(dtype: Any) -> int:
    return (int(dtype.max) + 1) // 2


def _saturated(x: Any, dtype: Any) -> Any:
    return x if dtype.is_floating else tf.cast(tf.clip_by_value(x, 0, int(dtype.max)), dtype)
