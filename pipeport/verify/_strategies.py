"""From a domain to Hypothesis: one strategy per kind of spec, as open as `functools.singledispatch`.

A new kind of spec is taught to verify by `@strategy.register` on a function `(spec, scene)`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import (
    Array,
    Axes,
    Boolean,
    Degrees,
    Image,
    Integer,
    LabelOf,
    Maybe,
    OneOf,
    PadValues,
    PadWidths,
    Permutation,
    Point,
    Radians,
    Real,
    SeedPair,
    Shifts,
    Spec,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._arrays import contents

Strategy = st.SearchStrategy[Any]

# Few shapes where each one costs a trace; rows and columns differ, one is square, one degenerate.
POOL = ((3, 2, 3, 2), (3, 3, 2, 3), (1, 6, 2, 4), (12, 7, 1, 3))


@dataclass(frozen=True)
class Scene:
    """What a strategy may look at: the arguments drawn before, and how freely sizes are drawn.

    Attributes
    ----------
    drawn : mapping of str to object
        Arguments drawn so far.
    free : bool
        Whether every size is drawn, or shapes come from a small pool.
    sizes : dict of str to int
        Sizes bound to a name, shared by all inputs of the example.
    """

    drawn: Mapping[str, Any] = field(default_factory=dict)
    free: bool = True
    sizes: dict[str, int] = field(default_factory=dict)

    def rank(self, name: str) -> int:
        """Return the rank of an array drawn before."""
        return np.ndim(self.drawn[name])


@functools.singledispatch
def strategy(spec: Any, scene: Scene) -> Strategy:  # noqa: ARG001 - the registered functions use it
    """Return the strategy of one parameter.

    Parameters
    ----------
    spec : Spec
        What the parameter may be.
    scene : Scene
        What was drawn before.

    Returns
    -------
    SearchStrategy
        Of values: NumPy arrays for arrays, Python values for everything else.

    Raises
    ------
    OutsideDomain
        The kind of spec is not known here.
    """
    raise OutsideDomain(
        explain(
            "spec",
            type(spec).__name__,
            "a spec of pipeport.contract",
            "Register a strategy for it with pipeport.verify._strategies.strategy.register.",
        )
    )


def refers_to(spec: Spec) -> set[str]:
    """Return the parameters that must be drawn before one of this spec."""
    if isinstance(spec, Maybe):
        return refers_to(spec.spec)
    return {getattr(spec, key) for key in ("of", "axes", "image") if hasattr(spec, key)}


def in_order(specs: Mapping[str, Spec]) -> list[tuple[str, Spec]]:
    """Return the specs so that each comes after those it refers to."""
    waiting, done = dict(specs), list[tuple[str, Spec]]()
    while waiting:
        ready = [name for name, spec in waiting.items() if not refers_to(spec) & waiting.keys()]
        if not ready:
            raise OutsideDomain(
                explain("domain", ", ".join(waiting), "specs without a circle of references", "Mend it.")
            )
        done += [(name, waiting.pop(name)) for name in ready]
    return done


def _sides(count: int, low: int, high: int, scene: Scene) -> Strategy:
    if scene.free:
        return st.tuples(*[st.integers(low, high)] * count)
    shapes = [tuple(min(max(side, low), high) for side in shape[:count]) for shape in POOL]
    shapes = [(*s, *[low] * (count - len(s))) for s in shapes]
    if low == 0 and count:
        shapes.append((0, *shapes[0][1:]))
    return st.sampled_from(list(dict.fromkeys(shapes)))


def _filled(dtypes: tuple[str, ...], shapes: Strategy, spec: Any) -> Strategy:
    low, high = getattr(spec, "values", (-100.0, 100.0))
    special = getattr(spec, "non_finite", True)

    def fill(drawn: tuple[str, tuple[int, ...]]) -> Strategy:
        dtype, shape = drawn
        floating = np.dtype(dtype).kind == "f"
        ends = (low, high) if floating else (None, None)
        return contents(dtype, shape, *ends, nan=special, inf=special)

    return st.tuples(st.sampled_from(dtypes), shapes).flatmap(fill)


@strategy.register
def _image(spec: Image, scene: Scene) -> Strategy:
    channels = st.sampled_from([() if c is None else (c,) for c in spec.channels])
    plane = _sides(2, *spec.sides, scene)
    return _filled(spec.dtypes, st.tuples(plane, channels).map(lambda d: d[0] + d[1]), spec)


@strategy.register
def _array(spec: Array, scene: Scene) -> Strategy:
    shapes = st.sampled_from(spec.ranks).flatmap(lambda rank: _sides(rank, *spec.sides, scene))
    return _filled(spec.dtypes, shapes, spec)


@strategy.register
def _label(spec: LabelOf, scene: Scene) -> Strategy:
    plane = np.shape(scene.drawn[spec.image])[:2]
    rest = st.sampled_from(spec.ranks).flatmap(lambda rank: _sides(rank - 2, 1, 3, scene))
    return _filled(spec.dtypes, rest.map(lambda r: plane + r), spec)


def _number(low: float, high: float, favourites: tuple[float, ...]) -> Strategy:
    known = [v for v in favourites if low <= v <= high]
    choices: list[Strategy] = [st.sampled_from(known)] if known else []
    if math.ceil(low) <= math.floor(high):
        choices.append(st.integers(math.ceil(low), math.floor(high)))
    return st.one_of(*choices, st.floats(low, high, allow_subnormal=False))


@strategy.register
def _real(spec: Real, scene: Scene) -> Strategy:  # noqa: ARG001
    return _number(spec.low, spec.high, (0.0, 0.5, 1.0, -1.0, spec.low, spec.high))


@strategy.register
def _degrees(spec: Degrees, scene: Scene) -> Strategy:  # noqa: ARG001
    # Right angles put samples on ties, tiny angles beside them.
    return _number(spec.low, spec.high, (30.0, 0.0, 45.0, 90.0, -90.0, 180.0, 270.0, 1e-7, spec.low))


@strategy.register
def _radians(spec: Radians, scene: Scene) -> Strategy:  # noqa: ARG001
    right = math.pi / 2
    return _number(spec.low, spec.high, (0.5, 0.0, right / 2, right, -right, 2 * right, 1e-9, spec.low))


@strategy.register
def _integer(spec: Integer, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.integers(spec.low, spec.high)


@strategy.register
def _boolean(spec: Boolean, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.booleans()


@strategy.register
def _one_of(spec: OneOf, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.sampled_from(spec.values)


@strategy.register
def _maybe(spec: Maybe, scene: Scene) -> Strategy:
    return st.one_of(st.none(), strategy(spec.spec, scene))


@strategy.register
def _point(spec: Point, scene: Scene) -> Strategy:  # noqa: ARG001
    one = _number(spec.low, spec.high, (0.0, 1.0, 1.5, spec.low, spec.high))
    return st.tuples(one, one)


@strategy.register
def _axes(spec: Axes, scene: Scene) -> Strategy:
    rank = scene.rank(spec.of)
    forms: list[Strategy] = [st.none()] if spec.none else []
    if rank and spec.single:
        forms.append(st.integers(-rank, rank - 1))
    if spec.several and rank >= (spec.count or 0):
        least, most = (0, rank) if spec.count is None else (spec.count, spec.count)
        unique = None if spec.repeats else lambda axis: axis % rank
        axis = st.integers(-rank, rank - 1) if rank else st.nothing()
        most = most if rank else 0
        forms.append(st.lists(axis, min_size=least, max_size=most, unique_by=unique).map(tuple))
    return st.one_of(*forms) if forms else st.nothing()


@strategy.register
def _permutation(spec: Permutation, scene: Scene) -> Strategy:
    rank = scene.rank(spec.of)
    orders = st.permutations(range(rank)) if rank else st.just([])
    signs = st.lists(st.booleans(), min_size=rank, max_size=rank)
    signed = st.builds(lambda o, s: tuple(a - rank * n for a, n in zip(o, s, strict=True)), orders, signs)
    return st.one_of(st.none(), signed)


@strategy.register
def _shifts(spec: Shifts, scene: Scene) -> Strategy:
    one = st.integers(spec.low, spec.high)
    axes = scene.drawn[spec.axes]
    if not isinstance(axes, tuple):
        return one
    return st.one_of(one, st.tuples(*[one] * len(axes)))


@strategy.register
def _pad_widths(spec: PadWidths, scene: Scene) -> Strategy:
    rank = scene.rank(spec.of)
    width = st.integers(0, spec.high if rank <= 2 else min(spec.high, 3))
    two = st.tuples(width, width)
    forms = [width, st.tuples(width), two, st.tuples(two)]
    if rank:
        forms += [st.tuples(*[two] * rank), st.lists(two, min_size=rank, max_size=rank)]
        forms += [st.tuples(*[st.tuples(width)] * rank)]
    return st.one_of(*forms)


@strategy.register
def _pad_values(spec: PadValues, scene: Scene) -> Strategy:
    array = scene.drawn[spec.of]
    kind, rank = array.dtype.kind, np.ndim(array)
    one: Strategy
    if kind == "b":
        one = st.booleans()
    elif kind in "iu":
        info = np.iinfo(array.dtype)
        least, most = int(info.min), int(info.max)
        one = st.one_of(st.integers(0, 5), st.sampled_from([least, most]), st.integers(least, most))
    else:
        # Values that every floating dtype holds: NumPy casts them to the array's.
        one = st.sampled_from([0.0, 1.0, -2.5, 7.25, 100.0])
    two = st.tuples(one, one)
    forms = [one, two, st.tuples(two)]
    if rank:
        forms.append(st.tuples(*[two] * rank))
    return st.one_of(*forms)


@strategy.register
def _seed(spec: SeedPair, scene: Scene) -> Strategy:  # noqa: ARG001
    half = st.integers(-(2**31), 2**31 - 1)
    return st.tuples(half, half)
