"""OpticalDistortion: an image as a lens would bend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._distortion import DOMAIN, LEVELS, REFUSED, Distortion, Maps
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size
from pipeport.contract import OneOf
from pipeport.cv2._constants import BORDER_CONSTANT, INTER_CUBIC, INTER_LINEAR, INTER_NEAREST
from pipeport.kernels import xla
from pipeport.kernels.opencv._warp_arguments import vouched_cubic

_MODES = ("camera", "fisheye")


def _valid(arguments: Mapping[str, Any]) -> bool:
    cubic = arguments.get("interpolation") == INTER_CUBIC
    return not cubic or vouched_cubic(
        np.asarray(arguments["image"]), arguments.get("border_mode", BORDER_CONSTANT)
    )


@augments(
    "OpticalDistortion",
    domain={
        "distort_limit": OneOf((-0.05, 0.05), 0.5, (0.1, 0.9)),
        "mode": OneOf(*_MODES),
        **DOMAIN,
    },
    image=LEVELS,
    reference_parameters="optical_distortion",
    discontinuities="distorted",
    points=False,
    settings=({"p": 0.8}, {"distort_limit": 0.7, "mode": "fisheye", "p": 1}),
    shape=(2, 3),
    valid=_valid,
    refused=REFUSED,
)
class OpticalDistortion(Distortion):
    """Bend an image as a lens does.

    Parameters
    ----------
    distort_limit : float or (float, float), default (-0.05, 0.05)
        Smallest and largest coefficient; one number a means -a to a.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
    mode : {'camera', 'fisheye'}, default 'camera'
        With r the distance from the middle: pixels are read at r (1 + k r**2 + k r**4), r in parts of the
        sides; or at r (1 + k r**2), r in parts of half the diagonal.
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
    OpticalDistortion
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.remap`. {rows}. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite; in a call, there is no image, a
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
    pixels; floats as `pipeport.cv2.remap`. Masks, boxes and points are equal, but where the
    rounding of a coordinate decides between two pixels.
    Under OpenCV 4, whose coordinates are whole 32nds of a pixel, an interpolated pixel that lies between two
    of them may take the other one, and is then more than a level off.
    The draw has the reference's distribution.
    Graph: no Python at run time; static shapes are kept, but the number of points. {drawn}
    Speed: 'fisheye' is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.OpticalDistortion(0.5, p=1.0)
    >>> transform(image=tf.zeros([6, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([6, 8, 3])
    """

    def __init__(
        self,
        distort_limit: Any = (-0.05, 0.05),
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        mode: str = "camera",
        keypoint_remapping_method: str = "mask",
        p: float = 0.5,
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
    ) -> None:
        super().__init__(
            interpolation, mask_interpolation, keypoint_remapping_method, border_mode, fill, fill_mask, p
        )
        ends = _arguments.interval(distort_limit, "distort_limit")
        self.distort_limit = _arguments.in_order(ends, distort_limit, "distort_limit")
        self.mode = _arguments.one_of(mode, _MODES, "mode", "They differ in the formula of the lens.")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the coefficient."""
        low, high = self.distort_limit
        return {"k": low + (high - low) * seeds.uniform(seed, [], "float64")}

    def geometry(self, params: Mapping[str, Any], size: Size) -> Maps:
        """Return the maps of the lens."""
        height, width = size
        lens = _camera if self.mode == "camera" else _fisheye
        columns, rows = xla.run(lens)(tf.range(width), tf.range(height), params["k"])
        return Maps(columns, rows, size)


def _camera() -> Callable[..., Any]:
    def run(across: Any, down: Any, k: Any) -> Any:
        # A coefficient of OpenCV is float32, and all else float64.
        k = tf.cast(tf.cast(k, tf.float32), tf.float64)
        width, height = (tf.cast(tf.size(one), tf.float64) for one in (across, down))
        # From the middle of the pixels to the middle of the sides, half a pixel beside it, as OpenCV does.
        x = ((tf.cast(across, tf.float64) - (width - 1) / 2) / width)[tf.newaxis]
        y = ((tf.cast(down, tf.float64) - (height - 1) / 2) / height)[:, tf.newaxis]
        square = x * x + y * y
        longer = 1 + (k * square + k) * square
        found = x * longer * width + width / 2, y * longer * height + height / 2
        return tuple(tf.cast(one, tf.float32) for one in found)

    return run


def _fisheye() -> Callable[..., Any]:
    def run(across: Any, down: Any, k: Any) -> Any:
        half = [tf.cast(tf.size(one), tf.float64) / 2 for one in (across, down)]
        farthest = tf.cast(tf.sqrt(half[0] * half[0] + half[1] * half[1]), tf.float32)
        middle = [tf.cast(one, tf.float32) for one in half]
        x = (tf.cast(across, tf.float32) - middle[0])[tf.newaxis]
        y = (tf.cast(down, tf.float32) - middle[1])[:, tf.newaxis]
        far = tf.sqrt(x * x + y * y)
        part = far / farthest
        longer = far * (1 + tf.cast(k, tf.float32) * part * part)
        # By the angle, as in the reference: its rounding moves pixels far from the middle. In float64 every
        # engine finds the same one.
        angle = tf.cast(tf.cast(tf.atan2(*_wide(y + 0 * x, x + 0 * y)), tf.float32), tf.float64)
        cosine, sine = (tf.cast(one, tf.float32) for one in (tf.cos(angle), tf.sin(angle)))
        return longer * cosine + middle[0], longer * sine + middle[1]

    return run


def _wide(*values: Any) -> Any:
    return (tf.cast(one, tf.float64) for one in values)
