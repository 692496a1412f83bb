"""InvertImg, RandomBrightnessContrast, RandomGamma: other levels for every pixel, of the same dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import pipeport.random
from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._pixels import WIDER, Pixels, mean_of_bytes, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within
from pipeport.cv2._lut import LUT
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.xla._rounding import plus_product

_LARGEST = {"uint8": 255, "float32": 1.0}
# What the reference raises to the power of gamma.
_FRACTIONS = np.arange(0, 256.0 / 255, 1.0 / 255)[:256]


@augments("InvertImg", dtypes=WIDER)
class InvertImg(Pixels):
    """Replace every value by the largest one less it.

    Parameters
    ----------
    p : float, default 0.5
        Probability that it is applied.

    Returns
    -------
    InvertImg
        {called} `image` is (H, W) or (H, W, C), of uint8, uint16 or float32, whose largest value is 1; other
        targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    UnsupportedArgument
        `p` is a tensor; in a call, there is no seed, or a rank is not known while tracing.

    Notes
    -----
    Agreement: bit for bit.
    Graph: no Python at run time; static shapes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.InvertImg(p=1.0)
    >>> transform(image=tf.constant([[0, 1, 200]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[255, 254, 55]]
    """

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the inverted image."""
        del params
        image = served(image, name, WIDER)
        return 1.0 - image if image.dtype.is_floating else tf.bitwise.invert(image)


def _not_the_mean_of_floats(arguments: Mapping[str, Any]) -> bool:
    of_max = bool(arguments.get("brightness_by_max", True))
    return of_max or bool(np.asarray(arguments["image"]).dtype == np.uint8)


@augments(
    "RandomBrightnessContrast",
    domain={
        "brightness_limit": OneOf(0.2, (-0.1, 0.3), 0, (0.5, 0.5), -0.7),
        "contrast_limit": OneOf(0.2, (-0.3, 0.1), 0.0, (0.25, 0.25), (-1, -1)),
        "brightness_by_max": OneOf(True, False),
    },
    reference_parameters="brightness_contrast",
    valid=_not_the_mean_of_floats,
    refused={"ensure_safe_range": "values outside the range are clipped"},
    settings=({}, {"brightness_limit": (-0.5, 0.1), "contrast_limit": 0.3, "p": 0.8}),
)
class RandomBrightnessContrast(Pixels):
    """Multiply an image, and add to it.

    Parameters
    ----------
    brightness_limit : float or (float, float), default (-0.2, 0.2)
        Smallest and largest part of the largest value to add; one number a means -a to a.
    contrast_limit : float or (float, float), default (-0.2, 0.2)
        Smallest and largest factor, less 1; one number a means -a to a.
    brightness_by_max : bool, default True
        Whether the largest value of the dtype is meant; False, the mean of the image, is served for uint8.
    ensure_safe_range : bool, default False
        True is refused.

    Returns
    -------
    RandomBrightnessContrast
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32, whose largest value is 1; other targets
        stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite; in a call, there is no image, or one has another
        dtype.
    WrongType
        A limit is neither a number nor a pair, or a switch no bool.
    UnsupportedArgument
        `ensure_safe_range` is True, or a parameter is a tensor; in a call, there is no seed, a rank is not
        known while tracing, or `brightness_by_max` is False for floats.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    Bytes are cut off, not rounded: ``trunc(clip(image * alpha + beta * 255, 0, 255))`` in float32.
    {compiled} {drawn} `ReplayCompose` returns `beta` as the part of the largest value.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomBrightnessContrast((0.1, 0.1), 0, p=1.0)
    >>> transform(image=tf.constant([[0, 100, 250]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[25, 125, 255]]
    """

    def __init__(
        self,
        brightness_limit: Any = (-0.2, 0.2),
        contrast_limit: Any = (-0.2, 0.2),
        brightness_by_max: bool = True,
        ensure_safe_range: bool = False,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.brightness_limit = _arguments.interval(brightness_limit, "brightness_limit")
        self.contrast_limit = _arguments.interval(contrast_limit, "contrast_limit")
        self.brightness_by_max = _arguments.flag(brightness_by_max, "brightness_by_max")
        advice = "Values outside the range are clipped; choose narrower limits."
        _arguments.default_alone(ensure_safe_range, False, "ensure_safe_range", advice)
        self.ensure_safe_range = False

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the factor, and what is added as a part of the largest value or of the mean."""
        first, second = tf.unstack(seeds.split(seed, 2))
        return {
            "alpha": 1.0 + pipeport.random.uniform(*self.contrast_limit, seed=first),
            "beta": pipeport.random.uniform(*self.brightness_limit, seed=second),
        }

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the brighter or darker image."""
        kind = served(image, name).dtype
        if not self.brightness_by_max and kind != tf.uint8:
            advice = "NumPy's mean of floats depends on the order of its sums: give brightness_by_max=True."
            raise UnsupportedArgument(explain("brightness_by_max", "False for floats", "True", advice))
        unit = (
            tf.constant(_LARGEST[kind.name], tf.float64) if self.brightness_by_max else mean_of_bytes(image)
        )
        build = _bytes_changed if kind == tf.uint8 else _floats_changed
        return xla.run(build)(image, params["alpha"], params["beta"] * unit)


def _bytes_changed() -> Callable[..., Any]:
    def run(image: Any, alpha: Any, beta: Any) -> Any:
        factor, more = tf.cast(alpha, tf.float32), tf.cast(beta, tf.float32)
        # As NumPy multiplies and adds: each of them rounds.
        product = tf.cast(tf.reshape(image, [-1]), tf.float32) * factor
        found = tf.clip_by_value(plus_product(more, product, factor), 0.0, 255.0)
        return tf.reshape(tf.cast(found, tf.uint8), tf.shape(image))

    return run


def _floats_changed() -> Callable[..., Any]:
    def run(image: Any, alpha: Any, beta: Any) -> Any:
        # OpenCV takes the product of two float32 in float64, where it is exact.
        factor = tf.cast(tf.cast(alpha, tf.float32), tf.float64)
        product = tf.cast(image, tf.float64) * factor
        found = tf.clip_by_value(product + beta, tf.zeros([], tf.float64), 1.0)
        # Nothing is added to what a beta of 0 leaves: -0.0 stays.
        left = tf.equal(beta, 0.0) & tf.not_equal(factor, 0.0) & tf.equal(product, 0.0)
        return tf.cast(tf.where(left, product, found), tf.float32)

    return run


def _powered() -> Callable[[Any, Any], Any]:
    def powered(image: Any, gamma: Any) -> Any:
        """Return an image to a power by its logarithm: three times as fast, and of fractions as near."""
        size = tf.exp(gamma * tf.math.log(tf.abs(image)))
        half = gamma / 2.0
        signed = tf.where(tf.equal(half, tf.floor(half)), size, -size)
        no_root = tf.where(tf.math.is_inf(image), size, tf.constant(np.nan, image.dtype))
        below = tf.where(tf.equal(gamma, tf.floor(gamma)), signed, no_root)
        return tf.where(image < 0, below, size)

    return powered


@augments(
    "RandomGamma",
    domain={"gamma_limit": OneOf((80, 120), 150, (50.0, 50.0), (100, 100), 1)},
    image=Within(1e-6, "levels"),
    settings=({}, {"gamma_limit": (30, 300), "p": 0.6}),
)
class RandomGamma(Pixels):
    """Raise an image, as fractions of the largest value, to a power.

    Parameters
    ----------
    gamma_limit : float or (float, float), default (80, 120)
        Smallest and largest power in hundredths, 1 or more; one number a means 1 to a.

    Returns
    -------
    RandomGamma
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is below 1 or not finite; in a call, there is no image, or one
        has another dtype.
    WrongType
        `gamma_limit` is neither a number nor a pair.
    UnsupportedArgument
        A parameter is a tensor; in a call, there is no seed, or a rank is not known while tracing.

    Notes
    -----
    Agreement: given the draw, bytes bit for bit, floats within 1e-6; the draw has the reference's
    distribution. Bytes are cut off, not rounded.
    Graph: no Python at run time. Of bytes the powers of the 256 levels are taken, and looked up.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomGamma((200, 200), p=1.0)
    >>> transform(image=tf.constant([[0, 100, 255]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 39, 255]]
    """

    def __init__(self, gamma_limit: Any = (80, 120), p: float = 0.5) -> None:
        super().__init__(p)
        self.gamma_limit = _arguments.interval(gamma_limit, "gamma_limit", other=1.0, least=1.0)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the power."""
        return {"gamma": pipeport.random.uniform(*self.gamma_limit, seed=seed) / 100.0}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with another gamma."""
        image, gamma = served(image, name), params["gamma"]
        if image.dtype != tf.uint8:
            return xla.run(_powered)(image, tf.cast(gamma, tf.float32))
        table = tf.cast(tf.pow(tf.constant(_FRACTIONS), gamma) * 255.0, tf.uint8)
        # As a plane: a channel of its own would be dropped.
        plane = image if image.shape.rank == 2 else tf.reshape(image, [tf.shape(image)[0], -1])
        return tf.ensure_shape(tf.reshape(LUT(plane, table), tf.shape(image)), image.shape)
