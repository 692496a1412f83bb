"""Elements chosen, copied, left out and put in: where, copy, ascontiguousarray, delete, insert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _operators, _order
from pipeport.arrays._along import truth
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.arrays._making import tensors_in
from pipeport.arrays._promotion import common, fitted
from pipeport.arrays._select import select
from pipeport.contract import Array, CannotServe, Exact, Integer, Maybe, OneOf, Shaped
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import static, whole_number, whole_numbers
from pipeport.numpy._asarray import representable
from pipeport.numpy._families import REALS, numpy_native, read, refuse, tensor
from pipeport.numpy._shaping import at_least

_BITS = "bit for bit, NaN included."
_A = "array_like, bool or any number\nThe array; sizes may be unknown."


def _alone(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("x") is None


def _together(arguments: Mapping[str, Any]) -> bool:
    shape, x, y = arguments["condition"].shape, arguments.get("x"), arguments.get("y")
    return (x is None) == (y is None) and (len(set(shape)) == 1 or np.ndim(x) == np.ndim(y) == 0)  # type: ignore[arg-type]


_CHOICE = Shaped(shape=("condition.0",), dtypes=REALS, non_finite=True)


def given_by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call `numpy.where`, for which None is an object to be chosen."""
    return tuple(arguments[name] for name in ("condition", "x", "y") if arguments.get(name) is not None), {}


@numpy_native(
    "numpy.where", "Choose elements of two arrays by a condition, or find where it holds.",
    domain={"condition": Array(ranks=(1, 2), dtypes=("bool", "uint8", "float32"), sides=(0, 5)),
            "x": Maybe(spec=_CHOICE, typical=1.0), "y": Maybe(spec=_CHOICE, typical=0.0)},
    valid=_together,
    parameters={"condition": "array_like, bool or any number\nWhat is zero or False does not hold.",
                "x": "array_like or None, default None\nWhere it holds; numbers take the dtype of the other.",
                "y": "array_like or None, default None\nElsewhere; the three shapes broadcast."},
    returns="tf.Tensor, or a tuple of them without `x` and `y`\nThe elements; or indices along each axis.",
    agreement=Exact(), words=_BITS,
    raises={"OutsideDomain": "Only one of `x` and `y` is given, or shapes do not broadcast.",
            "UnsupportedArgument": "The rank is not known while tracing, where indices are wanted."},
    example=("[True, False], [1, 2], 0", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 0])>"),
    graph="an op and the casts; static shape is kept, but for the number of indices.",
    stated="(condition, x=None, y=None, /)", nameless=("condition", "x", "y"),
    reference_call=f"{__name__}.given_by_position",
    cannot_serve=(
        CannotServe("batched", "the elements have different numbers of indices",
                    lambda: {"condition": np.array([[True, False], [True, True]])}, _alone),
    ),
)  # fmt: skip
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    holds = truth(tensor(condition, "condition"))
    if (x is None) != (y is None):
        raise OutsideDomain(explain("x, y", "one of them", "both or neither", "Give the other one too."))
    if x is None:
        return _order.nonzero(holds)
    first, second = read(x, "x"), read(y, "y")
    dtype, _ = common((first, second))
    this, other = fitted(first, dtype), fitted(second, dtype)
    _operators.same_shape(this, other)
    for one in (this, other):
        _operators.same_shape(holds, one)
    return chosen(holds, this, other)


def chosen(holds: Any, this: Any, other: Any) -> Any:
    """Return elements of two tensors by a condition, where shapes allow it with a kernel that is fast.

    `this`, `other`: of one dtype; all shapes broadcast. Returns: elements of the first where it holds.
    """
    if holds.shape.is_fully_defined():
        if other.shape == holds.shape and this.shape in (holds.shape, tf.TensorShape([])):
            return select(holds, this, other)
        if this.shape == holds.shape and other.shape.rank == 0:
            return select(tf.logical_not(holds), other, this)
    return tf.where(holds, this, other)


