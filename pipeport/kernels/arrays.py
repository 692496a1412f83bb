"""Array-like arguments as tensors, with NumPy's dtypes for plain Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_ALLOWED = "a dense tensor, a NumPy array or nested lists of numbers"


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_tensor(item) for item in value)
    return bool(tf.is_tensor(value))


def as_tensor(value: Any, parameter: str) -> Any:
    """Convert an array-like argument.

    Parameters
    ----------
    value : array-like
        A tensor, a variable, a NumPy array or nested lists. Lists take the dtype NumPy
        gives them (int64, float64), not TensorFlow's (int32, float32).
    parameter : str
        Name for messages.

    Returns
    -------
    tf.Tensor
        Of a boolean, integer, floating or complex dtype.

    Raises
    ------
    WrongType
        The value is no array: ragged, sparse, or of a dtype TensorFlow does not have.
    OutsideDomain
        Nested lists are ragged, or the dtype is not numeric.
    """
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)):
        advice = "Densify it first, for instance with `to_tensor()`."
        raise WrongType(explain(parameter, type(value).__name__, _ALLOWED, advice))
    tensor = tf.convert_to_tensor(value) if _holds_tensor(value) else _constant(value, parameter)
    if not (tensor.dtype.is_bool or tensor.dtype.is_integer or tensor.dtype.is_floating
            or tensor.dtype.is_complex):  # fmt: skip
        advice = "Decode or cast the input first."
        raise OutsideDomain(explain(parameter, f"dtype {tensor.dtype.name}", "bool or a number", advice))
    return tensor


def _constant(value: Any, parameter: str) -> Any:
    try:
        array = np.asarray(value)
    except ValueError as error:
        advice = "Pad the rows to one length."
        raise OutsideDomain(explain(parameter, "ragged nested lists", _ALLOWED, advice)) from error
    try:
        return tf.convert_to_tensor(array)
    except (TypeError, ValueError, tf.errors.UnimplementedError) as error:
        given = f"{type(value).__name__} of dtype {array.dtype}"
        advice = "Convert it to a dtype TensorFlow has."
        raise WrongType(explain(parameter, given, _ALLOWED, advice)) from error


def limit_rank(tensor: Any, parameter: str, most: int) -> None:
    """Refuse ranks for which TensorFlow has no kernel, where the rank is known.

    Parameters
    ----------
    tensor : tf.Tensor
        The argument.
    parameter : str
        Its name.
    most : int
        Largest rank the kernels take.

    Raises
    ------
    UnsupportedArgument
        The static rank is larger.
    """
    rank = tensor.shape.rank
    if rank is not None and rank > most:
        advice = "Reshape neighbouring axes into one first."
        raise UnsupportedArgument(explain(parameter, f"rank {rank}", f"rank {most} or less", advice))


def _rank(tensor: Any) -> Any:
    # Not tf.rank, which tf.debugging.assert_rank uses too: from the ops that follow, constant
    # folding concludes which rank there must be, and the check passes whatever comes.
    return tf.size(tf.shape(tensor))


def at_least_rank(tensor: Any, parameter: str, least: int) -> Any:
    """Return the tensor, checked to have a rank: while tracing, else in the graph.

    Parameters
    ----------
    tensor : tf.Tensor
        The argument.
    parameter : str
        Its name.
    least : int
        Smallest rank allowed.

    Returns
    -------
    tf.Tensor
        The same tensor, ordered after the check.

    Raises
    ------
    OutsideDomain
        The static rank is smaller.
    tf.errors.InvalidArgumentError
        The rank turns out to be smaller.
    """
    allowed, advice = f"rank {least} or more", "Add axes with tf.expand_dims or tf.newaxis."
    rank = tensor.shape.rank
    if rank is not None:
        if rank < least:
            raise OutsideDomain(explain(parameter, f"rank {rank}", allowed, advice))
        return tensor
    message = explain(parameter, "a lower rank at run time", allowed, advice)
    with tf.control_dependencies([tf.debugging.assert_greater_equal(_rank(tensor), least, message)]):
        return tf.identity(tensor)


def exact_rank(tensor: Any, rank: int, message: str) -> Any:
    """Return a tensor of a rank unknown while tracing, checked in the graph to have this one.

    Parameters
    ----------
    tensor : tf.Tensor
        The argument.
    rank : int
        The rank, which the result has while tracing.
    message : str
        For the error.

    Returns
    -------
    tf.Tensor
        The same tensor, ordered after the check.

    Raises
    ------
    tf.errors.InvalidArgumentError
        The rank turns out to be another.
    """
    with tf.control_dependencies([tf.debugging.assert_equal(_rank(tensor), rank, message)]):
        checked = tf.identity(tensor)
    checked.set_shape([None] * rank)
    return checked
