"""Elements at some places of the ascending order, without a sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import kept
from pipeport.arrays._order import ascending, counts
from pipeport.arrays._sort_keys import from_keys, sort_keys
from pipeport.kernels import xla
from pipeport.kernels.xla._by_xla import where_compiled

# Elements that are sorted as fast; and places, of which more are taken from one sort.
_FEW, _PLACES = 4096, 4
# Bits that one count tells apart, and bins of a row of them.
_BITS, _ROW = 15, 256
_LEVELS = 1 << _BITS


def is_selectable(x: Any, places: int | None) -> bool:
    """Say whether selecting some places takes the place of a sort.

    `places`: how many places are asked for; neighbours count as one. Returns: whether there are many
    elements, or a number of them known only at run time, and few places.
    """
    count = x.shape.num_elements()
    return places is not None and places <= _PLACES and (count is None or count > _FEW)


class Selected:
    """Real numbers in ascending order, NaN last, of which some are asked for.

    Their keys are counted in bins of equal width, then those of the bin that holds a place, until all of a
    bin are alike: two or three counts for 32 bits.

    `x`: rank 1.
    """

    def __init__(self, x: Any) -> None:
        self.dtype = x.dtype
        self.shape = x.shape
        self._keys = xla.run(_keys)(x)
        self._ends = tf.reduce_min(self._keys), tf.reduce_max(self._keys)

    def last(self) -> Any:
        """Return the largest element, NaN if there is one."""
        return from_keys(self._ends[1], self.dtype)

    def neighbours(self, place: Any, step: Any) -> tuple[Any, Any]:
        """Return the elements at places from 0, and those `step` places further.

        `place`: int or tf.Tensor of integers, rank 0 or 1; the places, as many as tracing knows. `step`: int
        or tf.Tensor of integers, shape of `place`. Returns: the elements, each of the shape of `place`.
        """
        first, step = tf.cast(place, tf.int32), tf.cast(step, tf.int32)

        def from_one_sort() -> Any:
            rows = ascending(self._keys)
            return tf.stack([tf.gather(rows, first), tf.gather(rows, first + step)])

        def one_by_one() -> Any:
            counted = _counted(self._keys, *self._ends)
            if first.shape.rank == 0:
                return self._pair(counted, first, step)
            pairs = zip(tf.unstack(first), tf.unstack(step), strict=True)
            return tf.stack([self._pair(counted, *one) for one in pairs], 1)

        found = where_compiled(tf.cast(self._keys[:1], tf.uint8), from_one_sort, one_by_one)
        low, high = tf.unstack(from_keys(tf.ensure_shape(found, [2, *first.shape]), self.dtype))
        return low, high

    def _pair(self, counted: tuple[Any, Any], place: Any, step: Any) -> Any:
        """Return the keys of one place, and of that one or the next."""
        first, _, inside, alike = tf.while_loop(
            lambda low, high, *_: low < high,
            lambda low, high, inside, _: _narrowed(*_counted(self._keys, low, high), low, high, inside),
            _narrowed(*counted, *self._ends, place),
        )

        def least_above() -> Any:
            most = tf.constant(first.dtype.max, first.dtype)
            return tf.reduce_min(tf.where(self._keys > first, self._keys, most))

        return tf.stack([first, tf.cond(inside + step < alike, lambda: first, least_above)])


def _keys() -> Callable[[Any], Any]:
    return lambda x: sort_keys(x, zeros_apart=True)


def _unsigned(keys: Any) -> Any:
    return tf.bitcast(keys, tf.uint32 if keys.dtype.size == 4 else tf.uint64)


def _counted(keys: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Return how many keys are in each bin, in rows of bins, and by how many bits keys of a bin differ."""
    width = _unsigned(high - low)
    further = tf.constant(np.arange(_BITS, 8 * width.dtype.size), width.dtype)
    beyond = tf.bitwise.right_shift(width, further) > tf.zeros([], width.dtype)
    shift = tf.cast(tf.math.count_nonzero(beyond), width.dtype)
    bins = xla.run(_bins)(keys, low, shift)
    return tf.reshape(counts(bins, _LEVELS), [-1, _ROW]), shift


def _bins() -> Callable[[Any, Any, Any], Any]:
    def bins(keys: Any, low: Any, shift: Any) -> Any:
        # What lies below the lowest is the farthest above, without a sign.
        place = tf.bitwise.right_shift(_unsigned(keys - low), shift)
        return tf.cast(tf.minimum(place, tf.constant(_LEVELS, place.dtype)), tf.int32)

    return bins


def _narrowed(counts: Any, shift: Any, low: Any, high: Any, place: Any) -> tuple[Any, Any, Any, Any]:
    """Return the ends of the bin that holds a place, the place in it, and how many keys it holds."""
    row, place = _passed(tf.reduce_sum(counts, 1), place)
    column, inside = _passed(counts[row], place)
    start = tf.bitwise.left_shift(tf.cast(row * _ROW + column, shift.dtype), shift)
    width = tf.bitwise.left_shift(tf.ones([], shift.dtype), shift) - tf.ones([], shift.dtype)
    first = low + tf.bitcast(start, low.dtype)
    last = first + tf.bitcast(tf.minimum(width, _unsigned(high - first)), low.dtype)
    return first, last, inside, counts[row, column]


def _passed(counts: Any, place: Any) -> tuple[Any, Any]:
    """Return which bin holds a place, and the place in it."""
    before = tf.cumsum(counts) <= place
    found = (
        tf.math.count_nonzero(before, dtype=tf.int32),
        place - tf.reduce_sum(tf.where(before, counts, tf.zeros_like(counts))),
    )
    # Else XLA computes the sums anew for whatever takes them, and compiles for seconds.
    return found if tf.executing_eagerly() else (kept(found[0]), kept(found[1]))
