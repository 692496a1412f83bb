"""`tensorflow_addons.image.rotate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Radians, Within, batchable, replaces
from pipeport.kernels.addons import _maps, _projective
from pipeport.kernels.inputs import _checks
from pipeport.tensorflow_addons.image import _arguments

_PIXEL = np.array([[1]], np.uint8)


@replaces(
    "tensorflow_addons.image.rotate",
    domain={
        "images": Image(dtypes=_arguments.DTYPES),
        "angles": Radians(-7.0, 7.0, typical=0.5, tensor=True, per_element=True),
        "interpolation": OneOf("nearest", "bilinear"),
        "fill_mode": OneOf(*_arguments.MODES),
        "name": OneOf(None, "turn"),
        "fill_value": OneOf(0.0, 1.0, 7.0),
    },
    agreement=Within(
        4e-6,
        "coordinates are those of the reference bit for bit, XLA fuses sums of four float32 products",
        discontinuities="pipeport.references.discontinuities_addons.rotate",
    ),
    aliases=(
        "tf.contrib.image.rotate",
        "tensorflow.contrib.image.rotate",
        "tfa.image.rotate",
        "tensorflow_addons.image.transform_ops.rotate",
    ),
    valid=_arguments.rounding_is_small,
    differences=(
        _arguments.undefined_name({"images": _PIXEL, "angles": 0.0}),
        _arguments.fill_out_of_range({"images": np.ones((1, 9), np.uint8), "angles": 1.5}),
        _arguments.not_finite("angles", {"images": _PIXEL, "angles": float("nan")}),
    ),
)
@batchable
def rotate(
    batch_axes: int,
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
        Sizes and rank may be unknown while tracing.
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
    Agreement: as `transform`, with sines and cosines from the same kernels as the reference's: nearest
    pixels bit for bit, bilinear ones too in eager mode; compiled, within 4e-6 on values in [-1, 1],
    and of bilinear results of integers those may differ by one that lie within rounding of a whole
    number. Compiled by the caller (`jit_compile=True`), sines are XLA's. 'wrap' repeats the
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
        turns = _one_by_one if batch_axes else _cosines_and_sines
        plan, parameters = _plan(interpolation, fill_mode), turns(_angles(angles))
        return _arguments.on_batches(
            images, lambda batch: _turned(plan, batch, parameters, fill_value), leading=batch_axes > 0
        )


def _plan(interpolation: Any, fill_mode: Any) -> _projective.Plan:
    return _projective.Plan(
        _maps.about_middle, _arguments.order_of(interpolation), _arguments.mode_of(fill_mode)
    )


def _angles(angles: Any) -> Any:
    radians = tf.convert_to_tensor(_checks.finite_scalar(angles, "angles", batch=True))
    return tf.reshape(tf.cast(radians, tf.float32), [-1])


def _turned(plan: _projective.Plan, images: Any, parameters: tuple[Any, Any], fill_value: Any) -> Any:
    cosines, sines = parameters
    cosines = _arguments.per_image(cosines, images, "angles")
    return _projective.warp(plan, images, (cosines, sines), _arguments.fill_of(fill_value, images.dtype))


def _cosines_and_sines(angles: Any) -> tuple[Any, Any]:
    """Return them from TensorFlow's own kernels, outside compiled bodies: ties follow their last bit."""
    return tf.cos(angles), tf.sin(angles)


def _one_by_one(angles: Any) -> tuple[Any, Any]:
    """Return cosines and sines as of single angles: those of eight at once have other last bits."""
    if angles.shape[0] in (0, 1):
        return _cosines_and_sines(angles)
    dtypes = tf.float32, tf.float32
    cosines, sines = tf.map_fn(_cosines_and_sines, angles, fn_output_signature=dtypes)
    return cosines, sines
