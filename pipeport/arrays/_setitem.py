"""An array after an assignment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._assigned import assigned, fits, of_rank, spread
from pipeport.arrays._basic import basic
from pipeport.arrays._block import replaced
from pipeport.arrays._getitem import indices, moved_first, numbered, together
from pipeport.arrays._index import parse
from pipeport.arrays._key import Key, Mask, Part
from pipeport.arrays._masked import masked
from pipeport.errors import UnsupportedArgument, WrongType, explain

# Bytes of rows from which on it pays to scatter them as words.
_MANY_BYTES = 4096


def _last(index: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return which rows of known places are not named again further on."""
    _, first = np.unique(index[::-1], axis=0, return_index=True)
    return np.sort(len(index) - 1 - first)


def _updated(x: Any, index: Any, value: Any) -> Any:
    """Scatter rows, which may turn out to have no elements: the kernel refuses that."""
    count = index.shape[-1]
    if None not in x.shape[count:].as_list():
        return _updated_as_int64(x, index, value)
    rows, numbers = numbered(x, count)
    updates = tf.shape(index)[:-1]
    every = tf.reduce_prod(updates)
    added = tf.reshape(tf.size(numbers) + tf.range(every), updates)
    source = tf.reshape(tf.tensor_scatter_nd_update(numbers, index, added), [-1])
    value = tf.reshape(value, tf.concat([[every], tf.shape(x)[count:]], 0))
    return tf.reshape(tf.gather(tf.concat([rows, value], 0), source), tf.shape(x))


def _updated_as_int64(x: Any, index: Any, value: Any) -> Any:
    """Scatter rows of known shape; of narrow whole numbers eight bytes at once.

    The kernel copies number by number: 2048 rows of 48 bytes take 130 µs, as words 50.
    """
    count, each = index.shape[-1], 8 // x.dtype.size
    words, rest = divmod(math.prod(x.shape[count:]), max(each, 1))
    known = x.shape.is_fully_defined() and (value.shape.num_elements() or 0) * x.dtype.size >= _MANY_BYTES
    if not (known and words and not rest and x.dtype.is_integer and x.dtype.size <= 2):
        return tf.tensor_scatter_nd_update(x, index, value)

    def as_int64(rows: Any) -> Any:
        lead = rows.shape[: rows.shape.rank - x.shape.rank + count]
        return tf.bitcast(tf.reshape(rows, [*lead, words, each]), tf.int64)

    found = tf.tensor_scatter_nd_update(as_int64(x), index, as_int64(value))
    return tf.reshape(tf.bitcast(found, x.dtype), x.shape)


def _scattered(y: Any, axis: int, places: list[tuple[int, Any]], value: Any, fronted: bool) -> Any:
    """Assign at index arrays.

    Where a place is named twice, the last value counts, as in NumPy: TensorFlow's scatter writes one
    after the other on a CPU, compiled or not (tried with three million places). A GPU promises no
    order for symbolic places. Of places known while tracing the earlier ones go, wherever it runs.
    """
    axes = [at for at, _ in places]
    index = together([one for _, one in places])
    rank = len(index.shape) - 1
    lead = 0 if fronted else axis
    moved, order = moved_first(y, axes)
    rest = moved.shape[len(axes) :].as_list()
    inner = tf.TensorShape(index.shape[:-1]).as_list()
    shape = tf.TensorShape([*rest[:lead], *inner, *rest[lead:]])
    fits(value, shape.as_list())

    def sizes() -> Any:
        others = tf.shape(moved)[len(axes) :]
        return tf.concat([others[:lead], tf.shape(index)[:-1], others[lead:]], 0)

    value = spread(of_rank(value, len(shape)), shape, sizes)
    value = moved_first(value, list(range(lead, lead + rank)))[0]
    if 0 in y.shape.as_list() or 0 in inner:
        return y
    if not tf.is_tensor(index):
        index = index.reshape(-1, len(axes))
        last = _last(index)
        value = tf.reshape(value, [len(index), *tf.unstack(tf.shape(value)[rank:])] if None in rest
                           else [len(index), *rest])  # fmt: skip
        if len(last) < len(index):
            index, value = index[last], tf.gather(value, last)
    found = _updated(moved, index, value)
    return found if order is None else tf.transpose(found, order)


def _advanced(x: Any, key: Key, value: Any, alone: bool) -> Any:
    around = key.basic
    plain = all(isinstance(one, Part) and one.full for one in around)
    y = x if plain else basic(x, around)
    picks = key.picks
    axis, first = picks[0]
    if len(picks) == 1 and isinstance(first, Mask):
        room = y.shape[:axis].as_list() + y.shape[axis + first.rank :].as_list()
        if alone and not room and value.shape.rank > 1:
            advice = "Take it with the same mask."
            raise WrongType(explain("value", f"shape {value.shape}", "one axis for a mask of all", advice))
        room.insert(0 if key.fronted else axis, None)
        fits(value, room)
        y = masked(y, axis, first, of_rank(value, len(room)), key.fronted)
    else:
        y = _scattered(y, axis, indices(picks, y), value, key.fronted)
    return y if plain else replaced(x, around, y)


def setitem(x: Any, key: Any, value: Any) -> Any:
    """Return an array after an assignment.

    `value`: a tensor, a NumPy array, a number or nested lists. It is cast to the dtype of the array and
    broadcast to the value at the key. Returns: of the shape and dtype of the array.
    """
    if x.shape.rank is None:
        advice = "State its rank with tf.ensure_shape."
        raise UnsupportedArgument(explain("array", "an unknown rank", "known ranks", advice))
    read = parse(key, x.shape)
    tensor = assigned(value, x.dtype)
    if read.advanced:
        alone = not isinstance(key, tuple) or len(key) == 1
        found = _advanced(x, read, tensor, alone)
    else:
        found = replaced(x, read.basic, tensor)
    found.set_shape(x.shape)
    return found
