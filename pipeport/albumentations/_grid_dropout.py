"""GridDropout: one hole in every cell of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._dropout import Dropout
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, large_enough
from pipeport.contract import OneOf, Real
from pipeport.errors import OutsideDomain, WrongType, explain

# Cells along a side where nothing is said, and their smallest side.
_CELLS, _SMALLEST = 10, 2


def _valid(arguments: Mapping[str, Any]) -> bool:
    height, width = np.shape(arguments["image"])[:2]
    least = arguments.get("holes_number_xy") or (_SMALLEST, _SMALLEST)
    most = (arguments.get("unit_size_range") or (0, 0))[1]
    fill = arguments.get("fill", 0)
    if isinstance(fill, tuple) and np.shape(arguments["image"])[2:] != (len(fill),):
        return False
    return bool(height >= max(least[0], most) and width >= max(least[1], most))


@augments(
    "GridDropout",
    domain={
        "ratio": Real(0.05, 1.0),
        "random_offset": OneOf(True, False),
        "unit_size_range": OneOf(None, (2, 4), (3, 9)),
        "holes_number_xy": OneOf(None, (1, 2), (3, 1)),
        "shift_xy": OneOf((0, 0), (2, 1), (9, 0)),
        "fill": OneOf(0, 1, (0.25, 1.0, 0.5)),
        "fill_mask": OneOf(None, 0, 1),
    },
    reference_parameters="grid_holes",
    settings=(
        {"holes_number_xy": (2, 1), "ratio": 0.4, "p": 0.8},
        {"unit_size_range": (2, 5), "p": 1.0},
        {"holes_number_xy": (1, 2), "ratio": 0.4, "p": 1.0},
    ),
    shape=(5, 6),
    valid=_valid,
)
class GridDropout(Dropout):
    """Fill one rectangle in every cell of a grid.

    Parameters
    ----------
    ratio : float, default 0.5
        Sides of a hole as parts of those of its cell, above 0 and up to 1; a hole is one pixel smaller than
        its cell at least.
    random_offset : bool, default True
        Whether each hole lies anywhere in its cell.
    unit_size_range : (int, int), optional
        Smallest side of a cell, from 2, and the first number that is too large.
    holes_number_xy : (int, int), optional
        Numbers of holes, which go before `unit_size_range`; as in the reference the first is that along the
        height. Without both a cell is a tenth of each side, and two pixels at least.
    shift_xy : (int, int), default (0, 0)
        Where a hole begins in its cell, unless `random_offset`: columns and rows.
    fill : float or one per channel, default 0
        What a hole of an image holds, in its dtype. What is drawn per pixel or hole, and inpainting, are
        refused.
    fill_mask : float or one per channel, optional
        The same of masks; None leaves them.

    Returns
    -------
    GridDropout
        {called} {planes}; of any dtype. In a `Compose`, boxes are cut to what is seen of them, in whole
        pixels, and dropped where `min_area` or `min_visibility` says so; points in a hole are dropped if
        `remove_invisible`. Called outside one, boxes and points stay.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a number is out of bounds or a pair not in order; in a call, there is
        no image, a target does not have its shape, a fill does not have one number per channel, or the image
        is known to be smaller than a cell, or than the number of holes.
    WrongType
        A parameter has another type; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `fill` is 'random', 'random_uniform', 'inpaint_telea' or 'inpaint_ns', or a parameter is a tensor; in
        a call, {unserved}.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be too small.

    Notes
    -----
    Cells of a side differ by one pixel at most; which are larger is drawn, also without `random_offset`.
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    {compiled} {drawn} `ReplayCompose` returns seeds for what depends on the size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.GridDropout(holes_number_xy=(2, 2), p=1.0)
    >>> int(tf.reduce_sum(transform(image=tf.ones([8, 8]), seed=(1, 2))["image"]))
    48
    """

    def __init__(
        self,
        ratio: float = 0.5,
        random_offset: bool = True,
        unit_size_range: Any = None,
        holes_number_xy: Any = None,
        shift_xy: Any = (0, 0),
        fill: Any = 0,
        fill_mask: Any = None,
        p: float = 0.5,
    ) -> None:
        super().__init__(fill, fill_mask, p)
        self.ratio = _arguments.real(ratio, "ratio", 0.0, 1.0)
        if self.ratio == 0.0:
            raise OutsideDomain(explain("ratio", "0", "above 0", "Leave the transform out."))
        self.random_offset = _arguments.flag(random_offset, "random_offset")
        self.unit_size_range = _pair(unit_size_range, "unit_size_range", _SMALLEST)
        if self.unit_size_range is not None and self.unit_size_range[0] >= self.unit_size_range[1]:
            advice = "The second number is the first that is not drawn."
            allowed = "(smallest, a larger number)"
            raise OutsideDomain(explain("unit_size_range", repr(unit_size_range), allowed, advice))
        self.holes_number_xy = _pair(holes_number_xy, "holes_number_xy", 1)
        self.shift_xy = _pair(shift_xy, "shift_xy", 0) or (0, 0)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return seeds for sizes of cells and places in them, and the side of a cell if that is drawn."""
        own, rows, columns, places = tf.unstack(seeds.split(seed, 4))
        found = {"rows": rows, "columns": columns, "places": places}
        if self.unit_size_range is not None and self.holes_number_xy is None:
            found["unit"] = tf.cast(seeds.randint(own, *self.unit_size_range), tf.int32)
        return found

    def numbers(self, params: Mapping[str, Any], size: Size) -> tuple[Any, Any, Any]:
        """Return numbers in [0, 1) of rows, columns and places (2, rows, columns): as many as may be."""
        rows, columns = (_most(self, side, at) for at, side in enumerate(size))
        return (
            seeds.uniform(params["rows"], [rows], "float64"),
            seeds.uniform(params["columns"], [columns], "float64"),
            seeds.uniform(params["places"], [2, rows, columns], "float64"),
        )

    def holes(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return where holes begin and end."""
        least = self.holes_number_xy or (_SMALLEST, _SMALLEST)
        if "unit" in params and self.unit_size_range is not None:
            least = self.unit_size_range[1], self.unit_size_range[1]
        size = large_enough(size, least, "Resize before, or give smaller cells.")
        rows, columns, places = self.numbers(params, size)
        ends = []
        for at, (side, drawn) in enumerate(zip(size, (rows, columns), strict=True)):
            most = _most(self, side, at)
            count = side // params["unit"] if "unit" in params else most
            first, length = _cells(drawn, tf.cast(side, tf.int32), tf.cast(count, tf.int32))
            hole = tf.cast(tf.cast(length, tf.float64) * self.ratio, tf.int32)
            hole = tf.minimum(tf.maximum(hole, 1), length - 1)
            first, length, hole = (
                tf.expand_dims(one, 1 - at) + tf.zeros_like(places[0], tf.int32)
                for one in (first, length, hole)
            )
            offset = tf.zeros_like(first) + self.shift_xy[1 - at]
            if self.random_offset:
                offset = tf.cast(tf.floor(places[at] * tf.cast(length - hole + 1, tf.float64)), tf.int32)
            begin = tf.maximum(tf.minimum(first + offset, tf.cast(side, tf.int32) - hole), 0)
            ends.append((begin, begin + tf.maximum(hole, 0)))
        (top, bottom), (left, right) = ends
        return tf.reshape(tf.stack([left, top, right, bottom], -1), [-1, 4])


def _most(native: GridDropout, side: Any, at: int) -> Any:
    """Return the largest number of cells along a side, of which that many are drawn."""
    if native.holes_number_xy is not None:
        return native.holes_number_xy[at]
    if native.unit_size_range is not None:
        return side // native.unit_size_range[0]
    tenth = side // _CELLS
    return side // (tf.maximum(tenth, _SMALLEST) if tf.is_tensor(side) else max(tenth, _SMALLEST))


def _cells(drawn: Any, side: Any, count: Any) -> tuple[Any, Any]:
    """Return first pixels and lengths of `count` cells along a side; those behind are empty.

    Those whose drawn numbers are smallest are a pixel longer than the others.
    """
    at = tf.range(tf.size(drawn))
    there = at < count
    drawn = tf.where(there, drawn, tf.ones_like(drawn) + 1)
    rank = tf.reduce_sum(tf.cast(drawn[tf.newaxis] < drawn[:, tf.newaxis], tf.int32), 1)
    length = tf.where(there, side // count + tf.cast(rank < side % count, tf.int32), 0)
    return tf.cumsum(length, exclusive=True), length


def _pair(value: Any, name: str, least: int) -> tuple[int, int] | None:
    if value is None:
        return None
    if tf.is_tensor(value) or not isinstance(value, (tuple, list)) or len(value) != 2:
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise WrongType(explain(name, given, "a pair of integers", "Give two numbers."))
    first, second = (_arguments.whole(one, name) for one in value)
    if min(first, second) < least:
        raise OutsideDomain(explain(name, repr(value), f"{least} or more", "Give larger numbers."))
    return first, second
