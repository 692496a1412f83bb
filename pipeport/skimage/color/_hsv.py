"""`skimage.color.rgb2hsv` and `hsv2rgb`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.skimage.color._channels import DTYPES, UNSIGNED, floats, per_pixel, planes, with_channels


def _hsv_of(axis: int) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        red, green, blue = planes(floats(x), axis)
        value = tf.maximum(tf.maximum(red, green), blue)
        spread = value - tf.minimum(tf.minimum(red, green), blue)
        grey, zero = tf.equal(spread, 0), tf.zeros([], value.dtype)
        divisor = tf.where(grey, tf.ones([], value.dtype), spread)
        of_red, of_green, of_blue = green - blue, blue - red, red - green
        # Of two largest channels the later one counts.
        part = tf.where(blue == value, of_blue, tf.where(green == value, of_green, of_red)) / divisor
        start = tf.where(blue == value, 4 + zero, tf.where(green == value, 2 + zero, zero))
        turns = (start + part) / 6
        hue = tf.where(grey, zero, turns - tf.floor(turns))
        saturation = tf.where(grey, zero, spread / tf.where(grey, divisor, value))
        return tf.stack([hue, saturation, value], axis)

    return run


def _has_saturation(call: Mapping[str, Any]) -> bool:
    """Leave out colours whose largest channel is 0 and another negative: the sign of that 0 decides."""
    rgb = np.asarray(call["rgb"])
    if rgb.dtype == bool:
        return True
    return not ((rgb.max(-1) == 0) & (rgb.min(-1) < 0)).any()


@replaces(
    "skimage.color.rgb2hsv",
    domain={
        "rgb": Image(dtypes=DTYPES, channels=(3,), non_finite=False),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(),
    valid=_has_saturation,
)
@batchable
def rgb2hsv(batch_axes: int, rgb: Any, *, channel_axis: Any = -1) -> Any:
    """Return hue, saturation and value of an image.

    Parameters
    ----------
    rgb : array_like, shape (..., 3, ...), bool, uint8, uint16, int16, float16, float32 or float64
        The image, red first; other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `rgb`, float64 or float32
        Each in [0, 1] for colours in [0, 1]: the hue in turns from red, 0 of grey; the largest channel less
        the smallest, as a part of the largest; the largest. Integers count in parts of their largest value;
        the result is float32 for float16 and float32.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities, of which the reference returns memory that
    it has not written to, and negative colours without a positive channel are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import rgb2hsv
    >>> rgb2hsv(tf.constant([[0.0, 0.5, 1.0]])).numpy().round(4).tolist()
    [[0.583299994468689, 1.0, 1.0]]
    """
    x, axis = with_channels(rgb, "rgb", channel_axis, batch_axes)
    return per_pixel(x, axis, _hsv_of)


def _rgb_of(axis: int) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        hue, saturation, value = planes(floats(x), axis)
        sextant = tf.floor(hue * 6)
        part = hue * 6 - sextant
        # As in a byte, by which the reference numbers them.
        place = tf.math.floormod(tf.bitwise.bitwise_and(tf.cast(sextant, tf.int32), 255), 6)
        low = value * (1 - saturation)
        falling = value * (1 - part * saturation)
        rising = value * (1 - (1 - part) * saturation)
        red = _chosen(place, [value, falling, low, low, rising, value])
        green = _chosen(place, [rising, value, value, falling, low, low])
        blue = _chosen(place, [low, low, rising, value, value, falling])
        return tf.stack([red, green, blue], axis)

    return run


def _chosen(place: Any, values: list[Any]) -> Any:
    found = values[-1]
    for number, value in reversed(list(enumerate(values[:-1]))):
        found = tf.where(tf.equal(place, number), value, found)
    return found


@replaces(
    "skimage.color.hsv2rgb",
    domain={
        "hsv": Image(dtypes=UNSIGNED, channels=(3,), values=(0.0, 1.0), non_finite=False),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(),
)
@batchable
def hsv2rgb(batch_axes: int, hsv: Any, *, channel_axis: Any = -1) -> Any:
    """Return the colours of hue, saturation and value.

    Parameters
    ----------
    hsv : array_like, shape (..., 3, ...), bool, uint8, uint16, float16, float32 or float64
        The three, each in [0, 1]; other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `hsv`, float64 or float32
        Red, green and blue. Integers count in parts of their largest value; the result is float32 for float16
        and float32.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN, infinities and a negative hue are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import hsv2rgb
    >>> hsv2rgb(tf.constant([[0.5, 1.0, 0.75]])).numpy().tolist()
    [[0.0, 0.75, 0.75]]
    """
    x, axis = with_channels(hsv, "hsv", channel_axis, batch_axes, UNSIGNED)
    return per_pixel(x, axis, _rgb_of)
