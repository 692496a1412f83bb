"""CoarseDropout: rectangles of an image are filled, and what lies in them is not seen any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._dropout import Dropout
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, large_enough, numbers
from pipeport.contract import OneOf
from pipeport.errors import WrongType, explain


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Leave out holes in whole pixels that are larger than the image: the reference raises."""
    height, width = np.shape(arguments["image"])[:2]
    tall = arguments.get("hole_height_range", (0.1, 0.2))
    wide = arguments.get("hole_width_range", (0.1, 0.2))
    if (tall[1] >= 1) != (wide[1] >= 1):
        return False
    fill = arguments.get("fill", 0)
    if isinstance(fill, tuple) and np.shape(arguments["image"])[2:] != (len(fill),):
        return False
    return tall[1] < 1 or bool(tall[0] <= height and wide[0] <= width)


@augments(
    "CoarseDropout",
    domain={
        "num_holes_range": OneOf((1, 2), (3, 3), (1, 6)),
        "hole_height_range": OneOf((0.1, 0.2), (0.0, 0.7), (1, 4), (2, 20)),
        "hole_width_range": OneOf((0.1, 0.2), (0.3, 0.9), (0, 3), (3, 3)),
        "fill": OneOf(0, 1, 0.5, (0.25, 1.0, 0.5)),
        "fill_mask": OneOf(None, 0, 1),
    },
    reference_parameters="holes",
    settings=(
        {
            "num_holes_range": (1, 1),
            "hole_height_range": (0.1, 0.4),
            "hole_width_range": (0.2, 0.6),
            "p": 0.8,
        },
        {"num_holes_range": (2, 2), "hole_height_range": (3, 30), "hole_width_range": (2, 40), "p": 1.0},
    ),
    valid=_fits,
)
class CoarseDropout(Dropout):
    """Fill rectangles of an image.

    Parameters
    ----------
    num_holes_range : (int, int), default (1, 2)
        Smallest and largest number of holes, from 1.
    hole_height_range, hole_width_range : (float, float) or (int, int), default (0.1, 0.2)
        Smallest and largest sides of a hole: parts of those of the image where the largest height is below
        1, else pixels.
    fill : float or one per channel, default 0
        What a hole of an image holds, in its dtype. What is drawn per pixel or hole, and inpainting, are
        refused.
    fill_mask : float or one per channel, optional
        The same of masks; None leaves them.

    Returns
    -------
    CoarseDropout
        {called} {planes}; of any dtype. In a `Compose`, boxes are cut to what is seen of them, in whole
        pixels, and dropped where `min_area` or `min_visibility` says so; points in a hole are dropped if
        `remove_invisible`. Called outside one, boxes and points stay.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or not in order; in a call, there is no image,
        a target does not have its shape, a fill does not have one number per channel, or holes in pixels are
        larger than the image is known to be.
    WrongType
        A range is not a pair of numbers, a fill none; in a call, a target is given by position, or is not an
        array.
    UnsupportedArgument
        `fill` is 'random', 'random_uniform', 'inpaint_telea' or 'inpaint_ns', or a parameter is a tensor; in
        a call, {unserved}.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller than a hole.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    {compiled} {drawn}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.CoarseDropout((1, 1), (2, 2), (3, 3), p=1.0)
    >>> int(tf.reduce_sum(transform(image=tf.ones([6, 8]), seed=(1, 2))["image"]))
    42
    """

    def __init__(
        self,
        num_holes_range: Any = (1, 2),
        hole_height_range: Any = (0.1, 0.2),
        hole_width_range: Any = (0.1, 0.2),
        fill: Any = 0,
        fill_mask: Any = None,
        p: float = 0.5,
    ) -> None:
        super().__init__(fill, fill_mask, p)
        self.num_holes_range = _ends(num_holes_range, "num_holes_range", _arguments.side)
        self.hole_height_range = _ends(hole_height_range, "hole_height_range", _length)
        self.hole_width_range = _ends(hole_width_range, "hole_width_range", _length)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how many holes there are, and their sides and corners as parts of what is possible."""
        low, high = self.num_holes_range
        own, others = tf.unstack(seeds.split(seed, 2))
        height, width, top, left = tf.unstack(seeds.uniform(others, [4, high], "float64"))
        count = tf.cast(seeds.randint(own, low, high + 1), tf.int32)
        return {"holes": count, "height": height, "width": width, "top": top, "left": left}

    def holes(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return columns and rows where holes begin and end: x, y, x, y, int32 (K, 4); some have no pixel."""
        whole = self.hole_height_range[1] >= 1
        if whole:
            least = int(self.hole_height_range[0]), int(self.hole_width_range[0])
            size = large_enough(size, least, "Give smaller holes.")
        height, width = numbers(size, tf.float64)
        tall = _lengths(self.hole_height_range, height, params["height"], whole)
        wide = _lengths(self.hole_width_range, width, params["width"], whole)
        top, left = (
            tf.floor(part * (side - length + 1))
            for part, side, length in (
                (params["top"], height, tall),
                (params["left"], width, wide),
            )
        )
        there = tf.range(self.num_holes_range[1]) < params["holes"]
        wide = tf.where(there, wide, tf.zeros_like(wide))
        return tf.cast(tf.stack([left, top, left + wide, top + tall], 1), tf.int32)


def _lengths(ends: tuple[float, float], side: Any, part: Any, whole: bool) -> Any:
    """Return the lengths of holes along a side, whole numbers in float64."""
    low, high = ends
    if not whole:
        return tf.floor(side * (low + (high - low) * part))
    least = float(int(low))
    most = tf.floor(tf.minimum(tf.constant(high, tf.float64), side) + 1)
    return least + tf.floor((most - least) * part)


def _length(value: Any, name: str) -> float:
    return _arguments.real(value, name, 0.0)


def _ends(value: Any, name: str, one_end: Callable[[Any, str], Any]) -> tuple[Any, Any]:
    """Return two ends in order."""
    if tf.is_tensor(value) or not isinstance(value, (tuple, list)) or len(value) != 2:
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise WrongType(explain(name, given, "(smallest, largest)", "Give two numbers."))
    low, high = (one_end(one, name) for one in value)
    return _arguments.in_order((low, high), value, name)
