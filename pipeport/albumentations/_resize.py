"""Resize: every image and mask in one size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import pipeport.cv2
from pipeport._batched import batched
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, numbers, size_of
from pipeport.albumentations._spatial import Spatial
from pipeport.contract import CannotServe, OneOf, Within, WithinLevels
from pipeport.cv2._constants import INTER_AREA, INTER_LINEAR, INTER_NEAREST
from pipeport.cv2._resize_arguments import interpolation_of

_FOR_AREA = ("image", "image_mask")
_SIDES = OneOf(1, 2, 5, 9, 14, typical=224)


def _area_of_bytes(arguments: Mapping[str, Any]) -> bool:
    asked = arguments.get("interpolation") == INTER_AREA or arguments.get("area_for_downscale") is not None
    return asked and np.asarray(arguments["image"]).dtype == np.uint8


@augments(
    "Resize",
    domain={
        "height": _SIDES,
        "width": _SIDES,
        "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_AREA),
        "mask_interpolation": OneOf(INTER_NEAREST),
        "area_for_downscale": OneOf(None, "image"),
    },
    # Of two pixels both may be a tie; tests/albumentations holds noise of 300 pixels to 15 %.
    image=WithinLevels(1, 1.0, floats=Within(2e-6, "sums in another order on values in [0, 1]")),
    settings=({"height": 8, "width": 9, "p": 0.3},),
    needed={"height": 2, "width": 3},
    cannot_serve=(
        CannotServe(
            "xla",
            "INTER_AREA of bytes is TensorFlow's own kernel, which XLA lacks; for a graph that you compile "
            "with XLA yourself call pipeport.config.set_bit_equal(True)",
            witness=lambda: {
                "height": 4,
                "width": 5,
                "interpolation": INTER_AREA,
                "image": np.arange(120, dtype=np.uint8).reshape(10, 12),
                "seed": (1, 2),
            },
            when=_area_of_bytes,
        ),
    ),
)
class Resize(Spatial):
    """Resize to a height and a width.

    Parameters
    ----------
    height, width : int
        Size of the result.
    interpolation : int, default cv2.INTER_LINEAR
        For images, as `pipeport.cv2.resize` serves it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        For masks; that of a `Compose` comes first.
    area_for_downscale : {None, 'image', 'image_mask'}, default None
        Whether INTER_AREA is taken where a side becomes shorter: for images, or for masks too.

    Returns
    -------
    Resize
        {called} {planes}; of the dtypes of `pipeport.cv2.resize`. Called outside a `Compose`, `bboxes` are
        (N, 4) fractions x_min, y_min, x_max, y_max, which stay, and `keypoints` (N, 5): x, y, z, angle in
        radians, scale. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size is below 1; in a call, there is no image, a target does not have
        its shape, or a dtype is not served.
    WrongType
        A size is not an integer; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        An interpolation is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images or a
        volume.

    Notes
    -----
    Agreement: bytes that are interpolated at most one grey level off, unless `pipeport.config.set_bit_equal`
    asks for every bit; floats as `pipeport.cv2.resize`; masks of INTER_NEAREST bit for bit; coordinates
    within 1e-4.
    Graph: no Python at run time. The size is known while tracing where it is always applied.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Resize(2, 3)
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([2, 3, 3])
    """

    def __init__(
        self,
        height: int,
        width: int,
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        area_for_downscale: str | None = None,
        p: float = 1,
    ) -> None:
        super().__init__(p)
        self.height = _arguments.side(height, "height")
        self.width = _arguments.side(width, "width")
        self.interpolation = interpolation_of(interpolation)
        self.mask_interpolation = interpolation_of(mask_interpolation)
        self.area_for_downscale = by_area(area_for_downscale)

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = interpolation_of(how)

    def geometry(self, params: Mapping[str, Any], size: Size) -> Size:
        """Return the size before."""
        del params
        return size

    def plane(self, value: Any, geometry: Size, kind: str, batch_axes: int) -> Any:
        """Resize an image, or masks."""
        del geometry
        channels_known(value, kind, batch_axes)
        how = self.interpolation if kind == "image" else self.mask_interpolation
        shrinking = _FOR_AREA if kind == "image" else _FOR_AREA[1:]

        def resized(kind: int) -> Callable[[], Any]:
            return lambda: resized_to(value, kind, (self.height, self.width), batch_axes)

        if self.area_for_downscale not in shrinking or how == INTER_AREA:
            return resized(how)()
        height, width = size_of(value, batch_axes)
        shorter = tf.logical_or(self.height < height, self.width < width)
        known = tf.get_static_value(shorter)
        if known is None:
            return tf.cond(shorter, resized(INTER_AREA), resized(how))
        return resized(INTER_AREA if known else how)()

    def boxes(self, boxes: Any, geometry: Size) -> Any:
        """Leave fractions."""
        del geometry
        return boxes

    def points(self, points: Any, geometry: Size) -> Any:
        """Scale pixels."""
        return points_scaled(points, geometry, (self.height, self.width))


def by_area(value: Any) -> str | None:
    """Return which targets are resized by area where they shrink."""
    advice = "It names the targets that are resized by area where they shrink."
    return None if value is None else str(_arguments.one_of(value, _FOR_AREA, "area_for_downscale", advice))


def points_scaled(points: Any, before: Size, after: tuple[int, int]) -> Any:
    """Return points of an image of one size in that image of another."""
    x, y, z, angle, scale = tf.unstack(points, axis=1)
    height, width = numbers(before, tf.float64)
    down, across = after[0] / height, after[1] / width
    larger = tf.cast(tf.maximum(down, across), points.dtype)
    down, across = tf.cast(down, points.dtype), tf.cast(across, points.dtype)
    return tf.stack([x * across, y * down, z, angle, scale * larger], 1)


def resized_to(value: Any, how: int, size: Size, batch_axes: int) -> Any:
    """Return an image, or masks with `batch_axes` axes before, in a height and a width."""
    resize = batched(pipeport.cv2.resize) if batch_axes else pipeport.cv2.resize
    found = resize(value, size[::-1], interpolation=how)
    # OpenCV drops a channel that stands alone.
    return found if found.shape.rank == value.shape.rank else found[..., tf.newaxis]
