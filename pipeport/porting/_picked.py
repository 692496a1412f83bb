"""An element of a Python list at a place that only the graph knows."""

from __future__ import annotations

import functools
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _bonds, _lines, _sharing
from pipeport.arrays._give import opened
from pipeport.arrays._making import fresh
from pipeport.porting._parts import storage_to_write
from pipeport.porting._values import as_array, is_array


def picked(values: Any, key: Any) -> Any:
    """Return an element, or a slice, of a list of numbers or of arrays of one shape.

    Parameters
    ----------
    values : list or tuple
        The list.
    key : ndarray or slice
        The place, a scalar, or the places.

    Returns
    -------
    ndarray or None
        The element; what is written to it is written to the array in the list. None where the list
        holds something else.
    """
    whole = as_array(opened(values))
    if whole is None:
        return None
    found = whole[key]
    if not isinstance(values, (list, tuple)):
        return found
    if all(one.weak if is_array(one) else type(one) in (bool, int, float) for one in values):
        return fresh(found._values, weak=True)
    found = fresh(found._values)
    own = storage_to_write(found)
    for place, one in enumerate(values) if own is not None else ():
        storage = storage_to_write(one)
        if storage is None:
            continue
        told = f"an element of a list, picked in {_lines.here()}"
        if is_array(key) and key._values.shape.rank == 0:
            places = (place, place - len(values))
            truth = functools.partial(_is_one_of, key._values, places)
            _bonds.tie(own, storage, truth, _sharing.chain_of(one), told)
        else:
            _bonds.doubt(own, storage, told)
    return found


def _is_one_of(number: Any, places: tuple[int, ...]) -> Any:
    return tf.reduce_any(tf.cast(number, tf.int64) == tf.constant(places, tf.int64))
