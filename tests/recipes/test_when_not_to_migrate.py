"""When not to migrate: the same boxes, sooner and faster in Python."""

from __future__ import annotations

import json
import statistics

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, counted, loaded, pitfalls_script, program

NAME = "when-not-to-migrate"


def test_before_has_the_problem_and_after_has_not():
    """By the figures that the page shows; no test measures time."""
    before, after = counted(NAME)
    (kept, many), (kept_in_python, many_in_python) = before.values(), after.values()
    assert kept == kept_in_python
    assert (many, many_in_python) == (True, False)
    report = json.loads(pitfalls_script().RESULTS.read_text(encoding="utf-8"))
    medians = {
        label: {side: statistics.median(seconds) for side, seconds in sides.items()}
        for label, sides in report["times"][NAME].items()
    }
    built, later = (sides["before.py"] / sides["after.py"] for sides in medians.values())
    assert built > 10
    assert later > 2


def test_before_and_after_agree():
    boxes = program(NAME, "count").boxes(6)
    before, after = (one.build_dataset(boxes) for one in loaded(NAME))
    np.testing.assert_array_equal(collected(before), collected(after))
    kept = np.concatenate(collected(after))
    assert 0 < kept.sum() < kept.size


def test_what_is_given_up():
    boxes = program(NAME, "count").boxes(2)
    before, after = (one.build_dataset(boxes) for one in loaded(NAME))
    assert boundaries(before) == set()
    assert boundaries(after) == {"PyFunc"}
    assert before.element_spec == after.element_spec == tf.TensorSpec([12], tf.bool)
