"""Correlation of lines with weights, one axis after the other, as the filters of `scipy.ndimage` do it.

SciPy copies each line to float64, and stores the result of each axis in the output's dtype: float32 is
rounded between two axes, and integers lose their fraction.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import with_gradient
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import assigned
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._margins import cut
from pipeport.kernels.sampling._neighbours import in_few_sizes, reach, widened
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._materialize import keeping
from pipeport.kernels.xla._rounding import plus_product

# Weights that differ by no more are equal to SciPy, and their pixels are added before they are multiplied.
EQUAL = sys.float_info.epsilon
# More weights are added up in a loop. Written one after the other 801 of them took four seconds to compile
# for 10,000 elements, 2,401 took 25, and ran for four times as long as the loop.
_MOST_UNROLLED = 64
# The rule of an array that has its margin.
_INSIDE = "inside"


@dataclass(frozen=True)
class Line:
    """The correlation along one axis.

    `axis`: the axis, counted from 0. `rule`: what lies beyond the ends: 'reflect', 'mirror', 'nearest',
    'grid-wrap' or 'grid-constant'. `origin`: by how many elements the weights are moved to lower indices.
    """

    axis: int
    rule: str
    weights: tuple[float, ...]
    origin: int = 0

    @property
    def size(self) -> int:
        """The number of weights."""
        return len(self.weights)


def correlated(x: Any, lines: Sequence[Line], cval: Any, dtype: Any) -> Any:
    """Return an array correlated along some of its axes.

    `lines`: the axes, in this order. `cval`: scalar float64; the value beyond the ends under the rule
    'grid-constant'. `dtype`: of the result, and of what is kept between two axes. Returns: shape of `x`.
    """
    return _filtered(_weighed, x, tuple(lines), cval, dtype)


def unless_empty(x: Any, dtype: Any, passes: Sequence[Any], filtered: Callable[[Any], Any]) -> Any:
    """Return a filtered array; one without elements, or filtered along no axis, in its new dtype alone."""
    if not passes or x.shape.num_elements() == 0:
        return assigned(x, dtype)
    if x.shape.is_fully_defined():
        return tf.ensure_shape(filtered(x), x.shape)
    # A border is read from an element, so that there has to be one: XLA also builds branches not taken.
    more = tf.cast(tf.equal(tf.size(x), 0), tf.int32)
    some = tf.pad(x, [[0, 0 if size else more] for size in x.shape])
    some = tf.ensure_shape(some, [size or None for size in x.shape])
    return tf.ensure_shape(tf.slice(filtered(some), [0] * x.shape.rank, tf.shape(x)), x.shape)


def _filtered(step: Callable[..., Any], x: Any, passes: tuple[Any, ...], cval: Any, dtype: Any) -> Any:
    def statics(axes: range) -> tuple[Any, ...]:
        own = (replace(one, rule=_INSIDE) if one.axis in axes else one for one in passes)
        return step, tuple(own), dtype

    margins = [(one.axis, one.rule, reach(one.size, one.origin)) for one in passes]
    apart = len({one.axis for one in passes}) == len(passes)
    in_buckets = in_few_sizes(_in_turn, statics, margins) if apart else None
    program = xla.run(_in_turn, step, passes, dtype, in_buckets=in_buckets)
    return unless_empty(x, dtype, passes, lambda some: program(some, cval))


def _in_turn(step: Callable[..., Any], passes: tuple[Any, ...], dtype: Any) -> Callable[[Any, Any], Any]:
    def run(x: Any, cval: Any) -> Any:
        # 256x256x3 bytes, three axes: 26 ms of processor time where each pass computes the one before again.
        keep = keeping(x)
        for one in passes[:-1]:
            x = keep(functools.partial(step, x, one, dtype, cval))
        return step(x, passes[-1], dtype, cval)

    return run


def _weighed(x: Any, line: Line, dtype: Any, cval: Any) -> Any:
    rows, step, size, shape = _rows(tf.cast(x, tf.float64), line, cval)
    if line.size > _MOST_UNROLLED and not tf.executing_eagerly():
        total = _summed_in_a_loop(rows, step, size, line.weights, dtype)
    else:
        total = _summed(functools.partial(_tap, rows, step, size), line.weights, _adding(rows, dtype))
    return tf.reshape(assigned(total, dtype), shape)


def _rows(x: Any, one: Line | Window, cval: Any) -> tuple[Any, Any, Any, Any]:
    """Return an array with a margin as rows, the step along an axis, a result's row size and its shape.

    A row is the axis and all that comes after it, a run in memory: of (H, W, 3) XLA would else compute three
    elements at a time.
    """
    shape = list(sizes_of(x))
    inner, outer = (
        functools.reduce(operator.mul, part, 1) for part in (shape[one.axis + 1 :], shape[: one.axis])
    )
    wide = tf.reshape(x, [outer, shape[one.axis], inner])
    if one.rule == _INSIDE:
        shape[one.axis] -= one.size - 1
    else:
        wide = widened(wide, 1, one.rule, reach(one.size, one.origin), cval)
    length = (shape[one.axis] + one.size - 1) * inner
    return tf.reshape(wide, [outer, length]), inner, shape[one.axis] * inner, shape


def _tap(rows: Any, step: Any, size: Any, number: int) -> Any:
    return cut(rows, 1, number * step, size)


def _summed(taps: Callable[[int], Any], weights: tuple[float, ...], add: Callable[[Any, Any], Any]) -> Any:
    """Add up products in the order of SciPy: the middle one, then those of both sides from the outside in."""
    count = len(weights)
    middle, pair = count // 2, _pairing(weights)
    if pair is None:
        products = [weights[-1] * taps(count - 1)]
        products += [weight * taps(number) for number, weight in enumerate(weights[:-1])]
    else:
        products = [weights[middle] * taps(middle)]
        products += [
            weights[number] * pair(taps(number), taps(count - 1 - number)) for number in range(middle)
        ]
    return functools.reduce(add, products[1:], add(tf.zeros([], tf.float64), products[0]))


def _summed_in_a_loop(rows: Any, step: Any, size: Any, weights: tuple[float, ...], dtype: Any) -> Any:
    """Add up products one after the other, in the order of `_summed`.

    In a graph: eagerly each round costs its operations. The gradient is a sum of the same kind, with the
    weights in reverse order: a loop inside of a program could not hand on what TensorFlow keeps of a round.
    """
    count, pair = len(weights), _pairing(weights)
    last = count - 1 if pair is None else count // 2

    taps, add = functools.partial(_tap, rows, step, size), _adding(rows, dtype)
    known = tf.constant(weights, tf.float64)

    def more(number: Any, total: Any) -> tuple[Any, Any]:
        tap = taps(number) if pair is None else pair(taps(number), taps(count - 1 - number))
        return number + 1, tf.ensure_shape(add(total, known[number] * tap), total.shape)

    def gradient(given: list[Any], upstream: list[Any]) -> list[Any]:
        far = (count - 1) * step
        around = tf.pad(upstream[0], [[0, 0], [far, far]])
        return [_summed_in_a_loop(around, step, sizes_of(given[0])[1], weights[::-1], dtype)]

    start = add(tf.zeros([], tf.float64), weights[last] * taps(last))
    found = tf.while_loop(lambda number, _: number < last, more, (tf.constant(0), start))[1]
    return with_gradient([found], [rows], gradient)[0]


def _adding(rows: Any, dtype: Any) -> Callable[[Any, Any], Any]:
    """Return how a product is added to a sum that becomes a dtype.

    Each product rounds, as in SciPy: the last bit decides where a fraction is cut off, and in float64 where
    a sum cancels. What is rounded to float32 need not pay for it.
    """
    if dtype == tf.float32:
        return operator.add
    some = tf.reshape(rows, [-1])[0]
    return lambda total, product: plus_product(total, product, some)


def _pairing(weights: tuple[float, ...]) -> Callable[[Any, Any], Any] | None:
    """Return how the pixels at both sides of the middle are joined: by sum, by difference, or not at all."""
    if len(weights) % 2 == 0:
        return None
    middle = len(weights) // 2
    sides = list(zip(weights[middle + 1 :], reversed(weights[:middle]), strict=True))
    if all(abs(right - left) <= EQUAL for right, left in sides):
        return operator.add
    if all(abs(right + left) <= EQUAL for right, left in sides):
        return operator.sub
    return None


def correlated_by_tensor(
    x: Any, axis: int, rule: str, half: Any, radius: Any, odd: bool, cval: Any, dtype: Any
) -> Any:
    """Return an array correlated along one axis with weights whose number is known only at run time.

    `axis`: the axis, counted from 0. `half`: shape (R + 1,) or (B, R + 1), float64; the weights of the middle
    and of what comes before it, from there outwards; with a second axis those of each element of the first
    axis of `x`. `radius`: shape () or (B,), int32; how far the weights reach, up to R. `odd`: whether the
    weights after the middle have the other sign. `cval`: scalar float64. Returns: shape of `x`.
    """
    per_element = half.shape.rank == 2
    ones = [1] * (x.shape.rank - 1)
    join = operator.sub if odd else operator.add

    def beside(values: Any) -> Any:
        return tf.reshape(values, [-1, *ones]) if per_element else values

    def filtered(some: Any) -> Any:
        wide = tf.cast(some, tf.float64)
        at, add = _endless(wide, axis, rule, cval), _adding(wide, dtype)

        def step(far: Any, total: Any) -> tuple[Any, Any]:
            moved = add(total, beside(half[..., far]) * join(at(-far), at(far)))
            if per_element:  # not zero times an infinity
                moved = tf.where(far <= beside(radius), moved, total)
            return far - 1, tf.ensure_shape(moved, some.shape)

        middle = beside(half[..., 0]) * at(tf.constant(0))
        start = tf.ensure_shape(add(tf.zeros([], tf.float64), middle), some.shape)
        _, total = tf.while_loop(lambda far, _: far > 0, step, (tf.reduce_max(radius), start))
        return assigned(total, dtype)

    return unless_empty(x, dtype, [axis], filtered)


def _endless(x: Any, axis: int, rule: str, cval: Any) -> Callable[[Any], Any]:
    """Return what gives the axis moved by any number of elements, as a slice of a few copies of it.

    A slice has a size that XLA knows; a margin as wide as the weights reach has none.
    """
    size = x.shape[axis] or tf.shape(x)[axis]
    if rule in ("nearest", "grid-constant"):
        if rule == "nearest":
            ends = [tf.repeat(cut(x, axis, place, 1), size, axis) for place in (0, size - 1)]
        else:
            ends = [tf.zeros_like(x) + tf.cast(cval, x.dtype)] * 2
        row = tf.concat([ends[0], x, ends[1]], axis)
        return lambda by: cut(row, axis, tf.clip_by_value(by + size, 0, 2 * size), size)
    parts, period = [x, x], size
    if rule != "grid-wrap":
        ends_repeated = 0 if rule == "mirror" else 1
        inner = slice(1 - ends_repeated, size - 1 + ends_repeated)
        parts = [x, tf.reverse(x, [axis])[(slice(None),) * axis + (inner,)], x]
        period = 2 * size - 2 + 2 * ends_repeated
    row = tf.concat(parts, axis)
    return lambda by: cut(row, axis, tf.math.floormod(by, tf.maximum(period, 1)), size)


@dataclass(frozen=True)
class Window:
    """A window along one axis.

    `axis`: the axis, counted from 0. `size`: of how many elements, 1 or more. `origin`: by how many elements
    the window is moved to lower indices.
    """

    axis: int
    rule: str
    size: int
    origin: int = 0


def averaged(x: Any, windows: Sequence[Window], cval: Any, dtype: Any) -> Any:
    """Return the means of windows along some axes of an array, one axis after the other.

    SciPy adds what enters a window and subtracts what leaves it. So once a NaN or an infinity has left, the
    rest of the line is NaN.

    `windows`: the axes, in this order. `cval`: scalar float64. `dtype`: of the result, and of what is kept
    between two axes. Returns: shape of `x`.
    """
    return _filtered(_means, x, tuple(windows), cval, dtype)


def _means(x: Any, window: Window, dtype: Any, cval: Any) -> Any:
    whole = x.dtype.is_integer and dtype.is_integer and window.rule != "grid-constant"
    narrow = whole and x.dtype.size == 1 and window.size < _NARROW
    rows, step, size, shape = _rows(tf.cast(x, tf.float32 if narrow else tf.float64), window, cval)
    sums = sums_of(rows, window.size, step, size)
    if whole:
        means = _quotients(sums, window.size)
    elif dtype.is_integer:
        means = divided(sums, float(window.size))
    else:
        means = sums * (1.0 / window.size)
    if x.dtype.is_floating:
        means = _spoilt(means, rows, step)
    return assigned(tf.reshape(means, shape), dtype)


# Up to here sums of bytes are divided in float32.
_NARROW = 4096


def _quotients(sums: Any, count: int) -> Any:
    """Return whole numbers divided by another and rounded towards zero, by a product.

    A half more lies further from the next whole number than the product is wrong.
    """
    return tf.sign(sums) * tf.floor((tf.abs(sums) + 0.5) * tf.constant(1.0 / count, sums.dtype))


def sums_of(rows: Any, count: int, step: Any, size: Any) -> Any:
    """Return the sums of `count` neighbours along rows (N, L), from sums of one, two, four and so on.

    `step`: how far neighbours lie apart. `size`: how many sums there are. Returns: (N, size).
    """
    total: Any = None
    done, block = 0, 1
    length = sizes_of(rows)[1]
    while True:
        if count & block:
            part = cut(rows, 1, done * step, size)
            total = part if total is None else total + part
            done += block
        if 2 * block > count:
            return total
        length = length - block * step
        rows = cut(rows, 1, 0, length) + cut(rows, 1, block * step, length)
        block *= 2


def _spoilt(means: Any, rows: Any, step: Any) -> Any:
    """Return rows with NaN where a NaN or an infinity has left the window."""

    def spoil() -> Any:
        elements = tf.reshape(rows, [-1, sizes_of(rows)[1] // step, step])
        gone = tf.cumsum(tf.cast(~tf.math.is_finite(elements), tf.float32), 1, exclusive=True)
        gone = cut(tf.reshape(gone, tf.shape(rows)), 1, 0, sizes_of(means)[1])
        return tf.where(gone > 0, tf.constant(np.nan, means.dtype), means)

    return tf.cond(tf.reduce_all(tf.math.is_finite(means)), lambda: means, spoil)