@numpy_native(
    "numpy.copy", "Return an array with elements of its own.", domain={"a": Array()}, parameters={"a": _A},
    returns="tf.Tensor, shape and dtype of `a`\nThe elements.", agreement=Exact(), words=_BITS,
    example=("[1, 2]", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>"),
)  # fmt: skip
def copy(a: Any, order: Any = "K", subok: Any = False) -> Any:
    refuse(order=(order, "K"), subok=(subok, False))
    return tf.identity(tensor(a, "a"))


@numpy_native(
    "numpy.ascontiguousarray", "Return an array of at least one axis, as every tensor lies in memory.",
    view_of="first",
    domain={"a": Array(), "dtype": Maybe(spec=OneOf(*REALS))},
    valid=representable,
    parameters={"a": _A, "dtype": "dtype or None, default None\nOf the result; None keeps it."},
    returns="tf.Tensor, shape of `a`, or (1,)\nThe elements.", agreement=Exact(), words=_BITS,
    raises={"UnsupportedArgument": "`like` is given, or the rank is not known while tracing."},
    example=("[1, 2]", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>"),
    stated="(a, dtype=None, *, like=None)",
)  # fmt: skip
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    refuse(like=(like, None))
    x = at_least(tensor(a, "a"), 1)
    if dtype is None or np.dtype(x.dtype.as_numpy_dtype) == numpy_dtype(dtype):
        return tf.identity(x)
    return cast(x, numpy_dtype(dtype))


def _along(arr: Any, axis: Any) -> tuple[Any, int]:
    x = tensor(arr, "arr")
    if axis is None:
        return tf.reshape(x, [-1]), 0
    return x, canonical(whole_number(axis, "axis"), known_rank(x, "arr"), "axis")


def _inside(x: Any, axis: int, index: int, room: int) -> Any:
    """Return the array, checked to have a place: from -size to size - 1 and `room` more."""
    size = x.shape[axis]
    allowed, advice = f"places of axis {axis}", "Count from 0, or from the end by negative numbers."
    if size is not None:
        if not -size <= index < size + room:
            raise BadIndex(explain("obj", index, f"{-size} to {size + room - 1}", advice))
        return x
    least = -index if index < 0 else index + 1 - room
    message = explain("obj", index, allowed, advice)
    with tf.control_dependencies([tf.debugging.assert_greater_equal(tf.shape(x)[axis], least, message)]):
        return tf.identity(x)


def _cut(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return x[(*((slice(None),) * axis), slice(start, stop))]


def _place(arguments: Mapping[str, Any], room: int) -> bool:
    arr, axis = arguments["arr"], arguments.get("axis")
    size = arr.size if axis is None else arr.shape[axis]
    return bool(-size <= arguments["obj"] < size + room)


@numpy_native(
    "numpy.delete", "Return an array without some of its elements, rows or columns.",
    domain={"arr": Array(ranks=(2, 3), sides=(1, 5)), "obj": Integer(-3, 3),
            "axis": Maybe(spec=Integer(-2, 1))},
    valid=lambda arguments: _place(arguments, 0),
    parameters={"arr": _A,
                "obj": "int, slice, sequence of int or of bool\nWhich; all but one int need a known size.",
                "axis": "int or None, default None\nThe axis that gets shorter; None flattens the array."},
    returns="tf.Tensor\nWhat is left.", agreement=Exact(), words=_BITS,
    raises={"BadAxis": "`arr` has no such axis.", "BadIndex": "There is no such place.",
            "OutsideDomain": "As many bools as there are places are not given.",
            "UnsupportedArgument": "`obj` or the size is not known while tracing.",
            "tf.errors.InvalidArgumentError": "A size unknown while tracing has no such place."},
    example=("[1, 2, 3], 1", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 3])>"),
    graph="two slices and a join, or a gather; static shape is kept.",
)  # fmt: skip
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    x, place = _along(arr, axis)
    given = static(tensors_in(obj), "obj")
    if type(given) is int or (np.ndim(given) == 0 and not isinstance(given, slice)):
        index = whole_number(given, "obj")
        x = _inside(x, place, index, 0)
        rest = None if index == -1 else index + 1
        parts = [_cut(x, place, None, index)] + ([] if rest is None else [_cut(x, place, rest, None)])
        return tf.concat(parts, place)
    size = x.shape[place]
    if size is None:
        advice = "State it with tf.ensure_shape, or delete one place at a time."
        raise UnsupportedArgument(explain("arr", f"shape {x.shape}", f"a known size of axis {place}", advice))
    kept = np.ones(size, bool)
    kept[_chosen(given, size)] = False
    return tf.gather(x, np.flatnonzero(kept).astype(np.int32), axis=place)


def _chosen(given: Any, size: int) -> Any:
    if isinstance(given, slice):
        return given
    flags = np.asarray(given)
    if flags.dtype == bool:
        if flags.shape != (size,):
            raise OutsideDomain(
                explain("obj", f"{flags.size} bools", f"{size} of them", "Give one per place.")
            )
        return flags
    found = whole_numbers(given, "obj")
    for index in found:
        if not -size <= index < size:
            raise BadIndex(explain("obj", index, f"{-size} to {size - 1}", "Leave it out."))
    return list(found)


@numpy_native(
    "numpy.insert", "Return an array with values put in before a place.",
    domain={"arr": Array(ranks=(2, 3), sides=(1, 5), dtypes=("float32", "float64")), "obj": Integer(-3, 3),
            "values": Array(ranks=(0,), dtypes=("uint8", "float32")), "axis": Maybe(spec=Integer(-2, 1))},
    valid=lambda arguments: _place(arguments, 1),
    parameters={"arr": _A, "obj": "int\nBefore which place; the size stands for the end.",
                "values": "array_like\nWhat is put in, cast to the dtype of `arr`.",
                "axis": "int or None, default None\nThe axis that gets longer; None flattens the array."},
    returns="tf.Tensor, dtype of `arr`\nThe longer array.", agreement=Exact(), words=_BITS,
    raises={"BadAxis": "`arr` has no such axis.", "BadIndex": "There is no such place.",
            "OutsideDomain": "The values have more axes than the array.",
            "UnsupportedArgument": "`obj` is not a single integer known while tracing.",
            "tf.errors.InvalidArgumentError": "A size unknown while tracing does not fit."},
    example=("[1, 2, 3], 1, 9", "<tf.Tensor: shape=(4,), dtype=int64, numpy=array([1, 9, 2, 3])>"),
    graph="two slices, a broadcast and a join; static shape is kept.",
)  # fmt: skip
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    x, place = _along(arr, axis)
    if isinstance(obj, (list, tuple, slice)) or np.ndim(tensors_in(obj)):
        advice = "Insert at one place after the other, from the last to the first."
        raise UnsupportedArgument(explain("obj", repr(obj), "one integer", advice))
    index, rank = whole_number(tensors_in(obj), "obj"), known_rank(x, "arr")
    x = _inside(x, place, index, 1)
    new = fitted(read(values, "values"), np.dtype(x.dtype.as_numpy_dtype))
    if known_rank(new, "values") > rank:
        raise OutsideDomain(
            explain("values", f"rank {new.shape.rank}", f"rank {rank} or less", "Reshape them.")
        )
    new = tf.reshape(new, [*[1] * (rank - new.shape.rank), *sizes_of(new)]) if new.shape.rank < rank else new
    order = [*range(1, place + 1), 0, *range(place + 1, rank)]
    new = tf.transpose(new, order) if place else new
    wanted = sizes_of(x)
    wanted[place] = sizes_of(new)[place]
    return tf.concat(
        [_cut(x, place, None, index), tf.broadcast_to(new, wanted), _cut(x, place, index, None)], place
    )
