"""The oracle: whether an outcome agrees with the reference's. It raises; it never returns a verdict.

What it gives back is a measurement (`Worst`), so nothing can be dropped by a caller who forgets to look.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeport.contract import Agreement, AsReference, Exact, Ulps, Within, WithinLevels
from pipeport.errors import NotEquivalent, OutsideDomain, explain
from pipeport.verify._outcome import Outcome, Raised

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Close(Agreement):
    """|native - reference| <= atol + rtol |reference|, as `numpy.allclose` defines it."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Evidence:
    """What is known besides the reference's own result.

    Attributes
    ----------
    oracle : tuple of numpy.ndarray or None
        Outputs of the same reference run in float64; None where it computes in float64 itself.
    slack : float
        Added to the bound for the rounding of sample coordinates.
    jumps : numpy.ndarray or None
        Results at coordinates moved by the reference's rounding, stacked on axis 0.
    dtype : str or None
        The dtype asked for by our parameter `dtype`: the result is to be rounded, saturated, cast.
    nearby : callable or None
        Without parameters; gives the outputs of the reference for inputs one rounding away, in float64.
    """

    oracle: tuple[Array, ...] | None = None
    slack: float = 0.0
    jumps: Array | None = None
    dtype: str | None = None
    nearby: Callable[[], Sequence[tuple[Array, ...]]] | None = None


@dataclass(frozen=True)
class Worst:
    """The worst error of a comparison.

    Attributes
    ----------
    ratio : float
        Error divided by what the agreement allows: 0 is equal, 1 the limit.
    error : float
        The error in the agreement's own unit (values, units in the last place, levels).
    pixels : int
        Elements compared.
    jumped : int
        Elements that took another side of a discontinuity.
    refused : bool
        Whether both sides refused the arguments.
    """

    ratio: float = 0.0
    error: float = 0.0
    pixels: int = 0
    jumped: int = 0
    refused: bool = False

    def __or__(self, other: Worst) -> Worst:
        larger = self if self.ratio >= other.ratio else other
        return Worst(
            larger.ratio,
            max(self.error, other.error),
            self.pixels + other.pixels,
            self.jumped + other.jumped,
            self.refused and other.refused,
        )


def compare(
    expected: Outcome,
    actual: Outcome,
    agreement: Agreement,
    evidence: Evidence | None = None,
    names: tuple[str, ...] = ("output",),
) -> Worst:
    """Raise unless an outcome agrees with the reference's.

    Parameters
    ----------
    expected, actual : Outcome
        Of the reference and of the native.
    agreement : Agreement
        The sense in which outputs are equal.
    evidence : Evidence or None
        What else is known about the right answer.
    names : tuple of str
        Names of the outputs, for messages.

    Returns
    -------
    Worst
        How far apart they are; reached only when they agree.

    Raises
    ------
    NotEquivalent
        They do not agree; the message says which output, in what, and by how much.
    """
    evidence = evidence or Evidence()
    if expected.error or actual.error:
        return _compare_errors(expected, actual)
    if expected.structure != actual.structure:
        raise NotEquivalent(f"structure: reference gives {expected.structure}, native {actual.structure}")
    worst = Worst()
    for index, (right, got) in enumerate(zip(expected.leaves, actual.leaves, strict=True)):
        name = names[index] if len(names) == len(expected.leaves) else f"output {index}"
        oracle = right if evidence.oracle is None else evidence.oracle[index]
        worst |= _compare_arrays(Sides(name, right, got, oracle, evidence, index), agreement)
    return worst


def _compare_errors(expected: Outcome, actual: Outcome) -> Worst:
    right, got = expected.error, actual.error
    if right is None and got is not None:
        raise NotEquivalent(f"error: reference accepts, native raises ({_kind(got)}) {got.text}")
    if right is not None and got is None:
        raise NotEquivalent(f"error: reference raises ({_kind(right)}) {right.text}; native accepts")
    if right is not None and got is not None and not right.kinds & got.kinds:
        raise NotEquivalent(
            f"kind of error: reference raises ({_kind(right)}) {right.text}; native ({_kind(got)}) {got.text}"
        )
    return Worst(refused=True)


def _kind(error: Raised) -> str:
    return " or ".join(sorted(error.kinds))


