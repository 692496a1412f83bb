"""Arrays of NumPy's from outside of a ported function: computed on by NumPy until the graph is needed.

What is known while tracing stays NumPy's: elements, views, results of methods. An array that meets a value of
the graph enters it as one tensor that the graph captures, shared by all graphs that use these elements.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, explain
from pipeport.kernels.inputs.arrays import as_tensor

_MEGABYTE = 1 << 20
# By where the elements lie and what they are; a graph that captured a tensor keeps it.
_entered: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()


def is_outside(value: Any) -> bool:
    """Say whether a value is an array or a number of NumPy's, which a ported function never makes itself."""
    return isinstance(value, (np.ndarray, np.generic))


def element(array: np.ndarray[Any, Any], key: Any) -> Any:
    """Return `array[key]` of a known key: a view is still from outside, a copy is the function's own."""
    return _left_outside(array[key], array)


def result(owner: Any, name: str, args: Any, kwargs: Any) -> Any:
    """Return the result of a method whose arguments are known.

    `owner`: the array. `name`: the method. `args`, `kwargs`: its arguments. Returns: as NumPy gives it; a new
    array is the function's own. Raises PortRefused: the method writes to an array from outside.
    """
    function = getattr(_read_only(owner), name)
    try:
        found = function(*map(_read_only, args), **{key: _read_only(one) for key, one in kwargs.items()})
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        given = f"`{name}`, which writes to an array from outside of the function"
        advice = "Take a copy first: `x = x.copy()`."
        raise PortRefused(explain("array", given, "arrays made in it", advice)) from None
    return _left_outside(found, owner)


def _read_only(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _left_outside(found: Any, owner: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(_left_outside(one, owner) for one in found)
    if not isinstance(found, np.ndarray):
        return found
    if isinstance(found, np.memmap):
        found = np.asarray(found)
    shares = isinstance(owner, np.ndarray) and np.may_share_memory(found, owner)
    return found if shares or type(found) is not np.ndarray or found.dtype.kind not in "biufc" else own(found)


def own(array: np.ndarray[Any, Any]) -> Any:
    """Return an array that was made while tracing as one of the function's own, whose elements are known."""
    made = fresh(_tensor(array))
    made._track.own = True  # an array without axes too, and no number
    return made


def refusal(array: np.ndarray[Any, Any]) -> str:
    """Return why an array cannot enter a graph; empty where it can."""
    most = config.array_limit()
    advice = (
        "Index it with values known while tracing, or look it up before, as a part of the dataset's elements"
    )
    if isinstance(array, np.memmap):
        return explain("array", "a numpy.memmap", "arrays in memory", f"{advice}; `np.array(x)` reads it.")
    if type(array) is not np.ndarray:
        given = f"a {type(array).__module__}.{type(array).__name__}"
        return explain("array", given, "a numpy.ndarray", "Convert it outside: `np.asarray(x)`.")
    if array.nbytes > most * _MEGABYTE:
        given = (
            f"one of {array.nbytes / _MEGABYTE:,.0f} MB from outside, with an index or arguments of the graph"
        )
        advice = f"{advice}; `pipeport.config.set_array_limit` allows more."
        return explain("array", given, f"{most} MB", advice)
    return ""


def entered(array: Any) -> Any:
    """Return an array or number from outside as an array of the graph, to which nothing is written.

    `array`: the array, of which `refusal` says nothing. Returns: its elements are known while tracing.
    """
    return _sharing.lend(fresh(_tensor(np.asarray(array))))


def parts(key: Any) -> Any:
    """Return a key with its slices taken apart, so that all that it holds can be found."""
    if isinstance(key, tuple):
        return tuple(parts(one) for one in key)
    return {"slice": (key.start, key.stop, key.step)} if isinstance(key, slice) else key


def at_parts(array: np.ndarray[Any, Any], taken: Any) -> Any:
    """Return an element of an array at a key that `parts` took apart."""
    key = tuple(map(_together, taken)) if isinstance(taken, tuple) else _together(taken)
    return np.array(array[key])[()]


def _together(part: Any) -> Any:
    return slice(*part["slice"]) if isinstance(part, dict) else part


def _tensor(array: np.ndarray[Any, Any]) -> Any:
    place = array.__array_interface__
    key = (place["data"][0], array.shape, array.strides, array.dtype.str)
    kept = _entered.get(key)
    if kept is not None and _same(kept.numpy(), array):
        return kept
    with tf.init_scope():
        made = as_tensor(array, "array")
        if tf.executing_eagerly():
            _entered[key] = made
    return made


def _same(kept: np.ndarray[Any, Any], array: np.ndarray[Any, Any]) -> bool:
    """Say whether every bit is equal: the array may have been written to since, or its memory used anew."""
    kept, array = (np.ascontiguousarray(one).reshape(-1).view(np.uint8) for one in (kept, array))
    return np.array_equal(kept, array)
