"""Arguments, writes and values of the array type; see `_ndarray`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _aliasing, _memory, _sharing
from pipeport.arrays._at_once import at_once
from pipeport.arrays._cast import CASTINGS, cast, numpy_dtype
from pipeport.arrays._making import tensors_in, weak_scalar
from pipeport.arrays._strides import is_plain
from pipeport.arrays._views import At
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain


def eager(array: Any, wanted: str) -> Any:
    """Return the values, where they are known."""
    known = _memory.known(array)
    if known is None:
        given = f"an array whose values are only known when the graph runs, as {wanted}"
        advice = (
            "Keep it an array: NumPy's functions take it. `if`, `for` and `while` take it in a function that "
            "pipeport.port or tf.function converts."
        )
        raise UnsupportedArgument(explain("array", given, "values known while tracing", advice))
    return known if tf.executing_eagerly() else np.asarray(known)


def index(array: Any) -> int:
    """Return a scalar integer for Python to count with."""
    if array._values.shape.rank or array.dtype.kind not in "iu":
        given = f"shape {array._values.shape} of {array.dtype}"
        raise WrongType(explain("index", given, "one integer", "Cast it with `astype`."))
    return operator.index(eager(array, "a Python integer")[()])


def text(array: Any) -> str:
    """Return the text of `repr`: the values if they are known, else shape and dtype."""
    storage = _sharing.storage_of(array)
    if storage is not None and storage.lost is not None:
        return f"ndarray(may share memory with what was written to: {storage.lost})"
    tensor = array._values
    if tf.executing_eagerly() and hasattr(tensor, "numpy"):
        return str(np.array_repr(np.asarray(tensor.numpy())))  # of a scalar TensorFlow gives no array
    sizes = "unknown" if tensor.shape.rank is None else tuple(tensor.shape.as_list())
    kind = f"{array.dtype}{', weak' if array.weak else ''}"
    return f"array(shape={sizes}, dtype={kind}; values when the graph runs: see tf.print)"


def holds_tensor(key: Any) -> bool:
    """Say whether a key holds a tensor, or an array."""
    entries = key if isinstance(key, tuple) else (key,)
    parts = [
        part
        for one in entries
        for part in ((one.start, one.stop, one.step) if isinstance(one, slice) else (one,))
    ]
    return any(tf.is_tensor(one) or isinstance(one, (list, np.ndarray)) for one in parts)


def gives_array(key: Any) -> bool:
    """Say whether a key holds `...`, a slice or None, with which NumPy never gives a number."""
    entries = key if isinstance(key, tuple) else (key,)
    return any(one is Ellipsis or one is None or isinstance(one, slice) for one in entries)


def _track(array: Any) -> _sharing.Track:
    track = _sharing.track_of(array)
    if track is None:
        _sharing.refuse_unknown_origin()
    if track.storage.outside:
        _sharing.refuse_outside()
    if not track.storage.is_of_here():
        _sharing.refuse_other_graph()
    return track


def assign(array: Any, key: Any, value: Any, write: Callable[[Any, Any], Any]) -> None:
    """Give an array, and whatever shares its memory, the elements they have after an assignment.

    `write`: gives the new tensor from the array's and the value.
    """
    track = _track(array)
    if not _is_own_view(track, key, value) and not _memory.written(track, key, value):
        given = value._values if isinstance(value, _sharing.Tracked) else value
        _write(array, track, write(array._values, given))


def _write(array: Any, track: _sharing.Track, tensor: Any) -> None:
    storage, chain = track.storage, track.chain
    if chain is not None and _memory.written(track, ..., tensor):
        return
    whole = tensor if chain is None else chain.written(storage.tensor, tensor)
    _aliasing.write(storage, whole, array, tensor)


def _is_own_view(track: _sharing.Track, key: Any, value: Any) -> bool:
    """Say whether `x[key] += v` is at its end: Python updated the view `x[key]`, and assigns it now."""
    chain = _sharing.chain_of(value)
    if chain is None or _sharing.storage_of(value) is not track.storage or chain.before is not track.chain:
        return False
    return isinstance(chain.step, At) and _same_key(tensors_in(key), chain.step.given)


def _same_key(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if isinstance(one, slice) and isinstance(other, slice):
        parts = ("start", "stop", "step")
        return all(_same_key(getattr(one, part), getattr(other, part)) for part in parts)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same_key, one, other))
    return type(one) is int and type(other) is int and one == other


def update(array: Any, tensor: Any, *, fits: bool = False) -> Any:
    """Give an array the result of an in-place operator, by NumPy's rules of casting and shape.

    `tensor`: the result, in the dtype of the operation. `fits`: whether the result is known to have the
    array's shape.
    """
    found = np.dtype(tensor.dtype.as_numpy_dtype)
    if not np.can_cast(found, array.dtype, "same_kind"):
        advice = "Write `x = x <operator> y`, which gives an array of the new dtype."
        raise WrongType(explain("in-place operator", f"a result of {found}", f"{array.dtype}", advice))
    own = array._values
    if not own.shape.is_compatible_with(tensor.shape):
        advice = "Write `x = x <operator> y`."
        given = f"a result of shape {tensor.shape}"
        raise OutsideDomain(explain("in-place operator", given, f"shape {own.shape}", advice))
    new = at_once(lambda one: cast(one, array.dtype), tensor)
    if not new.shape.is_fully_defined() or new.shape != own.shape:
        new = tf.ensure_shape(new, own.shape)
    if not fits and not own.shape.is_fully_defined():
        message = explain("in-place operator", "a larger result", "the array's shape", "Write `x = x + y`.")
        with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(new), tf.shape(own), message)]):
            new = tf.identity(new)
    track = _track(array)
    if track.own is None:
        _sharing.refuse_number_or_view()
    _write(array, track, new)
    return array


def cast_target(array: Any, dtype: Any, order: Any, casting: Any, subok: Any) -> np.dtype[Any]:
    """Return the dtype of `astype`, its other arguments checked."""
    wanted = numpy_dtype(dtype)
    one_order(order)
    if subok is not True:
        raise UnsupportedArgument(explain("subok", subok, "True", "Leave it out: there are no subclasses."))
    if casting not in CASTINGS:
        allowed = ", ".join(map(repr, CASTINGS))
        raise UnsupportedArgument(explain("casting", repr(casting), allowed, "Name one of these."))
    if not np.can_cast(array.dtype, wanted, casting):
        given, allowed = f"{array.dtype} to {wanted}", f"casts of the rule {casting!r}"
        raise WrongType(explain("dtype", given, allowed, "Leave `casting` out."))
    return wanted


def one_order(order: Any, array: Any = None) -> None:
    """Refuse memory orders other than that of tensors.

    `array`: whose elements are read in that order.
    """
    if array is not None and order in ("K", "A") and not is_plain(array):
        advice = "Leave it out, or transpose the array first."
        raise UnsupportedArgument(explain("order", f"{order!r} of an array in another order", "'C'", advice))
    if order not in ("C", "K", "A", None):
        advice = "Transpose the array instead."
        raise UnsupportedArgument(explain("order", repr(order), "'C', the order of tensors", advice))


def no_fields(order: Any) -> None:
    """Refuse the order of structured arrays."""
    if order is not None:
        raise UnsupportedArgument(explain("order", repr(order), "None", "Tensors have no fields."))


def sizes(shape: Any) -> Any:
    """Return the shape argument of `reshape` with Python integers where they are known."""
    return tuple(shape) if isinstance(shape, (tuple, list)) else shape


def strides(array: Any) -> tuple[Any, ...]:
    """Return the bytes from an element to the next along each axis.

    Returns: Python integers where the sizes are known while tracing.
    """
    if not is_plain(array):
        given, advice = "of an array that may have gaps or another order", "Copy it first: `x = x.copy()`."
        raise UnsupportedArgument(explain("strides", given, "arrays in the order C, without gaps", advice))
    found, step = [], array.itemsize
    for axis in reversed(range(array.ndim)):
        found.append(step)
        size = array._values.shape[axis]
        if size is None:
            size = weak_scalar(tf.maximum(tf.shape(array._values, tf.int64)[axis], 1))
        step *= size if not isinstance(size, int) else max(size, 1)
    return tuple(found[::-1])
