"""Windows of one size at every position, or at every so many."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of

# Bytes copied at a time from which on one gather is faster than one per axis. Windows of 32x32x3 at every
# 16 pixels of 256x256x3, against NumPy's copy: uint8 2.3x, where a gather per axis and a transposition of
# the result made 0.35x, and float32 1.4x instead of 0.5x.
_ENOUGH = 32
# Size of a window up to which a program stacks shifted arrays where fewer bytes stand together. Windows of 3
# along the rows of 256x256x3 uint8, against NumPy's copy in a map: 3.0x, by gathers 0.2x.
_SHORT = 16
# Elements of an index up to which it is stored in the graph.
_STORED = 1 << 14


def windows_of(x: Any, windows: Sequence[int], steps: Sequence[int], batch_axes: int = 0) -> Any:
    """Return the windows of an array.

    `windows`, `steps`: sequence of int, from 1; size of a window along each axis, and distance of
    neighbouring ones. Returns: which window along each axis, then where in the window.
    """
    axes = [_axis(x, batch_axes + n, *sizes) for n, sizes in enumerate(zip(windows, steps, strict=True))]
    counts = [axis.count for axis in axes]

    def gathered(x: Any) -> Any:
        batch = sizes_of(x)[:batch_axes]
        used = tf.slice(x, [0] * x.shape.rank, [-1] * batch_axes + [axis.size for axis in axes])
        return tf.reshape(_gathered(used, axes, batch), [*batch, *counts, *windows])

    left, run = _cut_before_whole(axes)
    short = left > 0 and max(windows) <= _SHORT and axes[left - 1].block * run * x.dtype.size < _ENOUGH
    known_size = x.shape.is_fully_defined() and 0 not in x.shape.as_list()
    form = _stacked, tuple(windows), tuple(steps), batch_axes
    found = xla.run(*form, known=short and known_size, otherwise=gathered)(x)
    known = [count if isinstance(count, int) else None for count in counts]
    return tf.ensure_shape(found, [*x.shape[:batch_axes], *known, *windows])


def windows_along(x: Any, windows: Mapping[int, int], steps: Mapping[int, int]) -> Any:
    """Return the windows along some axes.

    `windows`, `steps`: size of a window, and distance of neighbouring ones if not 1, by axis. Returns: which
    window along each axis, then where in the window along those of `windows`.
    """
    axes = range(x.shape.rank)
    found = windows_of(x, [windows.get(one, 1) for one in axes], [steps.get(one, 1) for one in axes])
    whole = [len(axes) + one for one in axes if one not in windows]
    return tf.squeeze(found, whole) if whole else found


class _Axis(NamedTuple):
    """How one axis is cut: sizes, of which the array's and the number of windows may be scalar tensors.

    Windows begin and end where blocks do, and `size` is that of whole blocks.
    """

    size: Any
    window: int
    step: int
    count: Any
    block: int


def _axis(x: Any, place: int, window: int, step: int) -> _Axis:
    size = x.shape[place]
    advice = "Choose a smaller window, or pad the array."
    if size is None:
        total = tf.shape(x)[place]
        message = explain("window_shape", window, "no more than the array's size", advice)
        with tf.control_dependencies([tf.debugging.assert_greater_equal(total, window, message)]):
            size = tf.identity(total)
    elif window > size:
        raise OutsideDomain(explain("window_shape", window, f"{size} or less on this axis", advice))
    count = (size - window) // step + 1
    if isinstance(count, int) and count == 1:
        return _Axis(window, window, step, 1, window)
    block = math.gcd(window, step)
    return _Axis(size // block * block, window, step, count, block)


def _stacked(windows: Sequence[int], steps: Sequence[int], batch_axes: int) -> Callable[[Any], Any]:
    """Return what joins, axis by axis, the first elements of all windows, the second ones, and so on."""

    def stacked(x: Any) -> Any:
        for place, (window, step) in enumerate(zip(windows, steps, strict=True), batch_axes):
            last = x.shape[place] - window
            before = [slice(None)] * place
            x = tf.stack([x[(*before, slice(at, at + last + 1, step))] for at in range(window)], -1)
        return x

    return stacked


def _cut_before_whole(axes: Sequence[_Axis]) -> tuple[int, int]:
    """Return how many axes are cut before the last that are whole, and how many elements those hold."""
    left, run = len(axes), 1
    while left and isinstance(axes[left - 1].count, int) and axes[left - 1].count == 1:
        left -= 1
        run *= axes[left].window
    return left, run


def _gathered(x: Any, axes: Sequence[_Axis], batch: list[Any]) -> Any:
    """Return the windows in order, their axes run together."""
    left, run = _cut_before_whole(axes)
    before = 1  # windows of the axes that are cut
    while left:
        # All axes in one gather where it copies enough at a time; else the last axis alone first,
        # which makes what the next gather copies longer.
        whole = axes[left - 1].block * run
        first = 0 if whole * x.dtype.size >= _ENOUGH else left - 1
        index = _index(axes[first:left], before * _product(axis.size for axis in axes[:first]))
        x = tf.gather(tf.reshape(x, [*batch, -1, whole]), index, axis=len(batch))
        run *= math.prod(axis.window for axis in axes[first:left])
        before *= _product(axis.count for axis in axes[first:left])
        left = first
    return x


def _product(values: Iterable[Any]) -> Any:
    return functools.reduce(operator.mul, values, 1)


def _index(axes: Sequence[_Axis], outer: Any) -> Any:
    """Return which blocks to take, of (outer, axes), for (windows of the axes, outer, their elements)."""
    static = all(isinstance(size, int) for axis in axes for size in (axis.size, outer))
    blocks = [axis.size for axis in axes[:-1]] + [axes[-1].size // axes[-1].block]
    reads = [axis.window for axis in axes[:-1]] + [axes[-1].window // axes[-1].block]
    count, rank = _product([*blocks, outer]), 2 * len(axes) + 1
    dtype = tf.int32 if static and count < 2**31 else tf.int64
    small = static and _product([*reads, *(axis.count for axis in axes), outer]) <= _STORED

    def along(place: int, size: Any, times: Any) -> Any:
        shape = [1] * rank
        shape[place] = -1
        if small:
            return np.arange(size, dtype=dtype.as_numpy_dtype).reshape(shape) * times
        return tf.reshape(tf.range(tf.cast(size, dtype)) * tf.cast(times, dtype), shape)

    stride: Any = 1
    total: Any = 0
    for place in reversed(range(len(axes))):
        axis = axes[place]
        step = axis.step // axis.block if place == len(axes) - 1 else axis.step
        total = total + along(place, axis.count, step * stride)
        total = total + along(len(axes) + 1 + place, reads[place], stride)
        stride = stride * blocks[place]
    return total + along(len(axes), outer, stride)
