"""The doubts a report has about itself, in words."""

from __future__ import annotations

from pipeport.bench._results import CaseResult, SideResult
from pipeport.bench._statistics import CONFIDENCE, ENOUGH_ROUNDS, coverage, spread

LARGE_SPREAD = 0.10
# Of the usable cores, kept busy by other processes.
DISTURBANCE = 0.10


def doubts(results: list[CaseResult], usable_cores: int) -> list[str]:
    """Return one sentence per doubt; an empty list means that none applies.

    Parameters
    ----------
    results : list of CaseResult
        What was measured.
    usable_cores : int
        Cores of the process, to judge what other processes took.

    Returns
    -------
    list of str
        Doubts about the whole run first, then per side.
    """
    measured = [(result, side) for result in results for side in result.sides if side.rounds]
    return [
        *_few_rounds([len(side.rounds) for _, side in measured]),
        *_disturbed([side for _, side in measured], usable_cores),
        *(line for result, side in measured for line in _of_side(result, side)),
    ]


def _few_rounds(counts: list[int]) -> list[str]:
    fewest = min(counts, default=ENOUGH_ROUNDS)
    if fewest >= ENOUGH_ROUNDS:
        return []
    if fewest == 1:
        return ["One round only: there is no interval, and no verdict should rest on it."]
    return [
        f"Few rounds ({fewest}): an interval of so few covers the true median about "
        f"{coverage(fewest):.0%} of the time instead of {CONFIDENCE:.0%}. For a firm verdict: --rounds "
        f"{ENOUGH_ROUNDS} or more."
    ]


def _disturbed(sides: list[SideResult], usable_cores: int) -> list[str]:
    taken = [r.others for side in sides for r in side.rounds if r.others is not None]
    disturbed = [value for value in taken if value > DISTURBANCE * usable_cores]
    if not disturbed:
        return []
    return [
        f"Other processes were busy in {len(disturbed)} of {len(taken)} rounds (up to "
        f"{max(disturbed):.1f} of {usable_cores} cores). Close them and measure again."
    ]


def _of_side(result: CaseResult, side: SideResult) -> list[str]:
    where = f"{result.case.short_name} ({result.case.conditions}), {side.name}"
    lines = []
    if len(side.rounds) > 1 and spread(side.rates) > LARGE_SPREAD:
        lines.append(f"{where}: rounds differ by {spread(side.rates):.0%} of the median.")
    unsteady = sum(not measured.steady for measured in side.rounds)
    if unsteady:
        lines.append(f"{where}: the rate was not yet steady in {unsteady} of {len(side.rounds)} rounds.")
    return lines
