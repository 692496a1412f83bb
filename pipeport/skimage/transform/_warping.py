"""Warping a batch of images through matrices, callables or coordinates."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, limit_rank
from pipeport.kernels.sampling import _affine, _affine_maps
from pipeport.kernels.sampling._maps import given, plane_projective
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._splines import spline
from pipeport.skimage.transform._warp_arguments import out_size_of, wrong_rank
from pipeport.skimage.transform._warp_coords import traced

# What TensorFlow has kernels for, less an axis of images and one of channels.
_MOST_AXES = 8


def warped(
    images: Any,
    inverse_map: Any,
    matrices: Any,
    map_args: Any,
    output_shape: Any,
    how: Sampling,
) -> Any:
    """Warp images (B, H, W, C) through `matrices`, or where there are none through a callable."""
    out = out_size_of(images, output_shape)
    images = _checks.not_empty(images, "image", element=slice(1, 3))
    sampled = _converted(images, how)
    if matrices is None:
        if tf.is_tensor(map_args):
            raise WrongType(explain("map_args", "a tensor", "None or a dict", "Put the tensor into it."))
        points = _grid(out)
        where = traced(inverse_map, points, **dict(map_args or {}))
        coordinates = _as_coordinates(where, out)
        return spline(sampled, given, (coordinates,), how, out)
    if tf.is_tensor(map_args) or map_args:
        advice = "Only a callable has arguments."
        raise UnsupportedArgument(explain("map_args", "arguments for a matrix", "None", advice))
    matrices = _checks.finite(matrices, "inverse_map", "finite numbers")
    if how.order == 1:
        return _linear(sampled, matrices, None if output_shape is None else out, how)
    return spline(sampled, plane_projective, (matrices,), how, out, convolution=True)


def _converted(images: Any, how: Sampling) -> Any:
    if images.dtype == tf.float16 and how.order == 0:
        raise OutsideDomain(
            explain("image", "float16 with order 0", "another dtype or order", "Cast it to float32 first.")
        )
    return how.converted(images)


def _linear(sampled: Any, matrices: Any, out: tuple[Any, Any] | None, how: Sampling) -> Any:
    flat = tf.reshape(matrices, [-1, 9])
    clip = how.clip and how.mode == "constant"
    plan = _affine.Plan(_affine_maps.of_matrix, 1, how.mode, sampled.dtype, sampled.dtype, 1.0, clip)
    return _affine.warp(plan, sampled, (flat,), tf.cast(how.cval, sampled.dtype), out)


def _grid(out: tuple[Any, Any]) -> Any:
    """Return (column, row) of every output pixel, (P, 2), column by column as the reference does."""
    height, width = out
    columns = tf.range(tf.cast(width, tf.float64), dtype=tf.float64)
    rows = tf.range(tf.cast(height, tf.float64), dtype=tf.float64)
    points = tf.reshape(tf.stack(tf.meshgrid(columns, rows, indexing="ij"), axis=-1), [-1, 2])
    known = isinstance(height, int) and isinstance(width, int)
    return tf.ensure_shape(points, [height * width if known else None, 2])


def _as_coordinates(points: Any, out: tuple[Any, Any]) -> Any:
    height, width = out
    known = isinstance(height, int) and isinstance(width, int)
    if points.shape.rank != 2 or (known and points.shape[0] not in (None, height * width)):
        raise OutsideDomain(
            explain(
                "inverse_map",
                f"a callable that returns shape {points.shape}",
                "one (column, row) for each point given",
                "Return a tensor of the shape of its argument.",
            )
        )
    planes = tf.reshape(tf.cast(points[:, :2], tf.float64), tf.stack([width, height, 2]))
    planes = tf.transpose(planes, [2, 1, 0])[::-1][tf.newaxis]
    return tf.ensure_shape(planes, [1, 2, height if known else None, width if known else None])


def at_coordinates(image: Any, coordinates: Any, how: Sampling) -> Any:
    """Sample an array of any rank at coordinates (rank, ...)."""
    rank = image.shape.rank
    if rank is None or rank == 0:
        raise wrong_rank(rank)
    where = as_tensor(coordinates, "inverse_map")
    if where.shape.rank is None or where.shape.rank < 2 or where.shape[0] != rank or where.dtype.is_complex:
        allowed = f"a matrix (3, 3), a transform, a callable, or coordinates ({rank}, ...)"
        advice = "One row of coordinates per axis of the image."
        raise OutsideDomain(explain("inverse_map", f"shape {where.shape}", allowed, advice))
    limit_rank(image, "image", _MOST_AXES)
    limit_rank(where, "inverse_map", _MOST_AXES - 1)
    sampled = _converted(image, how)[tf.newaxis, ..., tf.newaxis]
    out = tuple(
        tf.shape(where)[axis + 1] if side is None else side for axis, side in enumerate(where.shape[1:])
    )
    parameters = (tf.cast(where, tf.float64)[tf.newaxis],)
    result = spline(sampled, given, parameters, how, out)
    return tf.squeeze(result, [0, -1])
