"""Constants looked up by a string, or by a number, known only at run time.

Of strings a table of hashes is made while tracing, and held as constants: no resource, so that a graph can be
served. One gather leads to the few strings of one hash, which are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import as_array, is_array, tensor_of, weak
from pipeport.porting.strings._text import Text, Words, checked

_FEW = 8  # so many strings are compared without a hash


def is_key(value: Any) -> bool:
    """Say whether a value is a string or a number known only at run time."""
    if is_array(value):
        return tensor_of(value).shape.rank == 0 and value.dtype.kind in "biuf"
    return isinstance(value, Text)


def place_of(text: Text, names: Sequence[Any]) -> tuple[Any, Any]:
    """Return the first place of a string among constants.

    `text`: the string. `names`: the constants; those of another kind are never equal. Returns: the place,
    int64, 0 where there is none; and whether there is one.
    """
    first: dict[Any, int] = {}
    for place, name in enumerate(names):
        if type(name) is text.kind or (isinstance(name, text.kind) and isinstance(name, np.character)):
            first.setdefault(name, place)
    if not first:
        return tf.constant(0, tf.int64), tf.constant(False)
    kept = np.array([one.encode() if isinstance(one, str) else one for one in first], object)
    places = np.array(list(first.values()), np.int64)
    if len(kept) <= _FEW:
        same = tf.equal(tf.constant(kept), text.tensor)
        return tf.gather(tf.constant(places), tf.argmax(tf.cast(same, tf.uint8))), tf.reduce_any(same)
    buckets = 2 * len(kept)
    with tf.init_scope():
        hashes = tf.get_static_value(tf.strings.to_hash_bucket_fast(tf.constant(kept), buckets))
    rows: list[list[int]] = [[] for _ in range(buckets)]
    for place, bucket in enumerate(hashes):
        rows[bucket].append(place)
    most = max(map(len, rows))
    table = np.array([row + row[-1:] * (most - len(row)) or [0] * most for row in rows], np.int32)
    row = tf.gather(tf.constant(table), tf.strings.to_hash_bucket_fast(text.tensor, buckets))
    same = tf.equal(tf.gather(tf.constant(kept), row), text.tensor)
    place = tf.gather(row, tf.argmax(tf.cast(same, tf.uint8)))
    return tf.gather(tf.constant(places), place), tf.reduce_any(same)


def _place_of_number(number: Any, names: Sequence[Any]) -> tuple[Any, Any]:
    """Return the first place of a number among constants, and whether there is one, as `place_of` does."""
    kind = number.dtype.kind
    wide = np.dtype("float64" if kind == "f" else "uint64" if number.dtype == np.uint64 else "int64")
    first = {value: place for place, name in enumerate(names) if (value := _as(wide, name)) is not None}
    if not first:
        return tf.constant(0, tf.int64), tf.constant(False)
    same = tf.equal(tf.constant(list(first), wide), tf.cast(tensor_of(number), wide))
    places = tf.constant(list(first.values()), tf.int64)
    return tf.gather(places, tf.argmax(tf.cast(same, tf.uint8))), tf.reduce_any(same)


def _as(dtype: Any, name: Any) -> Any:
    """Return a constant as a number of a dtype that is equal to it; None if there is none."""
    if not isinstance(name, (bool, int, float, np.bool_, np.number)) or isinstance(name, np.complexfloating):
        return None
    try:
        value: Any = float(name) if dtype.kind == "f" else int(name)
    except (OverflowError, ValueError):  # too large, or not a number
        return None
    fits = dtype.kind == "f" or np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    return value if fits and value == name else None


def index_of(text: Text, names: Sequence[Any]) -> Any:
    """Return `names.index(text)`."""
    place, found = place_of(text, names)
    message = explain(
        "index", "a string that is not in the list", "strings of the list", "Add it to the list."
    )
    return weak(checked(found, place, message, text.tensor))


def is_in(text: Text, names: Sequence[Any]) -> Any:
    """Return `text in names`."""
    return weak(place_of(text, names)[1])


def equal_to(text: Text, names: np.ndarray[Any, Any]) -> Any:
    """Return which elements of an array are equal to a string, as a tensor."""
    row = names.ravel().tolist()
    alike = [isinstance(one, text.kind) for one in row]
    kept = tf.constant([one if same else "" for one, same in zip(row, alike, strict=True)], tf.string)
    found = tf.logical_and(tf.equal(kept, text.tensor), tf.constant(alike, tf.bool))
    return tf.reshape(found, names.shape)


def value_of(key: Any, table: dict[Any, Any], pick: Callable[[Any, Any], Any], default: Any = None) -> Any:
    """Return `table[text]`, or `table.get(text, default)`.

    `key`: the key, of which `is_key` says yes. `table`: the values, by constants. `pick`: gives an element of
    a list at a place of the graph, None where it has no form for them. `default`: what is taken where there
    is no such key, in a list; without it the graph stops there. Returns: the value.
    """
    names, values = list(table), list(table.values())
    place, found = place_of(key, names) if isinstance(key, Text) else _place_of_number(key, names)
    if default is None:
        given = "a string that is not a key" if isinstance(key, Text) else "a number that is not a key"
        message = explain("key", given, "keys of the dictionary", "Add it to the dictionary.")
        place = checked(found, place, message, tensor_of(key))
    else:
        values.append(default[0])
        place = tf.where(found, place, len(names))
    return _picked(values, place, pick)


def of_rows(table: dict[Any, Any]) -> bool:
    """Say whether the values of a dictionary are lists of strings of several lengths."""
    rows = list(table.values())
    alike = all(isinstance(one, list) and all(isinstance(part, (str, bytes)) for part in one) for one in rows)
    return alike and len({len(one) for one in rows}) > 1


def _row_of_strings(rows: list[list[Any]], place: Any, kind: type) -> Words:
    """Return the list of strings at a place, among lists of several lengths."""
    sizes = np.array([len(one) for one in rows], np.int64)
    start = tf.gather(tf.constant(np.cumsum(sizes) - sizes), place)
    flat = tf.constant([one for row in rows for one in row])
    return Words(flat[start : start + tf.gather(tf.constant(sizes), place)], kind)


def _picked(values: list[Any], place: Any, pick: Callable[[Any, Any], Any]) -> Any:
    kinds = {type(one) for one in values}
    if kinds <= {str} or kinds <= {bytes}:
        return Text(tf.gather(tf.constant(values), place), kinds.pop())
    first = values[0]
    if len(kinds) == 1 and isinstance(first, (list, tuple)) and len({len(one) for one in values}) == 1:
        parts = [_picked(list(column), place, pick) for column in zip(*values, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    inside = {type(part) for one in values for part in one} if kinds == {list} else set()
    if inside in ({str}, {bytes}):
        return _row_of_strings(values, place, *inside)
    if kinds == {dict} and all(list(one) == list(first) for one in values):
        return {name: _picked([one[name] for one in values], place, pick) for name in first}
    found = None
    arrays = [as_array(one) for one in values]
    if all(one is not None for one in arrays) and len({one.dtype for one in arrays if not one.weak}) < 2:
        found = pick(values, weak(place))
    if found is None:
        given = f"values of {', '.join(sorted(one.__name__ for one in kinds))}"
        advice = (
            "Give values of one kind: numbers or arrays of one dtype and shape, strings, or lists of these "
            "of one length."
        )
        raise PortRefused(explain("dictionary looked up by a value of the graph", given, "one kind", advice))
    return found
