"""GaussianBlur, AdvancedBlur: the weights of a Gaussian whose width, shape and size are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._blurs import OfDrawnSide, odd_range
from pipeport.albumentations._branches import one_of
from pipeport.albumentations._convolved import as_image, as_planes, convolved
from pipeport.albumentations._draws import between
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.opencv._correlate import saturated
from pipeport.kernels.opencv._filter import Filter, drawn_weights, filtered

# A size that is drawn is filled up with zeros to the next of these.
_LARGEST = (3, 7, 15, 31, 63)
# Of how many standard deviations the reference makes a half of its kernel.
_REACH = 3.5
_MOST_SIDE = 11
_FLOATS = Within(1e-6, "float32 sums of products in another order")
# Sums that lie next to a half are rounded by their last digit.
BYTES = WithinLevels(1, 1.0, floats=_FLOATS)


@augments(
    "GaussianBlur",
    domain={
        "blur_limit": OneOf(0, (3, 7), 5, (3, 3), (0, 9), (4, 4)),
        "sigma_limit": OneOf((0.5, 3.0), (1.5, 1.5), 2.0, (0.1, 0.4)),
    },
    image=BYTES,
    reference_parameters="gaussian_blur",
    settings=({"blur_limit": (3, 5)}, {"sigma_limit": (0.3, 0.9), "p": 0.7}),
)
class GaussianBlur(Pixels):
    """Blur an image with a Gaussian, whose width and size are drawn.

    Parameters
    ----------
    blur_limit : int or (int, int), default 0
        Smallest and largest side of the kernel; one number a means 0 to a. Even sides become the next odd
        one, and 0 becomes twice the whole part of 3.5 sigma, and 1. Sides are up to 63.
    sigma_limit : float or (float, float), default (0.5, 3.0)
        Smallest and largest standard deviation, the largest above 0; one number a means 0 to a.

    Returns
    -------
    GaussianBlur
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32 in [0, 1]; other targets stay as they
        are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is below 0, upside down or not finite, or a side above 63; in a
        call, there is no image, one has another dtype, or is empty.
    WrongType
        `blur_limit` is neither an integer nor a pair of them, `sigma_limit` neither a number nor a pair.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-6, bytes within one grey level where the sum lies next to a
    half; the draw has the reference's distribution.
    Graph: no Python at run time; two programs for each of up to 3, 7, 15, 31 and 63 weights.
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.GaussianBlur((3, 3), (1.0, 1.0), p=1.0)
    >>> transform(image=tf.constant([[0, 200, 0]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[110, 90, 110]]
    """

    def __init__(self, blur_limit: Any = 0, sigma_limit: Any = (0.5, 3.0), p: float = 0.5) -> None:
        super().__init__(p)
        ends = _arguments.interval(blur_limit, "blur_limit", other=0.0, least=0.0)
        for one in blur_limit if isinstance(blur_limit, (tuple, list)) else (blur_limit,):
            _arguments.whole(one, "blur_limit")
        low, high = _arguments.in_order(ends, blur_limit, "blur_limit")
        self.blur_limit = int(low), int(high)
        ends = _arguments.interval(sigma_limit, "sigma_limit", other=0.0, least=0.0)
        self.sigma_limit = _arguments.in_order(ends, sigma_limit, "sigma_limit")
        if self.sigma_limit[1] == 0:
            advice = "For no blur leave it out."
            raise OutsideDomain(explain("sigma_limit", repr(sigma_limit), "a largest sigma above 0", advice))
        if self._most > _LARGEST[-1]:
            given = f"a kernel of {self._most} pixels"
            allowed = f"at most {_LARGEST[-1]}"
            advice = "Choose a smaller sigma_limit or blur_limit."
            raise OutsideDomain(explain("blur_limit", given, allowed, advice))

    @property
    def _most(self) -> int:
        """The largest side that may be drawn."""
        of_sigma = int(self.sigma_limit[1] * _REACH) * 2 + 1 if self.blur_limit[0] == 0 else 0
        return max(self.blur_limit[1] | 1, of_sigma)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the standard deviation, and the side or 0."""
        sigma, side = tf.unstack(seeds.split(seed, 2))
        low, high = self.blur_limit
        drawn = tf.cast(seeds.randint(side, low, high + 1), tf.int32)
        return {**between(sigma, {"sigma": self.sigma_limit}), "side": drawn}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the blurred image."""
        image, sigma = served(image, name), params["sigma"]
        channels_known(image, name)
        of_sigma = 2 * tf.cast(sigma * _REACH, tf.int32) + 1
        side = tf.where(params["side"] == 0, of_sigma, tf.bitwise.bitwise_or(params["side"], 1))
        sizes = [size for size in _LARGEST if size < self._most]
        sizes.append(_LARGEST[len(sizes)])
        index = tf.reduce_sum(tf.cast(side > tf.constant(sizes), tf.int32))
        found = one_of(index, [_blurred(image, side, sigma, most) for most in sizes])
        return tf.ensure_shape(found, image.shape)


def _weights(most: int) -> Callable[..., Any]:
    return lambda side, sigma: drawn_weights("float32", side, sigma, most)


def _blurred(image: Any, side: Any, sigma: Any, most: int) -> Any:
    def run() -> Any:
        weights = xla.run(_weights, most)(side[tf.newaxis], sigma[tf.newaxis])
        planes = tf.cast(as_planes(image), tf.float32)
        found = filtered(planes, Filter(most, most, "mirror", dtype="float32"), weights, weights)
        return as_image(saturated(found, image.dtype), image)

    return run


@augments(
    "AdvancedBlur",
    domain={
        "blur_limit": OneOf((3, 7), 5, (3, 3), (5, 9)),
        "sigma_x_limit": OneOf((0.2, 1.0), 2.5, (0.5, 0.5)),
        "sigma_y_limit": OneOf((0.2, 1.0), (1.5, 1.5)),
        "rotate_limit": OneOf((-90, 90), 30, (45, 45)),
        "beta_limit": OneOf((0.5, 8.0), (0.9, 1.1), 2),
        "noise_limit": OneOf((0.9, 1.1), (1, 1), 0.25),
    },
    image=BYTES,
    reference_parameters="advanced_blur",
    settings=(
        {"blur_limit": (3, 3)},
        {"blur_limit": 3, "sigma_x_limit": 2.5, "rotate_limit": 30, "noise_limit": (0.5, 2.0), "p": 0.7},
    ),
)
class AdvancedBlur(OfDrawnSide):
    """Blur an image with a generalised Gaussian of drawn size, widths, angle and form, under noise.

    Parameters
    ----------
    blur_limit : int or (int, int), default (3, 7)
        Smallest and largest side of the kernel, up to 11; one number a means 3 to a. As in the reference,
        what is below 3 is 3, even numbers become the next odd one, and a range that is upside down is its
        largest number.
    sigma_x_limit : float or (float, float), default (0.2, 1.0)
        Smallest and largest standard deviation along one axis; one number a means 0 to a.
    sigma_y_limit : float or (float, float), default (0.2, 1.0)
        Likewise along the other axis. Not both begin at 0.
    rotate_limit : float or (float, float), default (-90, 90)
        Smallest and largest angle of the axes, in degrees; one number a means -a to a.
    beta_limit : float or (float, float), default (0.5, 8.0)
        Smallest and largest exponent, below and above 1, which is the normal distribution; one number a means
        0 to a. Exponents below 1 are drawn as often as those above.
    noise_limit : float or (float, float), default (0.9, 1.1)
        What the weights are multiplied by, each by another; one number a means 0 to a.

    Returns
    -------
    AdvancedBlur
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32 in [0, 1]; other targets stay as they
        are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is out of bounds or upside down, or a side above 11; in a call,
        there is no image, one has another dtype, or is empty.
    WrongType
        `blur_limit` is neither an integer nor a pair of them, another limit neither a number nor a pair.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-6, bytes within one grey level where the sum lies next to a
    half; the draw has the reference's distribution.
    Graph: no Python at run time; one branch for each size. `ReplayCompose` returns a seed for the noise.
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.AdvancedBlur(3, (1.0, 1.0), (1.0, 1.0), noise_limit=(1, 1), p=1.0)
    >>> transform(image=tf.fill([3, 3], tf.constant(9, tf.uint8)), seed=(1, 2))["image"].numpy().tolist()
    [[9, 9, 9], [9, 9, 9], [9, 9, 9]]
    """

    def __init__(
        self,
        blur_limit: Any = (3, 7),
        sigma_x_limit: Any = (0.2, 1.0),
        sigma_y_limit: Any = (0.2, 1.0),
        rotate_limit: Any = (-90, 90),
        beta_limit: Any = (0.5, 8.0),
        noise_limit: Any = (0.9, 1.1),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.blur_limit = odd_range(blur_limit, _MOST_SIDE)
        self.sigma_x_limit = _from_zero(sigma_x_limit, "sigma_x_limit")
        self.sigma_y_limit = _from_zero(sigma_y_limit, "sigma_y_limit")
        self.rotate_limit = _arguments.interval(rotate_limit, "rotate_limit")
        self.beta_limit = _from_zero(beta_limit, "beta_limit")
        self.noise_limit = _from_zero(noise_limit, "noise_limit")
        if self.sigma_x_limit[0] == self.sigma_y_limit[0] == 0:
            advice = "Let one begin above 0."
            raise OutsideDomain(explain("sigma_x_limit", "0 for both axes", "at most one 0", advice))
        if not self.beta_limit[0] < 1.0 < self.beta_limit[1]:
            advice = "Give (0.5, 8.0), for example."
            raise OutsideDomain(explain("beta_limit", repr(beta_limit), "a range around 1", advice))

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return side, widths, angle and exponent, and a seed for the noise."""
        side, numbers, noise = tf.unstack(seeds.split(seed, 3))
        limits = {
            "sigma_x": self.sigma_x_limit,
            "sigma_y": self.sigma_y_limit,
            "angle": self.rotate_limit,
            "half": (0.0, 2.0),
        }
        found = between(numbers, limits)
        # Above 1 in one half of all draws; what is beyond a half is uniform again.
        half, (low, high) = found.pop("half"), self.beta_limit
        beta = tf.where(half < 1.0, low + (1.0 - low) * half, 1.0 + (high - 1.0) * (half - 1.0))
        return {**super().draw_parameters(side), **found, "beta": beta, "noise": noise}

    def noise(self, params: Mapping[str, Any], side: int) -> Any:
        """Return what the weights of a kernel are multiplied by, in float64."""
        low, high = self.noise_limit
        return low + (high - low) * seeds.uniform(params["noise"], [side, side], "float64")

    def blurred(self, image: Any, side: int, params: Mapping[str, Any]) -> Any:
        """Return the image under a kernel of that side."""
        numbers = [params[name] for name in ("angle", "sigma_x", "sigma_y", "beta")]
        kernel = xla.run(_generalised)(self.noise(params, side), *numbers)
        return convolved(image, kernel)


def _generalised() -> Callable[..., Any]:
    """Return what makes the kernel of a generalised Gaussian of its noise."""

    def run(noise: Any, angle: Any, sigma_x: Any, sigma_y: Any, beta: Any) -> Any:
        side = noise.shape[0]
        turn = angle * (math.pi / 180)
        cosine, sine = tf.cos(turn), tf.sin(turn)
        x = tf.range(side, dtype=tf.float64) - float(side // 2)
        y = x[:, tf.newaxis]
        along, beside = (cosine * x + sine * y) / sigma_x, (cosine * y - sine * x) / sigma_y
        heights = tf.exp(-0.5 * tf.pow(along * along + beside * beside, beta)) * noise
        return tf.cast(heights / tf.reduce_sum(heights), tf.float32)

    return run


def _from_zero(value: Any, name: str) -> tuple[float, float]:
    ends = _arguments.interval(value, name, other=0.0, least=0.0)
    return _arguments.in_order(ends, value, name)
