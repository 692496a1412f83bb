"""Basic indexing: numbers, slices and new axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._key import Entry, New, Part, Rest, Whole

# Measured in a graph on one thread, 256x256x3 float32 and uint8, in µs (TensorFlow 2.21):
#   x[::-1]       strided slice 1011, 994   reverse 21, 54    as the middle one of three axes 21, 8
#   x[:, ::-1]    strided slice 1018, 985   reverse 28, 23    (is the middle one)
#   x[..., ::-1]  strided slice 1029, 982   reverse 135, 106  middle 381, 367; gather 573, 537
#   x[::2]        strided slice 511, 490    gather of the rows 21, 8
#   x[:, ::2]     strided slice 535, 493    gather 130, 102
#   x[t]          strided slice 5.4, 6.0    gather 4.7, 5.3, and compiled code does not depend on t


def place(at: Any, size: Any) -> Any:
    """Count symbolic places from 0.

    `at`: places; negative ones count from the end. Returns: places; what lies beyond the axis still does,
    which gathers and scatters refuse.
    """
    at = tf.convert_to_tensor(at)
    return tf.where(at < 0, at + tf.cast(size, at.dtype), at)


def size_of(x: Any, axis: int) -> Any:
    """Return the size of an axis: a number where tracing knows it, else a tensor."""
    size = x.shape[axis]
    return tf.shape(x)[axis] if size is None else size


def strided(entries: Sequence[Entry]) -> dict[str, Any]:
    """Write entries as arguments of the kernels of strided slices."""
    bounds: dict[str, list[Any]] = {"begin": [], "end": [], "strides": []}
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    masks = dict.fromkeys(names, 0)
    for bit, one in enumerate(entries):
        begin, end, step = 0, 0, 1
        if isinstance(one, Part):
            masks["begin_mask"] |= (one.start is None) << bit
            masks["end_mask"] |= (one.stop is None) << bit
            begin, end = 0 if one.start is None else one.start, 0 if one.stop is None else one.stop
            step = 1 if one.step is None else one.step
        elif isinstance(one, Whole):
            begin, end = one.at, one.at + 1
            masks["shrink_axis_mask"] |= 1 << bit
        else:
            masks["ellipsis_mask" if isinstance(one, Rest) else "new_axis_mask"] |= 1 << bit
        for name, value in zip(bounds, (begin, end, step), strict=True):
            bounds[name].append(value)
    every = [value for values in bounds.values() for value in values]
    wide = any(tf.is_tensor(value) and value.dtype == tf.int64 for value in every)
    dtype = tf.int64 if wide else tf.int32
    packed = {name: _packed(values, dtype) for name, values in bounds.items()}
    return {**packed, **masks}


def _packed(values: list[Any], dtype: Any) -> Any:
    if any(tf.is_tensor(value) for value in values):
        return tf.stack([tf.cast(value, dtype) for value in values])
    return tf.constant(values, dtype)


def kept(one: Entry, size: int | None) -> int | None:
    """Return how many elements a slice leaves, where tracing knows it."""
    if isinstance(one, New):
        return 1
    if not isinstance(one, Part) or size is None or one.has_tensors:
        return size if isinstance(one, Part) and one.full else None
    return len(range(*slice(one.start, one.stop, one.step).indices(size)))


def reverse(x: Any, axis: int) -> Any:
    """Turn an axis round.

    `axis`: the axis, from 0. Returns: of the same shape.
    """
    shape = x.shape
    if axis == shape.rank - 1 or (axis == 1 and shape.rank == 3) or not shape.num_elements():
        return tf.reverse(x, [axis])
    behind = int(np.prod(shape[axis + 1 :].as_list()))
    return tf.reshape(tf.reverse(tf.reshape(x, [-1, shape[axis], behind]), [1]), shape)


def _stepped(one: Part, size: int | None) -> tuple[Part, tuple[Any, Any, Any] | None]:
    """Split a slice into one of step 1, and where to begin, end and go on from there; -1 reverses all."""
    if tf.is_tensor(one.step) or one.step in (None, 1):
        return one, None
    if size is not None and not one.has_tensors:
        start, stop, step = slice(one.start, one.stop, one.step).indices(size)
        count = len(range(start, stop, step))
        if step == -1:
            low, high = (start - count + 1, start + 1) if count else (0, 0)
            return (Part() if count == size else Part(low, high)), (None, None, -1)
        return Part(), (start, start + count * step, step)
    if one.step == -1 and one.start is None and one.stop is None:
        return Part(), (None, None, -1)
    if one.step > 0:
        return Part(one.start, one.stop), (0, None, one.step)
    return one, None


def basic(x: Any, entries: Sequence[Entry]) -> Any:
    """Return the value at a key without arrays.

    `entries`: of the key that was read.
    """
    if x.shape.rank is None:
        return x if len(entries) == 1 else tf.strided_slice(x, **strided(entries))
    entries = list(entries)
    named = [at for at, one in enumerate(entries) if not isinstance(one, New)]
    # Single symbolic places first, the last one first, so that the axes before keep their numbers.
    for axis in reversed(range(len(named))):
        one = entries[named[axis]]
        last = axis == x.shape.rank - 1 and axis > 0  # there a gather takes 195, a slice 17
        if isinstance(one, Whole) and tf.is_tensor(one.at) and not last:
            x = tf.gather(x, place(one.at, size_of(x, axis)), axis=axis)
            del entries[named[axis]]
    sizes: list[int | None] = []
    steps = []
    axis = 0
    for at, one in enumerate(entries):
        size = None if isinstance(one, New) else x.shape[axis]
        axis += not isinstance(one, New)
        if isinstance(one, Whole):
            continue
        sizes.append(kept(one, size))
        if isinstance(one, Part):
            entries[at], step = _stepped(one, size)
            if step is not None:
                steps.append((len(sizes) - 1, step))
    if not all(isinstance(one, Part) and one.full for one in entries):
        x = tf.strided_slice(x, **strided(entries))
    for axis, (start, stop, step) in steps:
        if step == -1:
            x = reverse(x, axis)
        else:
            x = tf.gather(x, tf.range(start, size_of(x, axis) if stop is None else stop, step), axis=axis)
    x.set_shape(sizes)
    return x
