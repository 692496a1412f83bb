"""Pillow's rotation: its matrix, the size of an expanded output, and the shortcuts at right angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.pillow import _affine as affine
from pipeport.kernels.pillow._filters import NEAREST
from pipeport.kernels.pillow._modes import premultiplied, straight
from pipeport.kernels.pillow._transpose import transposed
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import plus


def reduced(angle: Any) -> Any:
    """Return an angle modulo 360, with the rounding of Python's `%`."""
    if not tf.is_tensor(angle):
        return angle % 360.0
    rest = tf.truncatemod(angle, tf.constant(360.0, tf.float64))
    return tf.where(rest < 0, rest + 360.0, rest)


def _rounded(value: Any) -> Any:
    """Round numbers from -1 to 1 to 15 decimals, exactly: ``round(value * 1e15)`` sees ties that are none.

    In integers: |value| is (high + (low + ...) / 2**27) / 2**27, and 1e15 is 5**15 * 2**15.
    """
    if not tf.is_tensor(value):
        return round(value, 15)
    size = tf.abs(value) * 2.0**27
    high = tf.floor(size)
    rest = (size - high) * 2.0**27
    low = tf.floor(rest)
    tail = (rest - low) * 5**15
    more = tf.cast(tail > tf.floor(tail), tf.int64)
    coarse, fine = (tf.cast(part, tf.int64) * 5**15 for part in (high, low))
    fine += tf.cast(tf.floor(tail), tf.int64)
    whole = coarse // 2**12
    below = (coarse % 2**12) * 2**27 + fine
    whole, below = whole + below // 2**39, (below % 2**39) * 2 + more
    half = tf.constant(2**39, tf.int64)
    up = (below > half) | (tf.equal(below, half) & tf.equal(whole % 2, 1))
    units = tf.cast(whole + tf.cast(up, tf.int64), tf.float64)
    return divided(tf.where(value < 0, -units, units), 1e15)


def _cosine_and_sine(angle: Any) -> tuple[Any, Any]:
    if tf.is_tensor(angle):
        turn = -(angle * (math.pi / 180))
        return tf.cos(turn), tf.sin(turn)
    turn = -math.radians(angle)
    return math.cos(turn), math.sin(turn)


def _plus(first: Any, second: Any) -> Any:
    """Return a sum of products, not fused."""
    return plus(first, second) if tf.is_tensor(first) or tf.is_tensor(second) else first + second


def _applied(matrix: list[Any], x: Any, y: Any) -> tuple[Any, Any]:
    a, b, c, d, e, f = matrix
    return _plus(a * x, b * y) + c, _plus(d * x, e * y) + f


def _matrix(turn: tuple[Any, Any], center: Any, shift: Any, size: tuple[Any, Any]) -> list[Any]:
    """Return the six numbers; `center` is None for the middle of the image."""
    cosine, sine = (_rounded(value) for value in turn)
    matrix = [cosine, sine, 0.0, -sine, cosine, 0.0]
    x, y = (size[0] / 2, size[1] / 2) if center is None else center
    matrix[2], matrix[5] = _applied(matrix, -x - shift[0], -y - shift[1])
    matrix[2] += x
    matrix[5] += y
    return matrix


