"""Shared arguments of the functions that call the projective kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import saturated
from pipeport.kernels.inputs.arrays import exact_rank, static_value

DTYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")
MODES = ("constant", "reflect", "wrap", "nearest")
_WORDS = {2: "two", 3: "three"}
_ORDERS = {"nearest": 0, "bilinear": 1}


def tensor_of(value: Any, name: str) -> Any:
    """Convert as TensorFlow does: a list of Python floats is float32."""
    try:
        return tf.convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain(name, type(value).__name__, "a tensor or an array of numbers", str(error))
        ) from error


def float32_of(value: Any, name: str) -> Any:
    """Convert to float32; tensors and arrays of other real dtypes are cast, NaN is refused."""
    if not tf.is_tensor(value) and not isinstance(value, np.ndarray):
        try:
            value = tf.convert_to_tensor(value, tf.float32)
        except (TypeError, ValueError) as error:
            raise WrongType(explain(name, repr(value), "real numbers", str(error))) from error
    tensor = tf.convert_to_tensor(value)
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "real numbers", "Cast it with tf.cast."))
    return _checks.finite(tf.cast(tensor, tf.float32), name, "finite numbers")


def images_of(images: Any, ranks: tuple[int, ...], allowed: str, name: str = "images") -> Any:
    """Return images as a tensor of a dtype the kernel takes and of one of the ranks.

    One of unknown rank is checked when the graph runs; where one rank alone is allowed, it has that.
    """
    images = tensor_of(images, name)
    if images.dtype.name not in DTYPES:
        raise WrongType(
            explain(name, f"dtype {images.dtype.name}", ", ".join(DTYPES), "Cast it with tf.cast.")
        )
    return of_ranks(images, ranks, allowed, name)


def of_ranks(tensor: Any, ranks: tuple[int, ...], allowed: str, name: str) -> Any:
    """Check that a tensor has one of the ranks: while tracing, else when the graph runs."""
    advice, rank = "Use tf.ensure_shape or tf.reshape.", tensor.shape.rank
    if rank is not None and rank not in ranks:
        raise OutsideDomain(explain(name, f"rank {rank}", allowed, advice))
    if rank is not None:
        return tensor
    message = explain(name, "another rank", allowed, advice)
    if len(ranks) == 1:
        return exact_rank(tensor, ranks[0], message)
    found = tf.size(tf.shape(tensor))  # tf.rank lets constant folding take the check for passed
    fits = tf.reduce_any(tf.equal(found, tf.constant(ranks)))
    with tf.control_dependencies([tf.debugging.Assert(fits, [message])]):
        return tf.identity(tensor)


def as_batch(images: Any, *, leading: bool = False) -> tuple[Any, Callable[[Any], Any]]:
    """Return checked images as a batch (B, H, W, C), and what gives a batch their rank.

    `images`: (H, W), (H, W, C) or (B, H, W, C), with `leading` (B, H, W) or (B, H, W, C); the rank may be
    unknown. `leading`: whether the first axis is always a batch. Returns: the tensor of rank 4; a function of
    such a one.
    """
    rank = images.shape.rank
    if rank is None:
        return _batch_of_any_rank(images, leading)
    added = {2: [0, 3], 3: [3] if leading else [0], 4: []}[rank]
    for axis in added:
        images = tf.expand_dims(images, axis)
    return images, (lambda result: tf.squeeze(result, added)) if added else (lambda result: result)


def _batch_of_any_rank(images: Any, leading: bool) -> tuple[Any, Callable[[Any], Any]]:
    sizes = tf.shape(images)
    rank = tf.size(sizes)
    before = tf.constant(0) if leading else tf.cast(rank < 4, tf.int32)
    after = tf.cast(rank < (4 if leading else 3), tf.int32)
    shape = tf.concat([tf.ones([before], tf.int32), sizes, tf.ones([after], tf.int32)], axis=0)
    batch = tf.ensure_shape(tf.reshape(images, shape), [None] * 4)
    return batch, lambda result: tf.reshape(result, tf.shape(result)[before : 4 - after])


def on_batches(
    images: Any, warp: Callable[[Any], Any], *, leading: bool = False, name: str = "images"
) -> Any:
    """Apply a function of batches (B, H, W, C) to images of rank 2, 3 or 4.

    `images`: (H, W), (H, W, C) or (B, H, W, C); with `leading`, (B, H, W) or (B, H, W, C). `warp`: takes and
    gives a tensor of rank 4. `leading`: whether the first axis is always a batch. Returns: of the rank of
    `images`.
    """
    if leading:
        images = images_of(images, (3, 4), "shape (B, H, W) or (B, H, W, C)", name)
    else:
        images = images_of(images, (2, 3, 4), "shape (H, W), (H, W, C) or (B, H, W, C)", name)
    batch, back = as_batch(images, leading=leading)
    return back(warp(_checks.not_empty(batch, name, axes=(1, 2), element=slice(1, 3))))


def at_least(least: int, images: Any, name: str) -> Any:
    """Refuse images (B, H, W, C) of fewer rows or columns, now or when the graph runs."""
    size, advice = images.shape[1:3], "Leave smaller images out first."
    allowed = f"{_WORDS[least]} rows and columns or more"
    if any(side is not None and side < least for side in size):
        raise OutsideDomain(explain(name, f"shape {images.shape}", allowed, advice))
    if size.is_fully_defined():
        return images
    message = explain(name, "fewer rows or columns", allowed, advice)
    check = tf.debugging.assert_greater_equal(tf.shape(images)[1:3], least, message)
    with tf.control_dependencies([check]):
        return tf.identity(images)


def order_of(interpolation: Any) -> int:
    """Return the order an interpolation stands for."""
    return _ORDERS[_named(interpolation, tuple(_ORDERS), "interpolation")]


def mode_of(fill_mode: Any) -> str:
    """Return the border rule by its lower-case name."""
    return _named(fill_mode, MODES, "fill_mode")


def _named(value: Any, allowed: tuple[str, ...], name: str) -> str:
    known = value.lower() if isinstance(value, str) else value
    _checks.one_of(known, allowed, name, "As in the reference, in upper or lower case.")
    return str(known)


def fill_of(value: Any, dtype: Any) -> Any:
    """Return the fill as a tensor of shape (1,): float32 first, then truncated to the images' dtype."""
    value = static_value(value, "fill_value")
    if not tf.is_tensor(value):
        try:
            number = np.asarray(value, np.float32)
        except (TypeError, ValueError) as error:
            raise WrongType(explain("fill_value", repr(value), "a real number", str(error))) from error
        if number.dtype != np.float32 or number.ndim:
            raise OutsideDomain(explain("fill_value", repr(value), "one number", "One for all channels."))
        value = tf.constant(number)
    if value.shape.rank not in (0, None):
        raise OutsideDomain(
            explain("fill_value", f"shape {value.shape}", "a scalar", "One for all channels.")
        )
    return tf.reshape(saturated(tf.cast(value, tf.float32), dtype, truncate=True), [1])


