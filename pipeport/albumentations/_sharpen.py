"""Sharpen, Emboss: what a pixel has beyond its neighbours, in a drawn amount."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._convolved import convolved
from pipeport.albumentations._draws import between
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._pixels import Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.cv2._gaussian_blur import GaussianBlur
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.xla._rounding import plus_product

# Sums that lie next to a half are rounded by their last digit.
_BYTES = WithinLevels(1, 1.0, floats=Within(1e-5, "float32 sums of products up to 17, in another order"))
_LARGEST_SIDE = 255
# What does nothing.
_SAME = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.float32)


class _OfNeighbours(Pixels):
    """A filter with a kernel of nine weights, of which a drawn part is taken."""

    def part(self, params: Mapping[str, Any], whole: Any) -> Any:
        """Return the kernel of which a part of `whole` is taken, and else does nothing."""
        alpha = params["alpha"]
        return tf.cast(1.0 - alpha, tf.float32) * _SAME + tf.cast(alpha, tf.float32) * whole


def _subtracts(arguments: Mapping[str, Any]) -> bool:
    """Say whether the reference can subtract: it loses a channel that stands alone in what it blurs."""
    shape = arguments["image"].shape
    return arguments.get("method") != "gaussian" or len(shape) == 2 or shape[2] > 1


@augments(
    "Sharpen",
    domain={
        "alpha": OneOf((0.2, 0.5), (0.0, 1.0), (1, 1)),
        "lightness": OneOf((0.5, 1.0), (0, 0), (0.25, 2.0)),
        "method": OneOf("kernel", "gaussian"),
        "kernel_size": OneOf(5, 3, 9),
        "sigma": OneOf(1.0, 0.3, 2.5),
    },
    image=_BYTES,
    reference_parameters="sharpen",
    settings=({}, {"alpha": (0, 1), "lightness": (0, 3), "p": 0.7}, {"method": "gaussian"}),
    valid=_subtracts,
)
class Sharpen(_OfNeighbours):
    """Sharpen an image, in a drawn amount.

    Parameters
    ----------
    alpha : (float, float), default (0.2, 0.5)
        Smallest and largest part of the sharpened image in the result, from 0 to 1.
    lightness : (float, float), default (0.5, 1.0)
        What the weight of a pixel is more than those of its eight neighbours together, from 0; of the method
        "kernel".
    method : {'kernel', 'gaussian'}, default 'kernel'
        Whether the eight neighbours are subtracted, or a blurred image.
    kernel_size : int, default 5
        Side of the Gaussian that blurs, odd, from 3 to 255.
    sigma : float, default 1.0
        Its standard deviation, above 0.

    Returns
    -------
    Sharpen
        {called} `image` is (H, W) or (H, W, C), of up to four channels by "gaussian", of uint8 or float32 in
        [0, 1]; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or upside down, `kernel_size` even or out of
        bounds, `sigma` not above 0; in a call, there is no image, one has another dtype, or is empty.
    WrongType
        A range is not a pair of numbers, `kernel_size` no integer, or `sigma` no number.
    UnsupportedArgument
        Another `method`, or a parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-5, bytes within one grey level where a sum lies next to a
    half; by "gaussian" they are equal. As in the reference, that subtracts bytes of a blurred image from
    bytes modulo 256; it cannot do so with images (H, W, 1), which are served here. The draw has the
    reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Sharpen((1, 1), (1, 1), p=1.0)
    >>> transform(image=tf.constant([[9, 9, 10]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[9, 6, 16]]
    """

    def __init__(
        self,
        alpha: Any = (0.2, 0.5),
        lightness: Any = (0.5, 1.0),
        method: str = "kernel",
        kernel_size: int = 5,
        sigma: float = 1.0,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.alpha = _arguments.span(alpha, "alpha", 0.0, 1.0)
        self.lightness = _arguments.span(lightness, "lightness", 0.0)
        advice = "There are two methods."
        self.method = _arguments.one_of(method, ("kernel", "gaussian"), "method", advice)
        self.kernel_size = _arguments.whole(kernel_size, "kernel_size")
        if self.kernel_size % 2 == 0 or not 3 <= self.kernel_size <= _LARGEST_SIDE:
            allowed = f"an odd number from 3 to {_LARGEST_SIDE}"
            raise OutsideDomain(explain("kernel_size", kernel_size, allowed, "Give 5, for example."))
        self.sigma = _arguments.real(sigma, "sigma", 0.0)
        if self.sigma == 0:
            raise OutsideDomain(explain("sigma", "0", "a number above 0", "Give 1.0, for example."))

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the part of the sharpened image, and of a kernel the lightness."""
        of_kernel = {"lightness": self.lightness} if self.method == "kernel" else {}
        return between(seed, {"alpha": self.alpha, **of_kernel})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the sharpened image."""
        image = served(image, name)
        channels_known(image, name)
        if self.method == "kernel":
            centre = _SAME * (8.0 + tf.cast(params["lightness"], tf.float32))
            return convolved(image, self.part(params, centre + (_SAME - 1.0)))
        size = self.kernel_size, self.kernel_size
        blurred = in_groups(image, lambda part: GaussianBlur(part, size, self.sigma, sigmaY=self.sigma))
        return xla.run(_sharpened)(image, blurred, params["alpha"])


def _sharpened() -> Callable[..., Any]:
    def run(image: Any, blurred: Any, alpha: Any) -> Any:
        work = tf.float32 if image.dtype.is_floating else tf.float64
        more = tf.cast(image - blurred, work) * tf.cast(alpha, work)
        found = plus_product(tf.cast(image, work), more, tf.cast(alpha, work))
        largest = 1.0 if image.dtype.is_floating else 255.0
        return tf.cast(tf.clip_by_value(found, tf.zeros([], work), largest), image.dtype)

    return run


@augments(
    "Emboss",
    domain={
        "alpha": OneOf((0.2, 0.5), (0.0, 1.0), (1, 1)),
        "strength": OneOf((0.2, 0.7), (0, 0), (0.25, 2.0)),
    },
    image=_BYTES,
    reference_parameters="emboss",
    settings=({}, {"alpha": (0, 1), "strength": (0, 3), "p": 0.7}),
)
class Emboss(_OfNeighbours):
    """Emboss an image: lighten it where it gets lighter downwards to the right, in a drawn amount.

    Parameters
    ----------
    alpha : (float, float), default (0.2, 0.5)
        Smallest and largest part of the embossed image in the result, from 0 to 1.
    strength : (float, float), default (0.2, 0.7)
        Smallest and largest weight of the neighbours, from 0.

    Returns
    -------
    Emboss
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32 in [0, 1]; other targets stay as they
        are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or upside down; in a call, there is no image,
        one has another dtype, or is empty.
    WrongType
        A range is not a pair of numbers.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-5, bytes within one grey level where a sum lies next to a
    half; the draw has the reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Emboss((1, 1), (1, 1), p=1.0)
    >>> transform(image=tf.constant([[10, 20, 30]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[10, 80, 30]]
    """

    def __init__(self, alpha: Any = (0.2, 0.5), strength: Any = (0.2, 0.7), p: float = 0.5) -> None:
        super().__init__(p)
        self.alpha = _arguments.span(alpha, "alpha", 0.0, 1.0)
        self.strength = _arguments.span(strength, "strength", 0.0)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the part of the embossed image, and the weight."""
        return between(seed, {"alpha": self.alpha, "strength": self.strength})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the embossed image."""
        image = served(image, name)
        channels_known(image, name)
        weight = tf.cast(params["strength"], tf.float32)
        signs = np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32)
        fixed = np.array([[-1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
        return convolved(image, self.part(params, fixed + signs * weight))