def _compare_arrays(sides: Sides, agreement: Agreement) -> Worst:
    name, right, got, evidence = sides.name, sides.right, sides.got, sides.evidence
    wanted = np.dtype(evidence.dtype) if evidence.dtype else right.dtype
    if got.dtype != wanted:
        source = "asked for" if evidence.dtype else "reference gives"
        raise NotEquivalent(f"{name} dtype: {source} {wanted}, native gives {got.dtype}")
    if got.shape != right.shape:
        raise NotEquivalent(f"{name} shape: reference gives {right.shape}, native {got.shape}")
    if got.size == 0:
        return Worst()
    if evidence.dtype:
        return _judge_cast(sides, agreement)
    return judge(agreement, sides)


@dataclass(frozen=True)
class Sides:
    """One output of both functions, of one dtype and shape.

    Attributes
    ----------
    name : str
        Name of the output.
    right, got : numpy.ndarray
        Of the reference and of the native.
    oracle : numpy.ndarray
        Of the reference in float64, or `right`.
    evidence : Evidence
        Slack and jumps.
    index : int
        Which output of the functions this is.
    """

    name: str
    right: Array
    got: Array
    oracle: Array
    evidence: Evidence
    index: int = 0


@functools.singledispatch
def judge(agreement: Agreement, sides: Sides) -> Worst:  # noqa: ARG001 - for those registered
    """Raise unless two arrays of one dtype and shape agree; one registered function per agreement."""
    raise OutsideDomain(
        explain(
            "agreement",
            type(agreement).__name__,
            "Exact, Ulps, Within, WithinLevels, AsReference, SameDistribution, Close",
            "Register a judge for it with pipeport.verify._oracle.judge.register.",
        )
    )


def _fail(name: str, bad: Array, right: Array, got: Array, reason: str) -> None:
    """Raise when any element is bad, naming the first."""
    if not bad.any():
        return
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    count = int(bad.sum())
    at = f" at {where}" if where else ""
    raise NotEquivalent(
        f"{name} values: {reason}; {count} of {bad.size} elements, first{at}: "
        f"reference {right[where].item()!r}, native {got[where].item()!r}"
    )


def _same_specials(name: str, right: Array, got: Array) -> Array:
    """Raise unless NaN and infinities stand in the same places; return where both are finite."""
    if right.dtype.kind != "f":
        return np.ones(right.shape, bool)
    _fail(name, np.isnan(right) != np.isnan(got), right, got, "NaN in other places")
    infinite = np.isinf(right) | np.isinf(got)
    _fail(name, infinite & (right != got), right, got, "infinities differ")
    return np.isfinite(right)


def _ordered(array: Array) -> list[int]:
    """Return integers whose difference counts the floats between two values."""
    bits = array.dtype.itemsize * 8
    raw = array.view(f"u{array.dtype.itemsize}").ravel().tolist()
    return [int(v) if v < 1 << (bits - 1) else (1 << (bits - 1)) - int(v) for v in raw]


@judge.register
def _exact(agreement: Exact, sides: Sides) -> Worst:  # noqa: ARG001
    name, right, got = sides.name, sides.right, sides.got
    if right.dtype.kind != "f":
        _fail(name, right != got, right, got, "not equal")
        return Worst(pixels=got.size)
    _same_specials(name, right, got)
    raw = f"u{right.dtype.itemsize}"
    bits = np.ascontiguousarray(right).view(raw) != np.ascontiguousarray(got).view(raw)
    bits = bits.reshape(right.shape) & ~(np.isnan(right) & np.isnan(got))
    # TensorFlow's kernels flush subnormals to zero, or do not, by the thread they run in.
    tiny = np.finfo(right.dtype).tiny
    bits &= ~((np.abs(right) < tiny) & (np.abs(got) < tiny) & ((right != 0) | (got != 0)))
    _fail(name, bits & (right == got), right, got, "zeros of other sign")
    _fail(name, bits, right, got, "not equal bit for bit")
    return Worst(pixels=got.size)


