"""`tensorflow_addons.image.transform`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, Integer, Maybe, OneOf, PerAxis, Real, Within, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.addons import _maps, _projective
from pipeport.tensorflow_addons.image import _arguments

_PIXEL = np.array([[1]], np.uint8)
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


@replaces(
    "tensorflow_addons.image.transform",
    domain={
        "images": Image(dtypes=_arguments.DTYPES),
        "transforms": PerAxis(
            spec=Real(-2.0, 2.0),
            count=8,
            single=False,
            tensor=True,
            typical=(0.955, -0.296, 43.4, 0.296, 0.955, -31.9, 2e-4, -1e-4),
        ),
        "interpolation": OneOf("nearest", "bilinear", "BILINEAR"),
        "fill_mode": OneOf(*_arguments.MODES),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(0, 9), count=2, single=False)),
        "name": OneOf(None, "bend"),
        "fill_value": OneOf(0.0, 1.0, 7.5),
    },
    agreement=Within(
        4e-6,
        "coordinates are those of the reference bit for bit, XLA fuses sums of four float32 products",
        discontinuities="pipeport.references.discontinuities_addons.transform",
    ),
    aliases=(
        "tf.contrib.image.transform",
        "tensorflow.contrib.image.transform",
        "tfa.image.transform",
        "tensorflow_addons.image.transform_ops.transform",
    ),
    valid=_arguments.rounding_is_small,
    differences=(
        _arguments.undefined_name({"images": _PIXEL, "transforms": _IDENTITY}),
        _arguments.fill_out_of_range({"images": _PIXEL, "transforms": (1.0, 0.0, 5.0, *_IDENTITY[3:])}),
        _arguments.not_finite("transforms", {"images": _PIXEL, "transforms": (float("nan"), *_IDENTITY[1:])}),
    ),
)
@batchable
def transform(
    batch_axes: int,
    images: Any,
    transforms: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    output_shape: Any = None,
    name: str | None = None,
    fill_value: Any = 0.0,
) -> Any:
    """Apply projective maps to images.

    Native equivalent of `tensorflow_addons.image.transform`, and of `tf.contrib.image.transform`.

    Parameters
    ----------
    images : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Sizes and rank may be unknown while tracing.
    transforms : sequence or tensor of shape (8,), (1, 8) or (B, 8)
        (a, b, c, d, e, f, g, h): the *output* point (column x, row y) shows the *input* point
        ((a x + b y + c) / k, (d x + e y + f) / k) with k = g x + h y + 1. Finite; of any real
        dtype, computed in float32. Where k is zero there is `fill_value`.
    interpolation : {'nearest', 'bilinear'}, default 'nearest'
        Upper or lower case. Halves go away from zero.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}, default 'constant'
        Border rule; 'reflect' repeats the edge pixel (`numpy.pad`'s 'symmetric').
    output_shape : two integers or an int32 tensor of shape (2,), optional
        Height and width of the result; None for those of `images`.
    name : str, optional
        Name scope of the operations.
    fill_value : float or scalar tensor, default 0.0
        Value outside the image in mode 'constant'; truncated for integer images.

    Returns
    -------
    tf.Tensor, rank and dtype of `images`
        Bilinear results of integer images are truncated, as in the reference.

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or transforms that are not numbers.
    UnsupportedArgument
        `interpolation` or `fill_mode` is not listed.
    OutsideDomain
        The images are empty or have another rank; transforms are not rows of eight, one or one per
        image; one is NaN or infinite; the output would be empty.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    An image without rows or columns is refused too, even where `output_shape` lets the reference
    fill an output.

    Agreement: coordinates, and with them nearest pixels and seams, are equal bit for bit; so is
    everything that is not compiled. Compiled bilinear sums are within 4e-6 on values in [-1, 1];
    where such rounding decides a truncation either side is accepted. 'wrap' repeats the kernel's own
    rule, which skips the gap between last and first pixel. Gradients are not part of the promise.

    Graph: compiled with XLA when traced (`pipeport.config`); the reference's kernel cannot be.
    Static shape is kept.

    Source: `tensorflow_addons/image/transform_ops.py` 0.23 and TensorFlow's kernel
    ImageProjectiveTransformV3.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import transform
    >>> transform(tf.constant([[1.0, 2.0, 3.0]]), [1, 0, 1, 0, 1, 0, 0, 0], fill_value=9.0).numpy()
    array([[2., 3., 9.]], dtype=float32)
    """
    with tf.name_scope(name or "transform"):
        rows = _arguments.float32_of(transforms, "transforms")
        if batch_axes and rows.shape.rank == 3:
            rows = tf.squeeze(rows, [1])
        plan = _plan(interpolation, fill_mode)
        return _arguments.on_batches(
            images,
            lambda batch: _transform(plan, batch, rows, output_shape, fill_value),
            leading=batch_axes > 0,
        )


def _plan(interpolation: Any, fill_mode: Any) -> _projective.Plan:
    return _projective.Plan(
        _maps.projective, _arguments.order_of(interpolation), _arguments.mode_of(fill_mode)
    )


def _transform(plan: _projective.Plan, images: Any, rows: Any, output_shape: Any, fill_value: Any) -> Any:
    if rows.shape.rank == 1:
        rows = rows[tf.newaxis]
    if rows.shape.rank != 2 or rows.shape[1] not in (8, None):
        raise OutsideDomain(
            explain("transforms", f"shape {rows.shape}", "(8,) or (B, 8)", "The ninth entry is always 1.")
        )
    rows = tf.ensure_shape(_arguments.per_image(rows, images, "transforms"), [None, 8])
    fill = _arguments.fill_of(fill_value, images.dtype)
    return _projective.warp(plan, images, (rows,), fill, _size_of(output_shape))


def _size_of(output_shape: Any) -> tuple[Any, Any] | None:
    """Return height and width: integers where known, else checked scalar tensors."""
    if output_shape is None:
        return None
    advice = "Give height and width."
    try:
        size = tf.convert_to_tensor(output_shape)
    except (TypeError, ValueError) as error:
        raise WrongType(explain("output_shape", repr(output_shape), "two integers", advice)) from error
    if not size.dtype.is_integer:
        raise WrongType(explain("output_shape", f"dtype {size.dtype.name}", "two integers", advice))
    if not size.shape.is_compatible_with([2]):
        raise OutsideDomain(explain("output_shape", f"shape {size.shape}", "two integers", advice))
    known = tf.get_static_value(size)
    if known is not None:
        if known.min() <= 0:
            raise OutsideDomain(
                explain("output_shape", str(known.tolist()), "positive integers", "An image has pixels.")
            )
        return int(known[0]), int(known[1])
    message = explain("output_shape", "zero or less", "positive integers", "An image has pixels.")
    with tf.control_dependencies([tf.debugging.assert_positive(size, message)]):
        height, width = tf.unstack(tf.cast(tf.ensure_shape(size, [2]), tf.int32))
        return height, width
