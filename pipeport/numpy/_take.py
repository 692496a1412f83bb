"""take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    ALL_DTYPES,
    Array,
    Difference,
    Exact,
    Integer,
    Maybe,
    OneOf,
    Shaped,
    Stock,
    batchable,
    replaces,
)
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import static_value
from pipeport.numpy._families import refuse
from pipeport.numpy._ranked import along, ranked

_MODES = ("raise", "wrap", "clip")
_WHOLE = "whole numbers"
_EMPTY = "Nothing can be taken from an empty axis."
_BEYOND = "Give mode='wrap' or mode='clip' to bring indices inside."
# What is said of an index known only at run time.
OUTSIDE = explain("indices", "one beyond the axis at run time", "indices inside", _BEYOND)


def _indices(indices: Any) -> tuple[Any, Any]:
    """Return the indices as a tensor of a signed dtype, and as NumPy where tracing knows them."""
    indices = static_value(indices, "indices")
    if tf.is_tensor(indices):
        if not (indices.dtype.is_integer or indices.dtype.is_bool):
            given = f"dtype {indices.dtype.name}"
            raise WrongType(explain("indices", given, _WHOLE, "Cast them with tf.cast."))
        return tf.cast(indices, tf.int64 if indices.dtype.size > 2 else tf.int32), None
    try:
        table = np.asarray(indices)
    except ValueError as error:
        advice = "Pad the rows to one length."
        raise OutsideDomain(explain("indices", "ragged nested lists", _WHOLE, advice)) from error
    if table.size == 0 and isinstance(indices, (list, tuple)):
        table = table.astype(np.int64)
    if table.dtype.kind not in "biu":
        given = f"{type(indices).__name__} of dtype {table.dtype}"
        raise WrongType(explain("indices", given, _WHOLE, "Round and cast them first."))
    return None, table.astype(np.int64)


def _inside(index: Any, size: int, mode: str, *, vacuous: bool) -> Any:
    """Return indices known while tracing counted from 0, for an axis of known size."""
    if mode == "raise":
        bad = (index < -size) | (index >= size)
        if bad.any():
            allowed = f"{-size} to {size - 1}" if size else "no index, as the axis is empty"
            raise BadIndex(explain("indices", int(index[bad][0]), allowed, _BEYOND if size else _EMPTY))
        return index + size * (index < 0)
    if not size:
        if index.size and not vacuous:
            raise BadIndex(explain("indices", f"{index.size}", "none, as the axis is empty", _EMPTY))
        return index * 0
    return index % size if mode == "wrap" else np.clip(index, 0, size - 1)


def _inside_in_graph(index: Any, size: Any, mode: str) -> Any:
    size = tf.cast(size, index.dtype)
    if mode == "raise":
        fine = tf.reduce_all((index >= -size) & (index < size))
        with tf.control_dependencies([tf.debugging.Assert(fine, [OUTSIDE])]):
            return tf.where(index < 0, index + size, index)
    message = explain("indices", "an empty axis at run time", "at least one element", _EMPTY)
    with tf.control_dependencies([tf.debugging.Assert((size > 0) | (tf.size(index) == 0), [message])]):
        if mode == "clip":
            return tf.clip_by_value(index, 0, tf.maximum(size - 1, 0))
        return tf.math.floormod(index, tf.maximum(size, 1))


def inside(indices: Any, x: Any, axis: int) -> Any:
    """Return a tensor of indices counted from 0, checked to be inside an axis of an array.

    `indices`: whole numbers; negative ones count from the end. Returns: int32 or int64.
    """
    known, size = tf.get_static_value(indices), x.shape[axis]
    if known is not None and size is not None:
        return tf.constant(_inside(known.astype(np.int64), size, "raise", vacuous=False))
    index = tf.cast(indices, tf.int64 if indices.dtype.size > 2 else tf.int32)
    return _inside_in_graph(index, tf.shape(x)[axis], "raise")


def _chosen(index: tuple[int, ...], shape: tuple[int, ...], axis: int) -> Callable[[Any], Any]:
    table = np.asarray(index, np.int32).reshape(shape)
    return lambda x: tf.gather(x, table, axis=axis)


def _floating(arguments: Mapping[str, Any]) -> bool:
    indices = arguments["indices"]
    return (
        not isinstance(indices, np.ndarray) and np.asarray(indices).dtype.kind == "f" and np.size(indices) > 0
    )


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Whether indices are inside the axis where they must be: in a graph only the value is an error."""
    if arguments.get("mode", "raise") != "raise":
        return True
    shape, axis = np.shape(arguments["a"]), arguments.get("axis")
    index = np.asarray(arguments["indices"])
    if axis is not None and not -len(shape) <= axis < len(shape):
        return True
    size = int(np.prod(shape)) if axis is None else shape[axis]
    return bool(np.all((index >= -size) & (index < size)))


