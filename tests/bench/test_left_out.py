"""What a run leaves out, in counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeport.bench._left_out import OTHER, counts, failures
from pipeport.bench._plans import DEFAULT, FULL, expand

pytestmark = pytest.mark.newest_only

FAILED = "numpy.flip (uint8, 9x9): could not be measured: ValueError: no"


def test_counts_are_those_of_the_plan():
    """Not of words: the cases that the time cuts off are those that a plan without it has."""
    default = expand(DEFAULT)
    whole = expand(replace(DEFAULT, budget_s=None))
    found = counts(default.left_out)
    assert found["for time"] == len(whole.cases) - len(default.cases) > 0
    assert "for time" not in counts(whole.left_out)
    assert found.get("another dtype", 0) == sum("does not take" in line for line in default.left_out) > 0


def test_every_reason_a_plan_gives_has_words():
    for plan in (DEFAULT, FULL):
        lines = expand(plan).left_out
        assert lines
        assert OTHER not in counts(lines)
        assert failures(lines) == []


def test_failures_are_told_apart():
    lines = [FAILED, "memory: got an accident", "a.b: does not take uint8.", "a.c: takes no image."]
    assert counts(lines) == {"another dtype": 1, "no image": 1, "failed": 1, OTHER: 1}
    assert failures(lines) == lines[:2]
    assert counts([]) == {}
