"""GridDistortion: an image is cut into cells, and every cell is stretched along both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._distortion import DOMAIN, LEVELS, REFUSED, Distortion, Maps
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, large_enough
from pipeport.contract import OneOf
from pipeport.cv2._constants import BORDER_CONSTANT, INTER_CUBIC, INTER_LINEAR, INTER_NEAREST
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.opencv._warp_arguments import vouched_cubic
from pipeport.kernels.xla._rounding import plus


def _valid(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    if arguments.get("normalized", True) and min(image.shape[:2]) < arguments.get("num_steps", 5):
        return False  # the reference divides by zero
    cubic = arguments.get("interpolation") == INTER_CUBIC
    return not cubic or vouched_cubic(image, arguments.get("border_mode", BORDER_CONSTANT))


@augments(
    "GridDistortion",
    domain={
        "num_steps": OneOf(5, 1, 2, 3),
        "distort_limit": OneOf((-0.3, 0.3), 0.9, (0.1, 0.5)),
        "normalized": OneOf(True, False),
        **DOMAIN,
    },
    image=LEVELS,
    reference_parameters="grid_distortion",
    discontinuities="distorted",
    points=False,
    settings=(
        {"num_steps": 2, "p": 0.8},
        {"num_steps": 2, "distort_limit": (0.0, 0.7), "normalized": False, "p": 1},
    ),
    needed={"num_steps": 1},
    shape=(2, 5),
    valid=_valid,
    refused=REFUSED,
)
class GridDistortion(Distortion):
    """Stretch and shrink the columns and rows of a grid.

    Parameters
    ----------
    num_steps : int, default 5
        Number of cells along each side, from 1; what the last ones leave over is one more.
    distort_limit : float or (float, float), default (-0.3, 0.3)
        Smallest and largest share, from -1 to 1, by which a cell is longer; one number a means -a to a.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    normalized : bool, default True
        Whether the cells are scaled to fill the image. The image then needs as many pixels as there are
        cells, along each side.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
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
    GridDistortion
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.remap`. {rows}. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is out of range; in a call, there is no image, a
        target does not have its shape or dtype,
        or the image is known to be smaller than the grid.
    WrongType
        A parameter has another type; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `keypoint_remapping_method` is 'direct', an interpolation or border is not served, a parameter is a
        tensor; in a call, there is no seed, a rank or a number of channels or of columns is not known while
        tracing, or a target is a stack of images.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller than the grid.

    Notes
    -----
    Boxes become those around the pixels that show one of theirs, in whole pixels. A point comes out at the
    first pixel that shows the circle of radius 1 around it, and is dropped where none does, as in the
    reference.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a hundred
    pixels; floats as `pipeport.cv2.remap`. Masks, boxes and points are equal.
    The draw has the reference's distribution.
    Graph: no Python at run time; static shapes are kept, but the number of points. {drawn}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.GridDistortion(2, 0.5, p=1.0)
    >>> transform(image=tf.zeros([6, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([6, 8, 3])
    """

    def __init__(
        self,
        num_steps: int = 5,
        distort_limit: Any = (-0.3, 0.3),
        interpolation: int = INTER_LINEAR,
        normalized: bool = True,
        mask_interpolation: int = INTER_NEAREST,
        keypoint_remapping_method: str = "mask",
        p: float = 0.5,
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
    ) -> None:
        super().__init__(
            interpolation, mask_interpolation, keypoint_remapping_method, border_mode, fill, fill_mask, p
        )
        self.num_steps = _arguments.side(num_steps, "num_steps")
        ends = _arguments.interval(distort_limit, "distort_limit")
        low, high = self.distort_limit = _arguments.in_order(ends, distort_limit, "distort_limit")
        if low < -1.0 or high > 1.0:
            advice = "It is a share of the length of a cell."
            raise OutsideDomain(explain("distort_limit", repr(distort_limit), "from -1 to 1", advice))
        self.normalized = _arguments.flag(normalized, "normalized")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how much longer each cell is, of columns and of rows."""
        low, high = self.distort_limit
        shares = seeds.uniform(seed, [2, self.num_steps + 1], "float64")
        return {"longer": low + (high - low) * shares}

    def geometry(self, params: Mapping[str, Any], size: Size) -> Maps:
        """Return the maps of the stretched grid."""
        if self.normalized:
            advice = "Give fewer steps, or normalized=False."
            size = large_enough(size, (self.num_steps, self.num_steps), advice)
        height, width = size
        columns, rows = (
            _stretched(1 + longer, side, self.num_steps, self.normalized)
            for longer, side in zip(tf.unstack(params["longer"]), (width, height), strict=True)
        )
        across, down = tf.meshgrid(columns, rows)
        return Maps(across, down, size)


def _stretched(steps: Any, side: Any, cells: int, normalized: bool) -> Any:
    """Return where the pixels along a side are read, float32.

    The order of operations is the reference's, so that they round as its own do: many a pixel lies in the
    middle between two.
    """
    known = isinstance(side, int)
    step = side // cells
    pixels = tf.range(side)
    each = tf.unstack(steps)
    length = tf.cast(step, tf.float64)
    if normalized:
        rest = tf.cast((min if known else tf.minimum)(side - cells * step, step), tf.float64)
        each[-1] *= rest / length
        factor = tf.cast(side, tf.float64) / length / _total(each)
        each = [one * factor for one in each]
    ends = [tf.zeros([], tf.float64)]
    for one in each:
        ends.append(plus(ends[-1], length * one))
    found = tf.stack(ends)
    cell = pixels // (max(step, 1) if known else tf.maximum(step, 1))
    there = (cell <= cells) & (step > 0)
    cell = tf.minimum(cell, cells)
    count = tf.minimum(step, side - cell * step)  # of pixels in the cell
    first, last = tf.gather(found, cell), tf.gather(found, cell + 1)
    place = pixels - cell * step
    pace = (last - first) / tf.cast(tf.maximum(count - 1, 1), tf.float64)
    between = plus(first, tf.cast(place, tf.float64) * pace)
    between = tf.where((place == count - 1) & (count > 1), last, between)
    return tf.cast(tf.where(there, between, tf.zeros_like(between)), tf.float32)


def _total(numbers: list[Any]) -> Any:
    """Return the sum, from the first to the last."""
    total = numbers[0]
    for one in numbers[1:]:
        total += one
    return total
