"""Randomness frozen while tracing: one noise for all before, one for each image and epoch after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "frozen-randomness"


@pytest.fixture(autouse=True)
def numpy_state():
    kept = np.random.get_state()
    yield
    np.random.set_state(kept)


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, 1, 1, 1]
    assert list(after.values()) == [5, 0, 5, 1]


def test_before_and_after_agree():
    """In distribution: mean and deviation of twelve thousand draws, within four standard errors."""
    for program in loaded(NAME):
        [image] = program.augment_all([tf.fill([64, 64, 3], 0.5)], epoch=0)
        assert image.dtype == tf.float32
        assert abs(float(tf.reduce_mean(image)) - 0.5) < 4 * 0.1 / 12288**0.5
        assert abs(float(tf.math.reduce_std(image)) - 0.1) < 4 * 0.1 / (2 * 12288) ** 0.5


def test_draws_under_xla():
    """As the README says: TensorFlow's own are others there, these are the same."""
    from pipeport import seeds

    def own(seed):
        return tf.random.stateless_normal([2000], seed)

    def ours(seed):
        return seeds.normal(seed, [2000])

    seed = tf.constant([1, 2])
    compiled = [tf.function(draw, jit_compile=True)(seed).numpy() for draw in (own, ours)]
    assert np.abs(compiled[0] - own(seed)).max() > 0.1
    np.testing.assert_allclose(compiled[1], ours(seed), rtol=1e-6, atol=1e-6)
