"""Lists filled in a loop: an error as a graph before, the answer after."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "lists-in-loops"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [[1.0, 2.5, 5.25], "InaccessibleTensorError"]
    assert list(after.values()) == [[1.0, 2.5, 5.25]] * 2


def test_before_and_after_agree():
    """Eagerly, where both run."""
    before, after = loaded(NAME)
    values = tf.constant([1.0, -3.0, 2.0, 8.0])
    expected = before.smoothed.python_function(values).numpy().tolist()
    assert after.smoothed(values).numpy().tolist() == expected == [0.5, -1.25, 0.375, 4.1875]


def test_a_write_that_is_not_kept_is_lost():
    """As the README says: zeros, and no word."""

    @tf.function
    def lost(values):
        kept = tf.TensorArray(tf.float32, size=3)
        for index in tf.range(3):
            kept.write(index, values[index])
        return kept.stack()

    assert lost(tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("count", [0, 3])
def test_an_array_that_grows(count):
    @tf.function
    def kept(values):
        found = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])
        for value in values:
            found = found.write(found.size(), value)
        return found.stack()

    values = tf.range(count, dtype=tf.float32)
    assert kept(values).numpy().tolist() == values.numpy().tolist()
