"""Strategies for values: numbers, choices, pairs, seeds."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from pipeport.contract import Boolean, Degrees, Integer, Maybe, OneOf, Point, Radians, Real, SeedPair
from pipeport.verify._strategies import Scene, Strategy, again, number, strategy


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


@again.register
def _again_maybe(spec: Maybe, value: Any, scene: Scene) -> Strategy:
    return st.none() if value is None else again(spec.spec, value, scene)


@strategy.register
def _maybe(spec: Maybe, scene: Scene) -> Strategy:
    return st.one_of(st.none(), strategy(spec.spec, scene))


@strategy.register
def _point(spec: Point, scene: Scene) -> Strategy:  # noqa: ARG001
    one = number(spec.low, spec.high, (0.0, 1.0, 1.5, spec.low, spec.high))
    return st.tuples(one, one)


@strategy.register
def _seed(spec: SeedPair, scene: Scene) -> Strategy:  # noqa: ARG001
    half = st.integers(-(2**31), 2**31 - 1)
    return st.tuples(half, half)