def _extent(matrix: list[Any], size: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return width and height of the output that holds the whole image."""
    width, height = size
    corners = [_applied(matrix, *corner) for corner in ((0, 0), (width, 0), (width, height), (0, height))]
    sides = []
    for axis in (0, 1):
        values = [corner[axis] for corner in corners]
        if any(tf.is_tensor(value) for value in values):
            values = tf.stack([tf.convert_to_tensor(value, tf.float64) for value in values])
            sides.append(tf.math.ceil(tf.reduce_max(values)) - tf.floor(tf.reduce_min(values)))
        else:
            sides.append(math.ceil(max(values)) - math.floor(min(values)))
    return sides[0], sides[1]


def _expanded(matrix: list[Any], size: tuple[Any, Any], out: tuple[Any, Any]) -> list[Any]:
    """Return the matrix for an output of another size, about the same middle."""
    moved = _applied(matrix, -(out[0] - size[0]) / 2.0, -(out[1] - size[1]) / 2.0)
    return [*matrix[:2], moved[0], *matrix[3:5], moved[1]]


def _about_middle(parameters: Any, size: tuple[Any, Any]) -> Any:
    """Build matrices from (cosine, sine, shift x, shift y)."""
    cosine, sine, *shift = tf.unstack(parameters, axis=-1)
    return affine.stacked(_matrix((cosine, sine), None, (shift[0], shift[1]), size))


def _about_point(parameters: Any, size: tuple[Any, Any]) -> Any:
    """Build matrices from (cosine, sine, shift x, shift y, centre x, centre y)."""
    cosine, sine, *rest = tf.unstack(parameters, axis=-1)
    return affine.stacked(_matrix((cosine, sine), (rest[2], rest[3]), (rest[0], rest[1]), size))


def rotated(
    pixels: Any, mode: str, angle: Any, resample: int, expand: bool, center: Any, translate: Any, fill: Any
) -> Any:
    """Rotate pixels (B, H, W, C) counter-clockwise.

    `pixels`: shape (B, H, W, C). `angle`: float or float64 tensor; degrees in [0, 360], from `reduced`; one,
    or with shape (B,) one per image. `expand`: whether the output grows to hold the whole image; then one
    angle for all. `center`, `translate`: floats or float64 tensors. `fill`: shape (C,); pixel outside, in the
    mode's dtype. Returns: shape (B, height, width, C).
    """
    known = pixels.shape[1:3].as_list()
    sides = tf.unstack(tf.shape(pixels)[1:3])
    height, width = (
        side if side is not None else tf.cast(sides[i], tf.float64) for i, side in enumerate(known)
    )
    right = center is None and translate is None
    shift = (0.0, 0.0) if translate is None else translate
    numbers = (angle, width, height, *shift, *(center or ()))
    static = not any(tf.is_tensor(value) for value in numbers)
    turn = _cosine_and_sine(angle)
    out: tuple[Any, Any] = tuple(known[i] if known[i] is not None else sides[i] for i in (0, 1))
    if static or expand:
        matrix = _matrix(turn, center, shift, (width, height))
        if expand:
            grown = _extent(matrix, (width, height))
            if right and tf.is_tensor(angle):
                quarter = tf.equal(angle, 90.0) | tf.equal(angle, 270.0)
                swapped = (tf.cast(side, tf.float64) for side in (height, width))
                grown = tuple(tf.where(quarter, a, b) for a, b in zip(swapped, grown, strict=True))
            matrix = _expanded(matrix, (width, height), grown)
            tall, wide = (side if isinstance(side, int) else tf.cast(side, tf.int32) for side in grown[::-1])
            out = (tall, wide)
        build, parameters = affine.given, affine.stacked(matrix)
    else:
        # Cosine and sine by the graph's kernels, which are the C library's for one number.
        build = _about_middle if center is None else _about_point
        numbers = (*turn, *shift, *(center or ()))
        columns = [tf.reshape(tf.convert_to_tensor(number, tf.float64), [-1]) for number in numbers]
        zero = tf.zeros_like(columns[0])
        longest = sum((tf.zeros_like(column) for column in columns[1:]), zero)
        parameters = tf.stack([column + longest for column in columns], axis=-1)
    small = static and max(known) + sum(abs(float(v)) for v in (*shift, *(center or ()))) < 8192
    plan = affine.Plan(build, resample, small or (not static and _surely_small(known, shift, center)))
    exact = _right_angle(pixels, angle, expand) if right else False
    return _sampled(plan, pixels, mode, parameters, fill, out, exact)


def _surely_small(known: list[int | None], shift: Any, center: Any) -> bool:
    values = (*known, *shift, *(center or ()))
    if any(value is None or tf.is_tensor(value) for value in values):
        return False
    return sum(abs(float(value)) for value in values) < 8192


def shortcut(pixels: Any, angle: float, expand: bool) -> Any:
    """Return pixels that Pillow turns without sampling, for a static angle; None for others."""
    known = pixels.shape[1:3].as_list()
    if angle == 0:
        return tf.identity(pixels)
    if angle == 180:
        return transposed(pixels, 3)
    square = None not in known and known[0] == known[1]
    if angle in (90, 270) and (expand or square):
        return transposed(pixels, 2 if angle == 90 else 4)
    return None


def _right_angle(pixels: Any, angle: Any, expand: bool) -> Any:
    """Whether Pillow moves pixels without sampling them: False, or a bool tensor."""
    if not tf.is_tensor(angle) and angle not in (90, 270):
        return False
    quarter = tf.equal(angle, 90.0) | tf.equal(angle, 270.0)
    if not expand:
        quarter &= tf.equal(tf.shape(pixels)[1], tf.shape(pixels)[2])
    return tf.equal(angle, 0.0) | tf.equal(angle, 180.0) | quarter


def _sampled(
    plan: affine.Plan, pixels: Any, mode: str, parameters: Any, fill: Any, out: tuple[Any, Any], exact: Any
) -> Any:
    interpolated = plan.resample != NEAREST
    alpha = mode == "RGBA" and interpolated
    source = premultiplied(pixels) if alpha else pixels
    outside = tf.constant(np.asarray(fill))
    result = affine.warped(plan, source, parameters, outside, out)
    result = straight(result) if alpha else result
    if exact is False or not interpolated or mode not in ("RGBA", "F"):
        return result
    # Sampling gives the same at right angles, save for colours under zero alpha and neighbours
    # that are not finite.
    nearest = affine.Plan(plan.build, NEAREST, plan.small)

    def moved() -> Any:
        where = tf.reshape(exact, [-1, 1, 1, 1])
        return tf.where(where, affine.warped(nearest, pixels, parameters, outside, out), result)

    return tf.ensure_shape(tf.cond(tf.reduce_any(exact), moved, lambda: result), result.shape)
