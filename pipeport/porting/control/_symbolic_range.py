"""Loops whose rounds the graph counts: `range`, `zip`, `enumerate` and arrays of unknown length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._making import weak_scalar
from pipeport.errors import OutsideDomain, PortRefused, UnsupportedArgument, explain
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import (
    as_array,
    is_array,
    is_symbolic_list,
    is_tensor,
    is_text,
    python_number,
    tensor_of,
)
from pipeport.porting.control._aliases import element
from pipeport.porting.strings._opened import File
from pipeport.porting.strings._text import as_text


class SymbolicRange(StandIn, stands_for=(range,)):
    """A sequence of symbolic length.

    `count`: how many, a scalar of int64. `at`: gives the element of a number, which is a tensor.
    """

    described = "a sequence whose length is only known when the graph runs"
    hidden = frozenset({"count"})
    advice = "Write a `for` statement, which becomes a loop of the graph."

    def __init__(self, count: Any, at: Callable[[Any], Any]) -> None:
        self.count = count
        self.at = at


def _refuse_reading(graph: Any, *, begun: bool = False) -> None:
    """Refuse to read an iterator twice, or in another branch or loop than it was made in."""
    if begun or _sharing.graph_here() is not graph:
        given = "a second one" if begun else "one under a run-time condition or loop around which it was made"
        advice = "Make a list of it: `rows = list(...)`."
        raise PortRefused(explain("iterator", f"a reading: {given}", "one reading, where it is made", advice))


class Once(SymbolicRange, stands_for=(zip,)):
    """An iterator of symbolic length.

    `values`: what it gives.
    """

    def __init__(self, values: Any) -> None:
        steps = values if isinstance(values, SymbolicRange) else values.steps()
        super().__init__(steps.count, steps.at)
        self._values = values
        self._graph, self._begun = _sharing.graph_here(), False

    def taken(self) -> Any:
        """Return what it gives; it is used up then."""
        _refuse_reading(self._graph, begun=self._begun)
        self._begun = True
        return self._values


def taken(value: Any) -> Any:
    """Return what an iterator of symbolic length, or an open file, gives; all else unchanged."""
    if isinstance(value, File):
        return value.lines()
    return value.taken() if isinstance(value, Once) else value


class Rounds:
    """An iterator of known length.

    `values`: gives the elements one after another. `count`: how many. `at`: gives the element of a number,
    which is a tensor; without it the graph cannot.
    """

    def __init__(self, values: Iterable[Any], count: int = 0, at: Callable[[Any], Any] | None = None) -> None:
        self._values = iter(values)
        self._graph = _sharing.graph_here()
        self.count = count
        self.at = at
        self.begun = False

    def __iter__(self) -> Rounds:
        return self

    def __next__(self) -> Any:
        _refuse_reading(self._graph)
        self.begun = True
        return next(self._values)

    def end(self) -> None:
        """Give no more elements."""
        self._values = iter(())


def places(value: Any) -> tuple[int, Callable[[Any], Any]] | None:
    """Return how many elements a sequence has, and what gives that of a number, a tensor; else None."""
    if isinstance(value, Rounds):
        return None if value.begun or value.at is None else (value.count, value.at)
    if isinstance(value, range):
        return len(value), lambda number: weak_scalar(value.start + number * value.step)
    if is_array(value) and tensor_of(value).shape.rank and tensor_of(value).shape[0] is not None:
        return tensor_of(value).shape[0], lambda number: value[weak_scalar(number)]
    return None


def rounds(value: Any) -> Any:
    """Return the elements of a loop: Python values if its length is known, else `SymbolicRange`.

    `value`: an array, a tensor, `SymbolicRange` or anything Python can iterate over. Returns: of Python, or
    for the graph.
    """
    value = taken(value)
    if isinstance(value, SymbolicRange):
        return value
    if is_text(value):
        return _texts(value)
    if is_symbolic_list(value):
        return value.steps()
    if is_tensor(value):
        value = as_array(value) if as_array(value) is not None else value
    if is_array(value):
        if tensor_of(value).shape.rank == 0:
            raise OutsideDomain(explain("iteration", "a scalar", "an array", "Give it an axis first."))
        if tensor_of(value).shape[0] is None:
            return SymbolicRange(
                tf.shape(tensor_of(value), tf.int64)[0], lambda number: value[weak_scalar(number)]
            )
        if tensor_of(value).shape.rank == 1 and not tf.executing_eagerly():
            count = tensor_of(value).shape[0]
            return Rounds(_numbers(value), count, lambda number: value[weak_scalar(number)])
    return value


def _texts(value: Any) -> Any:
    """Return the strings of a list, the characters of a string, or the numbers of bytes."""
    tensor, element = value.elements()
    count = tensor.shape[0]
    if count is not None:
        return [element(tensor[place]) for place in range(count)]
    return SymbolicRange(tf.size(tensor, tf.int64), lambda number: element(tensor[number]))


def _numbers(array: Any) -> Iterator[Any]:
    """Yield the elements of an array with one axis, each as it is then: a loop may write to those to come.

    Numbers that are known are NumPy's: what is computed of them needs no operation.
    """
    tensor = found = None
    for place in range(tensor_of(array).shape[0]):
        if tensor_of(array) is not tensor:
            tensor = tensor_of(array)
            found = tf.get_static_value(tensor)
        yield array[place] if found is None else found[place]


def listed(value: Any) -> Any:
    """Return the elements of a comprehension; its length must be known."""
    found = rounds(value)
    return iter(found) if isinstance(found, SymbolicRange) else found


def range_(*bounds: Any) -> Any:
    """Return `range`, of symbolic bounds too."""
    bounds = tuple(python_number(one) for one in bounds)
    if not any(is_array(one) for one in bounds):
        return range(*bounds)
    start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
    first, end, by = (tf.cast(_whole(one), tf.int64) for one in (start, stop, step))
    away = tf.sign(by)
    count = tf.maximum((end - first + by - away) // by, 0)
    # A number that is known is one of the round, not another value that the loop hands on.
    origin, pace = (one if (known := tf.get_static_value(one)) is None else int(known) for one in (first, by))
    return SymbolicRange(count, lambda number: weak_scalar(origin + number * pace))


def _whole(value: Any) -> Any:
    array = as_array(value)
    if array is None or array.dtype.kind not in "iu" or tensor_of(array).shape.rank:
        raise UnsupportedArgument(explain("range", repr(value), "whole numbers", "Cast it with int()."))
    return tensor_of(array)


def enumerate_(values: Any, start: Any = 0) -> Any:
    """Return `enumerate`, of symbolic lengths too."""
    found = rounds(values)
    if not isinstance(found, SymbolicRange):
        known, python = places(found), enumerate(found, start)
        if known is None:
            return Rounds(python)
        count, at = known
        return Rounds(python, count, lambda number: (weak_scalar(number + start), at(number)))
    first = tf.cast(_whole(start), tf.int64)
    return Once(SymbolicRange(found.count, lambda number: (weak_scalar(first + number), found.at(number))))


def zip_(*sequences: Any, strict: bool = False) -> Any:
    """Return `zip`, of symbolic lengths too."""
    found = [rounds(one) for one in sequences]
    if not any(isinstance(one, SymbolicRange) for one in found):
        python = zip(*found, strict=strict)
        known = [one for one in map(places, found) if one is not None]
        least, most = (extreme([size for size, _ in known], default=0) for extreme in (min, max))
        if len(known) < len(found) or (strict and least < most):
            return Rounds(python)
        return Rounds(python, least, lambda number: tuple(at(number) for _, at in known))
    found = [_live(one) for one in found]
    counts = [
        one.count if isinstance(one, SymbolicRange) else tf.constant(len(one), tf.int64) for one in found
    ]
    ats = [one.at if isinstance(one, SymbolicRange) else _at(one) for one in found]
    count = tf.reduce_min(tf.stack(counts))
    if strict:
        message = explain("zip", "sequences of several lengths", "one length", "Leave `strict` out.")
        same = [tf.debugging.assert_equal(one, count, message) for one in counts]
        with tf.control_dependencies(same):
            count = tf.identity(count)
    return Once(SymbolicRange(count, lambda number: tuple(at(number) for at in ats)))


def _live(values: Any) -> Any:
    """Return a sequence that gives each element as it is in its round: a loop may write to those to come."""
    if isinstance(values, SymbolicRange) or is_array(values):
        return values
    known = places(values)
    return list(values) if known is None else SymbolicRange(tf.constant(known[0], tf.int64), known[1])


def _at(values: Any) -> Callable[[Any], Any]:
    if is_array(values):
        return lambda number: values[weak_scalar(number)]
    if all(isinstance(one, str) for one in values):
        values = [as_text(one) for one in values]

    def at(number: Any) -> Any:
        found = element(values, weak_scalar(number)) if values else None
        if found is None:
            advice = "Zip arrays, or lists of numbers or strings."
            raise UnsupportedArgument(explain("zip", "a list of several kinds", "one kind", advice))
        return found

    return at


def reversed_(values: Any) -> Any:
    """Return `reversed`, of symbolic lengths too."""
    if is_array(values) or is_tensor(values):
        flipped = rounds(as_array(values)[::-1])
        return (
            Once(flipped) if isinstance(flipped, SymbolicRange) else Rounds(flipped, *places(flipped) or ())
        )
    steps = rounds(values) if is_symbolic_list(values) or is_text(values) else values
    if isinstance(steps, SymbolicRange) and not isinstance(steps, Once):
        return Once(SymbolicRange(steps.count, lambda number: steps.at(steps.count - 1 - number)))
    return Rounds(reversed(steps))


def length(value: Any) -> Any:
    """Return `len`: a Python integer, or a weak array where the size is unknown."""
    if isinstance(value, SymbolicRange):
        return weak_scalar(value.count)
    if is_text(value):
        return value.length()
    if is_symbolic_list(value):
        return weak_scalar(value.count)
    if is_array(value) or is_tensor(value):
        tensor = tensor_of(value)
        if tensor.shape.rank == 0:
            raise OutsideDomain(explain("len", "a scalar", "an array", "A scalar has no length."))
        known = tensor.shape[0]
        return weak_scalar(tf.shape(tensor, tf.int64)[0]) if known is None else known
    return len(value)
