"""The tolerance that two functions which differ would pass with."""

from __future__ import annotations

import dataclasses
import math

from pipeport.contract import Agreement, Within, WithinLevels
from pipeport.errors import OutsideDomain
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import Pair

# Of the results' own values, which nothing exceeds.
_ANY = 2**53


def passing(pair: Pair, plan: Plan) -> str:
    """Measure how far two functions are apart, eagerly and over all examples.

    Parameters
    ----------
    pair : Pair
        Two functions that do not agree as asked.
    plan : Plan
        The examples.

    Returns
    -------
    str
        An agreement as `pipeport verify --agreement` takes it, which these examples pass with; empty if no
        tolerance makes them equal: another dtype, shape or error, or NaN on one side.
    """
    worst = _worst(pair, plan, WithinLevels(_ANY, 1.0))
    if worst is not None:
        return f"levels:{math.ceil(worst)}"
    worst = _worst(pair, plan, Within(float(_ANY), "measured"))
    return "" if worst is None else f"within:{1.01 * worst:.3g}"  # not rounded down


def _worst(pair: Pair, plan: Plan, agreement: Agreement) -> float | None:
    try:
        record = run_case(dataclasses.replace(pair, agreement=agreement), "eager", plan)
    except OutsideDomain:  # levels of floats
        return None
    if record.status != "passed":
        return None
    return max((one.error for one in record.dtypes), default=0.0)