@judge.register
def _ulps(agreement: Ulps, sides: Sides) -> Worst:
    name, right, got = sides.name, sides.right, sides.got
    if right.dtype.kind != "f":
        return _exact(Exact(), sides)
    finite = _same_specials(name, right, got)
    apart = [
        abs(a - b)
        for a, b in zip(
            _ordered(np.ascontiguousarray(right)), _ordered(np.ascontiguousarray(got)), strict=True
        )
    ]
    distance = np.where(finite, np.array(apart, float).reshape(right.shape), 0.0)
    _fail(name, distance > agreement.n, right, got, f"{distance.max():g} ulps apart, {agreement.n} allowed")
    return _measured(float(distance.max()), float(agreement.n), got.size)


@judge.register
def _within(agreement: Within, sides: Sides) -> Worst:
    bound = agreement.absolute
    if sides.right.dtype == np.float16:  # the same sum may round to either neighbour
        bound += _eps(sides.right.dtype) * max(1.0, _largest(sides.right))
    if sides.evidence.jumps is not None:
        return _either_side(replace(sides, oracle=sides.right), bound)
    return _bounded(sides, np.full(sides.right.shape, bound))


@judge.register
def _close(agreement: Close, sides: Sides) -> Worst:
    right = sides.right
    finite = np.where(np.isfinite(right), right, 0) if right.dtype.kind == "f" else right
    return _bounded(sides, agreement.atol + agreement.rtol * np.abs(finite.astype(float)))


def _bounded(sides: Sides, bound: Array) -> Worst:
    name, right, got = sides.name, sides.right, sides.got
    finite = _same_specials(name, right, got)
    error = np.where(finite, _apart(right, got, finite), 0.0)
    worst = float(error.max())
    _fail(name, error > bound, right, got, f"error {worst:.3g}, allowed {float(bound.max()):.3g}")
    ratio = np.divide(error, bound, out=np.zeros_like(error), where=bound > 0)
    return Worst(float(ratio.max()), worst, got.size)


@judge.register
def _levels(agreement: WithinLevels, sides: Sides) -> Worst:
    name, right, got = sides.name, sides.right, sides.got
    if right.dtype.kind == "f" and agreement.floats is not None:
        return judge(agreement.floats, sides)
    if right.dtype.kind not in "iub":
        advice = "Use Within, Ulps or AsReference for floating outputs."
        raise OutsideDomain(
            explain("agreement", f"WithinLevels for {right.dtype}", "integer outputs", advice)
        )
    error = _apart(right, got, np.ones(right.shape, bool))
    _fail(name, error > agreement.n, right, got, f"{error.max():g} levels apart, {agreement.n} allowed")
    # Rounded up, so that a small image may have one such pixel if any may.
    allowed = math.ceil(agreement.fraction * got.size)
    count = int((error > 0).sum())
    if count > allowed:
        _fail(name, error > 0, right, got, f"{count} elements differ, {allowed} may")
    return _measured(float(error.max()), float(agreement.n), got.size)


def _measured(error: float, bound: float, pixels: int) -> Worst:
    return Worst(error / bound if bound else 0.0, error, pixels)


def _apart(right: Array, got: Array, where: Array) -> Array:
    """Return |right - got| in float64, zero outside `where`; int64 differences stay exact."""
    if right.dtype.kind in "iu" and right.dtype.itemsize == 8:
        exact = [abs(int(a) - int(b)) for a, b in zip(right.ravel(), got.ravel(), strict=True)]
        return np.array(exact, float).reshape(right.shape)
    a, b = (np.where(where, v, 0).astype(np.float64) for v in (right, got))
    return np.abs(a - b)


def _eps(dtype: Any) -> float:
    return float(np.finfo(dtype).eps) if np.dtype(dtype).kind == "f" else 0.0


def _largest(array: Array) -> float:
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    return float(np.max(np.abs(finite.astype(np.float64)), initial=0.0))


def reference_bound(right: Array, oracle: Array, slack: float, dtype: Any = None) -> float:
    """Return how far a native may be from the float64 run, as `AsReference` defines it."""
    both = np.isfinite(right) & np.isfinite(oracle) if right.dtype.kind == "f" else np.ones(right.shape, bool)
    own = float(_apart(right, oracle, both).max(initial=0.0))
    return 2 * own + 8 * _eps(dtype or right.dtype) * max(1.0, _largest(oracle)) + slack


