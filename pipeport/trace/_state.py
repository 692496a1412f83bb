"""Detect changes of state beyond a call: globals, its object, variables, random states."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.trace._modes import body_of
from pipeport.trace._problems import is_own

_DEPTH = 3
_ITEMS = 100
_BYTES = 2**24


def snapshot(function: Callable[..., Any]) -> dict[str, Any]:
    """Return marks of all that a function can reach and change, by name.

    `function`: the user's, or a partial call of it, whose arguments count too. Its helpers in files of the
    user are followed; other objects are looked at three levels deep, and arrays up to 16 MiB. Returns: marks
    that differ when what they stand for has changed.
    """
    marks: dict[str, Any] = {
        "the state of random": hash(random.getstate()),
        "the state of numpy.random": repr(np.random.get_state()),  # noqa: NPY002
        "os.environ": dict(os.environ),
    }
    if isinstance(function, functools.partial):
        marks |= {f"input {index}": _mark(value, _DEPTH) for index, value in enumerate(function.args)}
        marks |= {f"input {name}": _mark(value, _DEPTH) for name, value in function.keywords.items()}
    for name, value in _reached(function, set()):
        marks[name] = _mark(value, _DEPTH)
    return marks


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the names whose marks differ, or are new."""
    return [name for name, mark in after.items() if name not in before or before[name] != mark]


def _reached(function: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    while isinstance(function, functools.partial):
        function = function.func
    if owner := getattr(function, "__self__", None):
        yield f"the {type(owner).__name__} it belongs to", owner
    body = getattr(body_of(function), "__func__", body_of(function))
    if not isinstance(body, FunctionType):
        if not isinstance(function, type) and hasattr(function, "__dict__"):
            yield f"the {type(function).__name__} itself", function
        return
    if id(body) in seen or not is_own(body.__code__.co_filename):
        return
    seen.add(id(body))
    for name, cell in zip(body.__code__.co_freevars, body.__closure__ or (), strict=True):
        try:
            yield from _followed(name, cell.cell_contents, seen)
        except ValueError:  # not assigned yet
            continue
    for index, value in enumerate(body.__defaults__ or ()):
        if isinstance(value, (list, dict, set)):
            yield f"default {index} of {body.__name__}", value
    for name in sorted(_names(body.__code__)):
        if name in body.__globals__:
            yield from _followed(name, body.__globals__[name], seen)


def _followed(name: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (ModuleType, type)):
        return
    if isinstance(body_of(value), FunctionType):
        yield from _reached(value, seen)
    else:
        yield f"`{name}`", value


def _names(code: CodeType) -> set[str]:
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _mark(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value
    if isinstance(value, np.ndarray):
        return _array_mark(value)
    if isinstance(value, tf.Variable):
        return _array_mark(value.numpy()) if value.shape.is_fully_defined() else id(value)
    if depth and isinstance(value, dict):
        items = list(value.items())
        return "dict", len(items), tuple((repr(k), _mark(v, depth - 1)) for k, v in items[:_ITEMS])
    if depth and isinstance(value, (list, tuple)):
        return type(value).__name__, len(value), tuple(_mark(v, depth - 1) for v in value[-_ITEMS:])
    if isinstance(value, (set, frozenset)):
        return "set", len(value)
    if depth and type(value).__module__ not in ("builtins",) and isinstance(vars_of(value), dict):
        return id(value), _mark(vars_of(value), depth - 1)
    return id(value)


def vars_of(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an object of the user's own class, else None."""
    module = type(value).__module__.partition(".")[0]
    if module in ("tensorflow", "keras", "numpy", "pipeport"):
        return None
    return getattr(value, "__dict__", None)


def _array_mark(array: Any) -> Any:
    if array.dtype.hasobject or array.nbytes > _BYTES:
        return id(array)
    return array.dtype.str, array.shape, hash(array.tobytes())
