"""ColorJitter: brightness, contrast, saturation and hue, in a drawn order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._branches import one_of
from pipeport.albumentations._draws import between
from pipeport.albumentations._pixels import Pixels, mean_of_bytes, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.cv2 import _constants as constants
from pipeport.cv2._cvt_color import cvtColor
from pipeport.cv2._weighted import weighted
from pipeport.kernels import xla
from pipeport.kernels.opencv._colour_spaces import floats_from_hsv, floats_to_hsv, from_hsv, to_hsv
from pipeport.kernels.xla._rounding import plus_product

# In the order in which the reference numbers them.
_STEPS = ("brightness", "contrast", "saturation", "hue")
_RED_FIRST = (0, 1, 2)
# OpenCV's hues in a full turn, of bytes and of floats.
_HUES = {"uint8": 180, "float32": 360}


@augments(
    "ColorJitter",
    domain={
        "brightness": OneOf((0.8, 1.2), 0.4, 0, (1.5, 1.5), (0.0, 0.0)),
        "contrast": OneOf((0.8, 1.2), 0.1, 0, (1.2, 1.2), (0.0, 0.0)),
        "saturation": OneOf((0.8, 1.2), 0.1, 0, (1.2, 1.2), (0.0, 0.0)),
        "hue": OneOf((-0.5, 0.5), 0.1, 0, (0.3, 0.3), (-0.25, -0.1)),
    },
    reference_parameters="color_jitter",
    image=WithinLevels(6, 1.0, floats=Within(1e-5, "float32 means and colour spaces, in another order")),
    settings=({}, {"brightness": 0.5, "contrast": (0.2, 1.0), "saturation": 2, "hue": 0.1, "p": 0.8}),
)
class ColorJitter(Pixels):
    """Change brightness, contrast, saturation and hue of an image, in a drawn order.

    Parameters
    ----------
    brightness : float or (float, float), default (0.8, 1.2)
        Smallest and largest factor, 0 or more; one number a means 1 - a, or 0, to 1 + a.
    contrast : float or (float, float), default (0.8, 1.2)
        Likewise, of the difference from the mean grey level.
    saturation : float or (float, float), default (0.8, 1.2)
        Likewise, of the difference from the pixel's grey level.
    hue : float or (float, float), default (-0.5, 0.5)
        Smallest and largest shift of the hue, in turns; one number a means -a to a.

    Returns
    -------
    ColorJitter
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8, or of float32 in [0, 1];
        other targets stay as they are. Images of one channel have neither saturation nor hue.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is upside down, not finite, or below 0; in a call, there is no
        image, or one has another dtype.
    WrongType
        A limit is neither a number nor a pair; in a call, an image has neither one channel nor three.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-5. Bytes are equal but where OpenCV's own depend on the
    processor (`cv2.cvtColor` of HSV, `cv2.addWeighted`): by one grey level, and by the factors of what comes
    behind more, six at most for factors of 1.2 with a brightness up to 1.5. The draw has the reference's
    distribution.
    {compiled}
    Speed: slower than the reference in `tf.numpy_function` for bytes of 256x256, faster for floats.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ColorJitter((1.5, 1.5), 0, (0, 0), 0, p=1.0)
    >>> transform(image=tf.constant([[[100, 0, 0]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[45, 45, 45]]]
    """

    def __init__(
        self,
        brightness: Any = (0.8, 1.2),
        contrast: Any = (0.8, 1.2),
        saturation: Any = (0.8, 1.2),
        hue: Any = (-0.5, 0.5),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.brightness = _around_one(brightness, "brightness")
        self.contrast = _around_one(contrast, "contrast")
        self.saturation = _around_one(saturation, "saturation")
        self.hue = _arguments.in_order(_arguments.interval(hue, "hue"), hue, "hue")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the three factors, the shift, and the order of the four."""
        numbers, order = tf.unstack(seeds.split(seed, 2))
        factors = between(numbers, {name: getattr(self, name) for name in _STEPS})
        return {**factors, "order": seeds.permutation(order, len(_STEPS))}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image in other colours."""
        found = served(image, name)
        coloured = with_channels(image, name, (1, 3)) == 3
        steps = [self._step(one, params[one], coloured) for one in _STEPS]
        for index in tf.unstack(tf.cast(params["order"], tf.int32), len(steps)):
            found = one_of(index, [_applied(step, found) for step in steps])
            found = tf.ensure_shape(found, image.shape)
        return found

    def _step(self, name: str, factor: Any, coloured: bool) -> Callable[[Any], Any]:
        nothing = 0.0 if name == "hue" else 1.0
        if getattr(self, name) == (nothing, nothing) or (name in ("saturation", "hue") and not coloured):
            return lambda image: image
        step = {"brightness": _brighter, "contrast": _contrasted, "saturation": _saturated, "hue": _turned}
        return lambda image: step[name](image, factor)


def _around_one(value: Any, name: str) -> tuple[float, float]:
    """Return the ends of a factor; of one number they are as far below 1 as above, but not below 0."""
    if isinstance(value, (tuple, list)):
        return _arguments.span(value, name, 0.0)
    reach = _arguments.real(value, name, 0.0)
    return max(1.0 - reach, 0.0), 1.0 + reach


def _applied(step: Callable[[Any], Any], image: Any) -> Callable[[], Any]:
    return lambda: step(image)


def _grey(image: Any) -> Any:
    """Return the grey levels of an image, (H, W)."""
    if image.shape.rank == 2:
        return image
    return image[..., 0] if image.shape[-1] == 1 else cvtColor(image, constants.COLOR_RGB2GRAY)


def _brighter(image: Any, factor: Any) -> Any:
    return xla.run(_times)(image, factor)


def _times() -> Callable[..., Any]:
    def run(image: Any, factor: Any) -> Any:
        product = tf.cast(tf.reshape(image, [-1]), tf.float32) * tf.cast(factor, tf.float32)
        found = tf.cast(tf.clip_by_value(product, 0.0, _largest(image)), image.dtype)
        return tf.reshape(found, tf.shape(image))

    return run


def _largest(image: Any) -> float:
    return 1.0 if image.dtype.is_floating else 255.0


def _contrasted(image: Any, factor: Any) -> Any:
    levels = _grey(image)
    wide = tf.cast(levels, tf.float64)
    mean = tf.reduce_mean(wide) if image.dtype.is_floating else mean_of_bytes(levels)
    return xla.run(_around)(image, factor, mean)


def _around() -> Callable[..., Any]:
    def run(image: Any, factor: Any, mean: Any) -> Any:
        more, slope = mean * (1.0 - factor), tf.cast(factor, tf.float32)
        if image.dtype.is_floating:
            found = tf.cast(image, tf.float64) * tf.cast(slope, tf.float64) + more
            return tf.cast(tf.clip_by_value(found, tf.zeros([], tf.float64), 1.0), tf.float32)
        product = tf.cast(tf.reshape(image, [-1]), tf.float32) * slope
        found = plus_product(tf.cast(more, tf.float32), product, slope)
        found = tf.where(tf.equal(factor, 0.0), tf.cast(mean + 0.5, tf.float32), found)
        return tf.reshape(tf.cast(tf.clip_by_value(found, 0.0, 255.0), tf.uint8), tf.shape(image))

    return run


def _saturated(image: Any, factor: Any) -> Any:
    return xla.run(_mixed)(image, _grey(image), factor)


def _mixed() -> Callable[..., Any]:
    mix = weighted()

    def run(image: Any, levels: Any, factor: Any) -> Any:
        found = mix(image, levels[..., tf.newaxis], factor, 1.0 - factor, tf.zeros([], tf.float64))
        return tf.clip_by_value(found, 0.0, 1.0) if image.dtype.is_floating else found

    return run


def _turned(image: Any, factor: Any) -> Any:
    return xla.run(_with_hues)(image, factor)


def _with_hues() -> Callable[..., Any]:
    def run(image: Any, factor: Any) -> Any:
        turn = _HUES[image.dtype.name]
        if image.dtype.is_floating:
            there, back = floats_to_hsv(_RED_FIRST), floats_from_hsv(_RED_FIRST)
        else:
            there, back = to_hsv(_RED_FIRST, turn), from_hsv(_RED_FIRST, turn)
        work, kept = (tf.float32, tf.float32) if image.dtype.is_floating else (tf.float64, tf.int32)
        hue, saturation, value = tf.unstack(tf.cast(there(image), kept), axis=-1)
        moved = tf.math.floormod(tf.cast(hue, work) + tf.cast(factor * turn, work), tf.constant(turn, work))
        return back(tf.cast(tf.stack([tf.cast(moved, kept), saturation, value], -1), image.dtype))

    return run
