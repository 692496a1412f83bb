"""Kinds of values in a ported body: an array, a number known while tracing, a Python object."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh, weak_scalar
from pipeport.arrays._memory import known as known
from pipeport.arrays._operators import operand


def is_array(value: Any) -> bool:
    """Say whether a value is pipeport's array."""
    return hasattr(type(value), "__pipeport_operand__")


def is_tensor(value: Any) -> bool:
    """Say whether a value is a tensor of TensorFlow's, and no array."""
    return isinstance(value, tf.Tensor)


def is_text(value: Any) -> bool:
    """Say whether a value is a string, or a list of strings, known only at run time."""
    return hasattr(type(value), "__pipeport_text__")


def is_symbolic_list(value: Any) -> bool:
    """Say whether a value is a list of a length known only at run time."""
    return hasattr(type(value), "pipeport_list")


def is_of_images(shape: Any) -> bool:
    """Say whether a shape may be that of an image, or of a batch of images, with its channels last."""
    return len(shape) in (3, 4) and shape[-1] in (1, 3, 4)


def holds_array(value: Any) -> bool:
    """Say whether an array, a tensor or a string of the graph stands anywhere in nested containers."""
    if isinstance(value, (list, tuple)):
        return any(holds_array(one) for one in value)
    if isinstance(value, dict):
        return any(holds_array(one) for one in value.values())
    return is_array(value) or is_tensor(value) or is_text(value) or is_symbolic_list(value)


def tensor_of(value: Any) -> Any:
    """Return the tensor of an array or of a string of the graph; all else unchanged."""
    if is_text(value):
        return value.tensor
    return value._values if is_array(value) else value


def sentence(start: str, values: Any) -> Any:
    """Return one text of a start and of what an exception was given, which the graph may know alone."""
    parts = [_told(one) for one in values]
    if any(map(is_tensor, parts)):
        return f"{start}: " + tf.strings.join(parts, ", ")
    return f"{start}: {', '.join(parts)}" if parts else start


def _told(value: Any) -> Any:
    if is_text(value) and not value.tensor.shape.rank:
        return value.tensor
    if is_array(value) or is_tensor(value):
        return tf.strings.format("{}", tensor_of(value))
    return str(value)


def without_text(value: Any) -> Any:
    """Return nested containers with tensors in the place of strings of the graph; themselves without any."""
    if is_text(value):
        return value.tensor
    if type(value) not in (list, tuple, dict):
        return value
    parts = list(value.values()) if type(value) is dict else value
    found = [without_text(one) for one in parts]
    if all(map(operator.is_, found, parts)):
        return value
    return dict(zip(value, found, strict=True)) if type(value) is dict else type(value)(found)


def as_array(value: Any) -> Any:
    """Return a number, a tensor, a NumPy array or nested lists of these as an array.

    `value`: an array stays itself. Returns: None of what is not a number.
    """
    if is_array(value):
        return value
    found = operand(value)
    if found is None:
        return None
    tensor = tf.constant(np.asarray(found.value, found.dtype)) if found.plain else found.value
    if not (
        tensor.dtype.is_bool or tensor.dtype.is_integer or tensor.dtype.is_floating or tensor.dtype.is_complex
    ):
        return None
    return fresh(tensor, weak=found.weak)


def is_symbolic(value: Any) -> bool:
    """Say whether a value is an array or a tensor known only at run time."""
    return (is_array(value) or is_tensor(value)) and known(value) is None


def python_number(value: Any) -> Any:
    """Return a scalar array whose value is known as Python's number; all else unchanged."""
    if is_array(value) and value._values.shape.rank == 0:
        found = known(value)
        if found is not None:
            return found.item()
    return value


def plain_number(value: Any) -> Any:
    """Return a weak array whose value is known as Python's number; all else unchanged."""
    return python_number(value) if is_array(value) and value.weak else value


def weak(tensor: Any) -> Any:
    """Return a scalar tensor as Python's number: itself where it is known, else a weak array."""
    return python_number(weak_scalar(tensor))
