"""Judges: their inputs and results, and the judge of an agreement."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.contract import Agreement
from pipeport.errors import OutsideDomain, explain

Array = np.ndarray[Any, Any]
Discontinuities = Array | tuple[Array, ...]


@dataclass(frozen=True)
class Evidence:
    """Evidence besides the reference's own result.

    `oracle`: outputs of the same reference run in float64; None where it computes in float64 itself. `slack`:
    added to the bound for the rounding of sample coordinates. `discontinuities`: results at coordinates moved
    by the reference's rounding, stacked on axis 0; or what gives them, since they cost many calls of the
    reference and are seldom needed. A tuple has those of each output. `dtype`: the dtype asked for by our
    parameter `dtype`: the result is to be rounded, saturated, cast. `nearby`: without parameters; gives the
    outputs of the reference for inputs one rounding away, in float64.
    """

    oracle: tuple[Array, ...] | None = None
    slack: float = 0.0
    discontinuities: Discontinuities | Callable[[], Discontinuities] | None = None
    dtype: str | None = None
    nearby: Callable[[], Sequence[tuple[Array, ...]]] | None = None

    def other_sides(self, index: int) -> Array | None:
        """Return the results of an output on either side of the discontinuities."""
        found = self.discontinuities() if callable(self.discontinuities) else self.discontinuities
        return found[index] if isinstance(found, tuple) else found


@dataclass(frozen=True)
class Worst:
    """The worst error of a comparison.

    `ratio`: error divided by what the agreement allows: 0 is equal, 1 the limit. `error`: the error in the
    agreement's own unit (values, units in the last place, levels). `on_other_side`: elements that took
    another side of a discontinuity. `refused`: whether both sides refused the arguments.
    """

    ratio: float = 0.0
    error: float = 0.0
    pixels: int = 0
    on_other_side: int = 0
    refused: bool = False

    def __or__(self, other: Worst) -> Worst:
        larger = self if self.ratio >= other.ratio else other
        return Worst(
            larger.ratio,
            max(self.error, other.error),
            self.pixels + other.pixels,
            self.on_other_side + other.on_other_side,
            self.refused and other.refused,
        )


@dataclass(frozen=True)
class Sides:
    """One output of both functions, of one dtype and shape.

    `right`, `got`: of the reference and of the native. `oracle`: of the reference in float64, or `right`.
    `index`: which output of the functions this is. `called`: what the two functions are called in messages.
    """

    name: str
    right: Array
    got: Array
    oracle: Array
    evidence: Evidence
    index: int = 0
    called: tuple[str, str] = ("reference", "native")


@functools.singledispatch
def judge(agreement: Agreement, sides: Sides) -> Worst:  # noqa: ARG001 - for those registered
    """Raise unless two arrays of one dtype and shape agree; one registered function per agreement."""
    raise OutsideDomain(
        explain(
            "agreement",
            type(agreement).__name__,
            "Exact, Ulps, Within, WithinLevels, AsReference, SameDistribution, Close",
            "Register a judge for it with pipeport.verify._judge.judge.register.",
        )
    )
