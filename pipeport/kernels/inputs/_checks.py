"""Checks of arguments, while tracing where the value is known, else in the graph."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor as as_tensor

NUMBERS = (
    "uint8",
    "uint16",
    "uint32",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
)


def one_of(value: Any, allowed: Sequence[Any], name: str, advice: str) -> None:
    """Refuse a value that is not listed."""
    if not any(value is entry or (type(value) is type(entry) and value == entry) for entry in allowed):
        raise UnsupportedArgument(explain(name, repr(value), ", ".join(map(repr, allowed)), advice))


def word(
    value: Any,
    words: Iterable[str | None],
    name: str,
    advice: str = "Name one of these.",
    error: type[PipeportError] = OutsideDomain,
) -> str:
    """Return a word that is listed; others are refused."""
    if not isinstance(value, str) or value not in words:
        raise error(explain(name, repr(value), ", ".join(map(repr, words)), advice))
    return value


def dtype_among(
    tensor: Any,
    allowed: Iterable[str],
    name: str,
    advice: str = "Cast it first with tf.cast.",
    error: type[PipeportError] = OutsideDomain,
) -> None:
    """Refuse a tensor of another dtype."""
    if tensor.dtype.name not in allowed:
        raise error(explain(name, f"dtype {tensor.dtype.name}", ", ".join(allowed), advice))


def not_empty(x: Any, name: str, axes: Sequence[int] | None = None, element: slice = slice(None)) -> Any:
    """Refuse an array without elements, now or when the graph runs.

    `name`: of the parameter, for the message. `axes`: look at these axes alone, as where the channels may be
    none. By default at all but a batch of elements, which may be none: those in front of `element`.
    `element`: the axes whose sizes the message tells: not those that the caller added. Returns: the same
    array, ordered after the check.
    """
    axes = range(element.start or 0, x.shape.rank) if axes is None else axes
    sizes = [x.shape[axis] for axis in axes]
    allowed, advice = "at least one element", "Filter such elements out first."
    if 0 in sizes:
        shown = x.shape[element] if 0 in x.shape[element].as_list() else x.shape
        raise OutsideDomain(explain(name, f"a side of no pixels, shape {shown}", allowed, advice))
    if None not in sizes:
        return x
    found = tf.gather(tf.shape(x), list(axes))
    message = explain(name, "a side of no pixels, see the shape", allowed, advice)
    check = tf.debugging.Assert(tf.reduce_all(found > 0), [message, tf.shape(x)[element]])
    with tf.control_dependencies([check]):
        return tf.identity(x)


def index_range(images: Any, margin: int, name: str) -> None:
    """Refuse images of known sizes which, with a margin on each side, have more pixels than int32 counts."""
    if images.shape[:3].is_fully_defined():
        count, height, width = images.shape[:3].as_list()
        pixels = count * (height + 2 * margin) * (width + 2 * margin)
        if pixels >= 2**31:
            allowed = f"at most {2**31 - 1}"
            raise OutsideDomain(explain(name, f"{pixels} pixels", allowed, "Work on smaller batches."))


def finite_scalar(value: Any, name: str, batch: bool = False) -> Any:
    """Return a finite number as float64: a Python float, or a checked tensor.

    With `batch`, a tensor of one axis (a value per element) is accepted too.
    """
    advice = "For one value per element of a batch use pipeport.batched." if not batch else "Give one number."
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise WrongType(explain(name, repr(value), "a real number", "Give one number."))
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise OutsideDomain(explain(name, str(value), "a finite number", "Replace NaN and infinities."))
        return float(value)
    tensor = as_tensor(value, name)
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "a real number", advice))
    if tensor.shape.rank is not None and tensor.shape.rank not in ((0, 1) if batch else (0,)):
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", "a scalar", advice))
    tensor = tf.cast(tensor, tf.float64)
    tensor = finite(tensor, name, "a finite number")
    constant = tf.get_static_value(tensor)
    return float(constant) if constant is not None and constant.ndim == 0 else tensor


def finite(tensor: Any, name: str, allowed: str) -> Any:
    """Refuse NaN and infinities, now or when the graph runs."""
    constant = tf.get_static_value(tensor)
    if constant is not None:
        if not np.all(np.isfinite(constant)):
            raise OutsideDomain(explain(name, str(constant), allowed, "Replace NaN and infinities."))
        return tensor
    # `tf.debugging.check_numerics` counts as an operation with state, so that a map that runs it is not
    # made parallel; `tf.debugging.Assert` adds a branch of two functions.
    whole = tf.math.is_finite(tensor)
    whole = every(whole)
    message = explain(name, "NaN or an infinity", allowed, "Replace it upstream.")
    with tf.control_dependencies([tf.raw_ops.Assert(condition=whole, data=[message])]):
        return tf.identity(tensor)


def flag(value: Any, name: str) -> bool:
    """Return a Python truth value; a tensor is refused, it cannot choose a graph."""
    if tf.is_tensor(value):
        raise UnsupportedArgument(
            explain(name, "a tensor", "a Python bool", "It shapes the graph: decide it before tracing.")
        )
    return bool(value)


def check(
    condition: Callable[..., Any], parameter: str, given: str, allowed: str, advice: str, *values: Any
) -> list[Any]:
    """Refuse values that do not meet a condition: now where they are known, else in the graph.

    `condition`: takes the values, and gives a scalar bool tensor. Returns: the same, ordered after the check.
    """
    known = [tf.get_static_value(value) for value in values]
    if all(value is not None for value in known):
        with tf.init_scope():
            holds = bool(condition(*(tf.constant(value) for value in known)))
        if not holds:
            raise OutsideDomain(explain(parameter, given, allowed, advice))
        return list(values)
    message = explain(parameter, given, allowed, advice)
    with tf.control_dependencies([tf.raw_ops.Assert(condition=condition(*values), data=[message])]):
        return [tf.identity(value) for value in values]


def every(truth: Any) -> Any:
    """Say whether all elements are true; a scalar is its own answer, for five operations less."""
    return truth if truth.shape.rank == 0 else tf.reduce_all(truth)
