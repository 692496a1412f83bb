"""What transforms by an affine map have in common: one matrix, drawn, moves every target."""

from __future__ import annotations

import abc
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport._batched import batched
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._pixels import served
from pipeport.albumentations._reflections import REFLECTING, reflected, widths_of
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._state import Rows, State
from pipeport.albumentations._symmetries import within_a_turn
from pipeport.cv2._constants import (
    BORDER_CONSTANT,
    BORDER_REFLECT,
    BORDER_REFLECT_101,
    BORDER_REPLICATE,
    BORDER_WRAP,
    INTER_CUBIC,
    INTER_LINEAR,
    INTER_NEAREST,
)
from pipeport.cv2._warp_affine import warpAffine
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

INTERPOLATIONS = {"INTER_NEAREST": INTER_NEAREST, "INTER_LINEAR": INTER_LINEAR, "INTER_CUBIC": INTER_CUBIC}
BORDERS = {
    "BORDER_CONSTANT": BORDER_CONSTANT,
    "BORDER_REPLICATE": BORDER_REPLICATE,
    "BORDER_REFLECT": BORDER_REFLECT,
    "BORDER_WRAP": BORDER_WRAP,
    "BORDER_REFLECT_101": BORDER_REFLECT_101,
}
ROTATE_METHODS = ("largest_box", "ellipse")
_RADIANS = math.pi / 180
# Of the ellipse in a box, as the reference has them.
_DEGREES = np.radians(np.arange(0, 360, dtype=np.float32))
_COSINES, _SINES = np.cos(_DEGREES).astype(np.float64), np.sin(_DEGREES).astype(np.float64)


class Affinity(NamedTuple):
    """What an affine map is made of: scalar float64 tensors, angles in degrees, shifts in pixels."""

    rotate: Any
    scale: tuple[Any, Any]
    shear: tuple[Any, Any]
    translate: tuple[Any, Any]


class AffineGeometry(NamedTuple):
    """Where an affine map moves things.

    `pixels`, `corners`: shape (2, 3), float64; the map of pixel centres, and that of the corners of boxes.
    `stays`: shape (), bool; whether the map of corners moves nothing. `larger`: shape (), float64.
    """

    pixels: Any
    corners: Any
    stays: Any
    larger: Any
    size: Size


class Warp(Spatial):
    """A transform by an affine map, in the size of the image; `geometry` returns the map."""

    def __init__(
        self,
        interpolation: Any,
        mask_interpolation: Any,
        border_mode: Any,
        rotate_method: Any,
        fill: Any,
        fill_mask: Any,
        p: float,
    ) -> None:
        super().__init__(p)
        self.interpolation = among(interpolation, INTERPOLATIONS, "interpolation")
        self.mask_interpolation = among(mask_interpolation, INTERPOLATIONS, "mask_interpolation")
        self.border_mode = among(border_mode, BORDERS, "border_mode")
        advice = "It says how a box that is turned becomes upright again."
        self.rotate_method = _arguments.one_of(rotate_method, ROTATE_METHODS, "rotate_method", advice)
        self.fill, self.fill_mask = filling(fill, "fill"), filling(fill_mask, "fill_mask")

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = among(how, INTERPOLATIONS, "mask_interpolation")

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        for name, kind in state.kinds.items():
            if kind == "bboxes" and state.params is None:
                given = f"boxes for {type(self).__name__} outside a Compose"
                advice = "Boxes may leave the image: use Compose([...], bbox_params=BboxParams(...))."
                raise UnsupportedArgument(explain(name, given, "boxes in a Compose", advice))
        return super().perform(drawn, state, forced)

    def plane(self, value: Any, geometry: AffineGeometry, kind: str, batch_axes: int) -> Any:
        """Warp an image, or masks."""
        how, fill = self.mask_interpolation, self.fill_mask
        if kind == "image":
            value, how, fill = served(value, kind), self.interpolation, self.fill
        warp = batched(warpAffine) if batch_axes else warpAffine
        # Sizes that are not known are those of the image for masks as well.
        size = geometry.size[::-1] if all(isinstance(side, int) for side in geometry.size) else None

        def warped(part: Any) -> Any:
            return warp(part, geometry.pixels, size, flags=how, borderMode=self.border_mode, borderValue=fill)

        channels_known(value, kind, batch_axes)
        return in_groups(value, warped, batch_axes)

    def boxes(self, boxes: Any, geometry: AffineGeometry) -> Any:
        """Return the upright boxes around those that are moved."""
        height, width = numbers(geometry.size, tf.float64)
        sides = tf.stack([width, height, width, height])
        left, top, right, bottom = tf.unstack(tf.cast(boxes, tf.float64) * sides, axis=1)
        if self.rotate_method == "largest_box":
            x, y = (tf.stack(four, 1) for four in ((left, right, right, left), (top, top, bottom, bottom)))
        else:
            half, high = (right - left) / 2, (bottom - top) / 2
            x = half[:, tf.newaxis] * _SINES + (left + half)[:, tf.newaxis]
            y = high[:, tf.newaxis] * _COSINES + (top + high)[:, tf.newaxis]
        x, y = _moved(geometry.corners, x, y)
        ends = [tf.reduce_min(x, 1), tf.reduce_min(y, 1), tf.reduce_max(x, 1), tf.reduce_max(y, 1)]
        moved = tf.cast(tf.stack(ends, 1) / sides, boxes.dtype)
        return tf.where(geometry.stays, boxes, moved)

    def changes_count(self, kind: str) -> bool:  # noqa: ARG002 - boxes and points alike
        """Say whether boxes or points may come out several times."""
        return self.border_mode in REFLECTING

    def copied(self, rows: Rows, kind: str, geometry: Any) -> Rows:
        """Return boxes or points in every image that the map may show."""
        if self.border_mode not in REFLECTING:
            return rows
        moved = geometry.corners if kind == "bboxes" else geometry.pixels
        return reflected(rows, kind, widths_of(moved, geometry.size), geometry.size)

    def kept(self, boxes: Any, keep: Any, geometry: AffineGeometry) -> Any:
        """Drop boxes that left the image."""
        left, top, right, bottom = tf.unstack(boxes, axis=1)
        return keep & (geometry.stays | ((right > 0) & (bottom > 0) & (left < 1) & (top < 1)))

    def points(self, points: Any, geometry: AffineGeometry) -> Any:
        """Move points, turn and scale what they carry."""
        x, y, z, angle, scale = tf.unstack(points, axis=1)
        across, down = _moved(geometry.pixels, tf.cast(x, tf.float64), tf.cast(y, tf.float64))
        turn = tf.atan2(-geometry.pixels[1, 0], geometry.pixels[0, 0])
        return tf.stack(
            [
                tf.cast(across, points.dtype),
                tf.cast(down, points.dtype),
                z,
                within_a_turn(angle + tf.cast(turn, points.dtype)),
                scale * tf.cast(geometry.larger, points.dtype),
            ],
            1,
        )


