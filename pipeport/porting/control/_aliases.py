"""Arrays that may alias others: list elements at computed positions, results of opaque calls."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _aliasing, _lines, _sharing
from pipeport.arrays._give import opened
from pipeport.arrays._making import as_of_tensorflow, fresh
from pipeport.porting._values import as_array, is_array, python_number, tensor_of
from pipeport.porting.control._choice import is_choice, is_of_values, of_place, with_strings
from pipeport.porting.control._copies import note_copy
from pipeport.porting.control._join import same
from pipeport.porting.control._parts import is_outside, storage_to_write
from pipeport.porting.strings._text import Text, as_text


def picked(values: Any, key: Any) -> Any:
    """Return an element, or a slice, of a list of numbers or of arrays of one shape.

    `values`: the list. `key`: the place, a scalar, or the places. Returns: the element; what is written to it
    is written to the array in the list. None where the list holds something else.
    """
    whole = as_array(opened(values))
    if whole is None:
        return None
    found = whole[key]
    if all(one.weak if is_array(one) else type(one) in (bool, int, float) for one in values):
        return fresh(tensor_of(found), weak=True)
    found = fresh(tensor_of(found))
    if any(map(is_outside, values)):
        _sharing.lend(found)
    own = storage_to_write(found)
    for place, one in enumerate(values) if own is not None else ():
        storage = storage_to_write(one)
        if storage is None:
            continue
        told = f"an element of a list, picked in {_lines.here()}"
        if is_array(key) and tensor_of(key).shape.rank == 0:
            places = (place, place - len(values))
            truth = functools.partial(_is_one_of, tensor_of(key), places)
            _aliasing.alias_if(own, storage, truth, _sharing.chain_of(one), told)
        else:
            _aliasing.may_alias(own, storage, told)
    return found


def element(values: Any, place: Any) -> Any:
    """Return the element of a list at a place known only at run time.

    `values`: the list; of lists, tuples and dictionaries in it each part is looked up. `place`: a scalar,
    from 0. Returns: the element; None where the list holds things of several kinds.
    """
    place = python_number(place)
    if not is_array(place):
        return values[place]
    first = values[0]
    if all(isinstance(one, (list, tuple)) and type(one) is type(first) for one in values):
        if any(len(one) != len(first) for one in values):
            return None
        parts = [element(column, place) for column in zip(*values, strict=True)]
        if any(one is None for one in parts):
            return None
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if all(isinstance(one, dict) and list(one) == list(first) for one in values):
        found = {name: element([one[name] for one in values], place) for name in first}
        return None if any(one is None for one in found.values()) else found
    if is_of_values(values) and not any(map(is_choice, values)):
        return of_place(values, tensor_of(place), same)
    values = with_strings(values)
    kinds = {one.kind if isinstance(one, Text) else type(one) for one in values}
    if kinds == {str} or kinds == {bytes}:
        return Text(tf.gather(tf.stack([as_text(one).tensor for one in values]), tensor_of(place)), *kinds)
    mixed = any(isinstance(one, (list, tuple, dict)) or as_array(one) is None for one in values)
    return None if mixed else picked(values, place)


def _is_one_of(number: Any, places: tuple[int, ...]) -> Any:
    return tf.reduce_any(tf.cast(number, tf.int64) == tf.constant(places, tf.int64))


def copied(found: Any) -> Any:
    """Note that lists and dictionaries are copies of some that the graph chose in a container.

    `found`: what was chosen. Returns: the same; `refuse_copy` knows it.
    """
    if isinstance(found, (list, dict, tuple)):
        if not isinstance(found, tuple):
            note_copy(found)
        for one in found.values() if isinstance(found, dict) else found:
            copied(one)
    return found


def doubtful(value: Any, given: list[Any]) -> Any:
    """Return results of a TensorFlow function; arrays in them may alias those of its callables.

    `value`: its result. `given`: its arguments. Returns: the result, with arrays that can be written to.
    """
    if type(value) in (list, tuple):
        return type(value)(doubtful(one, given) for one in value)
    if not is_array(value) or _sharing.track_of(value) is not None:
        return value
    made = fresh(tensor_of(value), weak=value.weak)
    if _sharing.is_of_tensorflow(value):
        as_of_tensorflow(made)
    may_be(made, _seen_by(given), "the result of a function of TensorFlow's")
    return made


def may_be(made: Any, given: list[Any], what: str) -> None:
    """Note that arrays in a result may share memory with arrays that were given.

    `made`: the result. `given`: what was given. `what`: the result in words.
    """
    if isinstance(made, dict):
        made = list(made.values())
    if isinstance(made, (list, tuple)):
        for one in made:
            may_be(one, given, what)
        return
    if any(map(is_outside, given)):
        _sharing.lend(made)
    own = storage_to_write(made)
    if own is not None:
        told = f"{what} in {_lines.here()}"
        for storage in dict.fromkeys(map(storage_to_write, given)):
            if storage is not None:
                _aliasing.may_alias(own, storage, told)


def _seen_by(given: list[Any]) -> list[Any]:
    """Return the arrays among arguments, and in what their functions close over."""
    found, todo, done = [], list(given), set()
    while todo:
        one = todo.pop()
        if id(one) in done:
            continue
        done.add(id(one))
        if is_array(one):
            found.append(one)
        elif isinstance(one, (list, tuple)):
            todo += one
        elif isinstance(one, dict):
            todo += one.values()
        elif callable(one):
            for cell in getattr(one, "__closure__", None) or ():
                with contextlib.suppress(ValueError):  # an empty cell
                    todo.append(cell.cell_contents)
    return found
