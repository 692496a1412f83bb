"""Array-like arguments as tensors, with NumPy's dtypes for plain Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_ALLOWED = "a dense tensor, a NumPy array or nested lists of numbers"


def holds_tensor(value: Any) -> bool:
    """Say whether a value is a tensor, or a nested list or tuple with one in it.

    Returns: True also for tensors whose value is known.
    """
    if isinstance(value, (list, tuple)):
        return any(holds_tensor(item) for item in value)
    return bool(tf.is_tensor(value))


def as_tensor(value: Any, parameter: str) -> Any:
    """Convert an array-like argument.

    `value`: a tensor, a variable, a NumPy array, nested lists and tuples of numbers and tensors, or an object
    with ``__pipeport_array__()``, as an image of Pillow's has it. Lists take the dtype NumPy gives them
    (int64, float64), not TensorFlow's (int32, float32). Returns: of a boolean, integer, floating or complex
    dtype. WrongType where the value is not an array: ragged, sparse, symbolic in Keras, or of a dtype
    TensorFlow does not have.
    """
    _refuse_others(value, parameter)
    unwrap = getattr(type(value), "__pipeport_array__", None)
    if unwrap is not None:
        value = unwrap(value)
    if not holds_tensor(value):
        tensor = _constant(value, parameter)
    elif isinstance(value, (list, tuple)):
        tensor = joined(value, parameter)
    else:
        tensor = tf.convert_to_tensor(value)
    if not (tensor.dtype.is_bool or tensor.dtype.is_integer or tensor.dtype.is_floating
            or tensor.dtype.is_complex):  # fmt: skip
        advice = "Decode or cast the input first."
        raise OutsideDomain(explain(parameter, f"dtype {tensor.dtype.name}", "bool or a number", advice))
    return tensor


def refuse_symbolic(value: Any, parameter: str) -> None:
    """Refuse a KerasTensor; that of Keras 2 is a tensor to TensorFlow, and served as far as that goes."""
    # By name: to import Keras for its class would cost every user a second.
    if tf.is_tensor(value) or not any(base.__name__ == "KerasTensor" for base in type(value).__mro__):
        return
    given = f"a KerasTensor, which has no values, shape {tuple(value.shape)}"
    advice = (
        "Call the native inside keras.layers.Lambda (as pipeport.batched(native), since a layer is given "
        "a batch), or before the model, in Dataset.map."
    )
    raise WrongType(explain(parameter, given, _ALLOWED, advice))


def _refuse_others(value: Any, parameter: str) -> None:
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)):
        advice = "Densify it first, for instance with `to_tensor()`."
        raise WrongType(explain(parameter, type(value).__name__, _ALLOWED, advice))
    refuse_symbolic(value, parameter)


def joined(value: Any, parameter: str, *, weak: bool = False) -> Any:
    """Return nested lists or tuples of numbers and tensors as one tensor.

    `value`: at any depth, numbers, arrays and tensors, as many in one list as in the next. `weak`: whether
    Python numbers leave the dtype to what else there is, as beside a NumPy scalar. Returns: of the dtype that
    NumPy gives such a list: that in which every entry has room.
    """
    leaves: list[Any] = []
    _collect(value, parameter, leaves)
    strong = [leaf for leaf in leaves if type(leaf) not in (int, float)] if weak else leaves
    try:
        dtype = np.result_type(*(_dtype_of(leaf) for leaf in strong or leaves))
        if weak and dtype.kind in "iu" and any(isinstance(leaf, float) for leaf in leaves):
            dtype = np.dtype(np.float64)
        return _stacked(value, tf.as_dtype(dtype))
    except TypeError as error:
        names = ", ".join(dict.fromkeys(np.dtype(_dtype_of(leaf)).name for leaf in leaves))
        advice = "Cast them to one dtype with tf.cast."
        raise WrongType(explain(parameter, f"a list of {names}", _ALLOWED, advice)) from error
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        advice = "Pad the rows to one length."
        raise OutsideDomain(explain(parameter, "ragged nested lists", _ALLOWED, advice)) from error


def _collect(value: Any, parameter: str, leaves: list[Any]) -> None:
    if isinstance(value, (list, tuple)):
        for item in value:
            _collect(item, parameter, leaves)
        return
    _refuse_others(value, parameter)
    # Of TensorFlow's own dtypes bfloat16 is one of NumPy's kind V.
    if np.dtype(_dtype_of(value)).kind not in "biufcV":
        advice = "Give numbers, or tensors of numbers."
        raise WrongType(explain(parameter, f"a list that holds {value!r}", _ALLOWED, advice))
    leaves.append(value)


def _dtype_of(leaf: Any) -> Any:
    if not tf.is_tensor(leaf):
        return np.asarray(leaf).dtype
    return getattr(leaf.dtype, "as_numpy_dtype", leaf.dtype)  # that of a ported body's array is NumPy's


def _stacked(value: Any, dtype: Any) -> Any:
    if isinstance(value, (list, tuple)):
        if not value:
            return tf.zeros([0], dtype)
        return tf.stack([_stacked(item, dtype) for item in value])
    if tf.is_tensor(value):
        return tf.cast(tf.convert_to_tensor(value), dtype)
    return tf.constant(np.asarray(value).astype(dtype.as_numpy_dtype))


def static_value(value: Any, parameter: str) -> Any:
    """Return a parameter without tensors where tracing knows its value, else as one tensor.

    `value`: a tensor, nested lists and tuples with or without tensors, or anything else. Returns: a tensor if
    the value, or a part of it, is not known while tracing. NumPy's form of what is known of tensors; anything
    else as it is.
    """
    if not holds_tensor(value):
        return value
    tensor = joined(value, parameter) if isinstance(value, (list, tuple)) else value
    if not isinstance(tensor, tf.Variable):  # its value now is not its value later
        tensor = tf.convert_to_tensor(tensor)
    known = tf.get_static_value(tensor)
    return tensor if known is None else known


def _constant(value: Any, parameter: str) -> Any:
    try:
        array = np.asarray(value)
    except ValueError as error:
        _collect(value, parameter, [])  # what is in the lists may be the reason
        advice = "Pad the rows to one length."
        raise OutsideDomain(explain(parameter, "ragged nested lists", _ALLOWED, advice)) from error
    try:
        return tf.convert_to_tensor(array)
    except (TypeError, ValueError, tf.errors.UnimplementedError) as error:
        given = f"{type(value).__name__} of dtype {array.dtype}"
        advice = "Convert it to a dtype TensorFlow has."
        raise WrongType(explain(parameter, given, _ALLOWED, advice)) from error


def known_rank(x: Any, parameter: str = "a") -> int:
    """Return the rank of a tensor."""
    if x.shape.rank is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain(parameter, "an unknown rank", "a known rank", advice))
    return int(x.shape.rank)


def limit_rank(tensor: Any, parameter: str, most: int) -> None:
    """Refuse ranks for which TensorFlow has no kernel, where the rank is known."""
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

    Returns: the same tensor, ordered after the check.
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

    `rank`: the rank, which the result has while tracing. Returns: the same tensor, ordered after the check.
    """
    with tf.control_dependencies([tf.debugging.assert_equal(_rank(tensor), rank, message)]):
        checked = tf.identity(tensor)
    checked.set_shape([None] * rank)
    return checked


def sizes_of(x: Any) -> list[Any]:
    """Return the sizes of a tensor of known rank one by one.

    Returns: one entry per axis: a Python integer where tracing knows it, else a scalar tensor.
    """
    return [tf.shape(x)[at] if size is None else size for at, size in enumerate(x.shape.as_list())]
