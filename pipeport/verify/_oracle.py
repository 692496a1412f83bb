"""The oracle: whether an outcome agrees with the reference's. It raises; it never returns a verdict.

What it gives back is a measurement (`Worst`), so nothing can be dropped by a caller who forgets to look.
"""

from __future__ import annotations

import numpy as np

from pipeport.contract import Agreement
from pipeport.errors import NotEquivalent
from pipeport.verify import _judge_bounds  # noqa: F401 - registers its judges
from pipeport.verify._judge import Evidence, Sides, Worst, judge
from pipeport.verify._judge_reference import judge_cast
from pipeport.verify._outcome import Outcome


def compare(
    expected: Outcome,
    actual: Outcome,
    agreement: Agreement,
    evidence: Evidence | None = None,
    names: tuple[str, ...] = ("output",),
    called: tuple[str, str] = ("reference", "native"),
) -> Worst:
    """Raise unless an outcome agrees with the reference's.

    `expected`, `actual`: of the reference and of the native. `agreement`: the sense in which outputs are
    equal. `evidence`: what else is known about the right answer. `names`: names of the outputs, for messages.
    `called`: what the two functions are called in messages. Returns: how far apart they are; reached only
    when they agree.
    """
    evidence = evidence or Evidence()
    if expected.error or actual.error:
        return _compare_errors(expected, actual, called)
    if expected.structure != actual.structure:
        right, got = called
        raise NotEquivalent(f"structure: {right} gives {expected.structure}, {got} gives {actual.structure}")
    worst = Worst()
    for index, (wanted, given) in enumerate(zip(expected.leaves, actual.leaves, strict=True)):
        name = names[index] if len(names) == len(expected.leaves) else f"output {index}"
        oracle = wanted if evidence.oracle is None else evidence.oracle[index]
        worst |= _compare_arrays(Sides(name, wanted, given, oracle, evidence, index, called), agreement)
    return worst


def _compare_errors(expected: Outcome, actual: Outcome, called: tuple[str, str]) -> Worst:
    right, got = (_told(name, outcome) for name, outcome in zip(called, (expected, actual), strict=True))
    if expected.error is None or actual.error is None:
        raise NotEquivalent(f"{right}\n{got}")
    if not expected.error.kinds & actual.error.kinds:
        raise NotEquivalent(f"{right}\n{got}, another kind of error")
    return Worst(refused=True)


def _told(name: str, outcome: Outcome) -> str:
    return f"{name} raises {outcome.error.text}" if outcome.error else f"{name} gives an answer"


def _compare_arrays(sides: Sides, agreement: Agreement) -> Worst:
    name, right, got, evidence = sides.name, sides.right, sides.got, sides.evidence
    if {right.dtype.kind, got.dtype.kind} & set("SUO"):
        return _compare_text(sides)
    wanted = np.dtype(evidence.dtype) if evidence.dtype else right.dtype
    if got.dtype != wanted:
        source = "asked for" if evidence.dtype else f"{sides.called[0]} gives"
        raise NotEquivalent(f"{name} dtype: {source} {wanted}, {sides.called[1]} gives {got.dtype}")
    if got.shape != right.shape:
        shapes = f"{sides.called[0]} gives {right.shape}, {sides.called[1]} gives {got.shape}"
        raise NotEquivalent(f"{name} shape: {shapes}")
    if got.size == 0:
        return Worst()
    if evidence.dtype:
        return judge_cast(sides, agreement)
    return judge(agreement, sides)


def _compare_text(sides: Sides) -> Worst:
    """Raise unless two arrays hold the same strings."""
    right, got = (one.tolist() for one in (sides.right, sides.got))
    if right != got:
        raise NotEquivalent(
            f"{sides.name}: {sides.called[0]} gives {right!r}, {sides.called[1]} gives {got!r}"
        )
    return Worst()
