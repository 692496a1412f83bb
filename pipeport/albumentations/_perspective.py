"""Perspective: four points near the corners become the corners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport import seeds
from pipeport._batched import batched
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._distortion import DOMAIN, LEVELS, border_value, one_size
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._pixels import served
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, large_enough, numbers
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._symmetries import within_a_turn
from pipeport.albumentations._warps import BORDERS, INTERPOLATIONS, among
from pipeport.contract import OneOf
from pipeport.cv2._constants import BORDER_CONSTANT, INTER_CUBIC, INTER_LINEAR, INTER_NEAREST
from pipeport.cv2._get_perspective_transform import getPerspectiveTransform
from pipeport.cv2._warp_perspective import warpPerspective
from pipeport.kernels.opencv._warp_arguments import vouched_cubic

# How far a point may lie from its corner, as a part of the sides.
_FARTHEST = 0.32
# In smaller images four points may be less than two pixels apart: the reference moves these once more.
_SMALLEST = 6


def _valid(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    cubic = arguments.get("interpolation") == INTER_CUBIC
    if cubic and not vouched_cubic(image, arguments.get("border_mode", BORDER_CONSTANT)):
        return False
    return bool(min(image.shape[:2]) >= _SMALLEST)


class ProjectiveGeometry(NamedTuple):
    """Where a projective map moves things.

    `matrix`: shape (3, 3), float64; the map of pixels, to the size that the four points have. `scale`: shape
    (2,), float64; from that to the size of the image, for x and y.
    """

    matrix: Any
    scale: Any
    size: Size


@augments(
    "Perspective",
    domain={"scale": OneOf((0.05, 0.1), 0.3, (0.0, 0.5)), **DOMAIN},
    image=LEVELS,
    reference_parameters="perspective",
    discontinuities="projected",
    settings=({"p": 0.8}, {"scale": (0.1, 0.6), "p": 1}),
    valid=_valid,
    refused={
        "keep_size": "the result has the size of the image",
        "fit_output": "the result has the size of the image",
    },
)
class Perspective(Spatial):
    """Look at an image from aside.

    Parameters
    ----------
    scale : float or (float, float), default (0.05, 0.1)
        Smallest and largest standard deviation of how far the four points lie from the corners, as parts of
        the sides; one number a means 0 to a. Beyond 0.32 they begin at 0 again.
    keep_size : bool, default True
        False is refused.
    fit_output : bool, default False
        True is refused.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0
        What lies outside, of images and of masks. As in the reference one number is that of the first
        channel, and the others get zero.

    Returns
    -------
    Perspective
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.warpPerspective`. {rows}. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], `scale` is negative; in a call, there is no image, a target does not
        have its shape or dtype, or the image is known to have fewer than six rows or columns.
    WrongType
        A parameter has another type; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `keep_size` or `fit_output` gives another size, an interpolation or border is not served, a parameter
        is a tensor; in a call, there is no seed, a rank or a number of channels or of columns is not known
        while tracing, or a target is a stack of images.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to have fewer than six rows or columns.

    Notes
    -----
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a hundred
    pixels; floats as `pipeport.cv2.warpPerspective`; nearest pixels are equal but where the rounding of
    OpenCV's own coordinates decides between two; coordinates within 1e-4. The draw has the reference's
    distribution.
    Graph: no Python at run time; static shapes are kept. {drawn}
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Perspective(scale=0.2, p=1.0)
    >>> transform(image=tf.zeros([6, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([6, 8, 3])
    """

    def __init__(
        self,
        scale: Any = (0.05, 0.1),
        keep_size: bool = True,
        fit_output: bool = False,
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        ends = _arguments.interval(scale, "scale", other=0.0, least=0.0)
        self.scale = _arguments.in_order(ends, scale, "scale")
        one_size(keep_size, True, "keep_size")
        one_size(fit_output, False, "fit_output")
        self.keep_size, self.fit_output = True, False
        self.interpolation = among(interpolation, INTERPOLATIONS, "interpolation")
        self.mask_interpolation = among(mask_interpolation, INTERPOLATIONS, "mask_interpolation")
        self.border_mode = among(border_mode, BORDERS, "border_mode")
        self.fill, self.fill_mask = border_value(fill, "fill"), border_value(fill_mask, "fill_mask")

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = among(how, INTERPOLATIONS, "mask_interpolation")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how far the points lie from the corners, x and y as parts of the sides."""
        own, others = tf.unstack(seeds.split(seed, 2))
        low, high = self.scale
        scale = low + (high - low) * seeds.uniform(own, [], "float64")
        return {"jitter": scale * seeds.normal(others, [4, 2], "float64")}

    def geometry(self, params: Mapping[str, Any], size: Size) -> ProjectiveGeometry:
        """Return the map that was drawn."""
        size = large_enough(size, (_SMALLEST, _SMALLEST), "Resize before, or leave such images out.")
        height, width = numbers(size, tf.float64)
        sides = tf.stack([width, height])
        inwards = tf.math.floormod(tf.abs(params["jitter"]), tf.constant(_FARTHEST, tf.float64))
        corners = tf.constant([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], tf.float64)
        points = tf.cast(tf.abs(corners - inwards) * sides, tf.float32)
        matrix = getPerspectiveTransform(points, tf.cast(corners * sides, tf.float32))
        aside = tf.roll(points, -1, 0) - points
        lengths = tf.sqrt(tf.reduce_sum(aside * aside, 1))
        # From left to right above and below, and from above to below.
        longest = tf.stack([tf.maximum(lengths[0], lengths[2]), tf.maximum(lengths[1], lengths[3])])
        scale = sides / tf.cast(tf.cast(longest, tf.int32), tf.float64)
        return ProjectiveGeometry(matrix, scale, size)

    def plane(self, value: Any, geometry: ProjectiveGeometry, kind: str, batch_axes: int) -> Any:
        """Warp an image, or masks."""
        how, fill = self.mask_interpolation, self.fill_mask
        if kind == "image":
            value, how, fill = served(value, kind), self.interpolation, self.fill
        warp = batched(warpPerspective) if batch_axes else warpPerspective
        # Sizes that are not known are those of the image for masks as well.
        size = geometry.size[::-1] if all(isinstance(side, int) for side in geometry.size) else None
        whole = tf.concat([geometry.scale, tf.ones([1], tf.float64)], 0)[:, tf.newaxis] * geometry.matrix

        def warped(part: Any) -> Any:
            return warp(part, whole, size, flags=how, borderMode=self.border_mode, borderValue=fill)

        channels_known(value, kind, batch_axes)
        return in_groups(value, warped, batch_axes)

    def boxes(self, boxes: Any, geometry: ProjectiveGeometry) -> Any:
        """Return the upright boxes around those that are moved."""
        height, width = numbers(geometry.size, tf.float64)
        sides = tf.stack([width, height, width, height])
        left, top, right, bottom = tf.unstack(tf.cast(boxes, tf.float64) * sides, axis=1)
        x, y = (tf.stack(four, 1) for four in ((left, right, right, left), (top, top, bottom, bottom)))
        x, y = _moved(geometry.matrix, x, y)
        ends = tf.stack(
            [tf.reduce_min(x, 1), tf.reduce_min(y, 1), tf.reduce_max(x, 1), tf.reduce_max(y, 1)], 1
        )
        scale = tf.concat([geometry.scale, geometry.scale], 0)
        return tf.cast(tf.cast(ends, tf.float64) * scale / sides, boxes.dtype)

    def points(self, points: Any, geometry: ProjectiveGeometry) -> Any:
        """Move points, turn and scale what they carry."""
        x, y, z, angle, scale = tf.unstack(points, axis=1)
        x, y = (tf.cast(one, tf.float64) for one in _moved(geometry.matrix, x, y))
        (a, b, _), (d, e, _), _ = (tf.unstack(row) for row in tf.unstack(geometry.matrix))
        factor = tf.maximum(tf.sign(a) * tf.sqrt(a * a + b * b), tf.sign(e) * tf.sqrt(d * d + e * e))
        factor *= tf.reduce_max(geometry.scale)
        moved = [
            tf.cast(one, points.dtype)
            for one in (x * geometry.scale[0], y * geometry.scale[1], tf.atan2(d, a))
        ]
        turned = within_a_turn(angle + moved[2])
        return tf.stack([moved[0], moved[1], z, turned, scale * tf.cast(factor, points.dtype)], 1)


def _moved(matrix: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Return points moved by a projective map, in float32 as OpenCV takes and gives them."""
    x, y = (tf.cast(tf.cast(one, tf.float32), tf.float64) for one in (x, y))
    rows = (tf.unstack(row) for row in tf.unstack(matrix))
    across, down, depth = (a * x + b * y + c for a, b, c in rows)
    return tf.cast(across / depth, tf.float32), tf.cast(down / depth, tf.float32)
