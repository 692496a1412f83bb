"""A custom op: Python in the graph before, an op of C++ after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import COMPILER, counted, loaded

NAME = "custom-op"
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no g++ here")


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, "unknown", "none", "InvalidArgumentError"]
    assert list(after.values()) == [0, "(2, 3)", "shape (2, 3)", "InvalidArgumentError"]


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4), (0, 4), (4, 0)])
def test_before_and_after_agree(programs, shape):
    before, after = programs
    x = tf.random.stateless_normal(shape, seed=(1, 2))
    answer = after.running_mean(x)
    assert answer.shape == shape
    np.testing.assert_allclose(answer, before.running_mean(x), rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def programs():
    return loaded(NAME)


def test_the_gradient(programs):
    """Each column of the Jacobian is what one input adds to all later answers."""
    _before, after = programs
    x = tf.constant([1.0, 4.0, -2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = after.running_mean(x)
    jacobian = tape.jacobian(y, x, experimental_use_pfor=False).numpy()
    expected = [[0.1 * 0.9 ** (t - s) if s <= t else 0.0 for s in range(3)] for t in range(3)]
    np.testing.assert_allclose(jacobian, expected, rtol=1e-5)


def test_without_a_gradient_it_raises(programs):
    _before, after = programs
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = after.op()(x, decay=0.9)
    with pytest.raises(LookupError, match="PipeportRunningMean"):
        tape.gradient(y, x)


def test_a_scalar_is_refused(programs):
    _before, after = programs
    with pytest.raises(tf.errors.InvalidArgumentError, match="got a scalar; allowed: one axis or more"):
        after.op()(tf.constant(1.0), decay=0.9)
