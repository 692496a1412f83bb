"""Functions of NumPy that write to an argument, as assignments to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import numpy
from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh, tensors_in
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import common, fitted
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.porting._values import as_array, is_array, tensor_of

_BOOL = np.dtype(bool)


def _target(array: Any, name: str) -> None:
    if not is_array(array):
        advice = "Take a copy first: `x = x.copy()`."
        raise WrongType(explain(name, type(array).__name__, "an array made in the function", advice))


def _tensor(value: Any) -> Any:
    found = as_array(value)
    return tensor_of(numpy.asarray(value) if found is None else found)


def _cast_to(value: Any, array: Any, name: str, casting: Any = "unsafe") -> Any:
    """Return a value in the dtype of an array, as NumPy assigns it."""
    side = operand(value, name)
    if side is None:
        raise WrongType(explain(name, type(value).__name__, "numbers or an array", "Convert it."))
    if side.weak:
        return fitted(side, array.dtype)
    if not np.can_cast(side.dtype, array.dtype, casting):
        allowed = f"what casting={casting!r} makes {array.dtype}"
        raise WrongType(explain(name, f"{side.dtype}", allowed, "Cast it with `astype`."))
    return cast(side.value, array.dtype)


def _cycled(values: Any, places: Any) -> Any:
    """Return the values at places, repeated from the first on."""
    flat = tf.reshape(values, [-1])
    return tf.gather(flat, tf.math.floormod(places, tf.maximum(tf.size(flat), 1)))


def _assign_flat(array: Any, flat: Any) -> None:
    array[...] = fresh(tf.reshape(flat, tf.shape(tensor_of(array))))


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Write values to an array, where a mask holds."""
    _target(dst, "dst")
    new = fresh(_cast_to(src, dst, "src", casting))
    dst[...] = new if where is True else numpy.where(where, new, dst)


def _mask(mask: Any, flat: Any, name: str) -> Any:
    """Return a mask along one axis, as long as the elements of an array."""
    found = tf.reshape(cast(_tensor(mask), _BOOL), [-1])
    advice = "Give one bool per element."
    message = explain(name, "a mask of another size", "one per element", advice)
    if found.shape.is_fully_defined() and flat.shape.is_fully_defined():
        if found.shape != flat.shape:
            raise OutsideDomain(message)
        return found
    with tf.control_dependencies([tf.debugging.assert_equal(tf.size(found), tf.size(flat), message)]):
        return tf.identity(found)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """Write values where a mask holds: the value at the place of the element, repeated."""
    _target(a, "a")
    flat = tf.reshape(tensor_of(a), [-1])
    new = _cycled(_cast_to(values, a, "values", "same_kind"), tf.range(tf.size(flat)))
    _assign_flat(a, tf.where(_mask(mask, flat, "mask"), new, flat))


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Write values where a mask holds: one after the other, repeated."""
    _target(arr, "arr")
    flat = tf.reshape(tensor_of(arr), [-1])
    holds = _mask(mask, flat, "mask")
    numbers = tf.maximum(tf.cumsum(tf.cast(holds, tf.int32)) - 1, 0)
    _assign_flat(arr, tf.where(holds, _cycled(_cast_to(vals, arr, "vals"), numbers), flat))


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values at places of the elements in one row, repeated."""
    _target(a, "a")
    if mode != "raise":
        raise UnsupportedArgument(
            explain("mode", repr(mode), "'raise'", "Bring the places into range before.")
        )
    flat, places = fresh(tf.reshape(tensor_of(a), [-1])), tf.reshape(_tensor(ind), [-1])
    flat[fresh(places)] = fresh(_cycled(_cast_to(v, a, "v"), tf.range(tf.size(places))))
    _assign_flat(a, tensor_of(flat))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    """Write values by indices along an axis, those of each line by its own."""
    _target(arr, "arr")
    places, new = _tensor(indices), fresh(_cast_to(values, arr, "values"))
    if not places.dtype.is_integer:
        given = f"dtype {places.dtype.name}"
        raise BadIndex(explain("indices", given, "whole numbers", "Cast them with `astype`."))
    rank = 1 if axis is None else tensor_of(arr).shape.rank
    if places.shape.rank != rank:
        given, allowed = f"rank {places.shape.rank}", f"rank {rank}, that of arr"
        raise OutsideDomain(explain("indices", given, allowed, "Add axes with numpy.newaxis."))
    if axis is None:
        flat = fresh(tf.reshape(tensor_of(arr), [-1]))
        flat[fresh(places)] = new
        _assign_flat(arr, tensor_of(flat))
        return
    along = canonical(whole_number(axis, "axis"), rank, "axis")
    key = [_counted(size, at, rank) for at, size in enumerate(sizes_of(tensor_of(arr)))]
    key[along] = fresh(places)
    arr[tuple(key)] = new


