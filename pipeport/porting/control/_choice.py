"""A string, a function or None that only the graph decides on: each value it may have, and which it is.

`mode = "reflect" if u > .5 else "edge"` gives one. What is done with it is done with each value, under
conditions (`_distribute.distributed`); whether it equals a constant is a comparison of numbers.
"""

from __future__ import annotations

import operator
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import holds_operators
from pipeport.errors import PortRefused, explain
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import tensor_of, weak
from pipeport.porting.strings._text import Text

_CONSTANTS = (str, bytes, type(None), np.dtype)


def _operator(name: str, *, swapped: bool = False) -> Callable[[Any, Any], Any]:
    compute = getattr(operator, name)

    def function(self: Choice, other: Any) -> Any:
        return Choice.each(self, lambda one: compute(other, one) if swapped else compute(one, other))

    return function


class Choice(StandIn, stands_for=(str, bytes, tuple, type(None))):
    """One of several values of Python.

    `index`: a whole number: the key of the value that it is. `values`: the values by their keys.
    """

    pipeport_choice = True
    described = "one of several values that the graph decides between"
    advice = "Ask for it by `==`, `in` or `if` in the ported function itself."
    each: ClassVar[Callable[..., Any]]  # does something with each value; `_distribute` gives it

    def __init__(self, index: Any, values: Mapping[int, Any]) -> None:
        self.index = index
        self.values = dict(sorted(values.items()))

    def __repr__(self) -> str:
        self.refuse("text")

    def where(self, holds: Callable[[Any], bool]) -> Any:
        """Return whether something holds of the value, as a number of the graph."""
        keys = [key for key, value in self.values.items() if holds(value)]
        if len(keys) in (0, len(self.values)):
            return bool(keys)
        return weak(tf.reduce_any(tf.equal(tensor_of(self.index), tf.constant(keys, tf.int64))))

    def functions(self) -> Choice:
        """Return it as one of its functions; the graph stops where it is none."""
        holds = self.where(callable)
        if holds is True:
            return self
        advice = "Ask for None before, in the condition around."
        given = "None or a string" if holds is False else "None or a string in some elements"
        message = explain("call", given, "functions", advice)
        if holds is False:
            raise PortRefused(message)
        with tf.control_dependencies([tf.debugging.Assert(tensor_of(holds), [message])]):
            index = weak(tf.identity(tensor_of(self.index)))
        return Choice(index, {key: value for key, value in self.values.items() if callable(value)})

    def truth(self) -> Any:
        """Return whether it is true."""
        return self.where(bool)

    def tensor(self) -> Any:
        """Return it as a string of the graph; refused where it is not a string, or bytes or str.

        Raises PortRefused: it may be something else.
        """
        kinds = {type(value) for value in self.values.values()}
        if not (all(issubclass(kind, str) for kind in kinds) or kinds == {bytes}):
            given = "one of several functions, or None"
            raise PortRefused(
                explain("result", given, "numbers, arrays and strings", "Call it, and return that.")
            )
        keys = tf.constant(list(self.values), tf.int64)
        place = tf.argmax(tf.cast(tf.equal(keys, tensor_of(self.index)), tf.uint8))
        return tf.gather(tf.constant(list(self.values.values())), place)

    __add__, __radd__ = _operator("add"), _operator("add", swapped=True)
    __mul__, __rmul__ = _operator("mul"), _operator("mul", swapped=True)
    __truediv__, __rtruediv__ = _operator("truediv"), _operator("truediv", swapped=True)
    __lt__, __le__, __gt__, __ge__ = map(_operator, ("lt", "le", "gt", "ge"))


def _all_operators(cls: type) -> type:
    for name in (*"add sub mul truediv floordiv mod pow matmul lshift rshift".split(), "and_", "or_", "xor"):  # noqa: SIM905
        setattr(cls, f"__{name.strip('_')}__", _operator(name))
        setattr(cls, f"__r{name.strip('_')}__", _operator(name, swapped=True))
    for name in ("neg", "pos", "abs", "invert"):
        compute = getattr(operator, name)
        setattr(cls, f"__{name}__", lambda self, compute=compute: Choice.each(self, compute))
    return cls


@_all_operators
class Arrays(Choice, stands_for=(np.ndarray,)):
    """An array whose dtype only the graph decides on: one for each dtype, of which the others hold anything.

    None and a tuple may be among them.

    `if random.random() < .5: x = x * 1.2`, of bytes, gives one; what makes them of one dtype ends it.

    `told`, `note`: why it is refused as a result, and after which line.
    """

    described = "an array whose dtype depends on a condition"
    advice = "Cast it first, as in `x = x.astype(np.float32)`."

    def __init__(self, index: Any, values: Mapping[int, Any], told: str, note: str) -> None:
        super().__init__(index, values)
        self.told, self.note = told, note

    def truth(self) -> Any:
        """Return whether it is true."""

        def of_one(value: Any) -> Any:
            if not hasattr(value, "_values"):  # None, a tuple, a number of Python's
                return bool(value)
            return weak(tf.cast(tf.ensure_shape(tensor_of(value), []), tf.bool))

        return Choice.each(self, of_one)

    def functions(self) -> Choice:
        """Refuse it: it is not a function."""
        self.refuse("call")

    def tensor(self) -> Any:
        """Refuse it: no tensor has a dtype that a condition decides on."""
        error = PortRefused(self.told)
        error.add_note(self.note)
        raise error