def per_image(parameter: Any, images: Any, name: str) -> Any:
    """Check that a parameter of leading size N goes with a batch: N is one, or one per image."""
    count, batch = parameter.shape[0], images.shape[0]
    advice = "Give one for all images, or one per image."
    if count is not None and batch is not None:
        if count not in (1, batch):
            raise OutsideDomain(explain(name, f"shape {parameter.shape}", f"one, or {batch}", advice))
        return parameter
    if count == 1:
        return parameter
    message = explain(name, "a number that is not the images'", "one, or one per image", advice)
    size = tf.shape(parameter)[0]
    fits = tf.logical_or(tf.equal(size, 1), tf.equal(size, tf.shape(images)[0]))
    with tf.control_dependencies([tf.debugging.Assert(fits, [message])]):
        return tf.identity(parameter)


def undefined_name(witness: Mapping[str, Any]) -> Difference:
    """Return the difference of a misspelt interpolation or fill mode."""

    def misspelt(arguments: Mapping[str, Any]) -> bool:
        names = (arguments.get("interpolation", "nearest"), arguments.get("fill_mode", "constant"))
        return str(names[0]).lower() not in _ORDERS or str(names[1]).lower() not in MODES

    return Difference(
        "An interpolation or fill mode that is not listed is refused; the reference writes an error "
        "to the log and computes something.",
        witness=lambda: {**witness, "interpolation": "cubic"},
        applies=misspelt,
    )


def fill_out_of_range(witness: Mapping[str, Any]) -> Difference:
    """Return the difference of a fill that the images' dtype cannot hold."""

    def beyond(arguments: Mapping[str, Any]) -> bool:
        dtype = np.asarray(arguments["images"]).dtype
        if dtype.kind == "f":
            return False
        value = float(np.asarray(arguments.get("fill_value", 0.0)))
        return not np.iinfo(dtype).min <= value < np.iinfo(dtype).max + 1

    return Difference(
        "A fill value beyond the range of integer images saturates; in the reference the processor "
        "decides, and most wrap it around.",
        witness=lambda: {**witness, "fill_value": 300.0},
        applies=beyond,
        only={"images": "biu"},
    )


def not_finite(parameter: str, witness: Mapping[str, Any]) -> Difference:
    """Return the difference of a NaN or infinity in a parameter of the map."""

    def has_none(arguments: Mapping[str, Any]) -> bool:
        return not bool(np.isfinite(np.asarray(arguments[parameter], np.float64)).all())

    return Difference(
        f"A NaN or infinity in `{parameter}` is refused; the reference gives fill or NaN.",
        witness=lambda: dict(witness),
        applies=has_none,
    )


def rounding_is_small(arguments: Mapping[str, Any]) -> bool:
    """Say whether float32 sums, which the reference takes of integers too, can be judged by truncation."""
    images = np.asarray(arguments["images"])
    bilinear = str(arguments.get("interpolation", "nearest")).lower() == "bilinear"
    return not bilinear or images.dtype.kind == "f" or not (np.abs(images.astype(np.float64)) > 2**20).any()
