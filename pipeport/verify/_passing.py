"""The tolerance that two functions which differ would pass with."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from pipeport.contract import Agreement, Within, WithinLevels
from pipeport.errors import OutsideDomain
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import Pair

# Of the results' own values, which nothing exceeds.
_ANY = 2**53


def passing(pair: Pair, plan: Plan, engines: Sequence[str]) -> str:
    """Measure how far two functions are apart, over all examples.

    `pair`: two functions that do not agree as asked. Returns: an agreement as `pipeport verify --agreement`
    takes it, which these examples pass with; empty if no tolerance makes them equal: another dtype, shape or
    error, or NaN on one side.
    """
    worst = _worst(pair, plan, engines, WithinLevels(_ANY, 1.0))
    if worst is not None:
        return f"levels:{math.ceil(worst)}"
    worst = _worst(pair, plan, engines, Within(float(_ANY), "measured"))
    return "" if worst is None else f"within:{1.01 * worst:.3g}"  # not rounded down


def _worst(pair: Pair, plan: Plan, engines: Sequence[str], agreement: Agreement) -> float | None:
    judged = dataclasses.replace(pair, agreement=agreement)
    try:
        records = [run_case(judged, engine, plan) for engine in engines]
    except OutsideDomain:  # levels of floats
        return None
    if any(record.status != "passed" for record in records):
        return None
    return max((one.error for record in records for one in record.dtypes), default=0.0)
