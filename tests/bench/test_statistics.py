"""Medians, ratios, intervals and verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from pipeport._figures import coverage
from pipeport.bench import _statistics
from pipeport.bench._statistics import ratio_of, spread, verdict_of

pytestmark = pytest.mark.newest_only


def test_ratio_is_that_of_the_medians():
    found = ratio_of([400.0, 100.0, 420.0], [100.0, 50.0, 110.0])
    assert found.ratio == pytest.approx(4.0)
    assert found.rounds == 3


def test_rounds_are_resampled_in_pairs():
    # The machine's speed changes fivefold from round to round, the ratio never does.
    theirs = [100.0, 500.0, 120.0, 480.0, 200.0, 350.0]
    found = ratio_of([3.0 * rate for rate in theirs], theirs)
    assert (found.low, found.ratio, found.high) == pytest.approx((3.0, 3.0, 3.0))
    unpaired = ratio_of([3.0 * rate for rate in theirs], theirs, paired=False)
    assert unpaired.high - unpaired.low > 1.0


def test_the_interval_holds_the_ratio_and_is_the_same_on_every_call():
    ours, theirs = [210.0, 190.0, 205.0, 220.0, 180.0], [100.0, 104.0, 96.0, 101.0, 99.0]
    found = ratio_of(ours, theirs)
    assert found.low < found.ratio < found.high
    assert found == ratio_of(ours, theirs)


def test_rounds_without_a_partner_do_not_count():
    assert ratio_of([100.0, 100.0, 900.0], [50.0, 50.0]).ratio == pytest.approx(2.0)


def test_one_round_gives_no_verdict():
    found = ratio_of([900.0], [100.0])
    assert (found.ratio, found.low, found.high) == (9.0, 9.0, 9.0)
    assert found.verdict == _statistics.NO_DIFFERENCE


@pytest.mark.parametrize(
    ("low", "high", "rounds", "verdict"),
    [
        (1.03, 1.20, 6, "faster"),
        (1.03, 1.20, 5, "no difference"),
        (1.06, 1.20, 5, "faster"),
        (1.01, 1.20, 9, "no difference"),
        (0.80, 0.97, 6, "slower"),
        (0.80, 0.97, 3, "no difference"),
        (0.80, 0.94, 3, "slower"),
        (0.90, 1.10, 9, "no difference"),
        (0.99, 0.995, 9, "no difference"),
    ],
)
def test_verdicts(low, high, rounds, verdict):
    assert verdict_of(low, high, rounds) == verdict


@pytest.mark.parametrize("rounds", [3, 7])
def test_verdicts_on_equal_sides_are_rare(rounds):
    """Two sides of one speed with 3 % noise: a wrong verdict in at most a twentieth of the runs."""
    generator = np.random.default_rng(rounds)
    runs = 100
    noise = generator.lognormal(0.0, 0.03, (runs, 2, rounds))
    wrong = sum(ratio_of(ours, theirs).verdict != "no difference" for ours, theirs in noise)
    assert wrong <= runs / 20


def test_a_real_difference_is_found():
    generator = np.random.default_rng(1)
    runs = 50
    noise = generator.lognormal(0.0, 0.03, (runs, 2, 5))
    found = sum(ratio_of(1.3 * ours, theirs).verdict == "faster" for ours, theirs in noise)
    assert found >= 0.9 * runs


@pytest.mark.parametrize(("rounds", "expected"), [(1, 0.0), (2, 0.5), (3, 0.75), (6, 0.96875)])
def test_coverage_of_few_rounds(rounds, expected):
    assert coverage(rounds) == expected


def test_coverage_is_what_a_simulation_gives():
    values = np.random.default_rng(0).normal(size=(20_000, 3))
    held = np.mean((values.min(axis=1) < 0) & (values.max(axis=1) > 0))
    assert held == pytest.approx(coverage(3), abs=0.02)


def test_spread():
    assert spread([90.0, 100.0, 120.0]) == pytest.approx(0.3)
