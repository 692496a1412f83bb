"""The Python state that a function reaches by name, to detect changes by tracing.

Seen are: names of enclosing functions and of the module, defaults, attributes of `self` and of other
objects of the user's classes, and the same of the user's functions that are called by name. Not seen are
what only a value leads to (an element of a list of objects), files, and state of libraries.
"""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.trace._problems import is_own
from pipeport.trace._user_code import plain_function
from pipeport.trace._watch_marks import GENERATORS, mark_of

_DEEPEST = 4


@dataclass(frozen=True)
class Seen:
    """A value under the name that the source has for it, its mark, and the function that mentions it."""

    name: str
    value: Any
    mark: Any
    function: types.FunctionType


# By name and by whose name it is: a module's, an enclosing function's, an object's.
State = dict[tuple[str, Hashable], Seen]


def reachable(function: Any, instance: Any = None) -> State:
    """Return the objects a function reaches; `instance` is the object whose method it is."""
    walk = _Walk()
    walk.visit(plain_function(function), instance, 0)
    return walk.found


class _Walk:
    def __init__(self) -> None:
        self.found: State = {}
        self._visited: set[tuple[int, int]] = set()

    def visit(self, function: Any, instance: Any, depth: int) -> None:
        """Collect the names of a function, and visit the user's functions among them."""
        if not isinstance(function, types.FunctionType) or depth > _DEEPEST:
            return
        if (id(function.__code__), id(instance)) in self._visited:
            return
        self._visited.add((id(function.__code__), id(instance)))
        names = set(_names(function.__code__))
        for name, scope, value in _visible(function, names, instance):
            self._take(name, scope, value, _Mention(function, names, depth))

    def _take(self, name: str, scope: Hashable, value: Any, mention: _Mention) -> None:
        name, value = _generator_behind(name, value, mention.names)
        if isinstance(value, (types.FunctionType, types.MethodType)):
            plain = plain_function(value)
            if isinstance(plain, types.FunctionType) and is_own(plain.__code__.co_filename):
                self.visit(plain, getattr(value, "__self__", None), mention.depth + 1)
            return
        mark = mark_of(value)
        if mark is not None:
            self.found[name, scope] = Seen(name, value, mark, mention.function)
        elif _is_users_object(value) and name.count(".") < _DEEPEST:
            self._take_parts(name, value, mention)

    def _take_parts(self, name: str, owner: Any, mention: _Mention) -> None:
        for part in sorted(mention.names):
            method = getattr(type(owner), part, None)
            if part in vars(owner):
                self._take(f"{name}.{part}", id(owner), vars(owner)[part], mention)
            elif isinstance(method, types.FunctionType):
                self._take(part, id(owner), types.MethodType(method, owner), mention)


@dataclass(frozen=True)
class _Mention:
    """The function that names a value, all names it has, and how many calls lead to it."""

    function: types.FunctionType
    names: set[str]
    depth: int


def _names(code: types.CodeType) -> Iterator[str]:
    """Return the names that a function and those defined in it look up."""
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _visible(
    function: types.FunctionType, names: set[str], instance: Any
) -> Iterator[tuple[str, Hashable, Any]]:
    """Return the values that a function sees before it runs, by name and by whose name it is."""
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, id(cell), cell.cell_contents
        except ValueError:  # the name has no value yet
            continue
    space = function.__globals__
    yield from ((name, id(space), space[name]) for name in sorted(names) if name in space)
    positional = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    named = zip(positional[len(positional) - len(defaults) :], defaults, strict=True)
    yield from ((name, id(function), value) for name, value in named)
    yield from ((name, id(function), value) for name, value in (function.__kwdefaults__ or {}).items())
    if instance is not None and positional:
        yield positional[0], id(function), instance


def _generator_behind(name: str, value: Any, names: set[str]) -> tuple[str, Any]:
    """Return the generator behind a name: a module, or a function imported from one."""
    if value is random:
        return name, random.random.__self__  # type: ignore[attr-defined]
    if value is np and "random" in names:
        return f"{name}.random", np.random.rand.__self__  # type: ignore[attr-defined]
    if value is np.random:
        return name, np.random.rand.__self__  # type: ignore[attr-defined]
    owner = getattr(value, "__self__", None)
    return (name, owner) if isinstance(owner, GENERATORS) else (name, value)


def _is_users_object(value: Any) -> bool:
    """Say whether a value is a module or an instance of a class that the user wrote."""
    if isinstance(value, types.ModuleType):
        return is_own(getattr(value, "__file__", None) or "<frozen>")
    return _is_users_class(type(value)) and hasattr(value, "__dict__")


def _is_users_class(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    # A script, a notebook and what was made by `exec` have no file of that name.
    return is_own(file) if file else kind.__module__ not in sys.builtin_module_names
