"""Warping a batch of images through the maps of `_affine_maps`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import saturated
from pipeport.kernels.sampling._affine_maps import Map, coordinates
from pipeport.kernels.sampling._bilinear import (
    adjacent_positions,
    linear_positions,
    margin,
    mix,
    nearest_positions,
    with_corners,
)
from pipeport.kernels.sampling._clip import any_outside, limits
from pipeport.kernels.sampling._coordinates import in_memory
from pipeport.kernels.xla._materialize import opaque_true, or_filled


@dataclass(frozen=True)
class Plan:
    """All that is static about a warp: what a compiled body is built for.

    `order`: {0, 1}; nearest pixel or linear interpolation. `mode`: border rule, named as in `numpy.pad`.
    `compute`: dtype of weights and sums for order 1. `clip`: whether to clip to the range of the input, as
    `_clip.limits` describes.
    """

    map: Map
    order: int
    mode: str
    compute: Any
    dtype: Any
    scale: float = 1.0
    clip: bool = False


def _body(
    plan: Plan,
    images: Any,
    parameters: Any,
    size: Any,
    fill: Any,
    out: tuple[Any, Any],
    isolate: bool,
    true_out: tuple[Any, Any] | None = None,
) -> Any:
    height, width = (tf.cast(side, tf.float64) for side in tf.unstack(size))
    matrix = plan.map(parameters, height, width)
    edge, sure = margin(plan.mode), opaque_true(images)
    if edge:
        images = tf.pad(images, [[0, 0], [edge, edge], [edge, edge], [0, 0]], constant_values=fill)
    batch, rows, stride, channels = tf.unstack(tf.shape(images))
    static = images.shape
    pixels = tf.reshape(images, [-1, channels if static[3] is None else static[3]])

    # Whole numbers are finite, so one index per pixel will do where there is fill around
    # them: 1955 against 1432 elements/s for bytes at 256 px.
    adjacent = edge > 0 and images.dtype.is_integer

    lines = in_memory(lambda: coordinates(matrix, *out), sure)

    def place() -> Any:
        y, x = lines()
        if plan.order == 0:
            found: Any = nearest_positions(y, x, height, width, stride, plan.mode)
        else:
            positions = adjacent_positions if adjacent else linear_positions
            found = positions(y, x, height, width, stride, plan.mode, plan.compute)
        if static[0] == 1:
            return found
        offset = (tf.range(batch) * (rows * stride))[:, tf.newaxis, tf.newaxis]
        return tf.nest.map_structure(lambda part: part + offset if part.dtype == tf.int32 else part, found)

    # XLA would fuse the coordinates into the scalar loop of the gather and compute them there
    # pixel by pixel. What leaves a conditional is materialised, so they stay a vectorised loop
    # of their own: float64 coordinates then cost what float32 ones do (1571 against 1567
    # elements/s at 256 px). The other branch is what a non-finite matrix deserves anyway.
    found = or_filled(tf.reduce_all(tf.math.is_finite(matrix)), place, tf.zeros) if isolate else place()
    if plan.order == 0:
        return tf.gather(pixels, found)
    if adjacent:
        found = with_corners(found, stride)
    values = _finished(plan, mix(pixels, found, plan.compute), images.dtype)
    return (values, _reaches_fill(matrix, height, width, true_out or out, sure)) if plan.clip else values


def _reaches_fill(matrix: Any, height: Any, width: Any, out: tuple[Any, Any], sure: Any) -> Any:
    if matrix.shape[-1] == 6:
        return any_outside(matrix, height, width, out)
    rows, columns = in_memory(lambda: coordinates(matrix, *out), sure)()
    return tf.reduce_any((columns <= -1) | (columns >= width) | (rows <= -1) | (rows >= height), axis=[1, 2])


def _scaled(plan: Plan, values: Any) -> Any:
    return values if plan.scale == 1.0 else values * tf.constant(plan.scale, values.dtype)


def _finished(plan: Plan, values: Any, source: Any) -> Any:
    """Scale, round and cast; every step is monotonic."""
    values = _scaled(plan, values)
    if plan.dtype.is_integer and source == plan.dtype and plan.scale == 1.0:
        # A mean of pixels of that dtype needs no saturation.
        return tf.cast(tf.round(values), plan.dtype)
    return saturated(values, plan.dtype)


def _clipped(plan: Plan, warped: Any, outside: Any, images: Any) -> Any:
    """Clip, in a graph conditional around the compiled body.

    Inside the body the test alone costs a tenth of the throughput, a conditional around
    the gather a third. What `_finished` does is monotonic, so clipping may come after it.
    """

    def clip() -> Any:
        # Saturated, because the limits of what is not clipped are infinite.
        low, high = (
            saturated(_scaled(plan, tf.cast(limit, plan.compute)), plan.dtype)
            for limit in limits(images, outside)
        )
        wide = tf.float64 if plan.dtype.is_integer else plan.dtype
        values = tf.maximum(tf.cast(warped, wide), tf.cast(low, wide))
        return tf.cast(tf.minimum(values, tf.cast(high, wide)), plan.dtype)

    return tf.cond(tf.reduce_all(outside), lambda: warped, clip)


def warp(
    plan: Plan, images: Any, parameters: tuple[Any, ...], fill: Any, out_size: tuple[Any, Any] | None = None
) -> Any:
    """Warp a batch of images through affine maps.

    `plan`: map, interpolation, border rule, dtypes. `images`: shape (B, H, W, C); any dtype for order 0, else
    numbers. `fill`: value outside the image in mode 'constant'. `out_size`: integers, or scalar int32
    tensors; None for the size of the images. Returns: shape (B, height, width, C).
    """
    _checks.index_range(images, 1, "image")
    result = _run(plan, images, parameters, fill, out_size)
    if not plan.clip:
        return result
    warped, outside = result
    return tf.ensure_shape(_clipped(plan, warped, outside, images), warped.shape)


def _run(
    plan: Plan, images: Any, parameters: tuple[Any, ...], fill: Any, out_size: tuple[Any, Any] | None
) -> Any:
    static = out_size is None or all(isinstance(side, int) for side in out_size)
    known = images.shape[1:3].is_fully_defined() and static
    buckets = _in_buckets if static else None
    form = xla.choose(known, program=_of_known_sizes, in_buckets=buckets, otherwise=_as_operations)
    return form(plan, images, parameters, fill, out_size)


def _of_known_sizes(plan: Plan, images: Any, parameters: Any, fill: Any, out_size: Any) -> Any:
    target = tuple(images.shape[1:3].as_list()) if out_size is None else out_size
    return xla.compiled(_static_body, plan, target)(images, parameters, fill)


def _as_operations(plan: Plan, images: Any, parameters: Any, fill: Any, out_size: Any) -> Any:
    size = tf.shape(images)[1:3]
    target = tuple(tf.unstack(size)) if out_size is None else out_size
    return _body(plan, images, parameters, size, fill, target, False)


def _static_body(plan: Plan, out_size: tuple[int, int]) -> Callable[..., Any]:
    def run(images: Any, parameters: Any, fill: Any) -> Any:
        size = tf.constant(images.shape[1:3].as_list(), tf.int32)
        return _body(plan, images, parameters, size, fill, out_size, True)

    return run


def _bucket_body(plan: Plan, out_size: tuple[int, int] | None) -> Callable[..., Any]:
    def run(images: Any, parameters: Any, fill: Any, size: Any) -> Any:
        if out_size is not None:
            return _body(plan, images, parameters, size, fill, out_size, True)
        shape = tf.shape(images)  # a constant once XLA compiles for one bucket
        true_out = tuple(tf.unstack(size))
        return _body(plan, images, parameters, size, fill, (shape[1], shape[2]), True, true_out)

    return run


def _in_buckets(plan: Plan, images: Any, parameters: Any, fill: Any, out_size: Any) -> Any:
    """Pad to a size bucket, run the body compiled for it, cut the true size out."""
    size = tf.shape(images)[1:3]
    padded = xla.padded_to_bucket(images, range(1, 3), fill)
    result = xla.compiled(_bucket_body, plan, out_size)(padded, parameters, fill, size)
    warped = result[0] if plan.clip else result
    if out_size is None:
        warped = tf.ensure_shape(warped[:, : size[0], : size[1]], images.shape)
    else:
        warped = tf.ensure_shape(warped, [images.shape[0], *out_size, images.shape[3]])
    return (warped, result[1]) if plan.clip else warped
