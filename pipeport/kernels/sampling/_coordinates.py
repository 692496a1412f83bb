"""Coordinates, and how every sampler splits one into a whole pixel and the part beyond it.

A sampler reads the pixel `floor(x)` and weighs it by `x - floor(x)`. XLA for the CPU computes a
cheap coordinate again in every loop that needs it, and where the machine has fused
multiply-adds, LLVM may join `a * x + b` into one in one loop and not in the next. Where the
coordinate lies within a rounding of a whole number, the index then comes from 16 and the
weight from 15.999...: the pixel takes the value of its neighbour.

So a coordinate is made in two stages. `Coordinates.stored` holds every product, one per row,
per column or per pixel; `in_memory` rounds each by itself (`alone`) and writes them into arrays.
`Coordinates.finish` then only adds. An addition of two numbers has one result, however the
compiler arranges it, so that `split` gives an index and a part of the same coordinate in every
loop, and a coordinate that is off by one rounding moves the result by one rounding. Division,
rounding, comparison and products of whole numbers have one result too and may stand in `finish`.

The arrays are for speed: XLA of 2026 saw through what kept them in memory, `alone` it cannot see
through. Coordinates that come from outside are only kept in memory. Optimisation barriers,
reduced precision, casts to integers and back and selections around the product do not help:
LLVM looks through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from pipeport._lazy import tf
from pipeport.kernels.xla._materialize import materialize
from pipeport.kernels.xla._rounding import alone

_Map = TypeVar("_Map", bound=Callable[..., Any])


class Coordinates(NamedTuple):
    """Coordinates in two stages.

    `stored`: tensors, in a structure: all that is multiplied, a product by itself and not in a sum. `finish`:
    takes `stored` and gives one tensor of coordinates per axis, by additions of what is stored, division,
    rounding and comparison. It holds no tensors itself.
    """

    stored: Any
    finish: Callable[[Any], Any]


# Maps of which the coordinates come from outside the compiled body, and are in memory already.
LOADED: set[Callable[..., Any]] = set()


def loaded(function: _Map) -> _Map:
    """Register a map that takes its coordinates as they are."""
    LOADED.add(function)
    return function


def in_memory(make: Callable[[], Coordinates], sure: Any, *, already: bool = False) -> Callable[[], Any]:
    """Return a function that gives coordinates of which all products are arrays in memory.

    `sure`: `always` of the image before it was padded: the compiler may know what it is padded with.
    `already`: whether what is stored is in memory already; see `LOADED`. Returns: without parameters; may be
    called wherever coordinates are needed.
    """
    # Eagerly every operation is a call of its own, and rounds by itself.
    if already or tf.executing_eagerly():
        made = make()
        return lambda: made.finish(made.stored)
    finishes = []

    def stored() -> Any:
        made = make()
        finishes.append(made.finish)
        return each_rounded(made.stored)

    kept = materialize(sure, stored)
    return lambda: finishes[0](kept)


def each_rounded(stored: Any) -> Any:
    """Return what is stored with every product rounded by itself, in memory or not."""
    return tf.nest.map_structure(lambda part: alone(part) if part.dtype.is_floating else part, stored)


def whole(coordinates: Sequence[Any]) -> Coordinates:
    """Return coordinates that are stored as they are: computed outside, or no sums of lines."""
    return Coordinates(list(coordinates), list)


def sums(terms: Sequence[Sequence[Any]]) -> Coordinates:
    """Return coordinates as sums: one sequence of terms per axis, added in that order."""
    return Coordinates([list(axis) for axis in terms], _sums)


def quotients(terms: Sequence[Sequence[Any]]) -> Coordinates:
    """Return coordinates as quotients of sums: terms per axis, and then those of the divisor."""
    return Coordinates([list(axis) for axis in terms], _quotients)


def _sums(terms: Any) -> list[Any]:
    return [added(axis) for axis in terms]


def _quotients(terms: Any) -> list[Any]:
    *above, below = _sums(terms)
    return [one / below for one in above]


def added(terms: Sequence[Any]) -> Any:
    """Add terms from the first to the last."""
    first, *rest = terms
    total = first
    for term in rest:
        both = total + term
        # TensorFlow's optimiser would add three terms in an order of its own.
        total = tf.ensure_shape(both, both.shape) if len(rest) > 1 else both
    return total


def split(coordinate: Any, *, nearest: bool = False) -> tuple[Any, Any]:
    """Return the whole pixel before a coordinate (or nearest to it), and how far beyond it lies.

    `nearest`: whether the nearest pixel is meant; halves go up. Returns: of the coordinate's dtype; the
    second in [0, 1), or [-1/2, 1/2) with `nearest`.
    """
    whole = tf.floor(coordinate + 0.5) if nearest else tf.floor(coordinate)
    return whole, coordinate - whole
