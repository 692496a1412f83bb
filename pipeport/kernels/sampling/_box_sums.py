"""Sums of neighbours times weights, as `scipy.ndimage.correlate` adds them: float64, in raster order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import assigned
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._correlation import EQUAL, unless_empty
from pipeport.kernels.sampling._margins import cut
from pipeport.kernels.sampling._neighbours import Box, in_few_sizes, neighbours, reach, widened
from pipeport.kernels.xla._rounding import plus_product

# Of more weights a program would take long to compile: about so many are added at a time.
MOST, AT_ONCE = 255, 64
# The places of weights in a box, with the weights where they are known.
Taps = tuple[tuple[tuple[int, ...], float | None], ...]


def taps_of(weights: Any) -> Taps:
    """Return the places of the weights of an array that SciPy does not take for zero."""
    places = np.argwhere(np.abs(weights) > EQUAL)
    return tuple((tuple(place), float(weights[tuple(place)])) for place in places.tolist())


def summed(x: Any, box: Box, taps: Taps, cval: Any, dtype: Any, *weights: Any) -> Any:
    """Return the sums of the neighbours of each element, multiplied by weights.

    `x`: real numbers, of known rank, one axis or more. `taps`: what is summed, in this order. `cval`: scalar
    float64; the value beyond the ends under the rule 'grid-constant'. `dtype`: of the result: integers lose
    their fraction and wrap around. `*weights`: float64; weights known only at run time: behind a first
    axis the sides of the box, or its last ones. Along the first axis there is one, or one for each element of
    the first axis of `x`. Returns: shape of `x`.
    """
    # Whole numbers are exact, whether products round or not.
    numbers = [number for _, number in taps if number is not None]
    whole = x.dtype.is_integer and box.rule != "grid-constant" and not weights
    exact = whole and all(number.is_integer() for number in numbers)
    static, arounds = (box, taps, dtype, exact), map(reach, box.sizes, box.origins)
    margins = [(axis, box.rule, around) for axis, around in enumerate(arounds)]
    in_buckets = None if weights else in_few_sizes(_sums, lambda axes: (*static, axes), margins)
    program = xla.run(_sums, *static, in_buckets=in_buckets)
    return unless_empty(x, dtype, [box], lambda some: program(some, cval, *weights))


def _sums(box: Box, taps: Taps, dtype: Any, exact: bool, inside: range = range(0)) -> Callable[..., Any]:
    def run(x: Any, cval: Any, *weights: Any) -> Any:
        wide = tf.cast(x, tf.float64)
        at, shaped = neighbours(wide, box, cval, inside)
        some = tf.reshape(wide, [-1])[0]

        def add(total: Any, product: Any) -> Any:
            return total + product if exact else plus_product(total, product, some)

        total = tf.zeros([], tf.float64)
        for place, weight in taps:
            pixels = at(place)
            if weight is not None:
                total = add(total, weight * pixels)
                continue
            total = _plus(total, _factor(weights[0], place, pixels.shape.rank), pixels, some)
        if not taps:
            return shaped(tf.zeros_like(at([0] * len(box.sizes)), dtype))
        return shaped(assigned(total, dtype))

    return run


def summed_in_strips(x: Any, box: Box, cval: Any, dtype: Any, weights: Any) -> Any:
    """Return what `summed` does for a large box, a part of it after the other, all by one program.

    `weights`: float64; as `summed` takes them.
    """

    def strips(some: Any) -> Any:
        wide = tf.cast(some, tf.float64)
        for axis, (count, origin) in enumerate(zip(box.sizes, box.origins, strict=True)):
            wide = widened(wide, axis, box.rule, reach(count, origin), cval)
        # Along the first axis, so that the order stays what it is.
        along = next(axis for axis, count in enumerate(box.sizes) if count > 1)
        side, size = box.sizes[along], sizes_of(some)[along]
        most = max(AT_ONCE * side // math.prod(box.sizes), 1)
        total: list[Any] = []
        for first in range(0, side, most):
            count = min(most, side - first)
            part = cut(wide, along, first, size + count - 1)
            here = cut(weights, along + weights.shape.rank - len(box.sizes), first, count)
            sizes = (*box.sizes[:along], count, *box.sizes[along + 1 :])
            total = [xla.run(_strip, box._replace(sizes=sizes))(part, here, *total)]
        return xla.run(_ended, dtype)(*total)

    return unless_empty(x, dtype, [box], strips)


def _ended(dtype: Any) -> Callable[[Any], Any]:
    return lambda total: assigned(total, dtype)


def _strip(box: Box) -> Callable[..., Any]:
    def run(wide: Any, weights: Any, *before: Any) -> Any:
        at, shaped = neighbours(wide, box, 0.0, range(len(box.sizes)))
        some = tf.reshape(wide, [-1])[0]
        total = tf.zeros([], tf.float64)
        for place in np.ndindex(*box.sizes):
            pixels = at(place)
            if before and not total.shape.rank:
                total = tf.reshape(before[0], sizes_of(pixels))
            total = _plus(total, _factor(weights, place, pixels.shape.rank), pixels, some)
        return shaped(total)

    return run


def _plus(total: Any, factor: Any, pixels: Any, some: Any) -> Any:
    # Not zero times an infinity.
    return tf.where(tf.abs(factor) > EQUAL, plus_product(total, factor * pixels, some), total)


def _factor(weights: Any, place: tuple[int, ...], rank: int) -> Any:
    """Return the weights of one place, one or one for each element, in the rank of what they multiply."""
    here = weights[(slice(None), *place[1 - weights.shape.rank :])]
    return tf.reshape(here, [-1, *[1] * (rank - 1)])