@judge.register
def _as_reference(agreement: AsReference, sides: Sides) -> Worst:  # noqa: ARG001
    bound = reference_bound(sides.right, sides.oracle, sides.evidence.slack)
    try:
        return _either_side(sides, bound)
    except NotEquivalent:
        wider = bound + 8 * _unsteady(sides, bound)
        if wider == bound:
            raise
        return _either_side(sides, wider)


def _unsteady(sides: Sides, bound: float) -> float:
    """Return the most the reference moves when its inputs are one rounding away.

    What moves further than rounding can take it has crossed a jump and says nothing.
    """
    most = 0.0
    for outputs in sides.evidence.nearby() if sides.evidence.nearby else ():
        other = outputs[sides.index]
        if other.shape != sides.oracle.shape or other.dtype.kind != "f":
            continue
        finite = np.isfinite(other) & np.isfinite(sides.oracle)
        moved = _apart(sides.oracle, other, finite)
        most = max(most, float(moved[moved <= bound].max(initial=0.0)))
    return most


def _matches(candidate: Array, got: Array, bound: float) -> tuple[Array, Array]:
    """Return where `got` agrees with a candidate, and by how much they differ there."""
    candidate = candidate.astype(np.float64)
    values = got.astype(np.float64)
    finite = np.isfinite(candidate) & np.isfinite(values)
    error = _apart(candidate, values, finite)
    same = np.where(finite, error <= bound, (candidate == values) | (np.isnan(candidate) & np.isnan(values)))
    return same, np.where(finite, error, 0.0)


def _either_side(sides: Sides, bound: float) -> Worst:
    """Raise unless every element agrees with the oracle, or with the other side of a jump there.

    NaN and infinities may also stand where the reference's own run has them: whether a
    sample with weight zero is touched depends on the last bit of its coordinate.
    """
    right, got, oracle, jumps = sides.right, sides.got, sides.oracle, sides.evidence.jumps
    good, error = _matches(oracle, got, bound)
    if right.dtype.kind == "f":
        own, _ = _matches(right, got, bound)
        good |= own & ~(np.isfinite(right) & np.isfinite(oracle))
    straight = good.copy()
    if jumps is not None:
        # It is no jump of the reference where the reference itself is on none of the sides.
        known = np.any([_matches(member, oracle, bound)[0] for member in jumps], axis=0)
        good |= known & np.any([_matches(member, got, bound)[0] for member in jumps], axis=0)
    worst = float(np.where(straight, error, 0.0).max())
    reason = f"error {float(error.max()):.3g} against the float64 run, allowed {bound:.3g}"
    if jumps is not None:
        reason += " and on no side of a jump"
    _fail(sides.name, ~good, oracle, got, reason)
    ratio = worst / bound if bound else 0.0
    return Worst(ratio, worst, got.size, int((good & ~straight).sum()))


def _judge_cast(sides: Sides, agreement: Agreement) -> Worst:
    """Judge our parameter `dtype`: the float64 result, rounded to nearest, saturated, cast."""
    right, got, jumps = sides.right, sides.got, sides.evidence.jumps
    wanted = np.dtype(sides.evidence.dtype)
    exact = sides.oracle.astype(np.float64)
    coarser = max((right.dtype, wanted), key=_eps)
    bound = sides.evidence.slack + reference_bound(right.astype(np.float64), exact, 0.0, coarser)
    if isinstance(agreement, Within):
        bound = agreement.absolute
    if wanted.kind == "f":
        return _either_side(replace(sides, oracle=exact), bound)
    low, high = (0, 1) if wanted.kind == "b" else (np.iinfo(wanted).min, np.iinfo(wanted).max)
    known = ~np.isnan(exact)  # no integer stands for NaN
    whole = got.astype(np.float64)

    def saturated(values: Array) -> Array:
        limited = np.clip(values.astype(np.float64), low, high)
        return np.where(known & ~np.isnan(limited), limited, whole)

    evidence = replace(sides.evidence, jumps=None if jumps is None else saturated(jumps))
    limited = Sides(sides.name, saturated(exact), whole, saturated(exact), evidence)
    return _either_side(limited, 0.5 + max(1e-3, bound))
