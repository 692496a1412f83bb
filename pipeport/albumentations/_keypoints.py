"""Keypoints: formats, checks, and which are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._checks import holds
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._symmetries import within_a_turn
from pipeport.errors import explain

FORMATS = ("xy", "yx", "xya", "xys", "xyas", "xysa", "xyz")
_COLUMNS = "xyzas"  # of the form transforms work on
_ADVICE = "Use KeypointParams(remove_invisible=False), or leave such points out."


class KeypointParams:
    """How points are given, and which are kept.

    Native equivalent of `albumentations.KeypointParams`.

    Parameters
    ----------
    format : {'xy', 'yx', 'xya', 'xys', 'xyas', 'xysa', 'xyz'}
        Columns: x and y in pixels, a the angle, s the scale, z a third coordinate.
    label_fields : sequence of str, optional
        Names of arrays with one entry per point, of any dtype: they lose the entries of points that are
        dropped.
    remove_invisible : bool, default True
        Whether points outside the image are refused at first and dropped later.
    angle_in_degrees : bool, default True
        Whether angles are degrees, else radians.
    check_each_transform : bool, default True
        Whether points are dropped after every transform, or at the end alone.

    Raises
    ------
    UnsupportedArgument
        There is no such format, or a parameter is a tensor.
    WrongType
        A flag is not a bool, or `label_fields` no list of names.

    Notes
    -----
    The reference refuses an unknown format when it is used; here it is refused when the object is made.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> A.KeypointParams("xya", remove_invisible=False).format
    'xya'
    """

    kind = "keypoints"

    def __init__(
        self,
        format: str,
        label_fields: Sequence[str] | None = None,
        remove_invisible: bool = True,
        angle_in_degrees: bool = True,
        check_each_transform: bool = True,
    ) -> None:
        self.format = _arguments.one_of(format, FORMATS, "format", "Reorder the columns first.")
        self.label_fields = _arguments.names(label_fields, "label_fields")
        self.remove_invisible = _arguments.flag(remove_invisible, "remove_invisible")
        self.angle_in_degrees = _arguments.flag(angle_in_degrees, "angle_in_degrees")
        self.check_each_transform = _arguments.flag(check_each_transform, "check_each_transform")

    @property
    def columns(self) -> int:
        """Number of columns of the format; further ones are carried along."""
        return len(self.format)

    @property
    def drops(self) -> bool:
        """Whether points may be dropped."""
        return self.remove_invisible

    def to_internal(self, rows: Any, name: str, size: Size) -> tuple[Any, Any]:
        """Return (points, kept): x, y, z, angle in radians, scale, in float32 as in the reference."""
        rows = tf.cast(rows, tf.float32)
        given = {letter: rows[:, index] for index, letter in enumerate(self.format)}
        if "a" in given:
            turned = given["a"] * (math.pi / 180) if self.angle_in_degrees else given["a"]
            given["a"] = within_a_turn(turned)
        zero = tf.zeros_like(rows[:, 0])
        points = tf.stack([given.get(letter, zero) for letter in _COLUMNS], 1)
        keep = tf.ones(tf.shape(points)[:1], tf.bool)
        return self._checked(points, keep, name, size), keep

    def filtered(self, points: Any, keep: Any, size: Size) -> tuple[Any, Any]:
        """Drop points outside the image."""
        return points, (keep & _inside(points, size)) if self.remove_invisible else keep

    def to_external(self, points: Any, keep: Any, size: Size, name: str) -> Any:
        """Return the points in the format in which they were given."""
        points = self._checked(points, keep, name, size)
        columns = dict(zip(_COLUMNS, tf.unstack(points, axis=1), strict=True))
        angle = within_a_turn(columns["a"])
        columns["a"] = angle * (180 / math.pi) if self.angle_in_degrees else angle
        return tf.stack([columns[letter] for letter in self.format], 1)

    def _checked(self, points: Any, keep: Any, name: str, size: Size) -> Any:
        """Refuse kept points outside the image, now or when the graph runs."""
        if not self.remove_invisible:
            return points
        allowed = "0 <= x < width and 0 <= y < height"
        message = explain(name, "a point outside the image", allowed, _ADVICE)
        return holds(points, (_inside(points, size) | ~keep, message))


def _inside(points: Any, size: Size) -> Any:
    height, width = numbers(size, points.dtype)
    x, y = points[:, 0], points[:, 1]
    return (x >= 0) & (x < width) & (y >= 0) & (y < height)
