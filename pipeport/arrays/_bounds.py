"""Where a block begins and ends along every axis, settled all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._basic import size_of
from pipeport.arrays._key import Entry, Part, Whole
from pipeport.errors import explain


@dataclass(frozen=True)
class Span:
    """The replaced part of an axis.

    `sizes`: how much lies before, in and behind it. `single`: whether it is one place, even if a drawn one.
    `step`: which of what lies in it: 1 for all, 2 for the first, the third and so on.
    """

    start: Any
    sizes: Any
    single: bool
    step: int = 1

    @property
    def known(self) -> bool:
        """Whether tracing knows it."""
        return not tf.is_tensor(self.sizes)


def simple(one: Entry, size: int | None) -> bool:
    """Whether tracing knows the direction of an entry, and where one begins that goes backwards."""
    if not isinstance(one, Part) or one.step is None:
        return True
    if tf.is_tensor(one.step):
        return False
    whole = one.step == -1 and one.start is None and one.stop is None
    return one.step > 0 or whole or (size is not None and not one.has_tensors)


def _known(one: Entry, size: int) -> Span | None:
    if isinstance(one, Whole):
        return Span(one.at, [one.at, 1, size - one.at - 1], True)
    if not isinstance(one, Part):
        return None
    places = range(*slice(one.start, one.stop, one.step).indices(size))
    if not places:
        return Span(0, [0, 0, size], False)
    first, last = min(places[0], places[-1]), max(places[0], places[-1])
    width = last - first + 1
    step = abs(places.step) if len(places) > 1 else 1
    return (
        None if len(places) == size else Span(first, [first, width, size - first - width], width == 1, step)
    )


def spans_of(x: Any, entries: Sequence[Entry]) -> list[Span | None]:
    """Return the replaced span of every axis.

    `entries`: one per axis, all of them `simple`. Returns: None where the whole axis is replaced.
    """
    found: list[Span | None] = [None] * len(entries)
    unknown: list[int] = []
    for axis, one in enumerate(entries):
        if isinstance(one, Part) and (
            one.full or (one.step == -1 and one.start is None and one.stop is None)
        ):
            continue
        known = not (
            tf.is_tensor(one.at) if isinstance(one, Whole) else isinstance(one, Part) and one.has_tensors
        )
        size = x.shape[axis]
        if known and size is not None:
            found[axis] = _known(one, size)
        else:
            unknown.append(axis)
    if unknown:
        starts, tables, single = _settled(x, entries, unknown)
        for at, axis in enumerate(unknown):
            step = getattr(entries[axis], "step", None) or 1
            found[axis] = Span(starts[at], tables[at], bool(single[at]), step)
    return found


def _settled(x: Any, entries: Sequence[Entry], unknown: Sequence[int]) -> tuple[Any, Any, Any]:
    """Return begins and sizes for axes with tensors; one vector, as every op takes a microsecond."""
    sizes = [size_of(x, axis) for axis in unknown]
    named = [entries[axis] for axis in unknown]
    starts: list[Any] = []
    stops: list[Any] = []
    for one, size in zip(named, sizes, strict=True):
        start, stop = (one.start, one.stop) if isinstance(one, Part) else (getattr(one, "at", 0), None)
        starts.append(0 if start is None else start)
        stops.append(size if stop is None else stop)
    wide = any(tf.is_tensor(one) and one.dtype == tf.int64 for one in (*starts, *stops))
    dtype = tf.int64 if wide else tf.int32
    packed = [tf.stack([tf.cast(one, dtype) for one in side]) for side in (starts, stops, sizes)]
    limit = packed[2]
    bounds = tf.stack(packed[:2])
    bounds = tf.where(bounds < 0, bounds + limit, bounds)
    single = np.array([isinstance(one, Whole) for one in named])
    if single.any():
        inside = ((bounds[0] >= 0) & (bounds[0] < limit)) | ~single
        message = explain("key", "an index beyond its axis", "indices inside", "Stay inside the axis.")
        with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(inside), [message, bounds[0]])]):
            bounds = tf.identity(bounds)
    start, stop = tf.unstack(tf.minimum(tf.maximum(bounds, 0), limit))
    stop = tf.where(single, start + 1, tf.maximum(start, stop))
    table = tf.stack([start, stop - start, limit - stop], axis=1)
    return tf.unstack(start), tf.unstack(table), single
