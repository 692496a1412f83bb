"""ISONoise: the noise of a camera, in the lightness and the hue of every pixel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._draws import between
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.kernels import xla
from pipeport.kernels.opencv._colour_spaces import floats_from_hls, floats_to_hls

_RED_FIRST = (0, 1, 2)
# No standard deviation of numbers in [0, 1] is larger.
_LARGEST_DEVIATION = 0.5
_LARGEST_INTENSITY = 20.0


def _coloured(arguments: Mapping[str, Any]) -> bool:
    return bool(arguments["image"].shape[2:] == (3,))


@augments(
    "ISONoise",
    domain={
        "color_shift": OneOf((0.01, 0.05), (0.0, 0.0), (0.3, 1.0)),
        "intensity": OneOf((0.1, 0.5), (0.0, 0.0), (1.0, 3.0)),
    },
    image=WithinLevels(1, 1.0, floats=Within(1e-5, "float32 colour spaces, in another order")),
    reference_parameters="iso_noise",
    discontinuities="noisy_colours",
    settings=({}, {"color_shift": (0.1, 0.4), "intensity": (0.5, 2.0), "p": 0.7}),
    valid=_coloured,
)
class ISONoise(Pixels):
    """Add noise to the lightness and the hue of an image, as a sensitive camera does.

    Parameters
    ----------
    color_shift : (float, float), default (0.01, 0.05)
        Smallest and largest standard deviation of the hue in degrees, by the intensity; from 0 to 1.
    intensity : (float, float), default (0.1, 0.5)
        Smallest and largest strength of the noise, from 0 to 20.

    Returns
    -------
    ISONoise
        {called} `image` is (H, W, 3), red first, of uint8 or float32 in [0, 1]; other targets stay as they
        are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or upside down; in a call, there is no image,
        or one has another dtype.
    WrongType
        A range is not a pair of numbers; in a call, an image does not have three channels.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-5, bytes within one grey level where a value lies next to a
    half; the draw has the reference's distribution. A red that the noise turns below a hue of 0 is computed
    as OpenCV's vectors compute it; OpenCV computes the end of a row otherwise, there it may differ by more
    where the noise is strong. The lightness has Poisson noise, whose mean is the
    standard deviation of the lightness of the image by the intensity.
    {compiled} `ReplayCompose` returns a seed for the noise.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ISONoise(intensity=(2, 2), p=1.0)
    >>> image = tf.constant([[[200, 0, 0], [0, 100, 0]]], tf.uint8)
    >>> transform(image=image, seed=(1, 2))["image"].shape
    TensorShape([1, 2, 3])
    """

    def __init__(self, color_shift: Any = (0.01, 0.05), intensity: Any = (0.1, 0.5), p: float = 0.5) -> None:
        super().__init__(p)
        self.color_shift = _arguments.span(color_shift, "color_shift", 0.0, 1.0)
        self.intensity = _arguments.span(intensity, "intensity", 0.0, _LARGEST_INTENSITY)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return shift and intensity, and a seed for the noise."""
        own, noise = tf.unstack(seeds.split(seed, 2))
        return {
            **between(own, {"color_shift": self.color_shift, "intensity": self.intensity}),
            "noise": noise,
        }

    def noise(self, params: Mapping[str, Any], hls: Any) -> tuple[Any, Any]:
        """Return counts for the lightness and what is added to the hue in degrees, float32 (H, W)."""
        first, second = tf.unstack(seeds.split(params["noise"], 2))
        shape = hls.shape[:2] if hls.shape.is_fully_defined() else tf.shape(hls)[:2]
        wide = tf.cast(hls[..., 1], tf.float64)
        mean = tf.math.reduce_std(wide) * params["intensity"]
        counts = _poisson(seeds.uniform(first, shape), mean, self.intensity[1] * _LARGEST_DEVIATION)
        spread = tf.cast(params["color_shift"] * params["intensity"], tf.float32)
        return counts, seeds.normal(second, shape) * spread

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the noisy image."""
        image = served(image, name)
        with_channels(image, name, (3,))
        fractions = image if image.dtype.is_floating else as_fractions(image)
        hls = xla.run(floats_to_hls, _RED_FIRST)(fractions)
        found = xla.run(_noisy)(hls, *self.noise(params, hls), params["intensity"])
        found = tf.ensure_shape(found, image.shape)
        return found if image.dtype.is_floating else as_bytes(found)


def _poisson(u: Any, mean: Any, largest: float) -> Any:
    """Return counts of a Poisson distribution for numbers in [0, 1), whose mean is at most `largest`."""
    # Beyond these counts lie less than 2**-24, of which the numbers are multiples.
    most = math.ceil(largest + 6.0 * math.sqrt(largest) + 12.0) if largest else 0
    masses, mass = [], tf.exp(-mean)
    for count in range(1, most + 1):
        masses.append(mass)
        mass = mass * (mean / count)
    if not masses:
        return tf.zeros_like(u)
    below = tf.cast(tf.cumsum(tf.stack(masses)), u.dtype)
    return tf.add_n([tf.cast(u >= below[at], u.dtype) for at in range(most)])


def _noisy() -> Callable[..., Any]:
    def run(hls: Any, counts: Any, shift: Any, intensity: Any) -> Any:
        hue, lightness, saturation = tf.unstack(hls, 3, axis=-1)
        lightness += counts * tf.cast(intensity, tf.float32) * (1.0 - lightness)
        noisy = tf.stack([hue + shift, tf.clip_by_value(lightness, 0.0, 1.0), saturation], -1)
        return tf.clip_by_value(floats_from_hls(_RED_FIRST)(noisy), 0.0, 1.0)

    return run
