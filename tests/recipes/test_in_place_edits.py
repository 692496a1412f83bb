"""In-place edits: the cached element changes in each epoch before, and stays after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, counted, loaded

NAME = "in-place-edits"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [2.0, 4.0, 8.0, 8.0]
    assert list(after.values()) == [2.0, 2.0, 2.0, 1.0]


def test_a_ported_function_leaves_the_element():
    before, _ = loaded(NAME)
    cached = tf.data.Dataset.from_tensors(np.ones([8, 8], np.float32)).cache()
    dataset = cached.map(pipeport.port(before.doubled))
    assert [float(collected(dataset)[0][0, 0]) for _ in range(3)] == [2.0, 2.0, 2.0]
    assert boundaries(dataset) == set()


def test_before_and_after_agree():
    """In the first epoch."""
    images = np.random.default_rng(0).normal(size=(3, 8, 8)).astype(np.float32)
    before, after = (program.build_dataset(tf.constant(images)) for program in loaded(NAME))
    np.testing.assert_array_equal(collected(after), images * 2)
    np.testing.assert_array_equal(collected(before), images * 2)
    assert boundaries(after) == set()