def key_of_dtype(dtype: Any, weak: bool) -> int:
    """Return the key of an array among those that `Arrays` has."""
    return zlib.crc32(f"{dtype} {weak}".encode())


def is_choice(value: Any) -> bool:
    """Say whether a value is an `Choice`."""
    return hasattr(type(value), "pipeport_choice")


def may_be_one(value: Any) -> bool:
    """Say whether a value that a branch or a round gives may be one of several."""
    return _is_one(value) and not _is_inner(value)


def _is_one(value: Any) -> bool:
    return is_choice(value) or isinstance(value, _CONSTANTS) or callable(value)


def _is_inner(function: Any) -> bool:
    """Say whether a function is defined in a ported one, so that it may hold tensors of a branch."""
    return holds_operators(getattr(function, "__code__", None))


def is_of_values(value: Any) -> bool:
    """Say whether a value is a list of strings, functions and None, or of tuples with such and numbers."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    if all(map(_is_one, value)):
        return True
    kinds = {(type(one), len(one)) if isinstance(one, (list, tuple)) else None for one in value}
    if len(kinds) > 1 or None in kinds:
        return False
    columns = list(zip(*value, strict=True))
    return any(map(is_of_values, columns)) and all(is_of_values(one) or _numbers(one) for one in columns)


def _numbers(values: Sequence[Any]) -> bool:
    """Say whether values are Python's numbers of one class."""
    return {type(one) for one in values} in ({int}, {float}, {bool})


def with_strings(values: Iterable[Any]) -> list[Any]:
    """Return a list with strings of the graph in the place of those that it decides on."""

    def one_of(value: Any) -> Any:
        kinds = {type(one) for one in value.values.values()} if is_choice(value) else set()
        return Text(value.tensor(), *kinds) if kinds in ({str}, {bytes}) else value

    return list(map(one_of, values))


def keyed(values: Sequence[Any], same: Callable[[Any, Any], bool]) -> tuple[list[int], dict[int, Any]]:
    """Return keys of values, and the values by these; a value has the same key in every trace.

    Parameters
    ----------
    values : sequence
        The values.
    same : callable
        Says whether two are one.

    Returns
    -------
    (list of int, dict of int to object)
        Keys in the order of the values, and the values.
    """
    keys: list[int] = []
    found: dict[int, Any] = {}
    for value in values:
        key = zlib.crc32(_named(value).encode())
        while key in found and not same(found[key], value):
            key += 1
        found[key] = value
        keys.append(key)
    return keys, found


def _named(value: Any) -> str:
    """Return a text that is the same for a value in every trace, if not of this value alone."""
    if callable(value):
        return f"{type(value).__name__} {getattr(value, '__qualname__', '')}"
    return repr(value)


def of_place(values: Sequence[Any], place: Any, same: Callable[[Any, Any], bool]) -> Choice:
    """Return the value at a place of a sequence known only at run time.

    `values`: the values. `place`: tf.Tensor, shape (), of integers; from 0. `same`: says whether two are one.
    Returns: the value.
    """
    keys, by_key = keyed(values, same)
    return Choice(weak(tf.gather(tf.constant(keys, tf.int64), place)), by_key)


def element_at(values: Sequence[Any], place: Any, same: Callable[[Any, Any], bool]) -> Any:
    """Return the element of `is_of_values` at a place known only at run time."""
    if all(map(_is_one, values)):
        return of_place(values, place, same)
    if _numbers(values):
        kind = {int: tf.int64, float: tf.float64, bool: tf.bool}[type(values[0])]
        return weak(tf.gather(tf.constant(list(values), kind), place))
    return type(values[0])(element_at(one, place, same) for one in zip(*values, strict=True))


def united(
    values: Sequence[Any], same: Callable[[Any, Any], bool], given: str
) -> tuple[list[Any], dict[int, Any]]:
    """Return the keys of values, of which some are several, and all that they may be.

    `values`: of `may_be_one`. `same`: says whether two are one. `given`: what they are, for messages.
    Returns: for each value its key, or what stands for it; and the values by their keys.
    """
    found: dict[int, Any] = {}
    for one in (one for one in values if is_choice(one)):
        if any(key in found and not same(found[key], value) for key, value in one.values.items()):
            advice = "Choose between numbers, and take the functions from one list."
            raise PortRefused(explain("condition", given, "values that can be told apart", advice))
        found |= one.values
    indices: list[Any] = []
    for one in values:
        if is_choice(one):
            indices.append(one.index)
            continue
        key = next((key for key, value in found.items() if same(value, one)), None)
        if key is None:
            key = keyed([one], same)[0][0]
            while key in found:
                key += 1
            found[key] = one
        indices.append(key)
    return indices, found
