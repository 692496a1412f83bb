"""Specs of values: numbers, choices, pairs, callables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeport.contract._domain import Spec


@dataclass(frozen=True)
class Real(Spec):
    """A finite real number in [low, high]."""

    low: float
    high: float


class Degrees(Real):
    """An angle in degrees."""


class Radians(Real):
    """An angle in radians."""


@dataclass(frozen=True)
class Integer(Spec):
    """An integer in [low, high]."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Boolean(Spec):
    """True or False."""


@dataclass(frozen=True, init=False)
class OneOf(Spec):
    """One of the listed values."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any, typical: Any = None, tensor: bool = False) -> None:
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "typical", typical)
        object.__setattr__(self, "tensor", tensor)
        object.__setattr__(self, "per_element", False)
        object.__setattr__(self, "element_rank", 0)


@dataclass(frozen=True, kw_only=True)
class Maybe(Spec):
    """None or a value of `spec`."""

    spec: Spec


@dataclass(frozen=True, kw_only=True)
class Point(Spec):
    """A pair of real numbers in [low, high], for instance a centre as (column, row)."""

    low: float
    high: float
    element_rank: int = 1


@dataclass(frozen=True, kw_only=True)
class SeedPair(Spec):
    """A seed: two integers, as `tf.random.stateless_*` takes them."""

    element_rank: int = 1


@dataclass(frozen=True, init=False)
class Callback(Spec):
    """A Python callable: one of the named examples, given as it is to both sides.

    The examples are dotted paths of functions written with operators alone, so that they work
    on NumPy arrays and on tensors.
    """

    examples: tuple[str, ...]

    def __init__(self, *examples: str, typical: str | None = None) -> None:
        object.__setattr__(self, "examples", examples)
        object.__setattr__(self, "typical", typical)
        object.__setattr__(self, "tensor", False)
        object.__setattr__(self, "per_element", False)
        object.__setattr__(self, "element_rank", 0)
