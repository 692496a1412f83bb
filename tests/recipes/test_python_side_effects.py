"""Python side effects: once per trace before, on every call after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "python-side-effects"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, 0, 0, 1, 0]
    assert list(after.values()) == [5, 5, 5, 5, 5]


def test_before_and_after_agree():
    """On what they return; what they keep differs."""
    before, after = loaded(NAME)
    batch = tf.constant([1.0, 2.0, 3.0])
    assert before.step(batch).numpy() == after.step(batch).numpy() == pytest.approx(14 / 3)
    [loss] = after.train([batch])
    np.testing.assert_array_equal(loss, before.step(batch))


def test_tf_print_under_xla():
    """As the README says: it is refused."""
    compiled = tf.function(loaded(NAME)[1].step.python_function, jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"StringFormat|PrintV2"):
        compiled(tf.ones([3]))
