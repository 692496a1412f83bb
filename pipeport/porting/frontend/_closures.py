"""Functions that an island is given: the values of the body that they use become arguments of the island."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.errors import PortRefused, explain
from pipeport.porting._values import holds_array

_CALLED = (types.FunctionType, functools.partial, np.vectorize)


@dataclass(frozen=True)
class Place:
    """Stands for what was taken apart, among the arguments of an island.

    `number`: which of them it is.
    """

    number: int


class _Nothing:
    """Stands for a name of a closure that has no value yet."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """Holds what a function uses besides, as it is."""

    value: Any


class Closures:
    """Functions that use values of a body, and dictionaries that they use, each taken apart.

    `parts`: what each of them uses.
    """

    def __init__(self) -> None:
        self.parts: list[list[Any]] = []
        self._makers: list[Callable[[list[Any]], Any]] = []
        self._open: list[Any] = []

    def apart(self, value: Any) -> Any:
        """Return nested arguments with a `Place` for each function that uses a value of the graph.

        Raises PortRefused: such a function calls itself.
        """
        if type(value) in (list, tuple):
            return type(value)(map(self.apart, value))
        if type(value) is dict:
            return {name: self.apart(one) for name, one in value.items()}
        if isinstance(value, Mapping):  # TensorFlow would take an open archive apart
            return _Kept(value)
        if not isinstance(value, _CALLED) or not uses_values(value):
            return value
        if any(value is one for one in self._open):
            advice = "Write it outside of the function, and hand the values over as arguments."
            raise PortRefused(explain("islands", "a function that calls itself", "others", advice))
        self._open.append(value)
        parts, maker = _taken(value)
        parts = [self._part(one) for one in parts]
        self._open.pop()
        return self._place(parts, maker)

    def _place(self, parts: list[Any], maker: Callable[[list[Any]], Any]) -> Place:
        self.parts.append(parts)
        self._makers.append(maker)
        return Place(len(self._makers) - 1)

    def _part(self, value: Any) -> Any:
        if not uses_values(value):
            return _Kept(value)
        if type(value) in (list, tuple):
            return type(value)(map(self._part, value))
        if type(value) is dict:  # TensorFlow would sort its keys
            return self._place([*map(self._part, value.values())], functools.partial(_dict, tuple(value)))
        return self.apart(value)

    def without_parts(self) -> Closures:
        """Return what makes the functions again, without the values that they use."""
        found = Closures()
        found._makers = self._makers
        return found

    def together(self, value: Any, parts: list[list[Any]]) -> Any:
        """Return nested arguments with functions in the place of each `Place`.

        `value`: from `apart`. `parts`: what each of the functions uses now. Returns: the arguments.
        """
        if isinstance(value, Place):
            return self._makers[value.number]([self.together(one, parts) for one in parts[value.number]])
        if isinstance(value, _Kept):
            return value.value
        if type(value) in (list, tuple):
            return type(value)(self.together(one, parts) for one in value)
        if type(value) is dict:
            return {name: self.together(one, parts) for name, one in value.items()}
        return value


def uses_values(value: Any, around: tuple[Any, ...] = ()) -> bool:
    """Say whether an argument holds or uses what is known only at run time."""
    if type(value) in (list, tuple):
        return any(uses_values(one, around) for one in value)
    if type(value) is dict:
        return uses_values(list(value.values()), around)
    if not isinstance(value, _CALLED):
        return holds_array(value)
    return not any(value is one for one in around) and uses_values(_taken(value)[0], (*around, value))


def _taken(value: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Return what a callable uses, and what makes it again."""
    if isinstance(value, functools.partial):
        return [value.func, list(value.args), dict(value.keywords)], _partial
    if isinstance(value, np.vectorize):
        named = ("otypes", "excluded", "cache", "signature")
        return [value.pyfunc], functools.partial(_vectorized, {name: getattr(value, name) for name in named})
    cells = []
    for cell in value.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:
            cells.append(_Nothing)
    parts = [cells, value.__defaults__, value.__kwdefaults__]
    return parts, functools.partial(_function, value.__code__, value.__globals__, value.__name__)


def _dict(names: tuple[Any, ...], parts: list[Any]) -> Any:
    return dict(zip(names, parts, strict=True))


def _partial(parts: list[Any]) -> Any:
    function, args, keywords = parts
    return functools.partial(function, *args, **keywords)


def _vectorized(options: dict[str, Any], parts: list[Any]) -> Any:
    return np.vectorize(parts[0], **options)


def _function(code: Any, space: dict[str, Any], name: str, parts: list[Any]) -> Any:
    cells, defaults, named = parts
    closure = tuple(types.CellType() if one is _Nothing else types.CellType(one) for one in cells)
    made = types.FunctionType(code, space, name, defaults, closure)
    made.__kwdefaults__ = named
    return made