class WarpOfParts(Warp):
    """A transform by a map about the middle that is made of a turn, scales, shears and shifts."""

    @abc.abstractmethod
    def affinity(self, params: Mapping[str, Any], size: Size) -> Affinity:
        """Return what was drawn, for an image of that size."""

    def geometry(self, params: Mapping[str, Any], size: Size) -> AffineGeometry:
        """Return the maps that were drawn."""
        drawn = self.affinity(params, size)
        height, width = numbers(size, tf.float64)
        linear = _linear(drawn)
        pixels, _ = settled(_about(linear, drawn.translate, (width / 2 - 0.5, height / 2 - 0.5)))
        corners, stays = settled(_about(linear, drawn.translate, (width / 2, height / 2)))
        return AffineGeometry(pixels, corners, stays, tf.maximum(*drawn.scale), size)


def _linear(drawn: Affinity) -> tuple[Any, Any, Any, Any]:
    """Return what a map does about its centre: it scales, turns, and then shears.

    Here and in `_about` the order of operations is the reference's, so that coordinates round as its own do.
    """
    angle = tf.math.floormod(drawn.rotate, tf.constant(360.0, tf.float64)) * _RADIANS
    cosine, sine = tf.cos(angle), tf.sin(angle)
    across, down = (tf.tan(shear * _RADIANS) for shear in drawn.shear)
    wide, high = drawn.scale
    return (
        (cosine - across * sine) * wide,
        (sine + across * cosine) * high,
        (down * cosine - sine) * wide,
        (down * sine + cosine) * high,
    )


def _about(linear: tuple[Any, Any, Any, Any], translate: tuple[Any, Any], centre: tuple[Any, Any]) -> Any:
    """Return a map (2, 3), float64, that works about a centre, and then shifts."""
    (a, b, c, d), (x, y) = linear, centre
    rows = [
        [a, b, a * -x + b * -y + (x + translate[0])],
        [c, d, c * -x + d * -y + (y + translate[1])],
    ]
    return tf.stack([tf.stack(row) for row in rows])


def settled(found: Any) -> tuple[Any, Any]:
    """Return a map, the identity itself where it is as good as that, and whether it is."""
    identity = tf.eye(2, 3, dtype=tf.float64)
    # numpy.isclose's bounds, as the reference has them.
    same = tf.reduce_all(tf.abs(found - identity) <= 1e-8 + 1e-5 * identity)
    return tf.where(same, identity, found), same


def _moved(affine: Any, x: Any, y: Any) -> tuple[Any, Any]:
    (a, b, c), (d, e, f) = (tf.unstack(row) for row in tf.unstack(affine))
    return a * x + b * y + c, d * x + e * y + f


def among(value: Any, allowed: Mapping[str, int], name: str) -> int:
    """Return one of OpenCV's constants."""
    number = None if tf.is_tensor(value) or isinstance(value, bool) else value
    if not isinstance(number, (int, np.integer)) or number not in allowed.values():
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise UnsupportedArgument(explain(name, given, ", ".join(allowed), "Use cv2's constants."))
    return int(number)


def filling(value: Any, name: str) -> tuple[float, ...]:
    """Return up to four numbers for what lies outside; one is that of every channel."""
    given = _arguments.numbers(value, name)
    if not isinstance(given, tuple):
        return (given,) * 4
    if len(given) > 4:
        raise OutsideDomain(explain(name, f"{len(given)} numbers", "a number, or up to four", "Give fewer."))
    return given
