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
    ArrayList,
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
    PerAxis,
    Permutation,
    Point,
    Radians,
    Real,
    SeedPair,
    Shaped,
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
        """Return the rank of an array drawn before; of a list of arrays, that of each."""
        return len(self.shape(name))

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array drawn before; of a list of arrays, that of the first."""
        value = self.drawn[name]
        return np.shape(value[0] if isinstance(value, list) else value)


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
    named: set[str] = {
        getattr(spec, key) for key in ("of", "axes", "axis", "image") if getattr(spec, key, None)
    }
    if isinstance(spec, Shaped):
        named |= {size.partition(".")[0] for size in spec.shape if isinstance(size, str)}
    return named | (refers_to(spec.spec) if isinstance(spec, (Maybe, PerAxis)) else set())


def in_order(specs: Mapping[str, Spec]) -> list[tuple[str, Spec]]:
    """Return the specs so that each comes after those it refers to."""
    waiting, done = dict(specs), list[tuple[str, Spec]]()
    while waiting:
        ready = [name for name, spec in waiting.items() if not refers_to(spec) & waiting.keys()]
        # A list of arrays and the axis along which they differ name each other: the list goes first.
        ready = ready or [name for name, spec in waiting.items() if isinstance(spec, ArrayList)][:1]
        if not ready:
            raise OutsideDomain(
                explain("domain", ", ".join(waiting), "specs without a circle of references", "Mend it.")
            )
        done += [(name, waiting.pop(name)) for name in ready]
    return done


def sides(count: int, low: int, high: int, scene: Scene) -> Strategy:
    if scene.free:
        return st.tuples(*[st.integers(low, high)] * count)
    shapes = [tuple(min(max(side, low), high) for side in shape[:count]) for shape in POOL]
    shapes = [(*s, *[low] * (count - len(s))) for s in shapes]
    if low == 0 and count:
        shapes.append((0, *shapes[0][1:]))
    return st.sampled_from(list(dict.fromkeys(shapes)))


def filled(dtypes: tuple[str, ...], shapes: Strategy, spec: Any) -> Strategy:
    """Return the strategy of arrays of one of the dtypes and shapes, with values as the spec has them."""
    return st.tuples(st.sampled_from(dtypes), shapes).flatmap(lambda drawn: contents_of(spec, *drawn))


def contents_of(spec: Any, dtype: str, shape: tuple[int, ...]) -> Strategy:
    low, high = getattr(spec, "values", (-100.0, 100.0))
    special = getattr(spec, "non_finite", True)
    # Images take the whole range of an integer dtype; what has a meaning (coordinates) its own.
    stated = np.dtype(dtype).kind == "f" or isinstance(spec, Shaped)
    return contents(dtype, shape, *((low, high) if stated else (None, None)), nan=special, inf=special)


@functools.singledispatch
def again(spec: Any, value: Any, scene: Scene) -> Strategy:
    """Return the strategy of other values of the same form, for which a graph need not be traced anew.

    Parameters
    ----------
    spec : Spec
        What the parameter may be.
    value : object
        What was drawn before: its dtype and shape, or its nesting, stay.
    scene : Scene
        The example's other arguments.

    Returns
    -------
    SearchStrategy
        Of values; `value` itself where another draw has another form.
    """
    return strategy(spec, scene).map(lambda other: other if same_form(other, value) else value)


def same_form(one: Any, other: Any) -> bool:
    """Return whether two Python values become tensors of one shape, or are both None."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(same_form, one, other))
    if isinstance(one, (tuple, list)) or isinstance(other, (tuple, list)):
        return False
    return (one is None) == (other is None)


@again.register(Image)
@again.register(Array)
@again.register(LabelOf)
@again.register(Shaped)
def _again_array(spec: Any, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return contents_of(spec, value.dtype.name, value.shape)


@again.register
def _again_list(spec: ArrayList, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.tuples(*(contents_of(spec, part.dtype.name, part.shape) for part in value)).map(list)


@again.register
def _again_maybe(spec: Maybe, value: Any, scene: Scene) -> Strategy:
    return st.none() if value is None else again(spec.spec, value, scene)


@strategy.register
def _image(spec: Image, scene: Scene) -> Strategy:
    channels = st.sampled_from([() if c is None else (c,) for c in spec.channels])
    plane = sides(2, *spec.sides, scene)
    return filled(spec.dtypes, st.tuples(plane, channels).map(lambda d: d[0] + d[1]), spec)


@strategy.register
def _array(spec: Array, scene: Scene) -> Strategy:
    shapes = st.sampled_from(spec.ranks).flatmap(lambda rank: sides(rank, *spec.sides, scene))
    return filled(spec.dtypes, shapes, spec)


@strategy.register
def _label(spec: LabelOf, scene: Scene) -> Strategy:
    plane = np.shape(scene.drawn[spec.image])[:2]
    rest = st.sampled_from(spec.ranks).flatmap(lambda rank: sides(rank - 2, 1, 3, scene))
    return filled(spec.dtypes, rest.map(lambda r: plane + r), spec)


def number(low: float, high: float, favourites: tuple[float, ...]) -> Strategy:
    known = [v for v in favourites if low <= v <= high]
    choices: list[Strategy] = [st.sampled_from(known)] if known else []
    if math.ceil(low) <= math.floor(high):
        choices.append(st.integers(math.ceil(low), math.floor(high)))
    return st.one_of(*choices, st.floats(low, high, allow_subnormal=False))


@strategy.register
def _real(spec: Real, scene: Scene) -> Strategy:  # noqa: ARG001
    return number(spec.low, spec.high, (0.0, 0.5, 1.0, -1.0, spec.low, spec.high))


@strategy.register
def _degrees(spec: Degrees, scene: Scene) -> Strategy:  # noqa: ARG001
    # Right angles put samples on ties, tiny angles beside them.
    return number(spec.low, spec.high, (30.0, 0.0, 45.0, 90.0, -90.0, 180.0, 270.0, 1e-7, spec.low))


@strategy.register
def _radians(spec: Radians, scene: Scene) -> Strategy:  # noqa: ARG001
    right = math.pi / 2
    return number(spec.low, spec.high, (0.5, 0.0, right / 2, right, -right, 2 * right, 1e-9, spec.low))


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
    one = number(spec.low, spec.high, (0.0, 1.0, 1.5, spec.low, spec.high))
    return st.tuples(one, one)


@strategy.register
def _axes(spec: Axes, scene: Scene) -> Strategy:
    rank = scene.rank(spec.of)
    forms: list[Strategy] = [st.none()] if spec.none else []
    differs = _differing(scene.drawn[spec.of])
    if differs is not None:  # where arrays are joined: any other axis is refused, which is soon seen
        forms += [st.sampled_from([differs, differs - rank])] * 3
    if rank and spec.single:
        forms.append(st.integers(-rank, rank - 1))
    if spec.several and rank >= (spec.count or 0):
        least, most = (0, rank) if spec.count is None else (spec.count, spec.count)
        unique = None if spec.repeats else lambda axis: axis % rank
        axis = st.integers(-rank, rank - 1) if rank else st.nothing()
        most = most if rank else 0
        forms.append(st.lists(axis, min_size=least, max_size=most, unique_by=unique).map(tuple))
    return st.one_of(*forms) if forms else st.nothing()


def _differing(value: Any) -> int | None:
    """Return the axis along which the arrays of a list differ, if they do."""
    shapes = {np.shape(part) for part in value} if isinstance(value, list) else set()
    unequal = [axis for axis, sizes in enumerate(zip(*shapes, strict=False)) if len(set(sizes)) > 1]
    return unequal[0] if unequal else None


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