@replaces(
    "numpy.take",
    domain={
        "a": Array(ranks=(1, 2, 3, 4), sides=(1, 5), dtypes=ALL_DTYPES),
        "indices": Shaped(
            shape=((0, 4),),
            dtypes=("int64", "int32", "uint8", "bool"),
            values=(-7, 7),
            element_rank=1,
            typical=np.array([2, 0]),
        ),
        "axis": Maybe(spec=Integer(-4, 3), typical=-1),
        "mode": OneOf(*_MODES, typical="raise"),
    },
    agreement=Exact(),
    differences=(
        Difference(
            "Python floats as `indices` are refused; NumPy drops their fraction.",
            witness=lambda: {"a": np.arange(3), "indices": 1.5},
            applies=_floating,
        ),
    ),
    refused={"out": "tensors cannot be written to"},
    valid=_valid,
    stock=Stock("tf.gather", "counts from 0 only, and has one mode", "pipeport.references.stock_arrays.take"),
)
@batchable
def take(
    batch_axes: int, a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise"
) -> Any:
    """Take elements along an axis by index.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    indices : array_like of int, any shape
        What to take; may be data.
    axis : int or None, default None
        The axis to take from; negative ones count from the end. None takes the flattened array.
    mode : {'raise', 'wrap', 'clip'}, default 'raise'
        Indices beyond the axis are an error, count on from its other end, or become its last; with
        'clip' negative ones become 0, else they count from the end.

    Returns
    -------
    tf.Tensor, dtype of `a`
        Shape of `a`, with the axis replaced by the shape of `indices`.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    BadIndex
        An index known while tracing lies beyond the axis, or the axis is empty.
    OutsideDomain
        `indices` are ragged.
    UnsupportedArgument
        `out` is given, `mode` is no such mode, or the rank of `a` is not known while tracing.
    WrongType
        `indices` are not whole numbers.
    tf.errors.InvalidArgumentError
        An index that is data lies beyond the axis, or the axis is empty.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time; static sizes are kept. Compiled by XLA where shape and
    indices are known while tracing (see `pipeport.config`). In the batched form indices of rank 0
    or 1 are shared; of rank 2 or more they are one array per element.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import take
    >>> take(tf.constant([[1, 2, 3]]), [2, 1, 0], axis=-1).numpy().tolist()
    [[3, 2, 1]]
    """
    refuse(out=(out, None))
    _checks.word(mode, _MODES, "mode", error=UnsupportedArgument)
    x, rank = ranked(a, "a", batch_axes)
    x, place = along(x, rank, axis, batch_axes)
    index, known = _indices(indices)
    size = x.shape[place]
    each = batch_axes and (known.ndim if known is not None else index.shape.rank or 0) > 1
    if known is not None and size is not None:
        others = [n for axis, n in enumerate(x.shape) if axis != place]
        known = _inside(known, size, mode, vacuous=0 in others)
        if not size and known.size:  # indices into an empty axis, for a result that is empty too
            shape = [*x.shape[:place], *known.shape, *x.shape[place + 1 :]]
            return tf.zeros([0 if n is None else n for n in shape], x.dtype)
        if not each:
            # Of three channels: 997 us, compiled 412.
            return xla.run(_chosen, tuple(known.ravel().tolist()), known.shape, place)(x)
    if known is not None:
        index = tf.constant(known)
    if known is None or size is None:
        index = _inside_in_graph(index, tf.shape(x)[place], mode)
    return tf.gather(x, index, axis=place, batch_dims=1 if each else 0)
