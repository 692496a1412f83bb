"""Strategies for values: numbers, choices, pairs, seeds."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from pipeport.contract import Boolean, Degrees, Integer, Maybe, OneOf, Point, Radians, Real, SeedPair
from pipeport.verify._strategies import Scene, Strategy, again, centres, multiples, number, strategy


@strategy.register
def _real(spec: Real, scene: Scene) -> Strategy:  # noqa: ARG001
    return number(spec.low, spec.high, (0.0, 0.5, 1.0, -1.0, spec.low, spec.high))


@strategy.register
def _degrees(spec: Degrees, scene: Scene) -> Strategy:  # noqa: ARG001
    # Right angles put samples on ties, multiples of 15 degrees many of them, tiny angles beside them.
    several = (multiples(spec.low, spec.high, of) for of in (15.0, 45.0, 90.0))
    return number(spec.low, spec.high, (30.0, 0.0, 1e-7, spec.low), *several)


@strategy.register
def _radians(spec: Radians, scene: Scene) -> Strategy:  # noqa: ARG001
    several = (multiples(spec.low, spec.high, math.pi, parts) for parts in (2, 4, 12, 180))
    return number(spec.low, spec.high, (0.5, 0.0, 1e-9, spec.low), *several)


@strategy.register
def _integer(spec: Integer, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.integers(spec.low, spec.high)


@strategy.register
def _boolean(spec: Boolean, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.booleans()


@strategy.register
def _one_of(spec: OneOf, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.sampled_from(spec.values)


@again.register
def _again_maybe(spec: Maybe, value: Any, scene: Scene) -> Strategy:
    return st.none() if value is None else again(spec.spec, value, scene)


@strategy.register
def _maybe(spec: Maybe, scene: Scene) -> Strategy:
    return st.one_of(st.none(), strategy(spec.spec, scene))


@strategy.register
def _point(spec: Point, scene: Scene) -> Strategy:
    low, high = spec.low * scene.scale, spec.high * scene.scale
    one = number(low, high, (0.0, 1.0, 1.5, low, high))
    plane = scene.plane()
    if plane is None:
        return st.tuples(one, one)
    return st.one_of(st.tuples(one, one), st.sampled_from(centres(plane)))


@strategy.register
def _seed(spec: SeedPair, scene: Scene) -> Strategy:  # noqa: ARG001
    half = st.integers(-(2**31), 2**31 - 1)
    return st.tuples(half, half)
