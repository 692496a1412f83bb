"""`tensorflow_addons.image.cutout`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, OneOf, Shaped, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of


def whole(value: Any, name: str, shapes: str, allowed: tuple[int, ...]) -> Any:
    """Return whole numbers as an int32 tensor (..., 2), from one of the ranks."""
    tensor = _arguments.tensor_of(value, name)
    if not tensor.dtype.is_integer:
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "whole numbers", "Cast it to int32."))
    rank = tensor.shape.rank
    if rank not in allowed or (rank and tensor.shape[-1] not in (2, None)):
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", shapes, "Height, then width."))
    return tf.cast(tf.stack([tensor] * 2) if rank == 0 else tensor, tf.int32)


def halves_of(mask_size: Any) -> Any:
    """Return half the height and width of the hole, checked to be even."""
    sides = whole(mask_size, "mask_size", "() or (2,)", (0, 1))
    message = explain("mask_size", "an odd or negative side", "even numbers", "Add one.")
    return checked(tf.reduce_all(tf.equal(sides % 2, 0) & (sides >= 0)), sides, message) // 2


def checked(holds: Any, tensor: Any, message: str) -> Any:
    """Return a tensor, after a check now or when the graph runs."""
    known = tf.get_static_value(holds)
    if known is not None and not known:
        raise OutsideDomain(message)
    with tf.control_dependencies([] if known else [tf.debugging.Assert(holds, [message])]):
        return tf.identity(tensor)


def cut(images: Any, half: Any, centres: Any, constant_values: Any) -> Any:
    """Fill rectangles of images (B, H, W, C) about centres (B, 2) or (1, 2), which reach into the image."""
    size = tf.shape(images)[1:3]
    message = explain("offset", "a hole that lies outside", "one that touches the image", "Clip it first.")
    reaches = tf.reduce_all((centres - half <= size) & (centres + half >= 0))
    low, high = centres - half, checked(reaches, centres, message) + half
    hit = []
    for axis in range(2):
        places = tf.range(size[axis])
        hit.append((places >= low[:, axis, tf.newaxis]) & (places < high[:, axis, tf.newaxis]))
    hole = hit[0][:, :, tf.newaxis, tf.newaxis] & hit[1][:, tf.newaxis, :, tf.newaxis]
    return tf.ensure_shape(tf.where(hole, tf.cast(constant_values, images.dtype), images), images.shape)


def _touches(call: Mapping[str, Any]) -> bool:
    half = np.asarray(call["mask_size"]) // 2
    size = np.asarray(call["images"]).shape[1:3]
    offset = np.asarray(call.get("offset", (0, 0)))
    return bool(np.all(offset - half <= size))


@replaces(
    "tensorflow_addons.image.cutout",
    domain={
        "images": Shaped(
            shape=((1, 3), (1, 8), (1, 8), (1, 3)),
            dtypes=("uint8", "int32", "float32", "float64", "bool"),
            non_finite=True,
            per_image=True,
        ),
        "mask_size": OneOf(0, 2, 4, (2, 6), [4, 2], typical=4),
        "offset": OneOf((0, 0), (1, 2), [3, 1], (-1, 0), typical=(3, 1)),
        "constant_values": OneOf(0, 1, typical=0),
    },
    agreement=Exact(),
    aliases=aliases_of("cutout_ops", "cutout"),
    valid=_touches,
)
def cutout(images: Any, mask_size: Any, offset: Any = (0, 0), constant_values: Any = 0) -> Any:
    """Fill a rectangle of each image with a value.

    Parameters
    ----------
    images : tf.Tensor, shape (B, H, W, C), bool or any number
        Sizes and rank may be unknown while tracing.
    mask_size : int or (int, int)
        Height and width of the rectangle, even; they may be tensors.
    offset : (int, int) or (B, 2), default (0, 0)
        Row and column of its middle, of all images or of each; may be a tensor. It touches the image.
    constant_values : number, default 0
        The value, which the dtype can hold.

    Returns
    -------
    tf.Tensor, shape and dtype of `images`
        The images with their holes.

    Raises
    ------
    WrongType
        `mask_size` or `offset` are not whole numbers.
    OutsideDomain
        Images of another rank, an odd or negative side, a rectangle that lies outside, or other shapes.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit.
    Graph: no Python at run time; static shape is kept.

    Source: `tensorflow_addons/image/cutout_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import cutout
    >>> cutout(tf.ones([1, 3, 3, 1], tf.int32), 2, (1, 1))[0, ..., 0].numpy().tolist()
    [[0, 0, 1], [0, 0, 1], [1, 1, 1]]
    """
    with tf.name_scope("cutout"):
        batch = _arguments.tensor_of(images, "images")
        batch = _arguments.of_ranks(batch, (4,), "shape (B, H, W, C)", "images")
        centres = whole(offset, "offset", "(2,) or (B, 2)", (1, 2))
        centres = centres[tf.newaxis] if centres.shape.rank == 1 else centres
        centres = _arguments.per_image(centres, batch, "offset")
        return cut(batch, halves_of(mask_size), centres, constant_values)
