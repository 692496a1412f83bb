"""Bounding boxes: formats, checks, and which are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._checks import holds
from pipeport.albumentations._sizes import Size, numbers
from pipeport.errors import explain

FORMATS = ("coco", "pascal_voc", "albumentations", "yolo")
# As the reference: areas and sides this small are none.
_EPSILON = 1e-7
_ADVICE = "Use BboxParams(clip=True, filter_invalid_bboxes=True), or correct the data."


class BboxParams:
    """How boxes are given, and which are kept.

    Native equivalent of `albumentations.BboxParams`.

    Parameters
    ----------
    format : {'coco', 'pascal_voc', 'albumentations', 'yolo'}
        (x_min, y_min, width, height) in pixels; (x_min, y_min, x_max, y_max) in pixels; the same as fractions
        of width and height; (x_center, y_center, width, height) as fractions.
    label_fields : sequence of str, optional
        Names of arrays with one entry per box, of any dtype: they lose the entries of boxes that are dropped.
    min_area : float, default 0.0
        Smallest visible area in pixels.
    min_visibility : float, default 0.0
        Smallest visible share of a box.
    min_width, min_height : float, default 0.0
        Smallest visible sides in pixels.
    check_each_transform : bool, default True
        Whether boxes are dropped after every transform, or at the end alone.
    clip : bool, default False
        Whether boxes are cut to the image before anything else.
    filter_invalid_bboxes : bool, default False
        Whether boxes without area are dropped first instead of refused.
    max_accept_ratio : float, optional
        Largest ratio of the longer to the shorter side, at least 1.

    Raises
    ------
    UnsupportedArgument
        There is no such format, or a parameter is a tensor.
    OutsideDomain
        A limit is negative, a share above 1, or `max_accept_ratio` below 1.
    WrongType
        A flag is not a bool, a limit is not one, or `label_fields` no list of names.

    Notes
    -----
    The reference refuses an unknown format when it is used, and takes any limit; here both are checked when
    the object is made.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> A.BboxParams("pascal_voc", label_fields=["labels"]).format
    'pascal_voc'
    """

    kind = "bboxes"
    columns = 4
    drops = True

    def __init__(
        self,
        format: str,
        label_fields: Sequence[str] | None = None,
        min_area: float = 0.0,
        min_visibility: float = 0.0,
        min_width: float = 0.0,
        min_height: float = 0.0,
        check_each_transform: bool = True,
        clip: bool = False,
        filter_invalid_bboxes: bool = False,
        max_accept_ratio: float | None = None,
    ) -> None:
        self.format = _arguments.one_of(format, FORMATS, "format", "Convert other formats first.")
        self.label_fields = _arguments.names(label_fields, "label_fields")
        self.min_area = _arguments.real(min_area, "min_area", 0.0)
        self.min_visibility = _arguments.real(min_visibility, "min_visibility", 0.0, 1.0)
        self.min_width = _arguments.real(min_width, "min_width", 0.0)
        self.min_height = _arguments.real(min_height, "min_height", 0.0)
        self.check_each_transform = _arguments.flag(check_each_transform, "check_each_transform")
        self.clip = _arguments.flag(clip, "clip")
        self.filter_invalid_bboxes = _arguments.flag(filter_invalid_bboxes, "filter_invalid_bboxes")
        self.max_accept_ratio = (
            None if max_accept_ratio is None else _arguments.real(max_accept_ratio, "max_accept_ratio", 1.0)
        )

    def to_internal(self, rows: Any, name: str, size: Size) -> tuple[Any, Any]:
        """Return (boxes, kept): float64 fractions, checked, of shape (N, 4) and (N,)."""
        boxes = self._fractions(rows, size)
        keep = tf.ones(tf.shape(boxes)[:1], tf.bool)
        if self.clip:
            boxes = tf.clip_by_value(boxes, tf.zeros([], tf.float64), tf.ones([], tf.float64))
        if self.filter_invalid_bboxes:
            boxes, keep = _visible(boxes, size)
        return _checked(boxes, keep, name), keep

    def _fractions(self, rows: Any, size: Size) -> Any:
        if self.format == "albumentations":
            return tf.cast(rows[:, :4], tf.float64)
        # In float32, as the reference converts.
        a, b, c, d = tf.unstack(tf.cast(rows[:, :4], tf.float32), axis=1)
        if self.format == "yolo":
            return tf.cast(tf.stack([a - c / 2, b - d / 2, a + c / 2, b + d / 2], 1), tf.float64)
        if self.format == "coco":
            c, d = a + c, b + d
        pixels = tf.cast(tf.stack([a, b, c, d], 1), tf.float64)
        return tf.cast(tf.cast(pixels / _sides(size), tf.float32), tf.float64)

    def filtered(self, boxes: Any, keep: Any, size: Size) -> tuple[Any, Any]:
        """Cut boxes to the image, and drop those that are too small."""
        limits = (self.min_area, self.min_visibility, self.min_width, self.min_height)
        boxes, large = _visible(boxes, size, *limits, max_accept_ratio=self.max_accept_ratio)
        return boxes, keep & large

    def to_external(self, boxes: Any, keep: Any, size: Size, name: str) -> Any:
        """Return the boxes in the format in which they were given."""
        boxes = _checked(boxes, keep, name)
        if self.format == "albumentations":
            return boxes
        a, b, c, d = tf.unstack(boxes if self.format == "yolo" else boxes * _sides(size), axis=1)
        if self.format == "coco":
            return tf.stack([a, b, c - a, d - b], 1)
        if self.format == "yolo":
            return tf.stack([(a + c) / 2, (b + d) / 2, c - a, d - b], 1)
        return tf.stack([a, b, c, d], 1)


def _sides(size: Size) -> Any:
    height, width = numbers(size, tf.float64)
    return tf.stack([width, height, width, height])


def _visible(
    boxes: Any,
    size: Size,
    min_area: float = 0.0,
    min_visibility: float = 0.0,
    min_width: float = 0.0,
    min_height: float = 0.0,
    *,
    max_accept_ratio: float | None = None,
) -> tuple[Any, Any]:
    """Return boxes cut to the image, and which of them are large enough."""
    sides = _sides(size)
    given = boxes * sides
    pixels = tf.clip_by_value(given, tf.zeros_like(sides), sides)
    whole = (given[:, 2] - given[:, 0]) * (given[:, 3] - given[:, 1])
    width, height = pixels[:, 2] - pixels[:, 0], pixels[:, 3] - pixels[:, 1]
    keep = (
        (whole >= _EPSILON)
        & (width * height >= min_area - _EPSILON)
        & (width * height / (whole + _EPSILON) >= min_visibility)
        & (width >= min_width - _EPSILON)
        & (height >= min_height - _EPSILON)
    )
    if max_accept_ratio is not None:
        keep &= tf.maximum(width / (height + _EPSILON), height / (width + _EPSILON)) <= max_accept_ratio
    return pixels / sides, keep


def _checked(boxes: Any, keep: Any, name: str) -> Any:
    """Refuse kept boxes that lie outside the image or have no area, now or when the graph runs."""
    near = 1e-8  # numpy.isclose's bounds, as the reference has them
    inside = tf.reduce_all((boxes >= -near) & (boxes <= 1.0 + 1e-5 + near), 1)
    ordered = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    outside = explain(name, "a box outside the image", "coordinates inside it", _ADVICE)
    empty = explain(name, "a box without area", "x_max > x_min and y_max > y_min", _ADVICE)
    return holds(boxes, (inside | ~keep, outside), (ordered | ~keep, empty))
