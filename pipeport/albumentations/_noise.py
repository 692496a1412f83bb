"""GaussNoise, RGBShift: something drawn is added to every pixel, or to every channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._draws import between
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.xla._rounding import plus_product

_LARGEST = {"uint8": 255.0, "float32": 1.0}
_LIMITS = ("r_shift_limit", "g_shift_limit", "b_shift_limit")


@augments(
    "GaussNoise",
    domain={
        "std_range": OneOf((0.2, 0.44), (0.0, 0.0), (0.05, 0.05), (0.0, 1.0)),
        "mean_range": OneOf((0.0, 0.0), (-1.0, 1.0), (0.25, 0.25), (1.0, 1.0)),
        "per_channel": OneOf(True, False),
    },
    reference_parameters="gauss_noise",
    refused={"noise_scale_factor": "the noise has the size of the image"},
    settings=({}, {"std_range": (0.1, 0.1), "mean_range": (-0.2, 0.3), "per_channel": False, "p": 0.8}),
    shape=(1, 2, 3),
)
class GaussNoise(Pixels):
    """Add normal noise to an image.

    Parameters
    ----------
    std_range : (float, float), default (0.2, 0.44)
        Smallest and largest standard deviation, as parts of the largest value, from 0 to 1.
    mean_range : (float, float), default (0.0, 0.0)
        Smallest and largest mean, likewise, from -1 to 1.
    per_channel : bool, default True
        Whether every channel has noise of its own; else all have the same.
    noise_scale_factor : float, default 1
        Another is refused.

    Returns
    -------
    GaussNoise
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32, whose largest value is 1; other targets
        stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or upside down; in a call, there is no image,
        or one has another dtype.
    WrongType
        A range is not a pair of numbers, or `per_channel` no bool.
    UnsupportedArgument
        `noise_scale_factor` is not 1, or a parameter is a tensor; in a call, there is no seed, or a rank is
        not known while tracing.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution. Noise of bytes is cut
    off, not rounded, before it is added.
    {compiled} Images of one size get the same noise, as in the reference. `ReplayCompose` returns a seed for
    the noise.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.GaussNoise((0, 0), (0.1, 0.1), p=1.0)
    >>> transform(image=tf.constant([[0, 100, 250]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[25, 125, 255]]
    """

    def __init__(
        self,
        std_range: Any = (0.2, 0.44),
        mean_range: Any = (0.0, 0.0),
        per_channel: bool = True,
        noise_scale_factor: float = 1,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.std_range = _arguments.span(std_range, "std_range", 0.0, 1.0)
        self.mean_range = _arguments.span(mean_range, "mean_range", -1.0, 1.0)
        self.per_channel = _arguments.flag(per_channel, "per_channel")
        advice = "For coarser noise add a resized draw of pipeport.seeds.normal yourself."
        _arguments.default_alone(noise_scale_factor, 1, "noise_scale_factor", advice)
        self.noise_scale_factor = 1.0

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return mean and standard deviation as parts of the largest value, and a seed for the noise."""
        numbers, noise = tf.unstack(seeds.split(seed, 2))
        return {**between(numbers, {"std": self.std_range, "mean": self.mean_range}), "noise": noise}

    def noise(self, params: Mapping[str, Any], image: Any) -> Any:
        """Return what is added to an image, in float32."""
        return _scaled(*self._numbers(params, image))

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the noisy image."""
        image = served(image, name)
        return xla.run(_noisy)(image, *self._numbers(params, image))

    def _numbers(self, params: Mapping[str, Any], image: Any) -> tuple[Any, Any, Any]:
        """Return normal numbers, and with which standard deviation and mean they are added."""
        largest = tf.constant(_LARGEST[image.dtype.name], tf.float64)
        shared = image.shape.rank == 3 and not self.per_channel
        shape = image.shape if image.shape.is_fully_defined() else tf.shape(image)
        # In a program of their own: in one with the sum XLA takes five times as long.
        numbers = seeds.normal(params["noise"], shape[:2] if shared else shape)
        numbers = numbers[..., tf.newaxis] if shared else numbers
        return (numbers, *(tf.cast(params[name] * largest, tf.float32) for name in ("std", "mean")))


def _scaled(numbers: Any, std: Any, mean: Any) -> Any:
    return plus_product(mean, numbers * std, std)


def _noisy() -> Callable[..., Any]:
    def run(image: Any, numbers: Any, std: Any, mean: Any) -> Any:
        if numbers.shape.rank == image.shape.rank and numbers.shape[-1] == image.shape[-1]:
            # In a row: XLA would count row and column for every value.
            found = _added(tf.reshape(image, [-1]), _scaled(tf.reshape(numbers, [-1]), std, mean))
            found = tf.reshape(found, tf.shape(image))
        else:
            found = _added(image, _scaled(numbers, std, mean))
        # XLA leaves out a mean of 0, by which -0 would be 0.
        return tf.abs(found) if found.dtype.is_floating else found

    return run


def _added(image: Any, more: Any) -> Any:
    """Return an image and what is added to it, as the reference adds: bytes without fractions."""
    if image.dtype.is_floating:
        return tf.clip_by_value(image + more, 0.0, 1.0)
    end = tf.constant(255.0, more.dtype)
    whole = tf.cast(tf.clip_by_value(more, -end, end), tf.int32)
    return tf.cast(tf.clip_by_value(tf.cast(image, tf.int32) + whole, 0, 255), tf.uint8)


def _not_four_rows(arguments: Mapping[str, Any]) -> bool:
    """Leave out 4x1 images: beside one OpenCV takes a number for a matrix, and raises."""
    return bool(np.shape(arguments["image"])[:2] != (4, 1))


@augments(
    "RGBShift",
    domain={name: OneOf((-20, 20), 0, (0.3, 0.3), (-200, -1.5), 0.5, 30.5) for name in _LIMITS},
    reference_parameters="rgb_shift",
    settings=({}, {"r_shift_limit": (-0.1, 0.4), "g_shift_limit": 30, "b_shift_limit": (5, 5), "p": 0.7}),
    valid=_not_four_rows,
)
class RGBShift(Pixels):
    """Add a number to each channel of an image.

    Parameters
    ----------
    r_shift_limit : float or (float, float), default (-20, 20)
        Smallest and largest number for red, from -255 to 255; one number a means -a to a. In levels of 255;
        as parts of the largest value, where neither is beyond 1.
    g_shift_limit : float or (float, float), default (-20, 20)
        Likewise for green.
    b_shift_limit : float or (float, float), default (-20, 20)
        Likewise for blue.

    Returns
    -------
    RGBShift
        {called} `image` is (H, W) or (H, W, C) of up to three channels, red first, of uint8 or float32, whose
        largest value is 1; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite or beyond 255; in a call, there is no image, or
        one has another dtype or more channels.
    WrongType
        A limit is neither a number nor a pair.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution. Numbers for bytes are
    cut off, not rounded, before they are added.
    {compiled} `ReplayCompose` returns parts of the largest value.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RGBShift((20, 20), (0, 0), (-30, -30), p=1.0)
    >>> transform(image=tf.constant([[[0, 100, 250]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[20, 100, 220]]]
    """

    def __init__(
        self,
        r_shift_limit: Any = (-20, 20),
        g_shift_limit: Any = (-20, 20),
        b_shift_limit: Any = (-20, 20),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.r_shift_limit = _limit(r_shift_limit, "r_shift_limit")
        self.g_shift_limit = _limit(g_shift_limit, "g_shift_limit")
        self.b_shift_limit = _limit(b_shift_limit, "b_shift_limit")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return what is added to each channel, as parts of the largest value."""
        return between(seed, {name[0]: _as_parts(getattr(self, name)) for name in _LIMITS})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the shifted image."""
        image = served(image, name)
        channels_known(image, name)
        channels = 1 if image.shape.rank == 2 else image.shape[-1]
        if channels > len(_LIMITS):
            advice = "Leave the others out."
            raise OutsideDomain(explain(name, f"{channels} channels", "up to 3", advice))
        parts = [params[limit[0]] for limit in _LIMITS[:channels]]
        return xla.run(_shifted)(image, parts[0] if image.shape.rank == 2 else tf.stack(parts))


def _limit(value: Any, name: str) -> tuple[float, float]:
    """Return the ends in order."""
    low, high = sorted(_arguments.interval(value, name))
    if low < -255 or high > 255:
        raise OutsideDomain(explain(name, repr(value), "numbers from -255 to 255", "Give levels of a byte."))
    return low, high


def _as_parts(limit: tuple[float, float]) -> tuple[float, float]:
    """Return a limit as parts of the largest value, of which levels are told by their size."""
    low, high = limit
    return (low / 255.0, high / 255.0) if max(abs(low), abs(high)) > 1 else limit


def _shifted() -> Callable[..., Any]:
    def run(image: Any, parts: Any) -> Any:
        if image.dtype.is_floating:
            return _added(image, tf.cast(parts, tf.float32))
        end = tf.constant(255.0, tf.float64)
        whole = tf.cast(tf.clip_by_value(parts * end, -end, end), tf.int32)
        more, less = (tf.cast(tf.maximum(part, 0), tf.uint8) for part in (whole, -whole))
        # In bytes, which take a quarter of the time: one of the two is 0.
        found = image + tf.minimum(more, 255 - image)
        return found - tf.minimum(less, found)

    return run
