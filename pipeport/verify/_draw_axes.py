"""Strategies for axis arguments: axes, permutations, shifts, pad widths and values."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import Axes, PadValues, PadWidths, Permutation, Shifts
from pipeport.verify._strategies import Scene, Strategy, strategy


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
