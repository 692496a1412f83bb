"""What stands in for a value of Python's: each special method of that is served or refused by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from pipeport.arrays._shape import Shape
from pipeport.arrays._sharing import python_type as _of_array
from pipeport.errors import AttributeRefused, PortRefused, explain
from pipeport.porting._values import is_array

# What every object answers for itself.
_OWN = frozenset(dir(object)) - {
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__format__")
}
_OPERATORS = frozenset(
    f"__{side}{name}__"
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow"),
        *("and", "or", "xor", "lshift", "rshift", "matmul"),
    )
    for side in ("", "r")
)
_ALWAYS = _OPERATORS | {"__bool__", "__iter__", "__neg__", "__pos__", "__abs__", "__invert__"}
_NOT_SPECIAL = frozenset({"__class_getitem__", "__getnewargs__", "__fspath__", "__bytes__"})
_BESIDE_ARRAYS = _OPERATORS | {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
_WORDS = {"bool": "truth", "contains": "in", "eq": "comparison", "hash": "key", "iter": "iteration"}


class StandIn:
    """A value that is known only at run time.

    A subclass names the classes of Python's values that it stands in for. Whatever special method these
    have and the subclass lacks is refused by name: none falls through to `object`.
    """

    stands_for: ClassVar[tuple[type, ...]] = ()
    described: ClassVar[str] = ""
    # Attributes of ours that have a name of Python's, and another meaning.
    hidden: ClassVar[frozenset[str]] = frozenset()
    # What makes NumPy's array of it beside an operator.
    as_array: ClassVar[Callable[..., Any] | None] = None
    advice: ClassVar[str] = "Make an array of it."

    def __init_subclass__(cls, stands_for: tuple[type, ...] = (), **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.stands_for = stands_for or cls.stands_for
        for name in special_methods(*cls.stands_for):
            found = (vars(one)[name] for one in cls.__mro__[:-1] if name in vars(one))
            if next(found, None) is None:  # a class with `__eq__` alone has None as its `__hash__`
                setattr(cls, name, _refusing(name))

    @property
    def python_type(self) -> type:
        """The class that the value has in Python."""
        return self.stands_for[0]

    def refuse(self, what: str) -> NoReturn:
        """Refuse what is not served."""
        allowed = ", ".join(sorted(served(self))) or "loops over it"
        raise PortRefused(explain(what, self.described, allowed, self.advice))

    def __getattr__(self, name: str) -> Any:
        self.miss(name)

    def miss(self, name: str) -> NoReturn:
        """Refuse an attribute, as Python does where its class has none either."""
        kind = self.python_type
        if name.startswith("_") or not hasattr(kind, name):
            told = f"{kind.__name__!r} object has no attribute {name!r}"
            raise AttributeError(told)
        allowed = ", ".join(sorted(served(self))) or "loops over it"
        raise AttributeRefused(explain("attribute", f"`{name}` of {self.described}", allowed, self.advice))

    def __repr__(self) -> str:
        return self.described


@functools.cache
def special_methods(*kinds: type) -> frozenset[str]:
    """Return the special methods of classes, and those of all operators."""
    found = {
        name
        for kind in kinds
        for name in dir(kind)
        if name.startswith("__") and callable(getattr(kind, name, None)) and name not in _OWN | _NOT_SPECIAL
    }
    return frozenset(found | _ALWAYS)


def _refusing(name: str) -> Callable[..., Any]:
    word = name.strip("_")

    def method(self: Any, *others: Any) -> Any:
        if self.as_array is not None and others and is_array(others[0]) and name in _BESIDE_ARRAYS:
            return NotImplemented  # the array computes
        return self.refuse(_WORDS.get(word, word))

    method.__name__ = name
    return method


def served(value: StandIn) -> frozenset[str]:
    """Return the public attributes and methods that a value has, and has in Python too."""
    cls: Any = type(value)
    return _shared(cls, value.python_type) - value.hidden


@functools.cache
def _shared(cls: Any, kind: type) -> frozenset[str]:
    return frozenset(name for name in dir(cls) if not name.startswith("_") and hasattr(kind, name))


def refuse_stand_ins(what: str, value: Any) -> None:
    """Refuse what stands in for a value anywhere in nested containers."""
    if isinstance(value, StandIn):
        value.refuse(what)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            refuse_stand_ins(what, one)


def python_type(value: Any) -> type:
    """Return the class that a value has in Python.

    `value`: any value of a ported function. Returns: that of what the value stands in for, or its own.
    """
    if is_array(value):
        return _of_array(value)
    if isinstance(value, StandIn):
        return value.python_type
    return tuple if isinstance(value, Shape) else type(value)
