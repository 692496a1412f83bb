"""The neighbour of each element that has some rank among all, as `scipy.ndimage.median_filter` selects it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._correlation import unless_empty
from pipeport.kernels.sampling._extremes import Places, as_result, fill_in
from pipeport.kernels.sampling._neighbours import Box, neighbours, reach, widened
from pipeport.kernels.sampling._selection import median, sorted_values

# Of more neighbours a network of exchanges takes seconds to compile.
_MOST_EXCHANGED = 81


def ranked(x: Any, box: Box, places: Places, rank: int, work: Any, cval: Any, dtype: Any) -> Any:
    """Return the neighbour of each element than which as many are smaller as its rank says.

    `x`: real numbers, of known rank, one axis or more. `places`: which of the box are compared. `rank`: the
    rank, counted from 0. `cval`: scalar float64; the value beyond the ends under the rule 'grid-constant'.
    `dtype`: of the result: integers lose their fraction and wrap around. Returns: shape of `x`; the
    neighbours. Which of two zeros, and what of NaN, is left open.
    """
    if len(places) > _MOST_EXCHANGED:
        select = _counted(box, places, rank, work, dtype)
    else:
        select = xla.run(_selected, box, places, rank, work, dtype)
    return unless_empty(x, dtype, [box], lambda some: select(some, cval))


def _selected(box: Box, places: Places, rank: int, work: Any, dtype: Any) -> Callable[[Any, Any], Any]:
    def run(x: Any, cval: Any) -> Any:
        at, shaped = neighbours(tf.cast(x, work), box, tf.cast(fill_in(cval, x.dtype), work))
        values = [at(place) for place in places]
        middle = len(values) % 2 == 1 and rank == len(values) // 2
        found = median(values) if middle else sorted_values(values)[rank]
        return shaped(as_result(found, dtype))

    return run


def _counted(box: Box, places: Places, rank: int, work: Any, dtype: Any) -> Callable[[Any, Any], Any]:
    """Return what finds neighbours by counting, bit by bit of their ranks among all: in a wavelet matrix.

    Neighbours are runs along the longest axis of the box. At each bit all elements are parted, those with a
    zero to the front: of a run there are then two, and whichever holds the wanted one goes on. What a bit
    costs grows with the runs, not with their lengths.
    """
    axes = range(len(box.sizes))
    along = box.sizes.index(max(box.sizes))
    order = [*(axis for axis in axes if axis != along), along]

    def run(x: Any, cval: Any) -> Any:
        wide, fill = tf.cast(x, work), tf.cast(fill_in(cval, x.dtype), work)
        for axis, (count, origin) in enumerate(zip(box.sizes, box.origins, strict=True)):
            wide = widened(wide, axis, box.rule, reach(count, origin), fill)
        turned, shape = tf.transpose(wide, order), sizes_of(x)
        left, right = _runs(sizes_of(turned), [shape[axis] for axis in order], _runs_of(places, order))
        numbers, table = _numbered(tf.reshape(turned, [-1]))
        found = tf.gather(table, _of_rank(numbers, left, right, rank))
        return as_result(tf.transpose(found, [order.index(axis) for axis in axes]), dtype)

    return run


def _runs_of(places: Places, order: list[int]) -> list[tuple[tuple[int, ...], int]]:
    """Return the first places of runs along the last axis of an order of axes, and how long they are."""
    runs: list[tuple[tuple[int, ...], int]] = []
    for *row, place in sorted(tuple(one[axis] for axis in order) for one in places):
        if runs and runs[-1][0][:-1] == tuple(row) and runs[-1][0][-1] + runs[-1][1] == place:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append(((*row, place), 1))
    return runs


def _runs(around: Any, shape: Any, runs: list[tuple[tuple[int, ...], int]]) -> tuple[Any, Any]:
    """Return where the runs of each element begin and end, in one row of all elements with their margins."""
    left: Any = 0
    step: Any = 1
    for axis in reversed(range(len(shape))):
        along = [1] * axis + [-1] + [1] * (len(shape) - axis)
        left += tf.reshape(tf.range(shape[axis]), along) * step
        left += tf.constant([place[axis] for place, _ in runs]) * step
        step *= around[axis]
    return left, left + tf.constant([length for _, length in runs])


def _numbered(values: Any) -> tuple[Any, Any]:
    """Return the number of each element among the distinct ones, in rising order, and the value of each."""
    order = tf.argsort(values)
    rising = tf.gather(values, order)
    number = tf.pad(tf.cumsum(tf.cast(rising[1:] != rising[:-1], tf.int32)), [[1, 0]])
    size = tf.size(values)
    numbers = tf.scatter_nd(order[:, tf.newaxis], number, [size])
    return tf.ensure_shape(numbers, values.shape), tf.math.unsorted_segment_min(rising, number, size)


def _of_rank(numbers: Any, left: Any, right: Any, rank: int) -> Any:
    """Return the number that has a rank among those of all runs (..., R) of an element: shape (...)."""
    size = tf.size(numbers)
    most = tf.cast(tf.maximum(tf.reduce_max(numbers), 1), tf.float64)

    def part(bit: Any, numbers: Any, left: Any, right: Any, rank: Any, found: Any) -> tuple[Any, ...]:
        one = tf.bitwise.bitwise_and(tf.bitwise.right_shift(numbers, bit), 1)
        before = tf.pad(tf.cumsum(1 - one), [[1, 0]])
        zeros = before[-1]
        low, high = tf.gather(before, left), tf.gather(before, right)
        count = tf.reduce_sum(high - low, -1)
        is_zero = rank < count
        on_left = is_zero[..., tf.newaxis]
        place = tf.where(one == 0, before[:-1], zeros + tf.range(size) - before[:-1])
        return (
            bit - 1,
            tf.ensure_shape(tf.scatter_nd(place[:, tf.newaxis], numbers, [size]), numbers.shape),
            tf.where(on_left, low, zeros + left - low),
            tf.where(on_left, high, zeros + right - high),
            tf.where(is_zero, rank, rank - count),
            tf.where(is_zero, found, found + tf.bitwise.left_shift(1, bit)),
        )

    def more(bit: Any, *_: Any) -> Any:
        return bit >= 0

    ranks = tf.fill(tf.shape(left)[:-1], rank)
    bits = tf.cast(
        tf.math.floor(tf.math.log(tf.cast(tf.maximum(most, 1), tf.float64)) / math.log(2)), tf.int32
    )
    start = (bits + 1, numbers, left, right, ranks, tf.zeros_like(ranks))
    return tf.while_loop(more, part, start)[-1]
