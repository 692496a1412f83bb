"""Connected components: which elements hang together, and in which order they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf

# So often the way to the first of a component is halved in a round.
_HALVED = 4


def components(
    inside: Any, offsets: Sequence[tuple[int, ...]], batch_axes: int = 0, levels: Any = None
) -> tuple[Any, Any]:
    """Return the number of each element's component, in the order of first elements; 0 is outside.

    Elements beside each other along the last axis are a run; runs that touch hang together.

    `inside`: bool, of known rank. `offsets`: where the neighbours of an element are, along the axes from
    `batch_axes` on; with each its opposite. `levels`: of the shape of `inside`; where given, elements hang
    together if their levels are equal. Returns: the numbers, int32, and how many each batch has.
    """
    sizes = tf.shape(inside)
    along = (*[0] * (inside.shape.rank - batch_axes - 1), 1)
    goes_on = _before(inside)
    if levels is not None:
        goes_on &= _after_none(tf.equal(levels[..., 1:], levels[..., :-1]))
    begins = inside & ~goes_on if along in offsets else inside
    # A run of number 0 stands for what is outside, also because XLA knows no arrays without elements.
    flat = tf.reshape(tf.cast(begins, tf.int32), [-1])
    runs = tf.where(inside, tf.reshape(tf.cumsum(flat), sizes), 0)
    count = tf.reduce_sum(flat) + 1
    half = [[0] * batch_axes + list(one) for one in offsets if one > (0,) * len(one) and one != along]
    pairs = [_touching(inside, runs, levels, one) for one in half] or [tf.zeros([2, 0], tf.int32)]
    first = _first_of_each(tf.concat(pairs, 1), count)
    leads = tf.cast(tf.equal(first, tf.range(count)), tf.int32)
    numbers = tf.cumsum(leads) - 1
    if batch_axes:
        place = tf.where(tf.reshape(flat > 0, [tf.reduce_prod(sizes[:batch_axes]), -1]))[:, 0]
        found = tf.math.unsorted_segment_sum(leads[1:], place, tf.reduce_prod(sizes[:batch_axes]))
        before = tf.gather(tf.cumsum(found, exclusive=True), place)
        numbers -= tf.concat([[0], before], 0)
        found = tf.reshape(found, sizes[:batch_axes])
    else:
        found = tf.reduce_sum(leads) - 1
    made = tf.gather(tf.gather(numbers, first), runs)
    return tf.ensure_shape(made, inside.shape), found


def _before(inside: Any) -> Any:
    """Return of each element what stands before it along the last axis; False of the first."""
    return _after_none(inside)[..., :-1]


def _after_none(truths: Any) -> Any:
    return tf.pad(truths, [[0, 0]] * (truths.shape.rank - 1) + [[1, 0]])


def _touching(inside: Any, runs: Any, levels: Any, offset: Sequence[int]) -> Any:
    """Return the pairs of runs of which one has an element so far from one of the other, shape (2, N)."""
    ahead = tuple(slice(max(by, 0), min(by, 0) or None) for by in offset)
    behind = tuple(slice(max(-by, 0), min(-by, 0) or None) for by in offset)
    one, other = runs[behind], runs[ahead]
    both = inside[behind] & inside[ahead]
    if levels is not None:
        both &= tf.equal(levels[behind], levels[ahead])
    pair = tf.stack([one, other])
    # Of pairs that follow each other along the last axis the first will do.
    margin = [[0, 0]] * inside.shape.rank + [[1, 0]]
    told = tf.reduce_all(tf.equal(pair, tf.pad(pair, margin)[..., :-1]), 0) & _before(both)
    return tf.boolean_mask(tf.reshape(pair, [2, -1]), tf.reshape(both & ~told, [-1]), axis=1)


def _first_of_each(pairs: Any, count: Any) -> Any:
    """Return of each run the first that it hangs together with."""
    order = tf.range(count)

    def lower(first: Any, _: Any) -> tuple[Any, Any]:
        ends = tf.gather(first, pairs)
        least = tf.reduce_min(ends, 0)
        # What is the first so far takes a lower one beside it, and all behind it follow.
        beside = tf.math.unsorted_segment_min(tf.tile(least, [2]), tf.reshape(ends, [-1]), count)
        parent = tf.minimum(order, beside)
        for _ in range(_HALVED):
            parent = tf.gather(parent, parent)
        return tf.gather(parent, first), tf.reduce_any(tf.not_equal(ends[0], ends[1]))

    return tf.while_loop(lambda _, more: more, lower, (order, tf.size(pairs) > 0))[0]
