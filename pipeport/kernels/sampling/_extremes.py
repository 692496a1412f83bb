"""The smallest or largest neighbour of each element, as the filters of `scipy.ndimage` find it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import assigned, stored
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._correlation import Window, unless_empty
from pipeport.kernels.sampling._margins import cut
from pipeport.kernels.sampling._neighbours import Box, neighbours, reach, widened

# Dtypes whose numbers TensorFlow does not compare; those of 64 bits SciPy compares as float64.
_COMPARED = {
    "bool": "uint8",
    "int8": "int32",
    "uint16": "int32",
    "uint32": "int64",
    "int64": "float64",
    "uint64": "float64",
}

Places = tuple[tuple[int, ...], ...]


def compared(dtype: Any) -> Any:
    """Return the dtype in which numbers of a dtype are compared."""
    return tf.as_dtype(_COMPARED.get(dtype.name, dtype.name))


def fill_in(cval: Any, dtype: Any) -> Any:
    """Return the value beyond the ends as C assigns it to elements of a dtype, in that of comparisons."""
    return tf.cast(assigned(cval, tf.uint8 if dtype.is_bool else dtype), compared(dtype))


def as_result(values: Any, dtype: Any) -> Any:
    """Return numbers in the dtype of a result: integers lose their fraction and wrap around."""
    return stored(values, dtype) if dtype.is_bool else assigned(values, dtype)


def of_window(x: Any, axis: int, count: int, step: Any, extreme: Callable[[Any, Any], Any]) -> Any:
    """Return the extremes of `count` elements along an axis, `step` apart, by windows that double."""
    reached = 1
    while reached < count:
        by = min(reached, count - reached)
        length = sizes_of(x)[axis] - by * step
        x = extreme(cut(x, axis, 0, length), cut(x, axis, by * step, length))
        reached += by
    return x


def extremes_along(x: Any, windows: Sequence[Window], smallest: bool, cval: Any, dtype: Any) -> Any:
    """Return the extremes of windows along some axes of an array, one axis after the other.

    `windows`: the axes, in this order. `smallest`: whether the smallest is taken, else the largest. `cval`:
    scalar float64; the value beyond the ends under the rule 'grid-constant'. `dtype`: of the result, and of
    what is kept between two axes: integers lose their fraction and wrap around. Returns: shape of `x`; the
    extremes. Which of two zeros, and what of NaN, is left open.
    """

    def filtered(some: Any) -> Any:
        # A program each: of one XLA would compute the first pass again for every element of the second.
        for window in windows:
            work = _work(some.dtype, dtype, window.rule, cval)
            some = xla.run(_along, window, smallest, work, dtype)(some, cval)
        return some

    return unless_empty(x, dtype, windows, filtered)


def _work(own: Any, result: Any, rule: str, cval: Any) -> Any:
    """Return the dtype of comparisons; SciPy's is float64, which a fill may need."""
    if rule != "grid-constant" or (own.is_floating and own == result):
        return compared(own)
    known = tf.get_static_value(cval)
    if own.is_floating or own.is_bool or known is None or not float(known).is_integer():
        return tf.float64
    return compared(own) if own.min <= known <= own.max else tf.float64


def _along(window: Window, smallest: bool, work: Any, dtype: Any) -> Callable[[Any, Any], Any]:
    def run(x: Any, cval: Any) -> Any:
        axis, shape = window.axis, sizes_of(x)
        fill = tf.cast(cval, work)
        wide = widened(tf.cast(x, work), axis, window.rule, reach(window.size, window.origin), fill)
        # In rows of the axis and all that comes after it, which lie one after the other.
        around, step = sizes_of(wide), 1
        for size in shape[axis + 1 :]:
            step = step * size
        rows = tf.reshape(wide, [*around[:axis], around[axis] * step])
        found = of_window(rows, axis, window.size, step, tf.minimum if smallest else tf.maximum)
        return as_result(tf.reshape(found, shape), dtype)

    return run


def extremes_of(
    x: Any,
    box: Box,
    places: Places,
    smallest: bool,
    cval: Any,
    dtype: Any,
    heights: tuple[float, ...] = (),
) -> Any:
    """Return the smallest or largest of some neighbours of each element, as SciPy finds it one by one.

    Of floats the first one stays where it is NaN; others that are NaN are passed over.

    `x`: real numbers, of known rank, one axis or more. `places`: which of the box are compared, in this
    order: one or more. `smallest`: whether the smallest is taken, else the largest. `cval`: scalar float64;
    the value beyond the ends under the rule 'grid-constant'. `dtype`: of the result: integers lose their
    fraction and wrap around. `heights`: what is added to each neighbour first; empty for nothing. All but the
    first lose their fraction for integers, as in SciPy. Returns: shape of `x`.
    """
    return unless_empty(
        x, dtype, [box], lambda some: xla.run(_of_places, box, places, smallest, dtype, heights)(some, cval)
    )


def _of_places(
    box: Box, places: Places, smallest: bool, dtype: Any, heights: tuple[float, ...]
) -> Callable[[Any, Any], Any]:
    def run(x: Any, cval: Any) -> Any:
        at, shaped = neighbours(tf.cast(x, compared(x.dtype)), box, fill_in(cval, x.dtype))
        if heights:
            found = tf.cast(at(places[0]), tf.float64) + heights[0]
            others = [
                _raised(at(place), height, x.dtype)
                for place, height in zip(places[1:], heights[1:], strict=True)
            ]
        else:
            found, *others = map(at, places)
        for part in others:
            found = _better(found, part, smallest)
        return shaped(as_result(found, dtype))

    return run


def _raised(part: Any, height: float, dtype: Any) -> Any:
    """Return a sum as SciPy stores it: of two numbers of the array's dtype, but compared as float64."""
    if dtype.is_floating:
        return tf.cast(part + tf.constant(height, dtype), tf.float64)
    return tf.cast(assigned(tf.cast(part, tf.float64) + math.trunc(height), dtype), tf.float64)


def _better(found: Any, part: Any, smallest: bool) -> Any:
    if not found.dtype.is_floating:
        return tf.minimum(found, part) if smallest else tf.maximum(found, part)
    return tf.where(part < found if smallest else part > found, part, found)


def places_of(footprint: Any) -> Places:
    """Return the places of a footprint's neighbours, in raster order."""
    return tuple(tuple(place) for place in np.argwhere(footprint).tolist())
