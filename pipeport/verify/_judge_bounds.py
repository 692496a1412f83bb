"""Judging by a stated bound: bits, units in the last place, values, levels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeport.contract import Agreement, Exact, Ulps, Within, WithinLevels
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._elements import difference, eps, fail, floating, largest, magnitudes, percent
from pipeport.verify._judge import Sides, Worst, judge
from pipeport.verify._judge_reference import either_side

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Close(Agreement):
    """``|native - reference| <= atol + rtol |reference|``, as `numpy.allclose` defines it."""

    rtol: float
    atol: float


def _by_parts(sides: Sides) -> tuple[Sides, ...]:
    """Return the real and the imaginary parts of complex elements."""
    return tuple(
        replace(
            sides,
            name=f"{sides.name}.{part}",
            **{side: getattr(getattr(sides, side), part) for side in ("right", "got", "oracle")},
        )
        for part in ("real", "imag")
    )


def _each_part(agreement: Agreement, sides: Sides) -> Worst:
    real, imaginary = (judge(agreement, part) for part in _by_parts(sides))
    return replace(real | imaginary, pixels=sides.got.size)


def _check_specials(sides: Sides) -> None:
    """Raise unless NaN and infinities stand in the same places."""
    right, got = sides.right, sides.got
    if right.dtype.kind == "c":
        for part in _by_parts(sides):
            _check_specials(part)
    if right.dtype.kind != "f":
        return
    fail(sides, np.isnan(right) != np.isnan(got), "differs{at}, NaN is in other places")
    infinite = np.isinf(right) | np.isinf(got)
    fail(sides, infinite & (right != got), "differs{at}, infinities stand in other places")


def _ordered(array: Array) -> list[int]:
    """Return integers whose difference counts the floats between two values."""
    bits = array.dtype.itemsize * 8
    raw = array.view(f"u{array.dtype.itemsize}").ravel().tolist()
    return [int(v) if v < 1 << (bits - 1) else (1 << (bits - 1)) - int(v) for v in raw]


@judge.register
def _exact(agreement: Exact, sides: Sides) -> Worst:
    right, got = sides.right, sides.got
    if right.dtype.kind == "c":
        return _each_part(agreement, sides)
    if right.dtype.kind != "f":
        if (bad := right != got).any():
            apart = "differs{at}" if right.dtype.kind == "b" else "differs by {error}{at}, {allowed} allowed"
            fail(sides, bad, apart, difference(right, got))
        return Worst(pixels=got.size)
    _check_specials(sides)
    raw = f"u{right.dtype.itemsize}"
    bits = np.ascontiguousarray(right).view(raw) != np.ascontiguousarray(got).view(raw)
    bits = bits.reshape(right.shape) & ~(np.isnan(right) & np.isnan(got))
    # TensorFlow's kernels flush subnormals to zero, or do not, by the thread they run in.
    tiny = np.finfo(right.dtype).tiny
    bits &= ~((np.abs(right) < tiny) & (np.abs(got) < tiny) & ((right != 0) | (got != 0)))
    fail(sides, bits & (right == got), "differs in the sign of zero{at}")
    if bits.any():
        fail(sides, bits, "differs by {error}{at}, {allowed} allowed", difference(right, got))
    return Worst(pixels=got.size)


@judge.register
def _ulps(agreement: Ulps, sides: Sides) -> Worst:
    right, got = sides.right, sides.got
    if right.dtype.kind == "c":
        return _each_part(agreement, sides)
    if right.dtype.kind != "f":
        return _exact(Exact(), sides)
    _check_specials(sides)
    apart = [
        abs(a - b)
        for a, b in zip(
            _ordered(np.ascontiguousarray(right)), _ordered(np.ascontiguousarray(got)), strict=True
        )
    ]
    distance = np.where(np.isfinite(right), np.array(apart, float).reshape(right.shape), 0.0)
    reason = "differs by {error} ulps{at}, {allowed} allowed"
    fail(sides, distance > agreement.n, reason, distance, agreement.n)
    return _measured(float(distance.max()), float(agreement.n), got.size)


@judge.register
def _within(agreement: Within, sides: Sides) -> Worst:
    bound = agreement.absolute + sides.evidence.slack
    if sides.right.dtype == np.float16:  # the same sum may round to either neighbour
        bound += eps(sides.right.dtype) * max(1.0, largest(sides.right))
    if sides.evidence.discontinuities is not None:
        return either_side(replace(sides, oracle=sides.right), bound)
    return _bounded(sides, np.full(sides.right.shape, bound))


@judge.register
def _close(agreement: Close, sides: Sides) -> Worst:
    return _bounded(sides, agreement.atol + agreement.rtol * magnitudes(sides.right))


def _bounded(sides: Sides, bound: Array) -> Worst:
    right, got = sides.right, sides.got
    _check_specials(sides)
    error = difference(right, got)
    worst = float(error.max())
    fail(sides, error > bound, "differs by {error}{at}, {allowed} allowed", error, bound)
    ratio = np.divide(error, bound, out=np.zeros_like(error), where=bound > 0)
    return Worst(float(ratio.max()), worst, got.size)


@judge.register
def _levels(agreement: WithinLevels, sides: Sides) -> Worst:
    right, got = sides.right, sides.got
    if floating(right) and agreement.floats is not None:
        return judge(agreement.floats, sides)
    if right.dtype.kind not in "iub":
        advice = "Use Within, Ulps or AsReference for floating outputs."
        raise OutsideDomain(
            explain("agreement", f"WithinLevels for {right.dtype}", "integer outputs", advice)
        )
    error = difference(right, got)
    reason = "differs by {error} grey levels{at}, {allowed} allowed"
    fail(sides, error > agreement.n, reason, error, agreement.n)
    # Rounded up, so that a small image may have one such pixel if any may.
    allowed = math.ceil(agreement.fraction * got.size)
    count = int((error > 0).sum())
    if count > allowed:
        by = "one level" if agreement.n == 1 else f"up to {agreement.n} levels"
        shares = (
            f"{percent(count / got.size)} of pixels differ by {by}, {percent(allowed / got.size)} allowed"
        )
        fail(sides, error > 0, f"differs in too many places: {shares}", error)
    return _measured(float(error.max()), float(agreement.n), got.size)


def _measured(error: float, bound: float, pixels: int) -> Worst:
    return Worst(error / bound if bound else 0.0, error, pixels)
