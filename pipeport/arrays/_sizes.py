"""Arguments that are shapes: integers, with tensors among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.integers import whole_number

_ALLOWED = "whole numbers, or scalar tensors of them"


def dimensions(shape: Any, parameter: str) -> list[Any]:
    """Return the sizes one by one: Python integers where tracing knows them, else scalar tensors.

    `shape`: one number is a shape of rank 1. Returns: one entry per axis.
    """
    if tf.is_tensor(shape):
        known = tf.get_static_value(shape)
        if known is not None:
            shape = known
        elif shape.shape.rank == 1 and shape.shape[0] is not None:
            shape = tf.unstack(shape)
        elif shape.shape.rank != 0:
            given, advice = f"a tensor of shape {shape.shape}", "State its length with tf.ensure_shape."
            raise UnsupportedArgument(explain(parameter, given, _ALLOWED, advice))
    one = tf.is_tensor(shape) or getattr(shape, "ndim", None) == 0 or not isinstance(shape, Iterable)
    return [_size(size, parameter) for size in ([shape] if one else shape)]


def _size(size: Any, parameter: str) -> Any:
    if not tf.is_tensor(size) or tf.get_static_value(size) is not None:
        return whole_number(size, parameter)
    if not size.dtype.is_integer or size.shape.rank not in (None, 0):
        given, advice = f"a tensor of {size.dtype.name}, shape {size.shape}", "Cast it with tf.cast."
        raise WrongType(explain(parameter, given, _ALLOWED, advice))
    return size


def is_known(sizes: Sequence[Any]) -> bool:
    """Say whether all sizes are Python integers."""
    return not any(tf.is_tensor(size) for size in sizes)


def stacked(sizes: Sequence[Any]) -> Any:
    """Return sizes as TensorFlow takes them.

    Returns: int32; what is known of it stays known.
    """
    if is_known(sizes):
        return tf.constant(sizes, tf.int32, [len(sizes)])
    return tf.stack([tf.cast(size, tf.int32) for size in sizes])
