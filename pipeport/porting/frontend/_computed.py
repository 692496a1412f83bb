"""Calls of libraries whose arguments are all known while tracing: Python computes them, once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._at_once import MOST
from pipeport.arrays._memory import BY_DTYPE
from pipeport.contract import contract_of
from pipeport.errors import PortRefused, explain
from pipeport.porting import _outside
from pipeport.porting._values import is_array, known

_PLAIN = (bool, int, float, complex, str, bytes, type, np.dtype, np.generic, range, type(None), type(...))
_OF_NUMPY = (np.generic, np.ndarray)
_NUMBERS = (int, float, complex, *_OF_NUMPY)
# What a value that is known only at run time gives.
_UNKNOWN = object()
# Natives whose references read files, or the bytes of others; and those whose results tracing knows anyway.
_NOT = frozenset({"load", "frombuffer", "empty", "full", "ones", "zeros"})


def known_arguments(args: Any, kwargs: Any) -> Any:
    """Return the arguments of a call as Python has them.

    `args`, `kwargs`: values of a ported function. Returns: arrays are copies, so that what is written to them
    can be seen; None where a value is known only at run time.
    """
    found = _known([list(args), dict(kwargs)])
    return None if found is _UNKNOWN else found


def _known(value: Any) -> Any:
    if is_array(value):
        return _of_array(value)
    if isinstance(value, np.ndarray):
        return value.copy() if type(value) is np.ndarray else _UNKNOWN
    if isinstance(value, slice):
        parts = _all_known((value.start, value.stop, value.step))
        return _UNKNOWN if parts is None else slice(*parts)
    if type(value) in (list, tuple, set, frozenset):
        row = _all_known(value)
        return _UNKNOWN if row is None else type(value)(row)
    if type(value) is dict:
        row = _all_known(value.values())
        return _UNKNOWN if row is None else dict(zip(value, row, strict=True))
    return value if isinstance(value, _PLAIN) else _UNKNOWN


def _all_known(values: Iterable[Any]) -> list[Any] | None:
    """Return values as Python has them; None from the first that is known only at run time."""
    row = []
    for one in values:
        found = _known(one)
        if found is _UNKNOWN:
            return None
        row.append(found)
    return row


def _of_array(array: Any) -> Any:
    found = known(array)
    if found is None:
        return _UNKNOWN
    found = np.array(found)
    return found.item() if array.weak else found[()] if not found.ndim else found


def computed(name: str, function: Callable[..., Any], arguments: Any, where: str) -> Any:
    """Return what a function of a library gives of known arguments.

    `name`: dotted name of the function. `function`: the function. `arguments`: (list, dict); as
    `known_arguments` gives them. `where`: where the call stands. Returns: arrays are the ported function's
    own; all else is Python's. Raises PortRefused: the function draws, or writes to an argument; or a result
    is larger than a graph should hold.
    """
    args, kwargs = arguments
    before = _bytes(arguments)
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        found = function(*args, **kwargs)
    finally:
        drew = python != random.getstate() or not _same_state(numpy, np.random.get_state())  # noqa: NPY002
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002
    if drew:
        advice = "Draw with a function that has a native, or outside."
        raise PortRefused(explain(name, f"a call that draws, in {where}", "calls that only compute", advice))
    if before != _bytes(arguments):
        given = f"a call that writes to its argument, in {where}"
        raise PortRefused(explain(name, given, "calls that only compute", "Take what it returns."))
    return _made(found, name, where)


def by_numpy(name: str, native: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return what a function of NumPy gives of known arguments, instead of its native.

    `name`: dotted name of the native. `native`: the native. `function`: what is called. `args`, `kwargs`:
    its arguments. Returns: None where the native serves the call: an argument is known only at run time, the
    result is large, holds no numbers, does not lie in the order C or shares elements with an argument, or
    NumPy raises; or it may be a view of an array.
    """
    if tf.executing_eagerly() or function is native or not name.startswith("pipeport.numpy."):
        return None
    promise = contract_of(native)
    if name.rpartition(".")[2] in _NOT or (promise is not None and promise.view_of and _holds(args, kwargs)):
        return None
    if any(one.size > MOST for one in _arrays([args, kwargs])):  # from outside: not to be copied
        return None
    arguments = known_arguments(args, kwargs)
    if arguments is None or any(one.size > MOST for one in _arrays(arguments)) or not _by_dtype(arguments):
        return None
    try:
        with np.errstate(all="ignore"):
            found = function(*arguments[0], **arguments[1])
    except Exception:  # said by the native
        return None
    made = _arrays(found)
    if any(one.dtype.kind not in "biufc" or one.size > MOST or not one.flags.carray for one in made):
        return None
    if any(np.may_share_memory(one, other) for one in made for other in _arrays(arguments)):
        return None
    return _made(found, name, "")


def _holds(args: Any, kwargs: Any) -> bool:
    """Say whether an argument is an array, of no dimensions too, of which a result may be a view."""
    return any(is_array(one) or isinstance(one, np.ndarray) for one in (*args, *kwargs.values()))


def _by_dtype(arguments: Any) -> bool:
    """Say whether the installed NumPy promotes arguments by their dtypes, as arrays of ours do."""
    numbers = [one for one in tf.nest.flatten(arguments) if isinstance(one, _NUMBERS)]
    return BY_DTYPE or len(numbers) < 2 or not any(isinstance(one, _OF_NUMPY) for one in numbers)


def _same_state(one: Any, other: Any) -> bool:
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


def _bytes(value: Any) -> list[bytes]:
    """Return the elements of all arrays in nested containers."""
    return [one.tobytes() for one in _arrays(value)]


def _arrays(value: Any) -> list[Any]:
    """Return all arrays in nested containers."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in _arrays(one)]
    return _arrays(list(value.values())) if isinstance(value, dict) else []


def _made(value: Any, name: str, where: str) -> Any:
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        if why := _outside.refusal(value):
            raise PortRefused(f"{where}\n  {name}: {why}")
        return _outside.own(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_made(one, name, where) for one in value))
    if type(value) in (list, tuple):
        return type(value)(_made(one, name, where) for one in value)
    if type(value) is dict:
        return {key: _made(one, name, where) for key, one in value.items()}
    return value
