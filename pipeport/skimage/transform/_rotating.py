"""Turning a batch of images: how each order samples, and how large the output grows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks, _ranges
from pipeport.kernels.sampling import _affine, _affine_maps
from pipeport.kernels.sampling._clip import clipped
from pipeport.kernels.sampling._maps import plane_of
from pipeport.skimage.transform._rotate_arguments import check_dtype, checked_center
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._splines import spline


def rotated(
    image: Any,
    angle: Any,
    resize: bool,
    center: Any,
    how: Sampling,
    dtype: Any,
    batched: bool = False,
) -> Any:
    """Rotate images (B, H, W, C); `batched` allows an angle and a centre for each."""
    resize = _checks.flag(resize, "resize")
    check_dtype(dtype, how)
    angle = _checks.finite_scalar(angle, "angle", batched)
    image = _checks.not_empty(image, "image", element=slice(1, 3))
    if image.dtype == tf.float16:
        image = tf.cast(image, tf.float32)

    center = checked_center(center, batched)
    parameters: tuple[Any, ...] = (_column(angle), *(_column(part) for part in center))
    turn: _affine_maps.Map = _affine_maps.about_point if center else _affine_maps.about_middle
    out_size: tuple[Any, Any] | None = None
    if resize:
        if any(part.shape.rank for part in (angle, *center) if tf.is_tensor(part)):
            raise UnsupportedArgument(
                explain(
                    "resize",
                    "True with one angle or centre per element",
                    "one angle and centre for the batch",
                    "The outputs would differ in size: rotate element by element before batching.",
                )
            )
        start, out_size = _grown(turn, angle, center, image)
        parameters = (start, *parameters)
        turn = _affine_maps.about_point_from if center else _affine_maps.about_middle_from
    if how.order > 1:
        return _splined(turn, image, parameters, out_size, how, dtype)
    plan, image, fill = _plan(turn, image, how, dtype)
    turned = _affine.warp(plan, image, parameters, fill, out_size)
    if how.order == 0 and how.may_clip(image.dtype):
        return clipped(turned, image, how.mode, tf.convert_to_tensor(how.cval, tf.float64))
    return turned


def _splined(
    turn: _affine_maps.Map,
    image: Any,
    parameters: tuple[Any, ...],
    out_size: tuple[Any, Any] | None,
    how: Sampling,
    dtype: Any,
) -> Any:
    """Rotate with orders 2 to 5."""
    if out_size is None:
        static = image.shape[1:3]
        sides = static.as_list() if static.is_fully_defined() else tf.unstack(tf.shape(image)[1:3])
        out_size = (sides[0], sides[1])
    result = spline(how.converted(image), plane_of(turn), parameters, how, out_size, convolution=True)
    return result if dtype is None else _ranges.saturated(result, dtype)


def _plan(
    turn: _affine_maps.Map,
    image: Any,
    how: Sampling,
    dtype: Any,
) -> tuple[_affine.Plan, Any, Any]:
    """Return the plan to compile, the image in its dtype of sampling, and its fill value."""
    mode, cval = how.mode, how.cval
    if how.order == 0:
        fill = _ranges.stored(tf.convert_to_tensor(cval, tf.float64), image.dtype)
        return _affine.Plan(turn, 0, mode, image.dtype, image.dtype), image, fill
    compute = _ranges.float_of(image.dtype)
    dtype = dtype or compute
    if dtype in (tf.uint8, tf.float32) and image.dtype in (tf.uint8, tf.uint16):
        # A byte result, or a float32 one, does not need float64 sums of 8 or 16 bit pixels.
        compute = tf.float32
    scale = 1.0 if how.preserve_range else _ranges.unit_scale(image.dtype)
    level = cval / scale
    # Unsigned pixels are sampled as they are and scaled afterwards, if cval is one of their
    # levels: the table in memory is then an eighth of the float64 one.
    if tf.is_tensor(cval) or not (
        image.dtype.is_unsigned and (mode != "constant" or _is_level(level, image.dtype))
    ):
        image = _ranges.as_float_image(image, how.preserve_range)
        scale, level = 1.0, cval
    plan = _affine.Plan(turn, 1, mode, compute, dtype, scale, how.clip and mode == "constant")
    if tf.is_tensor(level):
        return plan, image, tf.cast(level, image.dtype)
    fill = tf.constant(round(level) if image.dtype.is_integer else level, image.dtype)
    return plan, image, fill


def _is_level(value: float, dtype: Any) -> bool:
    limits = np.iinfo(dtype.as_numpy_dtype)
    return math.isfinite(value) and (
        abs(value - round(value)) < 1e-9 * max(1.0, abs(value)) and limits.min <= round(value) <= limits.max
    )


def _column(value: Any) -> Any:
    """Return a float64 tensor (1,) or (B,)."""
    return tf.reshape(tf.convert_to_tensor(value, tf.float64), [-1])


def _grown(
    turn: _affine_maps.Map, angle: Any, center: tuple[Any, ...], image: Any
) -> tuple[Any, tuple[Any, Any]]:
    """Return where the output that holds the whole image starts, (x, y), and its size."""
    size = image.shape[1:3]
    if size.is_fully_defined() and not any(tf.is_tensor(value) for value in (angle, *center)):
        with tf.init_scope():  # the size is needed now, not when the graph runs
            start, out = _bounds(turn, angle, center, tf.constant(size.as_list()))
            out_size = tuple(int(side) for side in out.numpy())
            start = tf.constant(start.numpy())
        return start, (out_size[0], out_size[1])
    start, out = _bounds(turn, angle, center, tf.shape(image)[1:3])
    return start, (out[0], out[1])


def _bounds(turn: _affine_maps.Map, angle: Any, center: tuple[Any, ...], size: Any) -> tuple[Any, Any]:
    height, width = tf.unstack(tf.cast(size, tf.float64))
    # The inverse map is the same turn the other way.
    back = turn((_column(-angle), *(_column(part) for part in center)), height, width)
    zero = tf.zeros([], tf.float64)
    x = tf.stack([zero, zero, width - 1, width - 1])
    y = tf.stack([zero, height - 1, height - 1, zero])
    a, b, c, d, e, f = tf.unstack(back[0])
    columns, rows = a * x + b * y + c, d * x + e * y + f
    low = tf.stack([tf.reduce_min(columns), tf.reduce_min(rows)])
    extent = tf.stack([tf.reduce_max(rows) - low[1] + 1, tf.reduce_max(columns) - low[0] + 1])
    return low, tf.cast(tf.round(extent), tf.int32)
