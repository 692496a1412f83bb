"""HueSaturationValue, ToGray: other colours for every pixel, of the same dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pipeport.random
from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.cv2 import _constants as constants
from pipeport.cv2._cvt_color import cvtColor
from pipeport.kernels import xla
from pipeport.kernels.opencv._colour_spaces import from_hsv, to_hsv

_RED_FIRST = (0, 1, 2)
# OpenCV's hues in a full turn.
_HUES = 180
_WEIGHTED = "weighted_average"


@augments(
    "HueSaturationValue",
    domain={
        "hue_shift_limit": OneOf((-20, 20), 0, (30.5, 30.5), (-170, -90), 5.0),
        "sat_shift_limit": OneOf((-30, 30), 0, (40, 40), (-255.5, -200), 1),
        "val_shift_limit": OneOf((-20, 20), 0, (25.75, 25.75), (-90, -80)),
    },
    image=WithinLevels(1, 1.0, floats=Within(1 / 255 + 1e-6, "a level of the bytes it is computed in")),
    settings=({}, {"hue_shift_limit": (-5, 30), "sat_shift_limit": 10, "val_shift_limit": (0, 40), "p": 0.7}),
)
class HueSaturationValue(Pixels):
    """Shift the hue, saturation and value of an image.

    Parameters
    ----------
    hue_shift_limit : float or (float, float), default (-20, 20)
        Smallest and largest shift of the hue, of which 180 make a full turn; one number a means -a to a.
    sat_shift_limit : float or (float, float), default (-30, 30)
        Likewise of the saturation, in levels of 255. Pixels without saturation stay so.
    val_shift_limit : float or (float, float), default (-20, 20)
        Likewise of the value, in levels of 255.

    Returns
    -------
    HueSaturationValue
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8, or of float32 in [0, 1];
        other targets stay as they are. Of images of one channel the value alone is shifted.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite; in a call, there is no image, or one has another
        dtype.
    WrongType
        A limit is neither a number nor a pair; in a call, an image has neither one channel nor three.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bytes within one grey level, because OpenCV rounds differently along a row
    (`cv2.cvtColor`); floats, which become bytes first as in the reference, within 1/255. The draw has the
    reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.HueSaturationValue((60, 60), 0, 0, p=1.0)
    >>> transform(image=tf.constant([[[200, 0, 0]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[0, 200, 0]]]
    """

    def __init__(
        self,
        hue_shift_limit: Any = (-20, 20),
        sat_shift_limit: Any = (-30, 30),
        val_shift_limit: Any = (-20, 20),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.hue_shift_limit = _arguments.interval(hue_shift_limit, "hue_shift_limit")
        self.sat_shift_limit = _arguments.interval(sat_shift_limit, "sat_shift_limit")
        self.val_shift_limit = _arguments.interval(val_shift_limit, "val_shift_limit")

    @property
    def _limits(self) -> tuple[tuple[float, float], ...]:
        return self.hue_shift_limit, self.sat_shift_limit, self.val_shift_limit

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the three shifts."""
        names = ("hue_shift", "sat_shift", "val_shift")
        own = tf.unstack(seeds.split(seed, len(names)))
        return {
            name: pipeport.random.uniform(*limit, seed=one)
            for name, limit, one in zip(names, self._limits, own, strict=True)
        }

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image in other colours."""
        image = served(image, name)
        channels = with_channels(image, name, (1, 3))
        if not any(end for limit in self._limits for end in limit):
            return tf.identity(image)
        pixels = tf.reshape(image, tf.concat([tf.shape(image)[:2], [channels]], 0))
        pixels = tf.ensure_shape(pixels, [*image.shape[:2], channels])
        found = xla.run(_shifted)(pixels, params["hue_shift"], params["sat_shift"], params["val_shift"])
        return tf.ensure_shape(tf.reshape(found, tf.shape(image)), image.shape)


def _shifted() -> Callable[..., Any]:
    there, back = to_hsv(_RED_FIRST, _HUES), from_hsv(_RED_FIRST, _HUES)

    def run(image: Any, hue_shift: Any, sat_shift: Any, val_shift: Any) -> Any:
        levels = as_bytes(image)
        colours = tf.repeat(levels, 3, axis=-1) if image.shape[-1] == 1 else levels
        hue, saturation, value = tf.unstack(tf.cast(there(colours), tf.int32), axis=-1)
        moved = tf.math.floormod(tf.cast(hue, tf.float64) + hue_shift, tf.constant(_HUES, tf.float64))
        hue = tf.cast(moved, tf.int32)
        saturation = tf.where(saturation == 0, 0, _added(saturation, sat_shift))
        hsv = tf.stack([hue, saturation, _added(value, val_shift)], -1)
        found = back(tf.cast(hsv, tf.uint8))[..., : image.shape[-1]]
        return as_fractions(found) if image.dtype.is_floating else found

    return run


def _added(levels: Any, shift: Any) -> Any:
    """Add a shift without its fraction, within the range of bytes."""
    return tf.clip_by_value(levels + tf.cast(shift, tf.int32), 0, 255)


def _more_than_one_row(arguments: Mapping[str, Any]) -> bool:
    """Say whether the reference keeps the shape, and whether the method takes the channels."""
    shape = arguments["image"].shape
    return min(shape[:2]) > 1 or len(shape) == 2 or shape[2] == 1


@augments(
    "ToGray",
    domain={"method": OneOf(_WEIGHTED, "desaturation", "average", "max")},
    image=Within(1e-6, "float32 sums of three channels in another order; bytes are equal"),
    valid=_more_than_one_row,
    refused={"num_output_channels": "a graph has one number of channels"},
)
class ToGray(Pixels):
    """Replace colours by grey levels, the same in three channels.

    Parameters
    ----------
    num_output_channels : int, default 3
        Another is refused.
    method : str, default "weighted_average"
        How levels follow from colours: "weighted_average" (as `cv2.cvtColor`), "desaturation" (the mean of
        the largest and the smallest channel), "average" or "max" of the channels. "from_lab" and "pca" are
        refused.

    Returns
    -------
    ToGray
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8 or float32; an image of one
        channel and other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    WrongType
        In a call, an image has neither one channel nor three.
    UnsupportedArgument
        `num_output_channels` is not 3, `method` is another, or a parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: bytes bit for bit, floats within 1e-6. Images of a single row or column keep their shape, which
    they lose in the reference; images of one channel give no warning.
    Graph: no Python at run time; static shapes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ToGray(method="max", p=1.0)
    >>> transform(image=tf.constant([[[200, 0, 7]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[200, 200, 200]]]
    """

    def __init__(self, num_output_channels: int = 3, method: str = _WEIGHTED, p: float = 0.5) -> None:
        super().__init__(p)
        advice = "Take one of the three channels after the pipeline."
        _arguments.default_alone(num_output_channels, 3, "num_output_channels", advice)
        advice = "No other method has a native equivalent."
        self.num_output_channels, self.method = 3, _arguments.one_of(method, tuple(_GREY), "method", advice)

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the grey image."""
        del params
        image = served(image, name)
        if with_channels(image, name, (1, 3)) == 1:
            return image
        levels = cvtColor(image, constants.COLOR_RGB2GRAY) if self.method == _WEIGHTED else image
        return tf.ensure_shape(xla.run(_in_three_channels, self.method)(levels), image.shape)


def _in_three_channels(method: str) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        return tf.stack([_GREY[method](x)] * 3, -1)

    return run


def _desaturated(image: Any) -> Any:
    wide = tf.cast(image, tf.float32)
    middle = (tf.reduce_max(wide, -1) + tf.reduce_min(wide, -1)) / 2
    return tf.cast(tf.clip_by_value(middle, 0, 1 if image.dtype.is_floating else 255), image.dtype)


def _average(image: Any) -> Any:
    if image.dtype.is_floating:
        return tf.reduce_mean(image, -1)
    return tf.cast(tf.reduce_sum(tf.cast(image, tf.int32), -1) // 3, image.dtype)


def _largest(image: Any) -> Any:
    return tf.reduce_max(image, -1)


# What is left to do: OpenCV's own conversion has made the weighted levels.
_GREY: dict[str, Callable[[Any], Any]] = {
    _WEIGHTED: lambda levels: levels,
    "desaturation": _desaturated,
    "average": _average,
    "max": _largest,
}
