"""What a trace reaches outside of the function: the user's containers and objects, kept as they were.

A graph runs operations again for each element; what Python changed, it changed once, while tracing. So the
containers and the objects of the user's own classes that a trace reaches are remembered, one level each, the
parts by identity. What a ported line changes is refused there. What other code of the user's changes, such as
a property, may be a memo: it is one if a second trace changes nothing more. All other changes are put back.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import operator
import sys
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from pipeport._own import is_own
from pipeport.arrays import _lines
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import holds_array

_here: contextvars.ContextVar[_Reached | None] = contextvars.ContextVar("pipeport_reached", default=None)
# Of one part, or covered by the refusal of writes.
_PLAIN = frozenset(
    {bool, int, float, complex, str, bytes, slice, range, type(None), type, types.ModuleType, np.ndarray}
)
_VALUES = (bool, int, float, complex, str, bytes)
_CONTAINERS = (list, dict, set, deque, bytearray)
_PARTS: dict[type, Callable[[Any], Any]] = {
    list: list.__iter__, set: set.__iter__, deque: deque.__iter__, bytearray: bytearray.__iter__,
}  # fmt: skip


class _Reached:
    """What one trace reached."""

    def __init__(self) -> None:
        self._outside: dict[int, Any] = {}
        self._kept: dict[int, tuple[Any, list[Any]]] = {}
        self._lines: dict[int, str] = {}
        self._noted: set[int] = set()

    def mark(self, *values: Any) -> None:
        """Note that values are from outside; of tuples their elements are."""
        for value in values:
            if type(value) in _PLAIN or id(value) in self._outside:
                continue
            self._outside[id(value)] = value
            if isinstance(value, tuple):
                self.mark(*value)

    def keep(self, value: Any, line: str = "") -> None:
        """Remember a value from outside as it is."""
        if id(value) not in self._outside:
            return
        if id(value) not in self._kept:
            parts = _parts(value)
            self._kept[id(value)] = value, parts
            self._lines[id(value)] = line or _lines.here()
            self.mark(*parts, *_held(value))

    def is_outside(self, value: Any) -> bool:
        """Say whether a value is from outside."""
        return id(value) in self._outside

    def has_changed(self, value: Any) -> bool:
        """Say whether a value that is remembered is another now."""
        kept = self._kept.get(id(value))
        return kept is not None and not _same(_parts(value), kept[1])

    def changed(self) -> list[Any]:
        """Return what has changed."""
        return [value for value, _ in self._kept.values() if self.has_changed(value)]

    def note(self, value: Any) -> None:
        """Remember the line that runs as the one where a value changed, if it has by now."""
        if id(value) not in self._noted and self.has_changed(value):
            self._noted.add(id(value))
            self._lines[id(value)] = _lines.here()

    def line(self, value: Any) -> str:
        """Return where a value changed, as far as that is known; else where it was reached."""
        return self._lines[id(value)]

    def put_back(self) -> None:
        """Give all that changed the parts that it had."""
        for value in self.changed():
            with contextlib.suppress(Exception):  # of a container that the user wrote
                _put_back(value, self._kept[id(value)][1])


def _parts(value: Any) -> list[Any]:
    """Return the parts of a container; of an object of the user's class the names and values it has."""
    kind: Any = type(value)
    if issubclass(kind, dict):
        return [part for pair in dict.items(value) for part in pair]
    for base, parts in _PARTS.items():
        if issubclass(kind, base):
            return list(parts(value))
    return [part for pair in _attributes(value).items() for part in pair] if _is_users(kind) else []


def _attributes(value: Any) -> dict[str, Any]:
    found = dict(_dictionary(value))
    for cls in type(value).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, types.MemberDescriptorType):
                with contextlib.suppress(AttributeError):  # without a value
                    found[name] = slot.__get__(value)
    return found


def _dictionary(value: Any) -> dict[str, Any]:
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found if isinstance(found, dict) else {}


@functools.cache
def _is_users(kind: type) -> bool:
    """Say whether a class is the user's own, so that its objects are compared by their attributes."""
    if kind.__module__.partition(".")[0] == "pipeport" or issubclass(kind, (type, types.FunctionType)):
        return False
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ == "__main__" or (file is not None and is_own(file))


def _held(value: Any) -> Iterator[Any]:
    """Yield what else hangs on a value: what a method or a partial is bound to, attributes of libraries'."""
    yield from _dictionary(value).values()
    if isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
        yield value.__self__


def _same(now: list[Any], before: list[Any]) -> bool:
    return len(now) == len(before) and (all(map(operator.is_, now, before)) or all(map(_alike, now, before)))


def _alike(now: Any, before: Any) -> bool:
    return now is before or (type(now) is type(before) and type(now) in _VALUES and bool(now == before))


