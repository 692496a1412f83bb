"""MultiplicativeNoise: every pixel, channel or value times a drawn number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within
from pipeport.kernels import xla


def _multiplies_each(arguments: Mapping[str, Any]) -> bool:
    """Leave out a row or column (H, W) elementwise: the reference multiplies it by the first number alone."""
    shape = np.shape(arguments["image"])
    shared = arguments.get("elementwise", False) and not arguments.get("per_channel", False)
    return not (shared and len(shape) == 2 and min(shape) == 1 < max(shape))


@augments(
    "MultiplicativeNoise",
    domain={
        "multiplier": OneOf((0.9, 1.1), (0.0, 3.0), (1.0, 1.0), (0.3, 0.3)),
        "per_channel": OneOf(False, True),
        "elementwise": OneOf(False, True),
    },
    image=Within(0.0, "what is clipped may lose the sign of a zero"),
    reference_parameters="multiplicative_noise",
    settings=(
        {},
        {"multiplier": (0.5, 2.0), "per_channel": True, "p": 0.7},
        {"elementwise": True},
        {"elementwise": True, "per_channel": True},
    ),
    shape=(2, 2, 3),
    valid=_multiplies_each,
)
class MultiplicativeNoise(Pixels):
    """Multiply an image by drawn numbers.

    Parameters
    ----------
    multiplier : (float, float), default (0.9, 1.1)
        Smallest and largest factor, from 0.
    per_channel : bool, default False
        Whether each channel has a number of its own.
    elementwise : bool, default False
        Whether each pixel has a number of its own.

    Returns
    -------
    MultiplicativeNoise
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32, whose largest value is 1; other targets
        stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], the range is out of bounds or upside down; in a call, there is no
        image, or one has another dtype.
    WrongType
        `multiplier` is not a pair of numbers, or a switch no bool.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit but for the sign of zeros; the draw has the reference's
    distribution. Bytes are cut off, not rounded. Elementwise, the reference multiplies an image (H, W) of a
    single row or column by the first number alone; here each pixel has its own.
    {compiled} Images of one size are multiplied by the same numbers, as in the reference. `ReplayCompose`
    returns a seed for them.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.MultiplicativeNoise((1.5, 1.5), p=1.0)
    >>> transform(image=tf.constant([[1, 100, 200]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[1, 150, 255]]
    """

    def __init__(
        self,
        multiplier: Any = (0.9, 1.1),
        per_channel: bool = False,
        elementwise: bool = False,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.multiplier = _arguments.span(multiplier, "multiplier", 0.0)
        self.per_channel = _arguments.flag(per_channel, "per_channel")
        self.elementwise = _arguments.flag(elementwise, "elementwise")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return a seed for the numbers, which are as many as the image says."""
        return {"numbers": seed}

    def factors(self, params: Mapping[str, Any], image: Any) -> Any:
        """Return what an image is multiplied by, float32: of its shape, or with axes of one."""
        known = image.shape.is_fully_defined()
        sides = list(image.shape[:2]) if known else tf.unstack(tf.shape(image)[:2])
        channels = image.shape[2:].as_list() if self.per_channel else [1] * (image.shape.rank - 2)
        shape = [*(sides if self.elementwise else (1, 1)), *channels]
        low, high = self.multiplier
        parts = seeds.uniform(params["numbers"], shape if known else tf.stack(shape), "float64")
        return tf.cast(low + (high - low) * parts, tf.float32)

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the product."""
        image = served(image, name)
        channels_known(image, name)
        return tf.ensure_shape(xla.run(_multiplied)(image, self.factors(params, image)), image.shape)


def _multiplied() -> Callable[..., Any]:
    def run(image: Any, factors: Any) -> Any:
        largest = 1.0 if image.dtype.is_floating else 255.0
        return tf.cast(tf.clip_by_value(tf.cast(image, tf.float32) * factors, 0.0, largest), image.dtype)

    return run
