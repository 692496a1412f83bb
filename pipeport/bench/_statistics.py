"""From raw rounds to medians, a ratio with its interval, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._figures import CONFIDENCE

RESAMPLES = 9_999
# The bootstrap of n rounds never looks beyond the n values seen. The interval of a median of fewer than
# six cannot reach 95 % (`pipeport._figures.coverage`), so a verdict from few rounds asks for a wider gap.
ENOUGH_ROUNDS = 6
GAP, GAP_OF_FEW_ROUNDS = 0.02, 0.05

FASTER, SLOWER, NO_DIFFERENCE = "faster", "slower", "no difference"


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """Throughput of one side over that of another.

    `verdict`: {'faster', 'slower', 'no difference'}; from the interval, see `verdict_of`. `rounds`: pairs of
    rounds it rests on.
    """

    ratio: float
    low: float
    high: float
    verdict: str
    rounds: int


def verdict_of(low: float, high: float, rounds: int) -> str:
    """Judge an interval of ratios.

    'faster' or 'slower' only when the whole interval lies beyond a gap of 2 % around 1, or
    5 % when there are fewer than six rounds.
    """
    gap = GAP if rounds >= ENOUGH_ROUNDS else GAP_OF_FEW_ROUNDS
    if low > 1.0 + gap:
        return FASTER
    if high < 1.0 / (1.0 + gap):
        return SLOWER
    return NO_DIFFERENCE


def _median_ratio(ours: Any, theirs: Any, axis: int = -1) -> Any:
    return np.median(ours, axis=axis) / np.median(theirs, axis=axis)


def ratio_of(ours: Sequence[float], theirs: Sequence[float], *, paired: bool = True) -> Ratio:
    """Return the ratio of the medians with a percentile bootstrap interval.

    `ours`, `theirs`: elements per second, one value per round. `paired`: whether values of one position were
    measured side by side; whole rounds are then resampled, so that a slow minute of the machine counts on
    both sides. Returns: with one round, the interval is the ratio itself and the verdict 'no difference'.
    """
    rounds = min(len(ours), len(theirs))
    if paired:
        ours, theirs = ours[:rounds], theirs[:rounds]
    ratio = float(_median_ratio(ours, theirs))
    if rounds == 1:
        return Ratio(ratio=ratio, low=ratio, high=ratio, verdict=NO_DIFFERENCE, rounds=1)
    low, high = _interval(ours, theirs, paired=paired)
    return Ratio(ratio=ratio, low=low, high=high, verdict=verdict_of(low, high, rounds), rounds=rounds)


def _interval(ours: Sequence[float], theirs: Sequence[float], *, paired: bool) -> tuple[float, float]:
    from scipy import __version__ as scipy_version
    from scipy import stats

    # The keyword was renamed in SciPy 1.15.
    new = tuple(int(part) for part in scipy_version.split(".")[:2]) >= (1, 15)
    generator = {"rng" if new else "random_state": np.random.default_rng(0)}
    found = stats.bootstrap(
        (np.asarray(ours), np.asarray(theirs)),
        _median_ratio,
        paired=paired,
        vectorized=True,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        method="percentile",
        **generator,
    ).confidence_interval
    return float(found.low), float(found.high)


def spread(rates: Sequence[float]) -> float:
    """Return the distance between the quickest and the slowest round, relative to the median."""
    return float((max(rates) - min(rates)) / np.median(rates))
