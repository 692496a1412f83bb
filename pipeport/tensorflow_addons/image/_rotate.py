"""`tensorflow_addons.image.rotate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Radians, Within, batch_form, replaces
from pipeport.kernels import _checks, _tfa_maps, _tfa_projective
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
        1e-4,
        "the reference computes coordinates and sums in float32 and has no float64 run",
        jumps="pipeport.references.jumps_addons.rotate",
    ),
    proven_against=">=0.23,<0.24",
    aliases=(
        "tf.contrib.image.rotate",
        "tensorflow.contrib.image.rotate",
        "tfa.image.rotate",
        "tensorflow_addons.image.transform_ops.rotate",
    ),
    environment="addons",
    valid=_arguments.rounding_is_small,
    differences=(
        _arguments.undefined_name({"images": _PIXEL, "angles": 0.0}),
        _arguments.fill_out_of_range({"images": np.ones((1, 9), np.uint8), "angles": 1.5}),
        _arguments.not_finite("angles", {"images": _PIXEL, "angles": float("nan")}),
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

    - An interpolation or fill mode that is not listed is refused; the reference writes an error
      to the log and computes something.
    - A fill value beyond the range of integer images saturates; in the reference the processor
      decides, and most wrap it around.
    - A NaN or infinity in `angles` is refused; the reference gives fill or NaN.

    Agreement: within 1e-4 of the reference, which computes sines and coordinates in float32, this
    in float64; where rounding decides (ties of 'nearest', truncation, seams of 'wrap', whether a NaN
    or infinite pixel is touched) either side is accepted. 'wrap' repeats the
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
        plan, radians = _plan(interpolation, fill_mode), _radians(angles)
        return _arguments.on_batches(images, lambda batch: _turned(plan, batch, radians, fill_value))


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
        plan, radians = _plan(interpolation, fill_mode), _radians(angles)
        return _arguments.on_batches(
            images, lambda batch: _turned(plan, batch, radians, fill_value), leading=True
        )


def _plan(interpolation: Any, fill_mode: Any) -> _tfa_projective.Plan:
    return _tfa_projective.Plan(
        _tfa_maps.about_middle, _arguments.order_of(interpolation), _arguments.mode_of(fill_mode)
    )


def _radians(angles: Any) -> Any:
    radians = tf.convert_to_tensor(_checks.finite_scalar(angles, "angles", batch=True), tf.float64)
    # The reference's angles are float32.
    return tf.reshape(tf.cast(tf.cast(radians, tf.float32), tf.float64), [-1])


def _turned(plan: _tfa_projective.Plan, images: Any, radians: Any, fill_value: Any) -> Any:
    radians = _arguments.per_image(radians, images, "angles")
    return _tfa_projective.warp(plan, images, (radians,), _arguments.fill_of(fill_value, images.dtype))
