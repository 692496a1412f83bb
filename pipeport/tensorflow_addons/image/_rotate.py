"""`tensorflow_addons.image.rotate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Image, OneOf, Radians, Within, batch_form, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import _affine, _checks, _ranges

_DTYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")
_ORDERS = {"NEAREST": 0, "BILINEAR": 1}
_RULES = {"CONSTANT": "constant", "REFLECT": "symmetric", "WRAP": "projective_wrap", "NEAREST": "edge"}


def _valid(arguments: Mapping[str, Any]) -> bool:
    # The reference mixes in float32, which cannot tell large int32 apart.
    return not (
        np.asarray(arguments["images"]).dtype == np.int32
        and str(arguments.get("interpolation", "nearest")).upper() == "BILINEAR"
    )


def _not_finite(arguments: Mapping[str, Any]) -> bool:
    images = np.asarray(arguments["images"])
    return images.dtype.kind == "f" and not bool(np.isfinite(images.astype(np.float64)).all())


@replaces(
    "tensorflow_addons.image.rotate",
    domain={
        "images": Image(dtypes=("uint8", "int32", "float16", "float32", "float64"), non_finite=False),
        "angles": Radians(-7.0, 7.0, typical=0.5, tensor=True, per_element=True),
        "interpolation": OneOf("nearest", "bilinear"),
        "fill_mode": OneOf("constant", "reflect", "wrap", "nearest"),
        "name": OneOf(None, "turn"),
        "fill_value": OneOf(0.0, 1.0, 7.0),
    },
    agreement=Within(
        1e-4,
        "the reference computes coordinates and sums in float32 and has no float64 run",
        jumps="pipeport.references.jumps_addons.rotate",
    ),
    proven_against=">=0.23,<0.24",
    aliases=("tf.contrib.image.rotate", "tensorflow.contrib.image.rotate", "tfa.image.rotate"),
    environment="addons",
    valid=_valid,
    differences=(
        Difference(
            "A NaN or infinite pixel does not spread to results that give it no weight; in the "
            "reference it makes its upper and left neighbours NaN even at angle 0.",
            witness=lambda: {
                "images": np.array([[0.0, 0.0], [0.0, np.nan]], np.float32),
                "angles": 0.0,
                "interpolation": "bilinear",
            },
            applies=_not_finite,
        ),
    ),
)
def rotate(
    images: Any,
    angles: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    name: str | None = None,
    fill_value: Any = 0.0,
) -> Any:
    """Rotate images by angles about their middle.

    Native equivalent of `tensorflow_addons.image.rotate`, and of `tf.contrib.image.rotate`.

    Parameters
    ----------
    images : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Sizes may be unknown while tracing, the rank must be known.
    angles : float, or tensor of shape () or, for rank 4, (B,)
        Radians, counter-clockwise; finite.
    interpolation : {'nearest', 'bilinear'}, default 'nearest'
        Upper or lower case.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}, default 'constant'
        Border rule; 'reflect' repeats the edge pixel (`numpy.pad`'s 'symmetric').
    name : str, optional
        Name scope of the operations.
    fill_value : float, default 0.0
        Value outside the image in mode 'constant'.

    Returns
    -------
    tf.Tensor, shape and dtype of `images`
        Bilinear results of integer images are truncated, as in the reference.

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or angles of rank above one.
    UnsupportedArgument
        `interpolation` or `fill_mode` is not listed.
    OutsideDomain
        The images are empty or have another rank, or an angle is NaN or infinite.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - A NaN or infinite pixel does not spread to results that give it no weight; in the
      reference it makes its upper and left neighbours NaN even at angle 0.

    Agreement: within 1e-4 of the reference, which computes in float32; where rounding decides
    (ties of 'nearest', truncation, seams of 'wrap') either side is accepted. 'wrap' repeats the
    projective kernel's own rule, which skips the gap between last and first pixel.

    Graph: compiled with XLA when traced (`pipeport.config`); the reference's kernel
    cannot be. Static shape is kept.

    Source: `tensorflow_addons/image/transform_ops.py` 0.23 and TensorFlow's kernel
    ImageProjectiveTransformV3.

    Examples
    --------
    >>> import math
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import rotate
    >>> rotate(tf.constant([[0.0, 1.0], [0.0, 0.0]]), math.pi / 2).numpy().tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    with tf.name_scope(name or "rotate"):
        images = _checks.as_tensor(images, "images")
        rank = images.shape.rank
        if rank not in (2, 3, 4):
            raise OutsideDomain(
                explain(
                    "images",
                    "an unknown rank" if rank is None else f"rank {rank}",
                    "shape (H, W), (H, W, C) or (B, H, W, C)",
                    "Use tf.ensure_shape or tf.reshape.",
                )
            )
        if rank == 4:
            return _rotate(images, angles, interpolation, fill_mode, fill_value)
        batch = images[tf.newaxis, ..., tf.newaxis] if rank == 2 else images[tf.newaxis]
        result = _rotate(batch, angles, interpolation, fill_mode, fill_value)
        return tf.squeeze(result, [0, 3] if rank == 2 else [0])


@batch_form(rotate)
def _rotate_batch(
    images: Any,
    angles: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    name: str | None = None,
    fill_value: Any = 0.0,
) -> Any:
    """Rotate a batch of images of rank 2 or 3, angles (B,) or one."""
    with tf.name_scope(name or "rotate"):
        images = _checks.as_tensor(images, "images")
        rank = images.shape.rank
        if rank not in (3, 4):
            given = "an unknown rank" if rank is None else f"rank {rank}"
            raise OutsideDomain(
                explain("images", given, "shape (B, H, W) or (B, H, W, C)", "rotate itself takes rank 4.")
            )
        batch = images[..., tf.newaxis] if rank == 3 else images
        result = _rotate(batch, angles, interpolation, fill_mode, fill_value)
        return tf.squeeze(result, [3]) if rank == 3 else result


def _rotate(images: Any, angles: Any, interpolation: str, fill_mode: str, fill_value: Any) -> Any:
    if images.dtype.name not in _DTYPES:
        raise WrongType(
            explain("images", f"dtype {images.dtype.name}", ", ".join(_DTYPES), "Cast it with tf.cast.")
        )
    order = _ORDERS[_named(interpolation, _ORDERS, "interpolation")]
    mode = _RULES[_named(fill_mode, _RULES, "fill_mode")]
    angles = tf.convert_to_tensor(_checks.finite_scalar(angles, "angles", batch=True), tf.float64)
    # The reference's angles are float32.
    angles = tf.reshape(tf.cast(tf.cast(angles, tf.float32), tf.float64), [-1])
    images = _checks.not_empty(images, "images")
    if angles.shape[0] not in (None, 1, images.shape[0]) and images.shape[0] is not None:
        raise OutsideDomain(
            explain("angles", f"shape {angles.shape}", f"one, or {images.shape[0]}", "Give one per image.")
        )
    fill = _ranges.saturated(tf.cast(fill_value, tf.float64), images.dtype, truncate=True)
    compute = tf.float32 if order else images.dtype
    plan = _affine.Plan(
        _affine.about_middle_radians, order, mode, compute, images.dtype, truncate=images.dtype.is_integer
    )
    return _affine.warp(plan, images, (angles,), fill)


def _named(value: Any, allowed: Mapping[str, Any], name: str) -> str:
    known = value.upper() if isinstance(value, str) else value
    lower = tuple(key.lower() for key in allowed)
    _checks.one_of(known.lower() if isinstance(known, str) else value, lower, name, "As in the reference.")
    return str(known)
