"""Downscale: an image made small, and large again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._checks import holds
from pipeport.albumentations._draws import between
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import size_of
from pipeport.contract import OneOf
from pipeport.cv2 import _constants as constants
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla

_NEAREST = {"upscale": constants.INTER_NEAREST, "downscale": constants.INTER_NEAREST}


def _leaves_pixels(arguments: Mapping[str, Any]) -> bool:
    """Say whether the smallest image that may be drawn has pixels."""
    scale, _ = arguments.get("scale_range", (0.25, 0.25))
    smallest = min(arguments["image"].shape[:2]) * scale
    return bool(np.rint(smallest) >= 1)


@augments(
    "Downscale",
    domain={"scale_range": OneOf((0.25, 0.25), (0.5, 0.9), (1, 1), (0.3, 0.3))},
    refused={"interpolation_pair": "pixels are copied"},
    settings=({}, {"scale_range": (0.3, 0.8), "p": 0.7}),
    valid=_leaves_pixels,
)
class Downscale(Pixels):
    """Resize an image to a part of its size, and back.

    Parameters
    ----------
    scale_range : (float, float), default (0.25, 0.25)
        Smallest and largest part, from 0 to 1.
    interpolation_pair : dict of str to int
        How it is made small ("downscale") and large ("upscale"): both are INTER_NEAREST, the default; another
        is refused.

    Returns
    -------
    Downscale
        {called} `image` is (H, W) or (H, W, C), of uint8, or of float32 in [0, 1], which becomes bytes first
        as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], the range is out of bounds or upside down; in a call, there is no
        image, one has another dtype, or a known size and scale leave no pixels.
    WrongType
        `scale_range` is not a pair of numbers.
    UnsupportedArgument
        `interpolation_pair` is another, or a parameter is a tensor; in a call, there is no seed, or a rank is
        not known while tracing.
    tf.errors.InvalidArgumentError
        A drawn scale leaves no pixels.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Downscale((0.5, 0.5), p=1.0)
    >>> image = tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]], tf.uint8)
    >>> transform(image=image, seed=(1, 2))["image"].numpy().tolist()
    [[1, 1, 3, 3], [1, 1, 3, 3]]
    """

    def __init__(
        self,
        scale_range: Any = (0.25, 0.25),
        interpolation_pair: Any = {"upscale": 0, "downscale": 0},  # noqa: B006 - the reference's default
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.scale_range = _arguments.span(scale_range, "scale_range", 0.0, 1.0)
        if tf.is_tensor(interpolation_pair) or interpolation_pair != _NEAREST:
            advice = "Resize with pipeport.cv2.resize, there and back."
            allowed = "INTER_NEAREST for both"
            raise UnsupportedArgument(explain("interpolation_pair", interpolation_pair, allowed, advice))
        self.interpolation_pair = dict(_NEAREST)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the scale."""
        return between(seed, {"scale": self.scale_range})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image of fewer pixels."""
        levels = as_bytes(served(image, name))
        rows, columns = (_places(size, params["scale"]) for size in size_of(image))
        found = tf.ensure_shape(xla.run(_picked)(levels, rows, columns), image.shape)
        return as_fractions(found) if image.dtype.is_floating else found


def _places(size: Any, scale: Any) -> Any:
    """Return the pixel that each pixel of an axis becomes."""
    size = tf.convert_to_tensor(size)
    wide = tf.cast(size, tf.float64)
    small = tf.cast(tf.round(wide * scale), tf.int32)
    advice = "Choose a larger scale, or larger images."
    text = explain("scale_range", "an image without pixels", "at least one row and column", advice)
    small = holds(small, (small > 0, text))
    few = tf.cast(small, tf.float64)
    # As INTER_NEAREST reads, first of the small image and then of the large one.
    back = tf.minimum(tf.floor(tf.cast(tf.range(size), tf.float64) * (1.0 / (wide / few))), few - 1.0)
    return tf.cast(tf.minimum(tf.floor(back * (1.0 / scale)), wide - 1.0), tf.int32)


def _picked() -> Callable[..., Any]:
    return lambda image, rows, columns: tf.gather(tf.gather(image, rows), columns, axis=1)
