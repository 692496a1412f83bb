"""Where elements lie in NumPy's memory: the order of the axes, and whether another shape is a view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._sharing import Storage, Tracked, storage_of, track_of

UNKNOWN = "unknown"
# Stands for a size that is not known where strides alone are asked for; it has many divisors.
_ANY_SIZE = 2520
# NumPy 2.1 brought `copy=False`; before it a shape is set, which 2.5 deprecates.
_KNOWS_COPY = np.lib.NumpyVersion(np.__version__) >= "2.1.0"


def blank(shape: Any, order: Any = None) -> Any:
    """Return an array of NumPy's of a shape, never to be read.

    `shape`: of known rank; what is not known of it is any size. `order`: the axes, the outermost in memory
    first; None of C.
    """
    sizes = [_ANY_SIZE if one is None else one for one in shape.as_list()]
    strides, step = [0] * len(sizes), 1
    for axis in reversed(range(len(sizes)) if order is None else order):
        strides[axis] = step
        step *= max(sizes[axis], 1)
    return np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), sizes, strides)


def in_shape(array: Any, sizes: Iterable[int]) -> Any:
    """Return an array of NumPy's in another shape, or None where that is not a view of it."""
    try:
        if _KNOWS_COPY:
            return array.reshape(tuple(sizes), copy=False)
        found = array.view()
        found.shape = tuple(sizes)
    except (AttributeError, ValueError):
        return None
    return found


def is_plain(array: Any) -> bool:
    """Say whether the elements of an array surely lie in the order C, without gaps."""
    track = track_of(array)
    if track is None:
        return True
    return track.storage.order is None and (track.chain is None or track.chain.plain)


def is_view_in(storage: Storage, chain: Any, wanted: Any, contiguous: bool = False) -> bool | None:
    """Say whether NumPy gives a view where an array is wanted in another shape.

    `chain`: how the array is taken from it. `contiguous`: whether an array in the order C is wanted instead,
    of the same shape. Returns: None where it is known only at run time.
    """
    if storage.order == UNKNOWN:
        return None
    if storage.order is None and (chain is None or chain.plain):
        return True
    shape = storage.tensor.shape
    if not shape.is_fully_defined() or not wanted.is_fully_defined():
        return None
    array = blank(shape, storage.order)
    if chain is not None:
        array = chain.strided(array, exact=True)
    if array is None:
        return None
    if contiguous:
        return bool(array.flags.c_contiguous)
    return in_shape(array, wanted.as_list()) is not None


def has_strides(storage: Storage, chain: Any, contiguous: bool = False) -> Any:
    """Return, as a tensor, whether a view in one axis has one distance between its elements.

    `chain`: to the view in its new shape. `contiguous`: whether that distance must be 1 over all axes
    together. Returns: of bool: whether the numbers of the elements in memory have one difference along each
    axis, so that NumPy gives a view.
    """
    root = storage.tensor
    numbers, sizes = tf.range(tf.size(root)), tf.shape(root)
    if storage.order is None:
        places = chain.read(tf.reshape(numbers, sizes))
    else:
        laid = tf.reshape(numbers, tf.gather(sizes, list(storage.order)))
        places = chain.read(tf.transpose(laid, np.argsort(storage.order)))
    if contiguous:
        flat = tf.reshape(places, [-1])
        return tf.reduce_all(flat[1:] - flat[:-1] == 1)
    truths = [tf.constant(True)]
    for axis, size in enumerate(places.shape):
        if size in (0, 1):
            continue
        flat = tf.reshape(tf.experimental.numpy.diff(places, axis=axis), [-1])
        truths.append(tf.reduce_all(flat == flat[:1]))
    return tf.reduce_all(tf.stack(truths))


def follow(made: Any, operands: Iterable[Any]) -> Any:
    """Note the order in memory of what was computed of others, element by element.

    `operands`: what it was computed of; what is not an array counts for nothing.
    """
    arrays = [one for one in operands if isinstance(one, Tracked)]
    if all(map(is_plain, arrays)):
        return made
    rank, own = made._values.shape.rank, storage_of(made)
    if rank is None:
        return unsure(made, operands)
    if rank < 2 or own is None or any(storage_of(one) is own for one in arrays):
        return made
    others = [one for one in operands if not isinstance(one, (Tracked, type)) and hasattr(one, "shape")]
    strides = []
    for one in (*arrays, *others):
        found = one if isinstance(one, np.ndarray) else _strided(one)
        if found is None:
            own.order = UNKNOWN
            return made
        shape = one._values.shape if isinstance(one, Tracked) else one.shape
        steps = [
            0 if size == 1 else step for size, step in zip(list(shape), list(found.strides), strict=True)
        ]
        strides.append([0] * (rank - len(steps)) + steps)
    order = _ordered(strides, rank)
    own.order = None if order == tuple(range(rank)) else order
    return made


def unsure(made: Any, operands: Iterable[Any]) -> Any:
    """Mark a result as of unknown memory order, because its operands are not in C order."""
    arrays = [one for one in operands if isinstance(one, Tracked)]
    if all(map(is_plain, arrays)):
        return made
    rank, own = made._values.shape.rank, storage_of(made)
    if (rank is None or rank > 1) and own is not None and all(storage_of(one) is not own for one in arrays):
        own.order = UNKNOWN
    return made


def _strided(value: Any) -> Any:
    """Return an array of NumPy's with the strides of an array, or None where they are not known."""
    storage = storage_of(value)
    if storage is None:
        return blank(value._values.shape if isinstance(value, Tracked) else tf.TensorShape(value.shape))
    if storage.order == UNKNOWN:
        return None
    root, chain = blank(storage.tensor.shape, storage.order), track_of(value).chain  # type: ignore[union-attr]
    return root if chain is None else chain.strided(root, exact=False)


def _ordered(strides: list[list[int]], rank: int) -> tuple[int, ...]:
    """Return axes, the outermost first, as NumPy's iterators order them by the strides of the operands."""
    found = list(range(rank))[::-1]  # the innermost first
    for at in range(1, rank):
        axis, place = found[at], at
        for before in range(at - 1, -1, -1):
            known = swaps = False
            for row in strides:
                mine, theirs = abs(row[axis]), abs(row[found[before]])
                if mine and theirs:
                    swaps = theirs > mine and (swaps or not known)  # where operands differ, C wins
                    known = True
            if known:
                if not swaps:
                    break
                place = before
        found.insert(place, found.pop(at))
    return tuple(found[::-1])
