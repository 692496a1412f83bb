"""Retracing by Python arguments: a trace per number before, one trace after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "retracing-by-python-arguments"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [20, 40, 40]
    assert list(after.values()) == [1, 1, 1]


def test_claims():
    assert list(claimed(NAME).values()) == ["not equal", "18 and 18", "int32 and int32", 1]


def test_equal_numbers_share_a_trace():
    """As the README says: the first one decides for all that are equal to it."""

    @tf.function
    def doubled(value):
        return tf.convert_to_tensor(value) * 2

    assert [doubled(value).dtype for value in (1.0, 1, 2)] == [tf.float32, tf.float32, tf.int32]


def test_before_and_after_agree():
    before, after = loaded(NAME)
    gradients = tf.random.stateless_uniform([30, 4], seed=(1, 2))
    expected = before.train(gradients).numpy()
    assert np.abs(expected).min() > 0.1
    np.testing.assert_allclose(after.train(gradients), expected, rtol=1e-5)
