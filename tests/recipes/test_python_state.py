"""Python state: the first element again and again before, all of them after."""

from __future__ import annotations

import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "python-state"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [10.0, 1, 2]
    assert list(after.values()) == [55.0, 1, 1]


def test_before_and_after_agree():
    """On a single element: the first is read by both."""
    before, after = loaded(NAME)
    assert float(before.train(1)) == float(after.train(1)) == 1.0


def test_the_generator_is_read_once():
    before, _after = loaded(NAME)
    generator = before.read(5)
    for _ in range(3):
        before.step(tf.constant(0.0), generator)
    assert list(generator) == [2.0, 3.0, 4.0, 5.0]


def test_a_dataset_can_be_looped_over_in_the_function():
    """As the README says: the loop ends with the data."""
    _before, after = loaded(NAME)

    @tf.function
    def total(dataset):
        found = tf.constant(0.0)
        for number in dataset:
            found += number
        return found

    assert float(total(after.read(10))) == 55.0
