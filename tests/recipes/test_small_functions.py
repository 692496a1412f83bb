"""Small functions: a call for every step before, one call after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "small-functions"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [2.0, 500]
    assert list(after.values()) == [2.0, 1]


def test_before_and_after_agree():
    before, after = loaded(NAME)
    for steps in (0, 1, 7):
        arguments = tf.constant([3.0, -1.0]), tf.constant(steps)
        np.testing.assert_array_equal(after.settled(*arguments), before.settled(*arguments))
    assert after.settled.experimental_get_tracing_count() == 1
