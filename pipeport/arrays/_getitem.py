"""The value at a key of an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._basic import basic, place, size_of
from pipeport.arrays._index import parse
from pipeport.arrays._key import Key, Many, Mask, Part
from pipeport.arrays._places import true_places
from pipeport.errors import BadIndex, explain


def indices(picks: list[tuple[int, Many | Mask]], y: Any) -> list[tuple[int, Any]]:
    """Return index arrays, one per axis, with the axes; masks become the places of their True.

    `picks`: of the key that was read. Returns: axes and places, counted from 0: NumPy's where tracing knows
    them, else tensors.
    """
    found: list[tuple[int, Any]] = []
    for axis, one in picks:
        if isinstance(one, Many):
            unknown = tf.is_tensor(one.index) or y.shape[axis] is None
            found.append((axis, place(one.index, size_of(y, axis)) if unknown else one.index))
        elif tf.is_tensor(one.mask):
            true = true_places(fitting(one.mask, y, axis))
            found.extend((axis + each, true[:, each]) for each in range(one.rank))
        else:
            fitting(one.mask, y, axis)
            found.extend((axis + each, true) for each, true in enumerate(np.nonzero(one.mask)))
    return found


def fitting(mask: Any, y: Any, axis: int) -> Any:
    """Return a mask as a tensor, in the graph checked to have the shape of its axes.

    `mask`: the mask; what tracing knows of its shape has been checked. Returns: the mask, ordered after the
    check.
    """
    mask = tf.convert_to_tensor(mask)
    wanted = y.shape[axis : axis + mask.shape.rank]
    if wanted.is_fully_defined() and mask.shape.is_fully_defined():
        return mask
    found, sizes = tf.shape(mask), tf.shape(y)[axis : axis + mask.shape.rank]
    message = explain("key", "a mask of another shape", "that of the axes", "Give one bool per element.")
    check = tf.debugging.Assert(tf.reduce_all(found == sizes), [message, found, sizes])
    with tf.control_dependencies([check]):
        mask = tf.identity(mask)
    mask.set_shape(wanted)
    return mask


def together(arrays: Sequence[Any]) -> Any:
    """Broadcast index arrays and put them side by side in a last axis.

    Returns: NumPy's where all are known while tracing.
    """
    try:
        shape = tf.TensorShape([])
        for one in arrays:
            shape = tf.broadcast_static_shape(shape, tf.TensorShape(one.shape))
    except ValueError as error:
        given = " and ".join(str(tuple(one.shape)) for one in arrays)
        advice = "Give as many indices for each axis, or use slices."
        given = f"index arrays of shapes {given}"
        raise BadIndex(explain("key", given, "shapes that broadcast", advice)) from error
    if not any(tf.is_tensor(one) for one in arrays):
        return np.stack(np.broadcast_arrays(*arrays), axis=-1)
    tensors = [tf.cast(one, tf.int64) for one in arrays]
    if any(one.shape != shape or not shape.is_fully_defined() for one in tensors) and len(tensors) > 1:
        sizes = tf.shape(tensors[0])
        for one in tensors[1:]:
            sizes = tf.broadcast_dynamic_shape(sizes, tf.shape(one))
        tensors = [tf.broadcast_to(one, sizes) for one in tensors]
    return tf.stack(tensors, axis=-1)


def moved_first(x: Any, axes: Sequence[int]) -> tuple[Any, list[int] | None]:
    """Bring axes to the front.

    Returns: the order that brings them back, None if nothing moved.
    """
    order = [*axes, *(axis for axis in range(x.shape.rank) if axis not in axes)]
    if order == list(range(len(order))):
        return x, None
    return tf.transpose(x, order), [int(at) for at in np.argsort(order)]


def _run(index: Any) -> Part | None:
    """Return known places as a slice, where they are neighbours in either direction."""
    if tf.is_tensor(index) or index.ndim != 1 or index.size < 2:
        return None
    step = int(index[1] - index[0])
    if abs(step) != 1 or (np.diff(index) != step).any():
        return None
    stop = int(index[-1]) + step
    return Part(int(index[0]), stop if stop >= 0 else None, step)


def flat_mask(y: Any, axis: int, rank: int) -> Any:
    """Join the axes of a mask.

    `axis`: the first of the axes. Returns: the array with one axis in place of them.
    """
    if rank == 1:
        return y
    joined = y.shape[axis : axis + rank].num_elements()
    shape = [*y.shape[:axis], joined, *y.shape[axis + rank :]]
    if None not in shape:
        return tf.reshape(y, shape)
    sizes = tf.shape(y)
    parts = [sizes[:axis], tf.reduce_prod(sizes[axis : axis + rank], keepdims=True), sizes[axis + rank :]]
    return tf.ensure_shape(tf.reshape(y, tf.concat(parts, 0)), shape)


def _along(y: Any, axis: int, index: Any) -> Any:
    """Take places of one axis."""
    run = None if y.shape[axis] is None else _run(index)
    if run is None:
        return tf.gather(y, index, axis=axis)
    return basic(y, [run if at == axis else Part() for at in range(y.shape.rank)])


def numbered(x: Any, count: int) -> tuple[Any, Any]:
    """Return leading axes joined to one, and for each of their places the row it became.

    The kernels for places along several axes refuse rows that turn out to have no elements; those
    for one axis do not.

    Returns: their numbers, in the shape of the axes.
    """
    sizes = tf.shape(x)
    number = tf.reduce_prod(sizes[:count])
    rows = tf.reshape(x, tf.concat([[number], sizes[count:]], 0))
    rows.set_shape([None, *x.shape[count:]])
    return rows, tf.reshape(tf.range(number), sizes[:count])


def _gathered_nd(y: Any, index: Any) -> Any:
    count = index.shape[-1]
    behind = y.shape[count:].as_list()
    if None not in behind and 0 not in behind:
        return tf.gather_nd(y, index)
    rows, numbers = numbered(y, count)
    return tf.gather(rows, tf.gather_nd(numbers, index))


def _gathered(y: Any, key: Key) -> Any:
    """Take what index arrays and masks name, and bring their axes where NumPy has them."""
    picks = key.picks
    axis, first = picks[0]
    if len(picks) == 1 and isinstance(first, Mask):
        # All axes of the mask as one: 98 where a gather along two axes takes 170, tf.boolean_mask 130.
        flat = tf.reshape(fitting(first.mask, y, axis), [-1])
        known = not tf.is_tensor(first.mask)
        with tf.control_dependencies([flat]):
            y = flat_mask(y, axis, first.rank)
        true = np.flatnonzero(first.mask) if known else true_places(flat)[:, 0]
        found, rank, at = _along(y, axis, true), 1, axis
    else:
        places = indices(picks, y)
        index = together([one for _, one in places])
        rank, at = len(index.shape) - 1, 0
        if len(places) == 1:
            found, at = _along(y, axis, index[..., 0]), axis
        else:
            found = _gathered_nd(moved_first(y, [one for one, _ in places])[0], index)
    wanted = 0 if key.fronted else axis
    if at == wanted:
        return found
    if wanted == 0:
        return moved_first(found, range(at, at + rank))[0]
    return moved_first(found, range(rank, rank + wanted))[0]


def getitem(x: Any, key: Any) -> tuple[Any, bool]:
    """Return the value at a key of an array.

    `key`: numbers, slices, `...`, None, arrays of integers or bools, and tuples of them. Whatever is a number
    may be a scalar tensor, and arrays may be tensors. Returns: the elements, in the shape NumPy gives them;
    whether NumPy's result is a view of the array.
    """
    read = parse(key, x.shape)
    y = basic(x, read.basic)
    return (_gathered(y, read) if read.advanced else y), read.shares
