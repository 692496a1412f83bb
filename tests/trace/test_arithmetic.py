"""Break-even numbers and intervals, of figures whose answer is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeport.trace._arithmetic import break_even, cumulative, pays_off, speed, spread

pytestmark = pytest.mark.newest_only

seconds = st.integers(1, 60).map(float)


@pytest.mark.parametrize(
    ("first", "steady", "other_first", "other_steady", "calls"),
    [
        (10.0, 1.0, 2.0, 2.0, 9),  # 10 + 8 = 2 + 8 * 2
        (10.0, 1.0, 2.5, 2.0, 9),
        (2.0, 1.0, 2.0, 2.0, 1),
        (1.0, 1.0, 5.0, 2.0, 1),
        (10.0, 2.0, 2.0, 2.0, None),
        (0.0, 3.0, 2.0, 2.0, None),
    ],
)
def test_the_break_even_of_known_figures(first, steady, other_first, other_steady, calls):
    assert break_even(first, steady, other_first, other_steady) == calls


@given(seconds, seconds, seconds, seconds)
def test_from_the_break_even_on_it_never_costs_more_and_before_it_did(
    first, steady, other_first, other_steady
):
    found = break_even(first, steady, other_first, other_steady)
    totals = [
        (count, cumulative(first, steady, count), cumulative(other_first, other_steady, count))
        for count in range(1, 200)
    ]
    if found is None:
        assert steady >= other_steady
        return
    assert all((ours <= theirs) == (count >= found) for count, ours, theirs in totals)


def test_a_mode_that_is_not_faster_beyond_noise_never_pays_off():
    noisy = [1.0, 1.3, 0.8, 1.1, 0.9, 1.2, 1.0]
    also = [1.1, 0.9, 1.2, 0.8, 1.3, 1.0, 1.1]
    assert speed(noisy, also).verdict == "no difference"
    assert pays_off(5.0, noisy, 0.0, also).calls is None
    assert pays_off(5.0, [2.0] * 7, 0.0, [1.0] * 7).calls is None


def test_the_interval_of_a_break_even_holds_it_and_is_a_point_without_noise():
    exact = pays_off(10.0, [1.0] * 7, 2.0, [2.0] * 7)
    assert (exact.low, exact.calls, exact.high) == (9, 9, 9)
    drawn = np.random.default_rng(1)
    fast, slow = drawn.normal(1.0, 0.05, 11), drawn.normal(2.0, 0.05, 11)
    found = pays_off(100.0, list(fast), 2.0, list(slow))
    assert found.low < found.calls < found.high
    assert 80 < found.low < found.high < 120


def test_slow_rounds_of_the_other_decide_only_where_they_are_most():
    fast = [1.0] * 7
    assert pays_off(2.0, fast, 1.0, [1.25] * 4 + [1.0] * 3).calls is None
    found = pays_off(2.0, fast, 1.0, [1.25] * 6 + [1.0])
    assert (found.low, found.calls, found.high) == (5, 5, 5)


def test_the_ratio_is_of_speeds_and_rounds_are_paired():
    found = speed([1.0] * 6, [3.0] * 6)
    assert (found.ratio, found.low, found.high, found.verdict) == (3.0, 3.0, 3.0, "faster")
    # A machine that becomes ten times slower counts on both sides.
    drift = [10.0**index for index in range(7)]
    found = speed(drift, [3 * value for value in drift])
    assert (found.low, found.high) == pytest.approx((3.0, 3.0))
    assert speed([1.0], [3.0]).verdict == "no difference"


def test_the_interval_of_a_median():
    found = spread([1.0, 2.0, 3.0, 4.0, 100.0])
    assert found.median == 3.0
    assert found.low < 3.0 < found.high
    assert (spread([2.0]).low, spread([2.0]).high) == (2.0, 2.0)
    for rounds in itertools.permutations([1.0, 2.0, 3.0]):
        assert spread(rounds).median == 2.0
