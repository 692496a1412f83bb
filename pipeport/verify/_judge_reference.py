"""Judge by the reference's float64 run: its bound, sides of a discontinuity, our parameter `dtype`."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport.contract import Agreement, AsReference, Within
from pipeport.errors import NotEquivalent
from pipeport.verify._elements import difference, eps, fail, floating, in_double, largest, same_specials
from pipeport.verify._judge import Sides, Worst, judge

Array = np.ndarray[Any, Any]

# How many times a float64 rounding of the input may be magnified: a spline of order 5 does so up to 7.5
# times per axis, a swirl by its angle. What moves further has crossed a discontinuity.
STEEPEST = 2.0**16


def reference_bound(
    right: Array, oracle: Array, slack: float, dtype: Any = None, discontinuities: Array | None = None
) -> float:
    """Return how far a native may be from the float64 run, as `AsReference` defines it.

    Where the reference itself took another side of a discontinuity than its float64 run, its distance to
    that side counts: else one such pixel would make the bound as wide as the image's contrast.
    """
    apart = difference(right, oracle)
    if discontinuities is not None and floating(right):
        both = np.isfinite(right) & np.isfinite(oracle)
        for side in discontinuities:
            known = both & np.isfinite(side)
            apart = np.where(known, np.minimum(apart, difference(right, side)), apart)
    own = float(apart.max(initial=0.0))
    return 2 * own + _rounding(oracle, dtype or right.dtype) + slack


def _rounding(oracle: Array, dtype: Any) -> float:
    return 8 * eps(dtype) * max(1.0, largest(oracle))


@judge.register
def _as_reference(agreement: AsReference, sides: Sides) -> Worst:  # noqa: ARG001
    # Close enough, whatever the reference's own error and the side of a discontinuity.
    least = _rounding(sides.oracle, sides.right.dtype) + sides.evidence.slack
    with contextlib.suppress(NotEquivalent):
        return either_side(replace(sides, evidence=replace(sides.evidence, discontinuities=None)), least)
    discontinuities = sides.evidence.other_sides(sides.index)
    bound = reference_bound(sides.right, sides.oracle, sides.evidence.slack, discontinuities=discontinuities)
    try:
        return either_side(sides, bound)
    except NotEquivalent:
        wider = bound + 8 * _unsteady(sides, bound)
        if wider == bound:
            raise
        return either_side(sides, wider)


def _unsteady(sides: Sides, bound: float) -> float:
    """Return the most the reference moves when its inputs are one rounding away.

    What moves further than rounding can take it has crossed a discontinuity, however small, and says
    nothing: beside the wide bound of a narrow dtype, pixels that hardly differ would else make it nine
    times as wide.
    """
    most = 0.0
    limit = min(bound, STEEPEST * eps(np.float64) * max(1.0, largest(sides.oracle)))
    for outputs in sides.evidence.nearby() if sides.evidence.nearby else ():
        other = outputs[sides.index]
        if other.shape != sides.oracle.shape or not floating(other):
            continue
        moved = difference(sides.oracle, other)
        most = max(most, float(moved[moved <= limit].max(initial=0.0)))
    return most


def _matches(candidate: Array, got: Array, bound: float) -> tuple[Array, Array]:
    """Return where `got` agrees with a candidate, and by how much they differ there."""
    candidate, values = in_double(candidate), in_double(got)
    error = difference(candidate, values)
    return same_specials(candidate, values) & (error <= bound), error


def either_side(sides: Sides, bound: float) -> Worst:
    """Raise unless every element agrees with the oracle, or with the other side of a discontinuity there.

    NaN and infinities may also stand where the reference's own run has them: whether a
    sample with weight zero is touched depends on the last bit of its coordinate.
    """
    right, got, oracle = sides.right, sides.got, sides.oracle
    good, error = _matches(oracle, got, bound)
    if floating(right):
        own, _ = _matches(right, got, bound)
        good |= own & ~(np.isfinite(right) & np.isfinite(oracle))
    straight = good.copy()
    discontinuities = None if good.all() else sides.evidence.other_sides(sides.index)
    if discontinuities is not None:
        # It is not a discontinuity of the reference where the reference itself is on none of the sides.
        known = np.any([_matches(member, oracle, bound)[0] for member in discontinuities], axis=0)
        good |= known & np.any([_matches(member, got, bound)[0] for member in discontinuities], axis=0)
    worst = float(np.where(straight, error, 0.0).max())
    reason = "differs by {error}{at}, {allowed} allowed"
    if discontinuities is not None:
        reason += " and on no side of a discontinuity"
    if not good.all():
        fail(
            sides, ~good & ~same_specials(oracle, got), "differs{at}, NaN or infinities stand in other places"
        )
        fail(sides, ~good, reason, error, bound)
    ratio = worst / bound if bound else 0.0
    return Worst(ratio, worst, got.size, int((good & ~straight).sum()))


def judge_cast(sides: Sides, agreement: Agreement) -> Worst:
    """Judge our parameter `dtype`: the float64 result, rounded to nearest, saturated, cast."""
    right, got, discontinuities = sides.right, sides.got, sides.evidence.other_sides(sides.index)
    wanted = np.dtype(sides.evidence.dtype)
    exact = in_double(sides.oracle)
    coarser = max((right.dtype, wanted), key=eps)
    bound = sides.evidence.slack + reference_bound(in_double(right), exact, 0.0, coarser, discontinuities)
    if isinstance(agreement, Within):
        bound = agreement.absolute
    if wanted.kind in "fc":
        return either_side(replace(sides, oracle=exact), bound)
    low, high = (0, 1) if wanted.kind == "b" else (np.iinfo(wanted).min, np.iinfo(wanted).max)
    known = ~np.isnan(exact)  # no integer stands for NaN
    whole = got.astype(np.float64)

    def saturated(values: Array) -> Array:
        limited = np.clip(values.astype(np.float64), low, high)
        return np.where(known & ~np.isnan(limited), limited, whole)

    evidence = replace(
        sides.evidence, discontinuities=None if discontinuities is None else saturated(discontinuities)
    )
    limited = Sides(sides.name, saturated(exact), whole, saturated(exact), evidence, called=sides.called)
    return either_side(limited, 0.5 + max(1e-3, bound))
