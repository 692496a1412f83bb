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
from pipeport.verify._outcome import Outcome, Raised


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
        return judge_cast(sides, agreement)
    return judge(agreement, sides)
