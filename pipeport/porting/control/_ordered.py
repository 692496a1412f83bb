"""Lists put in order, searched and combined, where their elements are known only at run time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, NoReturn

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import common, fitted
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.porting._values import (
    holds_array,
    is_array,
    is_symbolic_list,
    is_text,
    plain_number,
    tensor_of,
    weak,
)
from pipeport.porting.control import _aliases, _flow
from pipeport.porting.control import _symbolic_range as ranges
from pipeport.porting.control._aliases import picked
from pipeport.porting.control._truth import condition
from pipeport.porting.strings._text import checked


def sorted_(values: Any, *, key: Any = None, reverse: Any = False) -> Any:
    """Return `sorted`: of numbers that the graph knows, or by keys that it knows."""
    values = ranges.taken(values)
    if is_text(values) and key is None:
        _refuse_no_number("sorted")
    steps = ranges.rounds(values)
    if isinstance(steps, ranges.SymbolicRange):
        ranked = _keys_of(steps, key, "sorted")
        if key is None:
            ranked.sort()
            return _flow.collected(ranges.rounds(ranked[::-1] if reverse else ranked), list)
        places = _in_order(ranked, reverse, steps.count)
        ordered = ranges.SymbolicRange(steps.count, lambda at: steps.at(tensor_of(places[weak(at)])))
        return _flow.collected(ordered, list)
    row = list(steps)
    keys = row if key is None else [key(one) for one in row]
    if not holds_array(keys):
        order = sorted(range(len(row)), key=keys.__getitem__, reverse=reverse)
        return [row[at] for at in order]
    ranked = _stacked(keys, "sorted")
    if key is None:
        loose = all(type(one) in (bool, int, float) or (is_array(one) and one.weak) for one in row)
        ranked.sort()
        found = [fresh(one, weak=loose) for one in tf.unstack(tensor_of(ranked))]
        return found[::-1] if reverse else found
    places = _in_order(ranked, reverse, len(row))
    return [element(row, places[at], "sorted") for at in range(len(row))]


def _in_order(ranked: Any, reverse: Any, count: Any) -> Any:
    """Return the places of keys in their order; equals stay in theirs, also where the largest comes first."""
    places = (ranked[::-1] if reverse else ranked).argsort(kind="stable")
    return count - 1 - places[::-1] if reverse else places


def _keys_of(steps: Any, key: Any, name: str) -> Any:
    """Return the keys of a sequence of symbolic length as an array."""
    keys = _flow.collected(steps, lambda row: [one if key is None else key(one) for one in row])
    found = keys.array() if is_symbolic_list(keys) else keys
    if is_array(found) and found.ndim == 1:
        return found
    return _refuse_no_number(name)


def by_key(name: str, python: Callable[..., Any], values: Any, key: Any) -> Any:
    """Return `min(values, key=...)` or `max(values, key=...)`: the first of the best."""
    steps = ranges.rounds(values)
    if isinstance(steps, ranges.SymbolicRange):
        ranked = _keys_of(steps, key, name)
        return steps.at(tensor_of(ranked.argmin() if name == "min" else ranked.argmax()))
    row = list(steps)
    keys = [key(one) for one in row]
    if not holds_array(keys):
        return row[python(range(len(row)), key=keys.__getitem__)]
    ranked = _stacked(keys, name)
    return element(row, ranked.argmin() if name == "min" else ranked.argmax(), name)


def element(row: list[Any], place: Any, name: str) -> Any:
    """Return the element of a list at a place known only at run time."""
    found = _aliases.element(row, place)
    if found is None:
        advice = "Use numpy.argsort or numpy.argmax on an array of the keys."
        raise UnsupportedArgument(explain(name, "elements that differ in kind", "numbers or arrays", advice))
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _stacked(keys: list[Any], name: str) -> Any:
    """Return numbers as an array of the dtype they have together."""
    sides = [None if _is_list(one) else operand(one) for one in keys]
    known = [side for side in sides if side is not None and (side.plain or not side.value.shape.rank)]
    if len(known) < len(keys):
        _refuse_no_number(name)
    dtype, _ = common(known)
    return fresh(tf.stack([fitted(side, dtype) for side in known]))


def _refuse_no_number(name: str) -> NoReturn:
    raise WrongType(explain(name, "something that is not a number", "numbers", "Sort numbers alone."))


def index_of(equal: Callable[[Any], Any], row: Any, *bounds: Any) -> Any:
    """Return the first place of a list whose element is equal to something, in the graph."""
    start, stop = (*bounds, None, None)[:2]
    places = range(len(row))[start:stop] if isinstance(row, (list, tuple)) else range(0)
    found = _each(equal, row if is_symbolic_list(row) else [row[at] for at in places])
    message = explain("index", "a value that is not in the list", "values of the list", "Add it to the list.")
    place = tf.argmax(tf.concat([tf.cast(found, tf.uint8), [0]], 0)) + places.start
    return weak(checked(tf.reduce_any(found), place, message))


def count_of(equal: Callable[[Any], Any], row: Any) -> Any:
    """Return how many elements of a list are equal to something, in the graph."""
    return weak(tf.math.count_nonzero(_each(equal, row)))


def _each(equal: Callable[[Any], Any], row: Any) -> Any:
    """Say of each element whether it is equal."""
    if is_symbolic_list(row):
        row = _flow.collected(row.steps(), lambda values: [weak(condition(equal(values[0])))])
        return tensor_of(row.array()) if is_symbolic_list(row) else tf.zeros([0], tf.bool)
    flags = [condition(equal(one)) for one in row]
    return tf.stack(flags) if flags else tf.zeros([0], tf.bool)


def product(*sequences: Any, repeat: Any = 1) -> Any:
    """Return `itertools.product`, of symbolic lengths too."""
    found = [ranges.rounds(one) for one in sequences]
    ways = [ranges.places(one) for one in found] * plain_number(repeat)
    rows = [one if isinstance(one, ranges.SymbolicRange) else list(one) for one in found] * plain_number(
        repeat
    )
    if any(isinstance(one, ranges.SymbolicRange) for one in rows):
        ways = [_way(one) for one in rows]
    elif None in ways:
        return ranges.Rounds(itertools.product(*rows))

    def at(number: Any) -> Any:
        element = []
        for count, place in reversed(ways):
            most = tf.maximum(count, 1) if tf.is_tensor(count) else max(count, 1)
            element.append(place(number % most))
            number //= most
        return tuple(element[::-1])

    total = math.prod(count for count, _ in ways)
    if tf.is_tensor(total):
        return ranges.Once(ranges.SymbolicRange(total, at))
    return ranges.Rounds(itertools.product(*rows), total, at)


def _way(row: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Return how many elements a list or a sequence of the graph has, and what gives that of a number."""
    if isinstance(row, ranges.SymbolicRange):
        return row.count, row.at
    return tf.constant(len(row), tf.int64), lambda number: picked(row, weak(number))


def ndindex(*shape: Any) -> Any:
    """Return `numpy.ndindex`, of symbolic sizes too."""
    sizes = shape[0] if len(shape) == 1 and _is_list(shape[0]) else shape
    return product(*(ranges.range_(size) for size in sizes))


def over_rows(python: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of itertools that moves elements and does not look at them."""

    def function(*arguments: Any, **named: Any) -> Any:
        return ranges.Rounds(python(*(_row(one) for one in arguments), **named))

    return function


def _row(value: Any) -> Any:
    number = plain_number(value)
    if is_array(number) and tensor_of(number).shape.rank == 0:
        advice = "It decides how many elements there are: give it a number of Python's."
        raise OutsideDomain(explain("itertools", "a number known only at run time", "known numbers", advice))
    return number if isinstance(number, (bool, int, type(None))) else ranges.listed(number)
