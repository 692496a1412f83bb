"""ElasticTransform: every pixel is read a little beside itself, by blurred noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._distortion import DOMAIN, REFUSED, Distortion, Maps
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.cv2._constants import BORDER_CONSTANT, INTER_CUBIC, INTER_LINEAR, INTER_NEAREST
from pipeport.kernels.opencv._filter import gaussian_weights
from pipeport.kernels.opencv._warp_arguments import vouched_cubic

_DISTRIBUTIONS = ("gaussian", "uniform")
# Noise whose largest number is smaller stays as it is, as in the reference.
_NONE = 1e-6
_APPROXIMATE = 17
_FLOATS = Within(
    1e-4, "the blur of noise sums float32 in another order, and `alpha` multiplies what is rounded"
)


def _valid(arguments: Mapping[str, Any]) -> bool:
    cubic = arguments.get("interpolation") == INTER_CUBIC
    return not cubic or vouched_cubic(
        np.asarray(arguments["image"]), arguments.get("border_mode", BORDER_CONSTANT)
    )


@augments(
    "ElasticTransform",
    domain={
        "alpha": OneOf(1, 0, 20.0, 120.0),
        "sigma": OneOf(50, 1, 4.0),
        "approximate": OneOf(False, True),
        "same_dxdy": OneOf(False, True),
        "noise_distribution": OneOf(*_DISTRIBUTIONS),
        **DOMAIN,
    },
    image=WithinLevels(1, 0.01, floats=_FLOATS),
    reference_parameters="elastic",
    discontinuities="distorted",
    points=False,
    settings=(
        {"alpha": 10, "sigma": 1, "p": 0.8},
        {"alpha": 10, "sigma": 2, "same_dxdy": True, "noise_distribution": "uniform", "p": 1},
    ),
    shape=(2, 2),
    valid=_valid,
    refused=REFUSED,
)
class ElasticTransform(Distortion):
    """Read every pixel beside itself, by smooth noise.

    Parameters
    ----------
    alpha : float, default 1
        What blurred noise, of at most 1, is multiplied by, to give pixels; at least 0.
    sigma : float, default 50
        Standard deviation of the blur, at least 1.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    approximate : bool, default False
        Whether the blur reaches 8 pixels far, whatever `sigma` is; else four times `sigma`.
    same_dxdy : bool, default False
        Whether columns and rows are moved alike.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
    noise_distribution : {'gaussian', 'uniform'}, default 'gaussian'
        Of the noise; normal noise is divided by its largest number.
    keypoint_remapping_method : {'mask'}, default 'mask'
        'direct' is refused: the reference fills its inverse map pixel by pixel, and later ones look at
        earlier ones.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0
        What lies outside, of images and of masks. As in the reference one number is that of the first
        channel, and the others get zero.

    Returns
    -------
    ElasticTransform
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.remap`. {rows}. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], `alpha` or `sigma` is too small; in a call, there is no image, a
        target does not have its shape or dtype.
    WrongType
        A parameter has another type; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `keypoint_remapping_method` is 'direct', an interpolation or border is not served, a parameter is a
        tensor; in a call, there is no seed, a rank or a number of channels or of columns is not known while
        tracing, or a target is a stack of images.

    Notes
    -----
    Boxes become those around the pixels that show one of theirs, in whole pixels. A point comes out at the
    first pixel that shows the circle of radius 1 around it, and is dropped where none does, as in the
    reference.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a hundred
    pixels; floats within 1e-4 for an `alpha` of up to 120. Masks, boxes and points are equal, but where the
    rounding of a sum of noise decides between two pixels.
    Under OpenCV 4, whose coordinates are whole 32nds of a pixel, an interpolated pixel that lies between two
    of them may take the other one, and is then more than a level off.
    The draw has the reference's distribution.
    Graph: no Python at run time; static shapes are kept, but the number of points. {drawn} Images of one size
    get the same noise, as in the reference. `ReplayCompose` returns a seed for the noise.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ElasticTransform(alpha=30, sigma=3, p=1.0)
    >>> transform(image=tf.zeros([6, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([6, 8, 3])
    """

    def __init__(
        self,
        alpha: float = 1,
        sigma: float = 50,
        interpolation: int = INTER_LINEAR,
        approximate: bool = False,
        same_dxdy: bool = False,
        mask_interpolation: int = INTER_NEAREST,
        noise_distribution: str = "gaussian",
        keypoint_remapping_method: str = "mask",
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(
            interpolation, mask_interpolation, keypoint_remapping_method, border_mode, fill, fill_mask, p
        )
        self.alpha = _arguments.real(alpha, "alpha", 0.0)
        self.sigma = _arguments.real(sigma, "sigma", 1.0)
        self.approximate = _arguments.flag(approximate, "approximate")
        self.same_dxdy = _arguments.flag(same_dxdy, "same_dxdy")
        advice = "Uniform noise is as large everywhere, normal noise is not."
        self.noise_distribution = _arguments.one_of(
            noise_distribution, _DISTRIBUTIONS, "noise_distribution", advice
        )

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return a seed for the noise."""
        return {"noise": seed}

    def noise(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return the noise of columns and rows, or of both, float32 (2, H, W) or (1, H, W)."""
        shape = [1 if self.same_dxdy else 2, *size]
        if self.noise_distribution == "gaussian":
            return seeds.normal(params["noise"], shape)
        return 2 * seeds.uniform(params["noise"], shape) - 1

    def geometry(self, params: Mapping[str, Any], size: Size) -> Maps:
        """Return maps beside the pixels."""
        noise = self.noise(params, size)
        if self.noise_distribution == "gaussian":
            largest = tf.reduce_max(tf.abs(noise))
            noise /= tf.where(largest > _NONE, largest, tf.ones_like(largest))
        height, width = size
        # Stacked, as in the reference: the blur of columns sees the first rows of that of rows.
        stacked = tf.reshape(noise, [-1, width])
        reach = self._weights()
        blurred = tf.matmul(_blur(reach, tf.shape(stacked)[0]), stacked)
        blurred = tf.matmul(blurred, _blur(reach, width), transpose_b=True)
        shift = tf.reshape(blurred * self.alpha, [1 if self.same_dxdy else 2, height, width])
        across, down = tf.meshgrid(tf.range(width), tf.range(height))
        columns, rows = (
            tf.cast(at, tf.float32) + by for at, by in zip((across, down), (shift[0], shift[-1]), strict=True)
        )
        return Maps(columns, rows, size)

    def _weights(self) -> Any:
        """Return the weights of the blur, float64."""
        size = _APPROXIMATE if self.approximate else round(self.sigma * 8 + 1) | 1
        return gaussian_weights(size, self.sigma)


def _blur(weights: Any, side: Any) -> Any:
    """Return the matrix (side, side), float32, that blurs along a side whose ends are repeated."""
    reach = len(weights) // 2
    # Sums of all weights up to one; with those of a single place at the ends.
    sums = tf.constant(np.concatenate([[0.0], np.cumsum(weights)]), tf.float64)
    place = tf.range(side)
    apart = place[tf.newaxis] - place[:, tf.newaxis] + reach

    def up_to(last: Any) -> Any:
        return tf.gather(sums, tf.clip_by_value(last + 1, 0, len(weights)))

    above = tf.where(place == side - 1, sums[-1], up_to(apart))
    below = tf.where(place == 0, tf.zeros([], tf.float64), up_to(apart - 1))
    return tf.cast(above - below, tf.float32)
