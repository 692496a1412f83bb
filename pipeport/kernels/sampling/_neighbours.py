"""The neighbours of each element in a box, with the borders of the filters of `scipy.ndimage`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._margins import cut, extended

# Axes that are padded to few sizes: of a volume of 64^3 with its margins 80^3 would become 128^3.
_MOST_PADDED = 2


class Box(NamedTuple):
    """A box around each element.

    `sizes`: its sides, one for each axis of the array. `origins`: by how many elements it is moved to lower
    indices, along each axis. `rule`: what lies beyond the ends: 'reflect', 'mirror', 'nearest', 'grid-wrap'
    or 'grid-constant'.
    """

    sizes: tuple[int, ...]
    origins: tuple[int, ...]
    rule: str


def reach(count: int, origin: int) -> tuple[int, int]:
    """Return how far `count` neighbours reach before and after an element."""
    before = count // 2 + origin
    return before, count - 1 - before


def widened(x: Any, axis: int, rule: str, around: tuple[int, int], cval: Any) -> Any:
    """Return an array with a margin before and after one axis."""
    before, after = around
    if rule == "nearest" and x.dtype.is_floating:
        # Copies: gathered by XLA, a margin of four around 256x256x3 takes 3 ms.
        last = (x.shape[axis] or tf.shape(x)[axis]) - 1
        return tf.concat([_repeated(x, axis, 0, before), x, _repeated(x, axis, last, after)], axis)
    count = max(before, after)
    wide = extended(x, [axis], rule, count, cval)
    return cut(wide, axis, count - before, (x.shape[axis] or tf.shape(x)[axis]) + before + after)


def _repeated(x: Any, axis: int, place: Any, count: int) -> Any:
    """Return one element of an axis a number of times."""
    return tf.tile(cut(x, axis, place, 1), [count if at == axis else 1 for at in range(x.shape.rank)])


def in_few_sizes(
    build: Callable[..., Any],
    statics: Callable[[range], tuple[Any, ...]],
    margins: Sequence[tuple[int, str, tuple[int, int]]],
) -> Callable[[Any, Any], Any]:
    """Return a filter of arrays of unknown sizes: their margins are made first, then programs for few sizes.

    `build`: returns a function of an array that is not empty and of the value beyond its ends. `statics`:
    takes the axes that have their margin, which is not a part of the result; gives the arguments of `build`.
    `margins`: axes, each with its rule, and how many elements it needs before and after. Along two axes: what
    the filter makes of one leaves the margin of the other what it was, but for one of a value. Returns: the
    function that `build` returns, of arrays of any size.
    """

    def run(x: Any, cval: Any) -> Any:
        unknown = [axis for axis, size in enumerate(x.shape) if size is None]
        axes = range(unknown[0], unknown[-1] + 1)
        if len(axes) > _MOST_PADDED or any(rule == "grid-constant" for _, rule, _ in margins):
            return build(*statics(range(0)))(x, cval)
        wide = x
        for axis, rule, around in margins:
            if axis in axes:
                wide = widened(wide, axis, rule, around, cval)
        found = xla.compiled(build, *statics(axes))(xla.padded_to_bucket(wide, axes), cval)
        return tf.slice(found, [0] * x.shape.rank, tf.shape(x))

    return run


def neighbours(
    x: Any, box: Box, cval: Any, inside: Container[int] = ()
) -> tuple[Callable[[Sequence[int]], Any], Callable[[Any], Any]]:
    """Return what gives the neighbours of all elements at one place of a box.

    `x`: the array, of one axis or more; not empty. `cval`: the value beyond the ends under the rule
    'grid-constant', of the dtype of `x` or float64. `inside`: axes that have their margin; it is not a part
    of the result. Returns: takes a place, an index for each axis. The axes behind the last one with
    neighbours are joined to it: of (H, W, 3) XLA would else compute three elements at a time; gives such a
    tensor the shape of `x`.
    """
    wide, shape = x, list(sizes_of(x))
    for axis, (count, origin) in enumerate(zip(box.sizes, box.origins, strict=True)):
        if axis in inside:
            shape[axis] -= count - 1
        else:
            wide = widened(wide, axis, box.rule, reach(count, origin), cval)
    last = max((axis for axis, count in enumerate(box.sizes) if count > 1), default=len(box.sizes) - 1)
    around = sizes_of(wide)
    step = functools.reduce(operator.mul, shape[last + 1 :], 1)
    rows = tf.reshape(wide, [*around[:last], around[last] * step])
    size = [*shape[:last], shape[last] * step]

    def at(place: Sequence[int]) -> Any:
        return tf.slice(rows, [*place[:last], place[last] * step], size)

    return at, lambda found: tf.reshape(found, shape)
