"""From rounds to medians, intervals, ratios and break-even numbers of calls."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._figures import CONFIDENCE
from pipeport.bench._statistics import FASTER, NO_DIFFERENCE, Ratio, verdict_of

_RESAMPLES = 4_000


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A median with its interval; both ends are the median where there is one round."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """From which call on a mode has cost less time in all than another.

    `calls`: None for never: the mode is not faster per call, or not beyond noise. `low`, `high`: interval;
    None for never.
    """

    calls: int | None
    low: int | None = None
    high: int | None = None


def break_even(first: float, steady: float, other_first: float, other_steady: float) -> int | None:
    """Return the call from which on a mode has cost no more time in all.

    `first`, `steady`: seconds of the mode's first call, and of each later one. `other_first`, `other_steady`:
    the same of what it is compared with. Returns: at least 1; None where later calls are not faster.
    """
    if steady >= other_steady:
        return None
    return max(1, math.ceil(1 + (first - other_first) / (other_steady - steady)))


def cumulative(first: float, steady: float, calls: Any) -> Any:
    """Return the seconds that so many calls take in all."""
    return first + (np.asarray(calls, float) - 1.0) * steady


def spread(rounds: Sequence[float]) -> Spread:
    """Return the median of seconds per call, and its bootstrap interval."""
    low, high = _interval(np.median(np.asarray(rounds)[_drawn(len(rounds))], axis=-1))
    return Spread(median=float(np.median(rounds)), low=low, high=high)


def speed(rounds: Sequence[float], other: Sequence[float]) -> Ratio:
    """Return how many times faster per call a mode is than another.

    `rounds`, `other`: seconds per call of both, measured in turn: rounds of one position are resampled
    together. Returns: verdict as in `pipeport bench`: 'no difference' unless the whole interval is beyond a
    gap around 1.
    """
    count = min(len(rounds), len(other))
    ours, theirs = np.asarray(rounds[:count]), np.asarray(other[:count])
    ratio = float(np.median(theirs) / np.median(ours))
    if count == 1:
        return Ratio(ratio=ratio, low=ratio, high=ratio, verdict=NO_DIFFERENCE, rounds=1)
    drawn = _drawn(count)
    low, high = _interval(np.median(theirs[drawn], axis=-1) / np.median(ours[drawn], axis=-1))
    return Ratio(ratio=ratio, low=low, high=high, verdict=verdict_of(low, high, count), rounds=count)


def pays_off(
    first: float, rounds: Sequence[float], other_first: float, other_rounds: Sequence[float]
) -> BreakEven:
    """Return the break-even number of calls with its interval.

    `rounds`, `other_rounds`: seconds per later call, measured in turn. Returns: never, unless the mode is
    faster per call beyond noise; see `speed`.
    """
    if speed(rounds, other_rounds).verdict != FASTER:
        return BreakEven(calls=None)
    count = min(len(rounds), len(other_rounds))
    drawn = _drawn(count)
    theirs, ours = (np.median(np.asarray(one)[drawn], axis=-1) for one in (other_rounds, rounds))
    gains = theirs - ours
    owed = first - other_first
    # The verdict says that gains above 0 are more than what the interval leaves out.
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.where(gains > 0, np.maximum(1.0, np.ceil(1.0 + owed / gains)), math.inf)
    low, high = np.quantile(needed, _ENDS, method="lower")
    return BreakEven(
        calls=break_even(first, float(np.median(rounds)), other_first, float(np.median(other_rounds))),
        low=int(low),
        high=int(high),
    )


_ENDS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


@functools.cache
def _drawn(count: int) -> Any:
    """Return which rounds each resample takes: the same in every comparison."""
    return np.random.default_rng(0).integers(0, count, (_RESAMPLES, count))


def _interval(values: Any) -> tuple[float, float]:
    low, high = np.quantile(values, _ENDS)
    return float(low), float(high)
