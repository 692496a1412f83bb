"""The arguments of a tf.function's call as text, which outlives the objects."""

from __future__ import annotations

import enum
import inspect
import itertools
import os
import types
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf

TENSOR, SPEC, VALUE, OPTION, FUNCTION, OBJECT, CONTAINER = (
    "tensor",
    "spec",
    "value",
    "option",
    "function",
    "object",
    "container",
)
_LONGEST, _LONGEST_SPEC = 60, 120


@dataclass(frozen=True)
class Leaf:
    """One argument, or one part of a nested one.

    `same` is equal for what TensorFlow takes as the same; `origin` says which source line or class an
    object comes from. Containers stand beside their parts, with what they hold in `text`.
    """

    kind: str
    text: str
    same: Hashable
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    origin: str = ""


Arguments = dict[str, Leaf]


class Identities:
    """Numbers for objects that no other object gets, not even one at the same address later."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._next = itertools.count()

    def of(self, thing: Any) -> int:
        """Return the number of an object that can be weakly referenced."""
        known = self._known.get(id(thing))
        if known is not None and known[0]() is thing:
            return known[1]
        number = next(self._next)
        self._known[id(thing)] = (weakref.ref(thing), number)
        return number


def describe(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], identities: Identities
) -> Arguments:
    """Return the leaves of a call by the argument's path: `batch['image']`, `sizes[0]`."""
    found: Arguments = {}
    for name, value in named(function, args, kwargs):
        found.update(_leaves(name, value, identities))
    return found


def named(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of a call by the names of the parameters."""
    try:
        signature = inspect.signature(function)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        yield from ((f"argument {number}", value) for number, value in enumerate(args, 1))
        yield from kwargs.items()
        return
    bound.apply_defaults()
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            yield from ((f"{name}[{number}]", part) for number, part in enumerate(value))
        elif kind is inspect.Parameter.VAR_KEYWORD:
            yield from value.items()
        else:
            yield name, value


def _leaves(path: str, value: Any, identities: Identities) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, (np.ndarray, np.generic)):
        yield path, _tensor(value.shape, "string" if value.dtype.kind in "OSU" else value.dtype.name)
    elif isinstance(value, (tf.Tensor, tf.Variable, tf.TensorSpec)):
        shape = tf.TensorShape(value.shape)
        yield path, _tensor(None if shape.rank is None else tuple(shape.as_list()), value.dtype.name)
    elif isinstance(value, Mapping):
        keys = list(value)
        yield (
            path,
            Leaf(CONTAINER, f"a dictionary with the keys {shortened(keys)}", ("keys", *map(repr, keys))),
        )
        for key in keys:
            yield from _leaves(f"{path}[{key!r}]", value[key], identities)
    elif isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        yield path, Leaf(CONTAINER, f"a {kind} of {len(value)}", (kind, type(value), len(value)))
        for number, part in enumerate(value):
            yield from _leaves(f"{path}[{number}]", part, identities)
    else:
        yield path, _spec(value) or _plain(value) or _identified(value, identities)


def _tensor(shape: tuple[int | None, ...] | None, dtype: str) -> Leaf:
    sizes = "unknown rank" if shape is None else f"({', '.join(map(str, shape))})"
    return Leaf(
        TENSOR, f"{dtype}{sizes if shape is not None else f', {sizes}'}", (dtype, shape), dtype, shape
    )


def _spec(value: Any) -> Leaf | None:
    """Return the type spec of a ragged or sparse tensor, dataset, iterator or extension type."""
    described = (tf.data.Dataset, tf.data.Iterator, tf.TypeSpec, tf.experimental.ExtensionType)
    if not (isinstance(value, described) or tf.is_tensor(value)):
        return None
    spec = value if isinstance(value, tf.TypeSpec) else tf.type_spec_from_value(value)
    return Leaf(SPEC, type_spec_text(spec), spec, origin=type(spec).__name__)


def type_spec_text(spec: Any) -> str:
    """Return a TypeSpec as text, without what says nothing."""
    return shortened(str(spec).replace(", name=None", "").rpartition("<locals>.")[2], _LONGEST_SPEC)


def _plain(value: Any) -> Leaf | None:
    """Return the leaf of a Python value that TensorFlow compares by value."""
    kind = type(value).__name__
    if value is None or isinstance(value, (bool, str, bytes, enum.Enum)):
        return Leaf(OPTION, shortened(repr(value)), ("plain", value), dtype=kind)
    if isinstance(value, (int, float, complex)):
        # A NaN is not equal to itself, but TensorFlow takes two of them as the same.
        same = "nan" if value != value else value
        return Leaf(VALUE, repr(value), ("plain", same), dtype=kind)
    return None


def _identified(value: Any, identities: Identities) -> Leaf:
    try:
        number = identities.of(value)
    except TypeError:
        return Leaf(VALUE, shortened(repr(value)), _hashable(value), dtype=type(value).__name__)
    if isinstance(value, types.MethodType):
        owner = _plain_name(type(value.__self__))
        text = f"the method `{owner}.{value.__name__}`"
        return Leaf(FUNCTION, text, ("object", number), origin=f"method {_owner(value, identities)}")
    code = getattr(value, "__code__", None)
    if code is not None:
        named = "a lambda" if value.__name__ == "<lambda>" else f"the function `{value.__name__}`"
        place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"  # noqa: PTH119 - no path
        return Leaf(FUNCTION, f"{named} of {place}", ("object", number), origin=place)
    if isinstance(value, (type, types.BuiltinFunctionType)):
        what = "class" if isinstance(value, type) else "function"
        return Leaf(FUNCTION, f"the {what} `{_plain_name(value)}`", ("object", number), origin=repr(value))
    kind = _plain_name(type(value))
    return Leaf(OBJECT, f"an object of {kind}", ("object", number), origin=kind)


def _owner(method: types.MethodType, identities: Identities) -> str:
    try:
        return str(identities.of(method.__self__))
    except TypeError:
        return "?"


def _hashable(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return ("plain", value)


def _plain_name(kind: type | types.BuiltinFunctionType) -> str:
    return kind.__qualname__.rpartition("<locals>.")[2]


def shortened(value: Any, longest: int = _LONGEST) -> str:
    """Return a text of a value on one line, cut where it is long."""
    text = " ".join((value if isinstance(value, str) else str(value)).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
