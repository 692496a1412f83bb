"""The Python state that a function reaches by name, to detect changes by tracing.

Seen are: names of enclosing functions and of the module, defaults, attributes of `self`, of arguments and
of other objects of the user's classes, and the same of the user's functions that are called by name. Not
seen are what only a value leads to (an element of a list of objects), files, and state of libraries.
"""

from __future__ import annotations

import dis
import functools
import random
import sys
import types
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.trace._problems import is_own
from pipeport.trace._user_code import plain_function
from pipeport.trace._watch_marks import GENERATORS, mark_of

_DEEPEST = 4
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None))


@dataclass(frozen=True)
class Seen:
    """A value under the name that the source has for it, its mark, and the function that mentions it.

    Of several functions it is the first that assigns to it, else the last.
    """

    name: str
    value: Any
    mark: Any
    function: types.FunctionType


# By name and by whose name it is: a module's, an enclosing function's, an object's.
State = dict[tuple[str, Hashable], Seen]
# A function, and the object whose method it is.
Root = tuple[Any, Any]


@dataclass(frozen=True)
class Fixed:
    """An attribute or a name that is a constant of the graph: its value, and how to read it again."""

    name: str
    value: Any
    read: Callable[[], Any]
    function: types.FunctionType


def reachable(roots: Iterable[Root], arguments: Iterable[tuple[str, Any]] = ()) -> State:
    """Return the objects that functions reach, and the attributes of the first one's arguments."""
    return _walked(roots, arguments).found


def fixed(roots: Iterable[Root], arguments: Iterable[tuple[str, Any]] = ()) -> dict[Hashable, Fixed]:
    """Return the numbers, texts and flags that functions reach, which a graph keeps as they are."""
    return _walked(roots, arguments).fixed


def _walked(roots: Iterable[Root], arguments: Iterable[tuple[str, Any]]) -> _Walk:
    walk = _Walk()
    for number, (function, instance) in enumerate(roots):
        plain = plain_function(function)
        walk.visit(plain, instance, 0)
        if not number and isinstance(plain, types.FunctionType):
            mention = _Mention(plain, walk.names, 0)  # a helper may be given the argument
            for name, value in _with_elements(arguments):
                if _is_users_object(value) and not isinstance(value, types.ModuleType):
                    walk.take_parts(name, value, mention)
    return walk


def _with_elements(arguments: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield arguments, and the elements of those that are lists, tuples and dictionaries."""
    for name, value in arguments:
        yield name, value
        if isinstance(value, (list, tuple, dict)):
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            yield from ((f"{name}[{key!r}]", part) for key, part in parts)


class _Walk:
    def __init__(self) -> None:
        self.found: State = {}
        self.fixed: dict[Hashable, Fixed] = {}
        self.names: set[str] = set()
        self._visited: set[tuple[int, int]] = set()

    def visit(self, function: Any, instance: Any, depth: int) -> None:
        """Collect the names of a function, and visit the user's functions among them."""
        if not isinstance(function, types.FunctionType) or depth > _DEEPEST:
            return
        if (id(function.__code__), id(instance)) in self._visited:
            return
        self._visited.add((id(function.__code__), id(instance)))
        names = set(_names(function.__code__))
        self.names |= names
        mention = _Mention(function, names, depth)
        for name, scope, value in _visible(function, names, instance):
            self._take(name, scope, value, mention)
            space = function.__globals__
            if scope == id(space) and isinstance(value, _CONSTANTS) and name in _globals(function.__code__):
                self._fix(name, scope, value, functools.partial(space.get, name), mention)

    def _take(self, name: str, scope: Hashable, value: Any, mention: _Mention) -> None:
        name, value = _generator_behind(name, value, mention.names)
        if isinstance(value, (types.FunctionType, types.MethodType)):
            plain = plain_function(value)
            if isinstance(plain, types.FunctionType) and is_own(plain.__code__.co_filename):
                self.visit(plain, getattr(value, "__self__", None), mention.depth + 1)
            return
        mark = mark_of(value)
        if mark is not None:
            known = self.found.get((name, scope))
            if known is None or name.rpartition(".")[2] not in _stored(known.function.__code__):
                self.found[name, scope] = Seen(name, value, mark, mention.function)
        elif _is_users_object(value) and name.count(".") < _DEEPEST:
            self.take_parts(name, value, mention)

    def _fix(
        self, name: str, scope: Hashable, value: Any, read: Callable[[], Any], mention: _Mention
    ) -> None:
        self.fixed[name, scope] = Fixed(name, value, read, mention.function)

    def take_parts(self, name: str, owner: Any, mention: _Mention) -> None:
        """Collect the attributes of an object that a function names, and visit its methods."""
        for part in sorted(mention.names):
            method = getattr(type(owner), part, None)
            if part in vars(owner):
                value = vars(owner)[part]
                if isinstance(value, _CONSTANTS):
                    read = functools.partial(vars(owner).get, part)
                    self._fix(f"{name}.{part}", id(owner), value, read, mention)
                self._take(f"{name}.{part}", id(owner), value, mention)
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


@functools.cache
def _stored(code: types.CodeType) -> frozenset[str]:
    """Return the names and attributes that a function assigns to."""
    return frozenset(one.argval for one in dis.get_instructions(code) if one.opname.startswith("STORE_"))


@functools.cache
def _globals(code: types.CodeType) -> frozenset[str]:
    """Return the names that a function and those defined in it look up in the module."""
    found = {one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return frozenset(found).union(
        *(_globals(one) for one in code.co_consts if isinstance(one, types.CodeType))
    )


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
