"""Assignment to numbers and slices: a block of the array is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._assigned import fits, of_rank, rearranged, spread
from pipeport.arrays._basic import basic, kept, place, reverse, size_of, strided
from pipeport.arrays._bounds import Span, simple, spans_of
from pipeport.arrays._key import Entry, New, Part, Whole
from pipeport.arrays._select import select, select_column

# Measured in a graph on one thread, 256x256x3 float32 and uint8, in µs (TensorFlow 2.21). A block of 60x70:
#   pieces joined again     34, 14 (static), 35, 17 (drawn)
#   strided slice update    100, 76
#   rows by a scatter       59, 62
# One channel, by an array: pieces 457, 342; a choice 161, 98; an update of the flat array, which XLA does not
# compile, 144, 80. By a scalar: a choice 32, 56.
# x[::2]: strided update 578, 496; a scatter of rows 109, 99; a gather from both 52, 21.


class Value:
    """A value assigned to a block, broadcast when it is written.

    `tensor`: the value as the user gave it. `keeps`: whether the block keeps, with size 1, the axes that
    numbers name.
    """

    def __init__(self, tensor: Any, entries: Sequence[Entry], keeps: bool = True) -> None:
        target = [one for one in entries if not isinstance(one, Whole)]
        tensor = of_rank(tensor, len(target))
        left = tensor.shape.rank
        axes: list[int] = []  # of the value, in the order of the array's
        for one in reversed(entries):
            left -= not isinstance(one, Whole)
            if left < 0 or (isinstance(one, Whole) and not left):
                break
            if not isinstance(one, New) and (keeps or not isinstance(one, Whole)):
                axes.insert(0, -1 if isinstance(one, Whole) else left)
        self.tensor = rearranged(tensor, axes)

    @property
    def scalar(self) -> Any:
        """The value, if it is one for every element, else None."""
        return None if self.tensor.shape.rank else self.tensor

    def within(self, shape: Any, sizes: Any) -> Any:
        """Return the value in the shape of the block."""
        return spread(self.tensor, shape, sizes)


def _cut(x: Any, axis: int, span: Span) -> list[Any]:
    """Return the parts before, in and behind a span; None for an empty one."""
    if span.known:
        first, size, _ = span.sizes
        bounds = ((None, first), (first, first + size), (first + size, None))
        wanted = (first, True, span.sizes[2])
        lead = [Part()] * axis
        trail = [Part()] * (x.shape.rank - axis - 1)
        return [
            basic(x, [*lead, Part(*bound), *trail]) if has else None
            for bound, has in zip(bounds, wanted, strict=True)
        ]
    pieces = tf.split(x, span.sizes, axis)
    for piece in pieces:
        piece.set_shape([None if at == axis else size for at, size in enumerate(x.shape)])
    if span.single:
        pieces[1].set_shape([1 if at == axis else None for at in range(x.shape.rank)])
    return list(pieces)


def _last_axis(x: Any, span: Span, value: Value) -> Any:
    """Replace one place of the last axis, or write a scalar to several; the size is known."""
    places = tf.range(x.shape[-1])
    if span.known:
        places = np.arange(x.shape[-1])
        chosen = (places >= span.start) & (places < span.start + span.sizes[1])
        row = tf.constant(chosen & ((places - span.start) % span.step == 0))
    else:
        row = places == tf.cast(span.start, tf.int32)
    row = spread(row, x.shape, lambda: tf.shape(x))
    if value.scalar is not None:
        return select(row, value.scalar, x)
    plane = tf.TensorShape([*x.shape[:-1], 1])
    return select_column(row, value.within(plane, lambda: tf.concat([tf.shape(x)[:-1], [1]], 0)), x)


def _interleaved(x: Any, axis: int, span: Span, spans: Sequence[Span | None], value: Value) -> Any:
    """Replace every so many places along an axis: one gather takes each from the array or the new ones."""
    step = span.step
    if span.known:
        first, width, _ = span.sizes
        here = np.arange(x.shape[axis])
        inside = (here >= first) & (here < first + width) & ((here - first) % step == 0)
        source = np.where(inside, x.shape[axis] + (here - first) // step, here)
        part = Part(first, first + width, step)
    else:
        size = size_of(x, axis)
        here = tf.range(size)
        source = tf.where(here % step == 0, size + here // step, here)
        part = Part(None, None, step)
    some = basic(x, [part if at == axis else Part() for at in range(x.shape.rank)])
    some = _placed(some, spans, value)
    return tf.gather(tf.concat([x, some], axis), source, axis=axis)


def _placed(x: Any, spans: Sequence[Span | None], value: Value) -> Any:
    """Replace a block, one axis after the other."""
    for axis, span in enumerate(spans):
        if span is None:
            continue
        at_end = 0 < axis == x.shape.rank - 1 and x.shape[axis] is not None
        if at_end and (span.single or (span.known and value.scalar is not None)):
            return _last_axis(x, span, value)
        rest = [None] * (axis + 1) + list(spans[axis + 1 :])
        if span.known and span.step > 1:
            joined = _interleaved(x, axis, span, rest, value)
        else:
            before, inside, behind = _cut(x, axis, span)
            if span.step > 1:
                inside = _interleaved(inside, axis, span, rest, value)
            else:
                inside = _placed(inside, rest, value)
            pieces = [one for one in (before, inside, behind) if one is not None]
            joined = tf.concat(pieces, axis) if len(pieces) > 1 else inside
        joined.set_shape(x.shape)
        return joined
    return value.within(x.shape, lambda: tf.shape(x))


def _rows(x: Any, lead: int, entries: Sequence[Entry], tensor: Any) -> Any:
    """Assign to one place of the leading axes: the rest of them is a row that a scatter puts back."""
    places = [entries[axis].at for axis in range(lead)]  # type: ignore[union-attr]
    numbers = [place(one, size_of(x, axis)) for axis, one in enumerate(places)]
    wide = any(one.dtype == tf.int64 for one in numbers)
    index = tf.stack([tf.cast(one, tf.int64 if wide else tf.int32) for one in numbers])
    rest = entries[lead:]
    if all(isinstance(one, Part) and one.full for one in rest):
        row = Value(tensor, rest).within(x.shape[lead:], lambda: tf.shape(x)[lead:])
    else:
        row = replaced(tf.gather_nd(x, index), rest, tensor)
    if None in x.shape[lead:].as_list():  # rows may turn out empty, which the kernel refuses
        from pipeport.arrays._getitem import numbered

        rows, numbers = numbered(x, lead)
        source = tf.tensor_scatter_nd_update(numbers, index[tf.newaxis], [tf.size(numbers)])
        row = tf.reshape(row, tf.concat([[1], tf.shape(x)[lead:]], 0))
        return tf.reshape(tf.gather(tf.concat([rows, row], 0), tf.reshape(source, [-1])), tf.shape(x))
    return tf.tensor_scatter_nd_update(x, index[tf.newaxis], row[tf.newaxis])


def _strided_update(x: Any, entries: Sequence[Entry], tensor: Any) -> Any:
    bare = [one for one in entries if not isinstance(one, New)]
    region = tf.strided_slice(x, **strided(bare))
    region.set_shape(result_shape(x, bare))
    value = Value(tensor, entries, keeps=False).within(region.shape, lambda: tf.shape(region))
    return tf.raw_ops.TensorStridedSliceUpdate(input=x, value=value, **strided(bare))


def replaced(x: Any, entries: Sequence[Entry], tensor: Any) -> Any:
    """Return an array after an assignment to numbers and slices.

    `tensor`: the value, of the dtype of the array.
    """
    fits(tensor, result_shape(x, entries))
    if 0 in x.shape.as_list():
        return x
    bare = [one for one in entries if not isinstance(one, New)]
    lead = next((at for at, one in enumerate(bare) if not isinstance(one, Whole)), len(bare))
    first = next((at for at, one in enumerate(entries) if isinstance(one, Part)), len(entries))
    if lead:
        # New axes between the numbers are of size 1 in the value, and mean nothing to a row.
        added = [New()] * (first - lead)
        return _rows(x, lead, [*bare[:lead], *added, *entries[first:]], tensor)
    if not all(simple(one, size) for one, size in zip(bare, x.shape, strict=True)):
        return _strided_update(x, entries, tensor)
    value = Value(tensor, entries)
    if value.scalar is None:
        value.tensor = _turned(value.tensor, bare)
    return _placed(x, spans_of(x, bare), value)


def _turned(tensor: Any, bare: Sequence[Entry]) -> Any:
    """Turn round the axes of a value that the key names backwards."""
    for back in range(1, tensor.shape.rank + 1):
        one = bare[-back]
        backwards = isinstance(one, Part) and one.step is not None and one.step < 0
        if backwards and tensor.shape[-back] != 1:
            tensor = reverse(tensor, tensor.shape.rank - back)
    return tensor


def result_shape(x: Any, entries: Sequence[Entry]) -> list[int | None]:
    """Return the shape of the value at a key, as far as tracing knows it."""
    sizes = iter(x.shape)
    found: list[int | None] = []
    for one in entries:
        size = None if isinstance(one, New) else next(sizes)
        if not isinstance(one, Whole):
            found.append(kept(one, size))
    return found
