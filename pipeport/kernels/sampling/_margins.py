"""Arrays padded with a margin by a border rule."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import stored
from pipeport.kernels.sampling import _ndimage_borders as borders
from pipeport.kernels.sampling._coordinates import split
from pipeport.kernels.sampling._spline_weights import reach, taps_of

# Up to here indices are part of a compiled program, and from there on not even constants of the graph.
_SHORT, _LONG = 16, 4096

# TensorFlow fills margins of arrays of six axes at most. A batch and its channels count.
_MOST_AXES = 5


def margin(order: int | str, mode: str) -> int:
    """Return how many pixels beyond the image the taps of a folded coordinate reach."""
    return taps_of(order) + 1 if mode in borders.BY_TAP else reach(order) + 1


def extended(table: Any, axes: Sequence[int], rule: str, count: int, cval: Any) -> Any:
    """Return an array with `count` pixels more on both sides of each axis, by a border rule."""
    if not count:
        return table
    rank = table.shape.rank
    if rank > _MOST_AXES:
        for axis in axes:
            table = _as_lines(table, axis, lambda lines: extended(lines, [1], rule, count, cval))
        return table
    if rule == "grid-constant":
        paddings = [[count, count] if axis in axes else [0, 0] for axis in range(rank)]
        return tf.pad(table, paddings, constant_values=stored(cval, table.dtype))
    # Many short runs are slow to pad and to gather: 5.7 ms for the channels of 256x256x3, compiled 0.6.
    # Their indices become part of the program, so that the axis has to be short.
    minor = [axis for axis in axes if _is_minor(table, axis)]
    for axis in minor:
        by_operations = functools.partial(_extended, axes=[axis], rule=rule, count=count)
        static = axis, table.shape[axis], rule, count
        table = xla.run(_extended_along, *static, known=True, otherwise=by_operations)(table)
    return _extended(table, [axis for axis in axes if axis not in minor], rule, count)


def _extended(table: Any, axes: Sequence[int], rule: str, count: int) -> Any:
    sides = [table.shape[axis] for axis in axes]
    if rule in ("mirror", "reflect") and all(side is not None and side > count for side in sides):
        for axis in axes:
            table = _mirrored(table, axis, count, 1 if rule == "mirror" else 0)
        return table
    for axis in axes:
        size = table.shape[axis]
        if size is None or size > _LONG:
            size = tf.shape(table)[axis]
            # Of the margins alone: to gather each pixel of an image takes longer than all the rest.
            ends = (tf.range(-count, 0), tf.range(size, size + count))
            first, last = (tf.gather(table, fold_taps(end, size, rule), axis=axis) for end in ends)
            table = tf.concat([first, table, last], axis)
        else:
            index = _tap(np.arange(-count, size + count), size, rule, max, np.where, np.clip)
            table = tf.gather(table, index, axis=axis)
    return table


def cut(values: Any, place: int, start: Any, size: Any) -> Any:
    """Slice one axis."""
    begin = [0] * values.shape.rank
    length: list[Any] = [-1] * values.shape.rank
    begin[place], length[place] = start, size
    return tf.slice(values, begin, length)


def _mirrored(table: Any, axis: int, count: int, skipped: int) -> Any:
    """Return a table with one axis mirrored at both ends, the `skipped` last elements not repeated.

    Three copies: TensorFlow's own op computes the place of every element, 0.46 ms instead of 0.10 for
    three more rows around 256x256x3 float64.
    """
    begin, length = [0] * table.shape.rank, [-1] * table.shape.rank
    ends = []
    for start in (skipped, table.shape[axis] - skipped - count):
        begin[axis], length[axis] = start, count
        ends.append(tf.reverse(tf.slice(table, begin, length), [axis]))
    return tf.concat([ends[0], table, ends[1]], axis)


def _as_lines(table: Any, axis: int, change: Callable[[Any], Any]) -> Any:
    """Apply what changes the length of axis 1 of three to one axis of many."""
    static, shape = table.shape, tf.shape(table)
    before, after = static[:axis].num_elements(), static[axis + 1 :].num_elements()
    sizes = [
        tf.reduce_prod(shape[:axis]) if before is None else before,
        shape[axis] if static[axis] is None else static[axis],
        tf.reduce_prod(shape[axis + 1 :]) if after is None else after,
    ]
    lines = tf.ensure_shape(tf.reshape(table, tf.stack(sizes)), [before, static[axis], after])
    changed = change(lines)
    whole = tf.concat([shape[:axis], tf.shape(changed)[1:2], shape[axis + 1 :]], 0)
    return tf.ensure_shape(
        tf.reshape(changed, whole), [*static[:axis], changed.shape[1], *static[axis + 1 :]]
    )


def _is_minor(table: Any, axis: int) -> bool:
    """Whether a short axis is scattered in runs of a few values."""
    if not table.shape[axis:].is_fully_defined():
        return False
    return bool(table.shape[axis] <= _SHORT and math.prod(table.shape[axis + 1 :].as_list()) < 8)


def _extended_along(axis: int, size: int, rule: str, count: int) -> Callable[..., Any]:
    index = _tap(np.arange(-count, size + count), size, rule, max, np.where, np.clip).tolist()
    return lambda table: tf.gather(table, index, axis=axis)


def fold_taps(index: Any, size: Any, rule: str) -> Any:
    """Return which pixels stand at whole numbers beyond an axis: int32 tensors."""
    return _tap(index, size, rule, tf.maximum, tf.where, tf.clip_by_value)


def _tap(index: Any, size: Any, rule: str, larger: Any, where: Any, clip: Any) -> Any:
    """Fold whole numbers: the same arithmetic on NumPy arrays and on tensors."""
    if rule == "nearest":
        return clip(index, 0, size - 1)
    if rule == "grid-wrap":
        return index % size
    if rule == "mirror":
        period = larger(2 * size - 2, 1)
        index = index % period
        return where(index >= size, period - index, index)
    index = index % (2 * size)
    return where(index >= size, 2 * size - 1 - index, index)


def near(coordinate: Any, size: Any, order: int | str, mode: str, filters: bool) -> Any:
    """Return coordinates of a mode that folds taps, none so far outside that the table lacks its taps.

    Out there all taps read the same. The fraction stays: a weight of zero would make an infinity NaN.
    """
    before = reach(order)
    prepad = borders.PREPAD[mode] if filters else 0
    low = tf.constant(before - taps_of(order) - prepad, tf.float64)
    high = size + (before + prepad)
    whole, fraction = split(coordinate, nearest=order in (0, 2, 4))
    fraction = tf.where(tf.math.is_inf(coordinate), tf.zeros_like(coordinate), fraction)
    return tf.clip_by_value(whole, low, high) + fraction
