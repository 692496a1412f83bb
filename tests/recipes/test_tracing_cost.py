"""The cost of tracing: nodes for every layer before, one node a layer after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "tracing-cost"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [782, 60, 1562]
    assert list(after.values()) == [135, 1, 255]


def test_claims():
    assert list(claimed(NAME).values()) == [5, 5]


def test_before_and_after_agree():
    before, after = loaded(NAME)
    x = tf.random.stateless_normal([3, 8], seed=(1, 2))
    stack = [tf.random.stateless_normal([8, 8], seed=(2, layer)) for layer in range(4)]
    expected = before.forward(x, stack).numpy()
    assert 0 < np.count_nonzero(expected) < expected.size
    np.testing.assert_allclose(after.forward(x, stack), expected, rtol=1e-4, atol=1e-5)


def test_the_inner_function_is_traced_once_for_each_width():
    _before, after = loaded(NAME)
    after.forward(tf.ones([3, 8]), [tf.eye(8)] * 5)
    assert after.layer.experimental_get_tracing_count() == 1
    after.forward(tf.ones([3, 8]), [tf.ones([8, 4]), tf.ones([4, 4]), tf.ones([4, 4])])
    assert after.layer.experimental_get_tracing_count() == 3
