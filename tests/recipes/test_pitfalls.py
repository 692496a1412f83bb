"""bench/pitfalls.py: counts as committed, in this environment too; times by a clock; files added to."""

from __future__ import annotations

import json

import pytest

from tests.recipes.recipe_tools import PITFALLS, claimed, counted, pitfalls_script

COMMITTED = pitfalls_script().RESULTS


@pytest.mark.parametrize("name", PITFALLS)
def test_committed_counts_are_those_of_this_tensorflow(name):
    """The tables say that they hold for both versions: this runs in both environments."""
    found = json.loads(COMMITTED.read_text(encoding="utf-8"))["recipes"][name]
    before, after = counted(name)
    assert found["counts"] == {label: [before[label], after[label]] for label in before}
    assert found["claims"] == claimed(name)


def test_no_other_recipe_is_in_the_file():
    written = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert sorted(written["recipes"]) == PITFALLS == pitfalls_script().known()
    assert set(written["times"]) <= set(PITFALLS)
