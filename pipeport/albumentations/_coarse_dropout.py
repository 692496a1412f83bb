"""CoarseDropout: rectangles of an image are filled, and what lies in them is not seen any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._promise import augments
from pipeport.albumentations._rasters import span
from pipeport.albumentations._sizes import Size, large_enough, numbers, size_of
from pipeport.albumentations._spatial import each_target
from pipeport.albumentations._state import Rows, State
from pipeport.albumentations._transform import Transform
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla

_DRAWN_FILLS = ("random", "random_uniform", "inpaint_telea", "inpaint_ns")

_HOLES = (
    {"hole_height_range": (0.1, 0.4), "hole_width_range": (0.2, 0.6)},
    {"hole_height_range": (3, 30), "hole_width_range": (2, 40)},
)


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
class CoarseDropout(Transform):
    """Fill rectangles of an image.

    Native equivalent of `albumentations.CoarseDropout`.

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
    p : float, default 0.5
        Probability that it is applied.

    Returns
    -------
    CoarseDropout
        Called with targets by name and `seed`, it gives a dict of the same names. `image` and `mask` are
        (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list; of any dtype.
        In a `Compose`, boxes are cut to what is seen of them, in whole pixels, and dropped where
        `min_area` or `min_visibility` says so; points in a hole are dropped if `remove_invisible`. Called
        outside one, boxes and points stay.

    Raises
    ------
    OutsideDomain
        `p` is no number in [0, 1], a range is out of bounds or not in order; in a call, there is no image,
        a target does not have its shape, a fill has not one number per channel, or holes in pixels are
        larger than the image is known to be.
    WrongType
        A range is no pair of numbers, a fill none; in a call, a target is given by position, or is no array.
    UnsupportedArgument
        `fill` is 'random', 'random_uniform', 'inpaint_telea' or 'inpaint_ns', or a parameter is a tensor; in
        a call, there is no seed, a rank or a number of columns is not known while tracing, or a target is
        a stack of images or a volume.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller than a hole.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    Graph: no Python at run time, compiled with XLA where sizes are known (`pipeport.config`). The draw is a
    function of `seed`, the same on every engine; without one the ambient seed is taken
    (`pipeport.seeds.seeded_map`).
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

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
        super().__init__(p)
        self.num_holes_range = _ends(num_holes_range, "num_holes_range", _arguments.side)
        self.hole_height_range = _ends(hole_height_range, "hole_height_range", _length)
        self.hole_width_range = _ends(hole_width_range, "hole_width_range", _length)
        if isinstance(fill, str) and fill in _DRAWN_FILLS:
            advice = "Fill with a number, or keep such a transform in an island."
            raise UnsupportedArgument(explain("fill", repr(fill), "a number, or one per channel", advice))
        self.fill = _arguments.numbers(fill, "fill")
        self.fill_mask = None if fill_mask is None else _arguments.numbers(fill_mask, "fill_mask")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how many holes there are, and their sides and corners as parts of what is possible."""
        low, high = self.num_holes_range
        own, others = tf.unstack(seeds.split(seed, 2))
        height, width, top, left = tf.unstack(seeds.uniform(others, [4, high], "float64"))
        count = tf.cast(seeds.randint(own, low, high + 1), tf.int32)
        return {"holes": count, "height": height, "width": width, "top": top, "left": left}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        if self.p <= 0.0:
            return state

        def change(state: State) -> State:
            size = size_of(state.image)
            holes, params = self._holes(drawn["params"], size), state.params or {}

            def plane(value: Any, kind: str, batch_axes: int) -> Any:
                fill = self.fill if kind == "image" else self.fill_mask
                return value if fill is None else _filled(value, holes, fill, kind, batch_axes)

            changed: dict[str, Any] = {}
            for name, kind in state.kinds.items():
                if kind == "bboxes" and "bboxes" in params:
                    changed[name] = _cut(state.values[name], holes, size, params["bboxes"])
                if kind == "keypoints" and "keypoints" in params and params["keypoints"].remove_invisible:
                    rows = state.values[name]
                    changed[name] = rows._replace(keep=rows.keep & ~_covered(rows.values, holes))
            after = each_target(state, plane, lambda boxes: boxes, lambda points: points)
            return after.replaced(changed)

        return change(state) if self.always(forced) else state.where(drawn["applied"], change)

    def _holes(self, params: Mapping[str, Any], size: Size) -> Any:
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


def _inside(holes: Any, size: Size) -> Any:
    """Return of every pixel whether it lies in a hole."""
    left, top, right, bottom = (one[:, tf.newaxis] for one in tf.unstack(holes, axis=1))
    down, across = (tf.range(side)[tf.newaxis] for side in size)
    rows, columns = (down >= top) & (down < bottom), (across >= left) & (across < right)
    return tf.reduce_any(rows[:, :, tf.newaxis] & columns[:, tf.newaxis], 0)


def _body(batch_axes: int) -> Callable[..., Any]:
    def filled(x: Any, holes: Any, fill: Any) -> Any:
        hit = _inside(holes, size_of(x, batch_axes))
        hit = hit[tf.newaxis] if batch_axes else hit
        return tf.where(hit if x.shape.rank == 2 + batch_axes else hit[..., tf.newaxis], fill, x)

    return filled


def _filled(value: Any, holes: Any, fill: Any, name: str, batch_axes: int) -> Any:
    with np.errstate(invalid="ignore", over="ignore"):
        number = np.asarray(fill, np.float64).astype(value.dtype.as_numpy_dtype)
    if number.ndim:
        channels = value.shape[-1] if value.shape.rank == 3 + batch_axes else 1
        if channels is not None and channels != len(number):
            given = f"{len(number)} numbers for {channels} channels of {name}"
            advice = "Give one number, which is that of every channel."
            raise OutsideDomain(explain("fill" if name == "image" else "fill_mask", given, "as many", advice))
        if value.shape.rank == 2 + batch_axes:
            number = number[0]
    return xla.run(_body, batch_axes)(value, holes, tf.constant(number, value.dtype))


def _cut(rows: Rows, holes: Any, size: Size, params: Any) -> Rows:
    """Return boxes around what is seen of them, in whole pixels; what is seen too little of is dropped."""
    boxes, pixels = rows.values, tf.cast(tf.logical_not(_inside(holes, size)), tf.float32)
    height, width = numbers(size, boxes.dtype)
    sides = tf.stack([width, height, width, height])
    corners = tf.cast(boxes * sides, tf.int32)
    left, top, right, bottom = (one[:, tf.newaxis] for one in tf.unstack(corners, axis=1))
    down, across = (tf.range(side)[tf.newaxis] for side in size)
    high = tf.cast((down >= top) & (down < bottom), tf.float32)
    wide = tf.cast((across >= left) & (across < right), tf.float32)
    # How much is seen of a box in each row, and in each column.
    per_row = tf.matmul(wide, pixels, transpose_b=True) * high
    per_column = tf.matmul(high, pixels) * wide
    area = tf.cast((right - left) * (bottom - top), tf.float64)[:, 0]
    left_over = tf.reduce_sum(tf.cast(per_row, tf.float64), 1)
    keep = (left_over >= params.min_area) & (left_over > 0)
    keep &= left_over / tf.maximum(area, 1) >= params.min_visibility
    x, y = span(per_column > 0), span(per_row > 0)
    found = tf.cast(tf.stack([x[0], y[0], x[1], y[1]], 1), boxes.dtype) / sides
    return rows._replace(values=tf.where(keep[:, tf.newaxis], found, boxes), keep=rows.keep & keep)


def _covered(points: Any, holes: Any) -> Any:
    """Return of every point whether it lies in a hole."""
    x, y = points[:, :1], points[:, 1:2]
    left, top, right, bottom = tf.unstack(tf.cast(holes, points.dtype), axis=1)
    return tf.reduce_any((x >= left) & (x < right) & (y >= top) & (y < bottom), 1)


def _length(value: Any, name: str) -> float:
    return _arguments.real(value, name, 0.0)


def _ends(value: Any, name: str, one_end: Callable[[Any, str], Any]) -> tuple[Any, Any]:
    """Return two ends in order."""
    if tf.is_tensor(value) or not isinstance(value, (tuple, list)) or len(value) != 2:
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise WrongType(explain(name, given, "(smallest, largest)", "Give two numbers."))
    low, high = (one_end(one, name) for one in value)
    return _arguments.in_order((low, high), value, name)
