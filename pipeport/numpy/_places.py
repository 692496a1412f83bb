"""Places as indices of axes: unravel_index, ix_."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import tensors_in
from pipeport.arrays._places import true_places
from pipeport.contract import Array, ArrayList, Exact, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.numpy._families import numpy_native, read, refuse, tensor
from pipeport.numpy._reductions import BITS
from pipeport.numpy._sized import by_position, first_by_position, one_by_one, sizes_of

_BEYOND = "Such a place lies outside of the array."


@numpy_native(
    "numpy.unravel_index", "Turn places of a flattened array into indices of its axes.",
    domain={"indices": Array(dtypes=("uint8", "int32", "int64"), ranks=(0, 1, 2), sides=(0, 4)),
            "shape": OneOf((300,), (20, 20), (3, 4), (4, 10, 7), (2,), typical=(20, 20))},
    parameters={"indices": "array_like of int\nPlaces, counted from 0; any shape.",
                "shape": "int or sequence of int, or tensors of one\nThe sizes of the array."},
    returns="tuple of tf.Tensor of int64, shape of `indices`\nAn index for each axis.",
    agreement=Exact(), words=BITS, stated="(indices, shape, order='C')",
    reference_call=f"{first_by_position.__module__}.{first_by_position.__name__}",
    raises={"OutsideDomain": "A place lies outside of the array, or a size is negative.",
            "tf.errors.InvalidArgumentError": "A place lies outside when the graph runs."},
    example=("5, (2, 3)", "(<tf.Tensor: shape=(), dtype=int64, numpy=1>, <tf.Tensor: shape=(), dtype=int64, "
             "numpy=2>)"),
    outputs=("first", "second"), graph="two divisions and a check per axis; static shape is kept.",
)  # fmt: skip
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    refuse(order=(order, "C"))
    given = read(indices, "indices")
    if given.dtype.kind not in "iu":
        advice = "Cast them to integers first."
        raise WrongType(explain("indices", f"dtype {given.dtype}", "whole numbers", advice))
    place = tf.cast(tf.convert_to_tensor(given.value), tf.int64)
    sizes = [tf.cast(size, tf.int64) for size in sizes_of(tensors_in(shape), "shape")]
    total = tf.reduce_prod(tf.stack(sizes)) if sizes else tf.ones([], tf.int64)
    fine = tf.reduce_all((place >= 0) & (place < total))
    known = tf.get_static_value(fine)
    if known is not None and not known:
        raise OutsideDomain(explain("indices", "a place outside", "0 to the number of elements", _BEYOND))
    checks = []
    if known is None:
        message = explain("indices", "a place outside, at run time", "0 to the number of elements", _BEYOND)
        checks = [tf.debugging.Assert(fine, [message])]
    found = []
    with tf.control_dependencies(checks):
        for size in reversed(sizes):
            size = tf.maximum(size, 1)
            found.append(place % size)
            place //= size
    return tuple(reversed(found))


@numpy_native(
    "numpy.ix_", "Turn places along each axis into indices of all rows and columns at which they meet.",
    domain={"args": ArrayList(counts=(1, 3), ranks=(1,), sides=(0, 4),
                              dtypes=("uint8", "int32", "int64"))},
    parameters={"args": "array_like of one axis, whole numbers or bool\nThe places along each axis; of bool "
                        "those that are True."},
    returns="tuple of tf.Tensor\nAn index for each axis, of size one along the others.", agreement=Exact(),
    words=BITS, raises={"OutsideDomain": "An argument does not have one axis."},
    reference_call="pipeport.numpy._sized.listed_by_position", cannot_serve=(one_by_one("args"),),
    view_of="each",
    example=("[0, 2], [1]", "(<tf.Tensor: shape=(2, 1), dtype=int64, numpy=\narray([[0],\n       [2]])>, "
             "<tf.Tensor: shape=(1, 1), dtype=int64, numpy=array([[1]])>)"),
    outputs=("first", "second", "third"),
    graph="a reshape per axis, and of bool an op whose size is known when it runs.",
)  # fmt: skip
@by_position("args")
def ix_(args: Any) -> Any:
    found = []
    for place, one in enumerate(args):
        x = tensor(one, "args")
        if known_rank(x, "args") != 1:
            given, advice = f"rank {x.shape.rank} at number {place}", "Give the places along one axis."
            raise OutsideDomain(explain("args", given, "rank 1", advice))
        if x.shape[0] == 0 and isinstance(one, (list, tuple)):
            x = tf.cast(x, tf.int64)
        x = _of_true(x) if x.dtype.is_bool else x
        found.append(tf.reshape(x, [-1 if other == place else 1 for other in range(len(args))]))
    return tuple(found)


def _of_true(holds: Any) -> Any:
    """Return where bools along one axis hold; of known ones the number is known too."""
    known = tf.get_static_value(holds)
    return true_places(holds)[:, 0] if known is None else tf.constant(np.flatnonzero(known))
