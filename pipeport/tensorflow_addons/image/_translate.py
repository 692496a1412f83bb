"""`tensorflow_addons.image.translate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Point, Within, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.addons import _maps, _projective
from pipeport.tensorflow_addons.image import _arguments

_PIXEL = np.array([[1]], np.uint8)


@replaces(
    "tensorflow_addons.image.translate",
    domain={
        "images": Image(dtypes=_arguments.DTYPES),
        "translations": Point(low=-20.0, high=20.0, typical=(10.0, -5.5), tensor=True, per_element=True),
        "interpolation": OneOf("nearest", "bilinear", "BILINEAR"),
        "fill_mode": OneOf(*_arguments.MODES),
        "name": OneOf(None, "move"),
        "fill_value": OneOf(0.0, 1.0, 7.5),
    },
    agreement=Within(
        4e-6,
        "coordinates are those of the reference bit for bit, XLA fuses sums of four float32 products",
        discontinuities="pipeport.references.discontinuities_addons.translate",
    ),
    aliases=(
        "tf.contrib.image.translate",
        "tensorflow.contrib.image.translate",
        "tfa.image.translate",
        "tensorflow_addons.image.translate_ops.translate",
    ),
    valid=_arguments.rounding_is_small,
    differences=(
        _arguments.undefined_name({"images": _PIXEL, "translations": (0.0, 0.0)}),
        _arguments.fill_out_of_range({"images": _PIXEL, "translations": (5.0, 0.0)}),
        _arguments.not_finite("translations", {"images": _PIXEL, "translations": (float("nan"), 0.0)}),
    ),
)
@batchable
def translate(
    batch_axes: int,
    images: Any,
    translations: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    name: str | None = None,
    fill_value: Any = 0.0,
) -> Any:
    """Move images by vectors.

    Native equivalent of `tensorflow_addons.image.translate`, and of `tf.contrib.image.translate`.

    Parameters
    ----------
    images : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Sizes and rank may be unknown while tracing.
    translations : sequence or tensor of shape (2,), (1, 2) or (B, 2)
        (dx, dy): columns to the right, rows down, in pixels. Finite; of any real dtype, computed
        in float32.
    interpolation : {'nearest', 'bilinear'}, default 'nearest'
        Upper or lower case. Halves go away from zero.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}, default 'constant'
        Border rule; 'reflect' repeats the edge pixel (`numpy.pad`'s 'symmetric').
    name : str, optional
        Name scope of the operations.
    fill_value : float or scalar tensor, default 0.0
        Value outside the image in mode 'constant'; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `images`
        Bilinear results of integer images are truncated, as in the reference.

    Raises
    ------
    WrongType
        A dtype the reference refuses too; translations that are not numbers, or of rank 0 or 3.
    UnsupportedArgument
        `interpolation` or `fill_mode` is not listed.
    OutsideDomain
        The images are empty or have another rank; translations are not pairs, one or one per image;
        one is NaN or infinite.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as `transform`. Further numbers in a vector of translations are ignored, as in
    the reference. Gradients are not part of the promise.

    Graph: compiled with XLA when traced (`pipeport.config`); the reference's kernel cannot be.
    Static shape is kept.

    Source: `tensorflow_addons/image/translate_ops.py` 0.23 and TensorFlow's kernel
    ImageProjectiveTransformV3.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import translate
    >>> translate(tf.constant([[1.0, 2.0, 3.0]]), [1, 0]).numpy()
    array([[0., 1., 2.]], dtype=float32)
    """
    with tf.name_scope(name or "translate"):
        offsets = _arguments.float32_of(translations, "translations")
        if batch_axes and offsets.shape.rank == 3:
            offsets = tf.squeeze(offsets, [1])
        plan = _plan(interpolation, fill_mode)
        return _arguments.on_batches(
            images, lambda batch: _moved(plan, batch, offsets, fill_value), leading=batch_axes > 0
        )


def _plan(interpolation: Any, fill_mode: Any) -> _projective.Plan:
    return _projective.Plan(
        _maps.by_offset, _arguments.order_of(interpolation), _arguments.mode_of(fill_mode)
    )


def _moved(plan: _projective.Plan, images: Any, offsets: Any, fill_value: Any) -> Any:
    advice = "Give (dx, dy), or one such pair per image."
    if offsets.shape.rank == 1:
        offsets = offsets[tf.newaxis]
    if offsets.shape.rank != 2:
        raise WrongType(explain("translations", f"shape {offsets.shape}", "(2,) or (B, 2)", advice))
    if offsets.shape[1] is not None and offsets.shape[1] < 2:
        raise OutsideDomain(explain("translations", f"shape {offsets.shape}", "(2,) or (B, 2)", advice))
    offsets = tf.ensure_shape(offsets[:, :2], [None, 2])
    offsets = _arguments.per_image(offsets, images, "translations")
    return _projective.warp(plan, images, (offsets,), _arguments.fill_of(fill_value, images.dtype))
