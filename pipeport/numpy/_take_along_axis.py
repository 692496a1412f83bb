"""take_along_axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Exact, OneOf, Shaped, batch_form
from pipeport.errors import BadIndex, OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._take import OUTSIDE, inside


def with_axis(given: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the call of the reference, whose axis has no default before NumPy 2.3."""
    return (), {"axis": -1, **given}


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether indices are inside the axis, and the other sizes broadcast."""
    arr, indices, axis = arguments["arr"], arguments["indices"], arguments.get("axis", -1)
    size, other = arr.shape[axis], 1 - axis % 2
    fits = indices.shape[other] in (1, arr.shape[other])
    return bool(fits and np.all((indices >= -size) & (indices < size)))


@numpy_native(
    "numpy.take_along_axis", "Take elements by indices along an axis, those of each line by its own.",
    domain={"arr": Array(ranks=(2,), sides=(1, 5), dtypes=REALS),
            "indices": Shaped(shape=("arr.0", (1, 4)), dtypes=("int64", "int32", "uint8"), values=(-3, 3)),
            "axis": OneOf(-1, 0, 1, typical=-1)},
    valid=_fits,
    parameters={"arr": "array_like, bool or any number\nThe array; sizes may be unknown, the rank not.",
                "indices": "array_like, whole numbers\nOf the rank of `arr`; other sizes broadcast.",
                "axis": "int or None, default -1\nAlong which axis; None takes of the flattened array."},
    returns="tf.Tensor, dtype of `arr`\nThe elements.", agreement=Exact(), words="bit for bit, NaN included.",
    raises={"BadAxis": "`arr` has no such axis.",
            "BadIndex": "`indices` are not whole numbers, or a known one lies outside of the axis.",
            "OutsideDomain": "The ranks differ, or the sizes do not broadcast.",
            "tf.errors.InvalidArgumentError": "An index turns out to lie outside of the axis."},
    example=("[[3, 1, 2]], [[1, 2]]", "<tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[1, 2]])>"),
    graph="one gather, compiled with XLA where sizes are known; static shape is kept.",
    stated="(arr, indices, axis=-1)", reference_call="pipeport.numpy._take_along_axis.with_axis",
)  # fmt: skip
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    return _taken(tensor(arr, "arr"), tensor(indices, "indices"), axis, 0)


@batch_form(take_along_axis)
def _batch(arr: Any, indices: Any, axis: Any = -1) -> Any:
    x, index = tensor(arr, "arr"), tensor(indices, "indices")
    shared = known_rank(index, "indices") == (2 if axis is None else known_rank(x, "arr")) - 1
    return _taken(x, index[tf.newaxis] if shared else index, axis, 1)


def _taken(x: Any, index: Any, axis: Any, batch_axes: int) -> Any:
    """Take elements of arrays with as many batch axes."""
    if not index.dtype.is_integer:
        given = f"dtype {index.dtype.name}"
        raise BadIndex(explain("indices", given, "whole numbers", "Cast them with `astype`."))
    if axis is None:
        x, axis = tf.reshape(x, [*sizes_of(x)[:batch_axes], -1]), 0
    rank = known_rank(x, "arr")
    if known_rank(index, "indices") != rank:
        given, advice = f"rank {index.shape.rank - batch_axes}", "Add axes with numpy.newaxis."
        allowed = f"rank {rank - batch_axes}, that of arr"
        raise OutsideDomain(explain("indices", given, allowed, advice))
    place = canonical(whole_number(axis, "axis"), rank - batch_axes, "axis") + batch_axes
    _check_sizes(x, index, place)
    if tf.get_static_value(index) is not None and x.shape[place] is not None:
        index = inside(index, x, place)
    known = x.shape.is_fully_defined() and index.shape.is_fully_defined()
    found, fine = xla.run(_lines, place, known=known and 0 not in (*x.shape, *index.shape))(x, index)
    with tf.control_dependencies([tf.debugging.Assert(fine, [OUTSIDE])]):
        return tf.identity(found)


def _check_sizes(x: Any, index: Any, place: int) -> None:
    """Refuse known sizes that do not broadcast, but for those of the axis."""
    others = [[n for axis, n in enumerate(one.shape) if axis != place] for one in (x, index)]
    try:
        tf.broadcast_static_shape(*map(tf.TensorShape, others))
    except ValueError as error:
        advice = "Other sizes must be equal, or 1."
        given = f"sizes {others[1]} beside {others[0]}"
        raise OutsideDomain(explain("indices", given, "sizes that broadcast", advice)) from error


def _lines(place: int) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Return what takes of the flattened array, in which no axis has to be moved and none repeated.

    Whether all indices are inside of the axis is its second result.
    """

    def taken(x: Any, index: Any) -> tuple[Any, Any]:
        count = x.shape.num_elements()
        dtype = tf.int32 if count is not None and count < 2**31 else tf.int64
        index = tf.cast(index, tf.int64 if index.dtype.size > 2 else tf.int32)
        sizes = sizes_of(x)
        most = tf.cast(sizes[place], index.dtype)
        fine = tf.reduce_all((index >= -most) & (index < most))
        index = tf.clip_by_value(tf.where(index < 0, index + most, index), 0, tf.maximum(most - 1, 0))
        at, stride = tf.zeros([], dtype), tf.ones([], dtype)
        for axis, size in reversed(list(enumerate(sizes))):
            column = [-1, *[1] * (x.shape.rank - 1 - axis)]
            along = index if axis == place else tf.reshape(tf.range(size), column)
            at += tf.cast(along, dtype) * stride
            stride *= tf.cast(size, dtype)
        return tf.gather(tf.reshape(x, [-1]), at), fine

    return taken
