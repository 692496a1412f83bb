"""Caveats of a measured side, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pipeport.bench._measure import Round
from pipeport.bench._statistics import spread

LARGE_SPREAD = 0.10
# Of the usable cores, kept busy by other processes.
DISTURBANCE = 0.10


def caveats(rounds: Sequence[Round], usable_cores: int) -> list[str]:
    """Return one phrase per doubt; an empty list means that none applies.

    `rounds`: what was measured of one side. `usable_cores`: cores of the process, to judge what other
    processes took. Returns: about the spread of the rounds, a rate that was not yet steady, and other
    processes.
    """
    found = []
    if len(rounds) > 1 and (wide := spread([one.rate for one in rounds])) > LARGE_SPREAD:
        found.append(f"rounds differ by {wide:.0%} of the median")
    unsteady = sum(not one.steady for one in rounds)
    if unsteady:
        found.append(f"the rate was not yet steady in {unsteady} of {len(rounds)} rounds")
    taken = [one.others for one in rounds if one.others is not None]
    busy = [value for value in taken if value > DISTURBANCE * usable_cores]
    if busy:
        most = f"up to {max(busy):.1f} of {usable_cores} cores"
        found.append(f"other processes were busy in {len(busy)} of {len(taken)} rounds ({most})")
    return found