def _counted(size: Any, axis: int, rank: int) -> Any:
    """Return the places along an axis, in an array of that rank."""
    sizes = [1] * rank
    sizes[axis] = -1
    return fresh(tf.reshape(tf.range(size), sizes))


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write values to the diagonal, repeated."""
    _target(a, "a")
    shape = tensor_of(a).shape
    if wrap:
        raise UnsupportedArgument(explain("wrap", "True", "False", "Assign to the blocks one by one."))
    if shape.rank < 2 or (
        shape.rank > 2 and not (shape.is_fully_defined() and len(set(shape.as_list())) == 1)
    ):
        advice = "Index the diagonal by arrays of places."
        raise UnsupportedArgument(explain("a", f"shape {shape}", "two axes, or equal sizes", advice))
    places = tf.range(tf.reduce_min(tf.shape(tensor_of(a))))
    a[(fresh(places),) * shape.rank] = fresh(_cycled(_cast_to(val, a, "val"), places))


_SCATTERS: dict[str, Callable[..., Any]] = {
    "add": lambda flat, at, values: tf.tensor_scatter_nd_add(flat, at[:, tf.newaxis], values),
    "subtract": lambda flat, at, values: tf.tensor_scatter_nd_sub(flat, at[:, tf.newaxis], values),
    "multiply": lambda flat, at, values: flat * tf.math.unsorted_segment_prod(values, at, tf.size(flat)),
    "maximum": lambda flat, at, values: tf.tensor_scatter_nd_max(flat, at[:, tf.newaxis], values),
    "minimum": lambda flat, at, values: tf.tensor_scatter_nd_min(flat, at[:, tf.newaxis], values),
}


def _at(name: str) -> Callable[..., None]:
    """Return the replacement of the method `at` of a ufunc."""

    def function(a: Any, indices: Any, b: Any) -> None:
        _target(a, "a")
        own, other = operand(a), operand(b, "b")
        if other is None:
            raise WrongType(explain("b", type(b).__name__, "numbers or an array", "Convert it."))
        dtype, _ = common([own, other])  # type: ignore[list-item]
        if not np.can_cast(dtype, a.dtype, "same_kind"):
            advice = "Cast it with `astype`."
            raise WrongType(explain("b", f"{other.dtype}", f"numbers that {a.dtype} holds", advice))
        numbers = fresh(tf.reshape(tf.range(tf.size(tensor_of(a))), tf.shape(tensor_of(a))))
        places = tensor_of(numbers[tensors_in(indices)])
        values = tf.broadcast_to(fitted(other, dtype), tf.shape(places))
        flat = tf.reshape(cast(tensor_of(a), dtype), [-1])
        found = _SCATTERS[name](flat, tf.reshape(places, [-1]), tf.reshape(values, [-1]))
        _assign_flat(a, cast(found, a.dtype))

    return function


FUNCTIONS: dict[Any, Callable[..., None]] = {
    np.copyto: copyto, np.putmask: putmask, np.place: place, np.put: put,
    np.put_along_axis: put_along_axis, np.fill_diagonal: fill_diagonal,
    **{getattr(np, name).at: _at(name) for name in _SCATTERS},
}  # fmt: skip