def _put_back(value: Any, parts: list[Any]) -> None:
    if isinstance(value, (list, bytearray)):
        value[:] = parts
    elif isinstance(value, deque):
        value.clear()
        value.extend(parts)
    elif isinstance(value, set):
        value.clear()
        value.update(parts)
    elif isinstance(value, dict):
        value.clear()
        for key, part in zip(parts[::2], parts[1::2], strict=True):
            value[key] = part
    else:
        before, now = dict(zip(parts[::2], parts[1::2], strict=True)), _attributes(value)
        for name in now.keys() - before.keys():
            object.__delattr__(value, name)
        for name, part in before.items():
            if now.get(name) is not part:
                object.__setattr__(value, name, part)


@contextlib.contextmanager
def _remembering() -> Iterator[_Reached]:
    """Remember what is reached in the `with` block, and put it back where that fails."""
    made = _Reached()
    token = _here.set(made)
    try:
        yield made
    except BaseException:
        made.put_back()
        raise
    finally:
        _here.reset(token)


def unchanging(trace: Callable[[], Any]) -> Any:
    """Trace, and see that nothing outside of the function is another afterwards.

    `trace`: traces once. Returns: what it gives. Raises PortRefused: something outside changes; it is put
    back.
    """
    with _remembering() as first:
        found = trace()
        changed = first.changed()
        if any(holds_array(_parts(one)) for one in changed):
            _refuse(first, changed[0])
        if not changed:
            return found
        with _remembering() as second:
            found = trace()
            if again := second.changed():
                _refuse(second, again[0])
    return found


def _refuse(reached: _Reached, value: Any) -> NoReturn:
    given = (
        f"{_called(value)} from outside of the function that is another afterwards, in {reached.line(value)}"
    )
    raise PortRefused(explain("change", given, "changes of what the function makes itself", _ADVICE))


_ADVICE = (
    "It would happen once, while tracing, not for each element: return the value, or carry it in the "
    "dataset's elements."
)


def _called(value: Any) -> str:
    kind = type(value).__name__
    return f"a {kind}" if isinstance(value, _CONTAINERS) else f"an object of {kind}"


def reach_by(function: types.FunctionType, given: Iterable[Any]) -> None:
    """Remember what a function reaches by its names and defaults, and what it is given from outside.

    `function`: the user's. `given`: what it is given.
    """
    reached = _here.get()
    if reached is None:
        return
    code = function.__code__
    values = [*given, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # without a value
            values.append(cell.cell_contents)
    space = function.__globals__
    values += [space[name] for name in _names(code) if name in space]
    reached.mark(*values)
    for one in values:
        reached.keep(one, f"{code.co_filename}, line {code.co_firstlineno}")


@functools.lru_cache(maxsize=256)
def _names(code: types.CodeType) -> frozenset[str]:
    """Return the names that a function and those in it look up, attributes among them."""
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return frozenset(code.co_names).union(*map(_names, inner))


def meet(*values: Any) -> None:
    """Remember those of some values that are from outside, before anything is done with them."""
    reached = _here.get()
    if reached is not None:
        for one in values:
            reached.keep(one)


def meet_attribute(owner: Any, name: str, found: Any) -> None:
    """Remember an attribute of what is from outside, where it is stored and not computed.

    `owner`: its owner. `name`: its name. `found`: its value.
    """
    reached = _here.get()
    if reached is None:
        return
    kinds = (owner, *(owner if isinstance(owner, type) else type(owner)).__mro__)
    stored = any(vars(one).get(name) is found for one in kinds if hasattr(one, "__dict__"))
    if stored and (isinstance(owner, (type, types.ModuleType)) or reached.is_outside(owner)):
        reached.mark(found)
    if not stored:  # the user's code may have computed it
        reached.note(owner)
    reached.keep(found)


def is_outside(value: Any) -> bool:
    """Say whether a value is known to be from outside of the function."""
    reached = _here.get()
    return reached is not None and reached.is_outside(value)


def check(*values: Any) -> None:
    """Refuse a change of values from outside, after something that may change them.

    Parameters
    ----------
    *values : object
        The values.

    Raises
    ------
    PortRefused
        One has changed.
    """
    reached = _here.get()
    for one in values:
        if reached is not None and reached.has_changed(one):
            given = f"one of {_called(one)} from outside of the function"
            raise PortRefused(explain("change", given, "changes of what the function makes itself", _ADVICE))


def refuse_iterators(*values: Any) -> None:
    """Refuse to read iterators from outside.

    `*values`: what is read. Raises PortRefused: one is an iterator from outside.
    """
    reached = _here.get()
    for one in values:
        if reached is not None and reached.is_outside(one) and isinstance(one, Iterator):
            advice = "It would be read once, while tracing: make a list of it outside, `rows = list(...)`."
            given = f"a {type(one).__name__} from outside of the function"
            raise PortRefused(explain("iterator", given, "lists, and iterators made in it", advice))
