"""What dropouts have in common: rectangles are filled, and what lies in them is not seen any more."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._rasters import span
from pipeport.albumentations._sizes import Size, numbers, size_of
from pipeport.albumentations._spatial import each_target
from pipeport.albumentations._state import Rows, State
from pipeport.albumentations._transform import Transform
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla

_DRAWN_FILLS = ("random", "random_uniform", "inpaint_telea", "inpaint_ns")
# Up to so many holes are looked at pixel by pixel, up to so many are added up by a product of matrices.
_FEW, _SEVERAL = 8, 64


class Dropout(Transform):
    """A transform that fills holes."""

    def __init__(self, fill: Any, fill_mask: Any, p: float) -> None:
        super().__init__(p)
        if isinstance(fill, str) and fill in _DRAWN_FILLS:
            advice = "Fill with a number, or keep such a transform in an island."
            raise UnsupportedArgument(explain("fill", repr(fill), "a number, or one per channel", advice))
        self.fill = _arguments.numbers(fill, "fill")
        self.fill_mask = None if fill_mask is None else _arguments.numbers(fill_mask, "fill_mask")

    @abc.abstractmethod
    def holes(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return columns and rows where holes begin and end: x, y, x, y, int32 (K, 4); some have no pixel."""

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        if self.p <= 0.0:
            return state

        def change(state: State) -> State:
            size = size_of(state.image)
            holes, params = self.holes(drawn["params"], size), state.params or {}

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


def _many(holes: Any) -> bool:
    return holes.shape[0] is None or holes.shape[0] > _SEVERAL


def _inside(holes: Any, size: Size) -> Any:
    """Return of every pixel whether it lies in a hole."""
    if _many(holes):
        return _inside_of_many(holes, size)
    left, top, right, bottom = (one[:, tf.newaxis] for one in tf.unstack(holes, axis=1))
    down, across = (tf.range(side)[tf.newaxis] for side in size)
    rows, columns = (down >= top) & (down < bottom), (across >= left) & (across < right)
    if holes.shape[0] <= _FEW:
        return tf.reduce_any(rows[:, :, tf.newaxis] & columns[:, tf.newaxis], 0)
    return tf.matmul(tf.cast(rows, tf.float32), tf.cast(columns, tf.float32), transpose_a=True) > 0


def _inside_of_many(holes: Any, size: Size) -> Any:
    """Return of every pixel whether it lies in a hole: how many begin before it, less those that end."""
    height, width = size
    left, top, right, bottom = tf.unstack(holes, axis=1)
    top, left = tf.clip_by_value(top, 0, height), tf.clip_by_value(left, 0, width)
    bottom, right = tf.clip_by_value(bottom, top, height), tf.clip_by_value(right, left, width)
    corners = [(top, left), (bottom, right), (top, right), (bottom, left)]
    places = tf.concat([tf.stack(corner, 1) for corner in corners], 0)
    steps = tf.repeat([1, -1], 2 * tf.size(top))
    counts = tf.scatter_nd(places, steps, [height + 1, width + 1])
    return tf.cumsum(tf.cumsum(counts, 0), 1)[:-1, :-1] > 0


def _body(batch_axes: int, many: bool) -> Callable[..., Any]:
    def filled(x: Any, holes: Any, fill: Any) -> Any:
        hit = holes if many else _inside(holes, size_of(x, batch_axes))
        hit = hit[tf.newaxis] if batch_axes else hit
        return tf.where(hit if x.shape.rank == 2 + batch_axes else hit[..., tf.newaxis], fill, x)

    return filled


def fill_numbers(value: Any, fill: Any, name: str, batch_axes: int = 0) -> Any:
    """Return what an image or masks are filled with, in their dtype: a number, or one per channel."""
    with np.errstate(invalid="ignore", over="ignore"):
        number = np.asarray(fill, np.float64).astype(value.dtype.as_numpy_dtype)
    if number.ndim:
        channels = value.shape[-1] if value.shape.rank == 3 + batch_axes else 1
        if channels is not None and channels != len(number):
            given = f"{len(number)} numbers for {channels} channels"
            advice = "Give one number, which is that of every channel."
            raise OutsideDomain(explain(name, given, "as many", advice))
        if value.shape.rank == 2 + batch_axes:
            number = number[0]
    return tf.constant(number, value.dtype)


def _filled(value: Any, holes: Any, fill: Any, kind: str, batch_axes: int) -> Any:
    number = fill_numbers(value, fill, "fill" if kind == "image" else "fill_mask", batch_axes)
    many = _many(holes)
    # XLA adds up one by one.
    given = _inside(holes, size_of(value, batch_axes)) if many else holes
    return xla.run(_body, batch_axes, many)(value, given, number)


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
