"""Static shape lost behind numpy_function: unknown before, there after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, counted, loaded, photographs

NAME = "lost-static-shape"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == ["unknown", "ValueError", "(32, 48, 3)", 1]
    assert list(after.values()) == ["(32, 48, 3)", "(16, 16, 3)", "(32, 48, 3)", 0]


def test_before_and_after_agree():
    images = photographs().astype(np.float32)
    before, after = (program.build_dataset(images) for program in loaded(NAME))
    np.testing.assert_array_equal(collected(after), collected(before))
    assert boundaries(before) == {"PyFunc"}
    assert boundaries(after) == set()


def test_a_shape_that_is_wrong_is_noticed():
    """As the README says of `tf.ensure_shape`."""
    before, _after = loaded(NAME)
    dataset = before.build_dataset(tf.zeros([1, 4, 6, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        collected(dataset.map(lambda image: tf.ensure_shape(image, [None, None, 1])))
