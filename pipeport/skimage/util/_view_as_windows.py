"""`skimage.util.view_as_windows`."""

from __future__ import annotations

import functools
import math
import numbers
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, Exact, Integer, PerAxis, batch_form, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_MOST = 4
# Bytes copied at a time from which on one gather is faster than one per axis. Windows of 32x32x3 at every
# 16 pixels of 256x256x3, against NumPy's copy: uint8 2.3x, where a gather per axis and a transposition of
# the result made 0.35x, and float32 1.4x instead of 0.5x.
_ENOUGH = 32
# Elements of an index up to which it is stored in the graph.
_STORED = 1 << 14


def _backwards(arguments: Mapping[str, Any]) -> bool:
    step = arguments.get("step", 1)
    return isinstance(step, tuple) and any(one < 0 for one in step)


def _fitting(arguments: Mapping[str, Any]) -> bool:
    """Whether windows fit; along one axis what does not is drawn too, of more nearly nothing would fit."""
    shape, window = np.shape(arguments["arr_in"]), arguments["window_shape"]
    window = window if isinstance(window, tuple) else (window,) * len(shape)
    if len(shape) == 1 or len(window) != len(shape):
        return True
    return all(size >= one for size, one in zip(shape, window, strict=True))


@replaces(
    "skimage.util.view_as_windows",
    view_of="first",
    domain={
        "arr_in": Array(ranks=(1, 2, 3, 4)),
        "window_shape": PerAxis(spec=Integer(1, 4), of="arr_in", typical=(32, 32, 3)),
        "step": PerAxis(spec=Integer(1, 3), of="arr_in", typical=(16, 16, 3)),
    },
    agreement=Exact(),
    proven_against=">=0.26,<0.27",
    valid=_fitting,
    differences=(
        Difference(
            "A negative step is refused; the reference accepts it where it leaves one window.",
            witness=lambda: {"arr_in": np.arange(3), "window_shape": (3,), "step": (-1,)},
            applies=_backwards,
        ),
    ),
)
def view_as_windows(arr_in: Any, window_shape: Any, step: Any = 1) -> Any:
    """Take a window out of an array at every position, or at every so many.

    Native equivalent of `skimage.util.view_as_windows`.

    Parameters
    ----------
    arr_in : tensor or NumPy array, any shape of rank 4 or less, bool or any number
        The array; sizes may be unknown, the rank must be known.
    window_shape : int or tuple of int
        Size of the window along every axis, or along each; fractions are cut off.
    step : int or tuple of int, default 1
        Distance of neighbouring windows along every axis, or along each.

    Returns
    -------
    tf.Tensor, dtype of `arr_in`
        Of twice as many axes: which window, then where in the window.

    Raises
    ------
    WrongType
        `arr_in` is a list, or a size is no number.
    OutsideDomain
        Not one size or step per axis, a window below 1 or larger than the array, a step below 1.
    UnsupportedArgument
        The rank is above 4, or not known while tracing.
    tf.errors.InvalidArgumentError
        A size unknown while tracing turns out smaller than the window.

    Notes
    -----
    Differences from the reference:

    - A negative step is refused; the reference accepts it where it leaves one window.

    The reference returns a view of its argument; this returns a new tensor with every window in it,
    which for a small step is as many times larger than the array as a window has elements.

    Agreement: bit for bit, NaN included.
    Graph: one gather, or one per axis where few elements stand together; static shape is kept.

    Source: `skimage/util/shape.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import view_as_windows
    >>> view_as_windows(tf.range(6), 3, step=2).numpy().tolist()
    [[0, 1, 2], [2, 3, 4]]
    """
    return _windows(arr_in, window_shape, step, 0)


@batch_form(view_as_windows)
def _view_as_windows_batch(arr_in: Any, window_shape: Any, step: Any = 1) -> Any:
    """Arrays with a leading axis."""
    return _windows(arr_in, window_shape, step, 1)


def _windows(arr_in: Any, window_shape: Any, step: Any, batch_axes: int) -> Any:
    if not (tf.is_tensor(arr_in) or isinstance(arr_in, (tf.Variable, np.ndarray))):
        advice = "Convert it with tf.constant."
        raise WrongType(explain("arr_in", type(arr_in).__name__, "a tensor or a NumPy array", advice))
    x = tf.convert_to_tensor(arr_in)
    rank = x.shape.rank
    if rank is None or rank - batch_axes > _MOST:
        given = "an unknown rank" if rank is None else f"rank {rank - batch_axes}"
        advice = "State it with tf.ensure_shape, or reshape neighbouring axes into one."
        raise UnsupportedArgument(explain("arr_in", given, f"rank {_MOST} or less", advice))
    windows = _sizes(window_shape, rank - batch_axes, "window_shape", cut=True)
    steps = _sizes(step, rank - batch_axes, "step", cut=False)
    axes = [_axis(x, batch_axes + n, *sizes) for n, sizes in enumerate(zip(windows, steps, strict=True))]
    counts = [axis.count for axis in axes]
    batch = [tf.shape(x)[0] if x.shape[0] is None else x.shape[0]] if batch_axes else []
    used = tf.slice(x, [0] * rank, [-1] * batch_axes + [axis.size for axis in axes])
    found = tf.reshape(_gathered(used, axes, batch), [*batch, *counts, *windows])
    known = [count if isinstance(count, int) else None for count in counts]
    return tf.ensure_shape(found, [*x.shape[:batch_axes], *known, *windows])


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


def _gathered(x: Any, axes: Sequence[_Axis], batch: list[Any]) -> Any:
    """Return the windows in order, their axes run together."""
    left, run, before = len(axes), 1, 1  # axes still to cut; elements and windows of those that are
    while left and isinstance(axes[left - 1].count, int) and axes[left - 1].count == 1:
        left -= 1
        run *= axes[left].window
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


def _sizes(value: Any, rank: int, name: str, cut: bool) -> tuple[int, ...]:
    allowed, advice = f"one whole number, or {rank} of them", "Give one per axis."
    if tf.is_tensor(value):
        raise WrongType(explain(name, "a tensor", allowed, "It shapes the graph: give Python numbers."))
    if isinstance(value, numbers.Number):
        value = (value,) * rank
        if name == "step" and rank == 0 and value:
            return ()
    try:
        values = tuple(value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), allowed, advice)) from error
    if len(values) != rank:
        raise OutsideDomain(explain(name, repr(value), allowed, advice))
    try:
        whole = tuple(int(one) if cut else operator.index(one) for one in values)
    except (TypeError, ValueError) as error:
        raise WrongType(explain(name, repr(value), allowed, advice)) from error
    if any(one < 1 for one in whole):
        raise OutsideDomain(explain(name, repr(value), "1 or more", advice))
    return whole
