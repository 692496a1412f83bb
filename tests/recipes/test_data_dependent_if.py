"""A data-dependent if: both branches counted once before, the taken ones after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "data-dependent-if"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, 1, 0, 1]
    assert list(after.values()) == [2, 3, 2, 1]


def test_claims():
    assert list(claimed(NAME).values()) == [1, "12, 22, 42, 82"]


def test_before_and_after_agree():
    """On the images; what they count differs."""
    before, after = loaded(NAME)
    for image in (tf.constant([0.0, 51.0, 255.0]), tf.constant([0.0, 0.5, 1.0])):
        np.testing.assert_array_equal(before.scaled(image), after.scaled(image))
    np.testing.assert_allclose(after.scaled(tf.constant([51.0, 255.0])), [0.2, 1.0], rtol=1e-6)


@tf.function
def in_a_comprehension(x):
    return [number for number in (1, 2) if x > number]


@tf.function
def in_any(x):
    return any([x > 1, x > 2])


@tf.function
def set_in_one_branch(x):
    if x > 1:
        y = 1
    return y


@tf.function
def of_two_dtypes(x):
    y = tf.constant(1)
    if x > 1:
        y = tf.constant(1.0)
    return y


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (in_a_comprehension, tf.errors.OperatorNotAllowedInGraphError, "bool"),
        (in_any, tf.errors.OperatorNotAllowedInGraphError, "bool"),
        (set_in_one_branch, ValueError, "must also be initialized in the else branch"),
        (of_two_dtypes, TypeError, "has dtype float32 in the main branch, but dtype int32"),
    ],
)
def test_what_the_readme_says_is_refused(function, error, message):
    with pytest.raises(error, match=message):
        function(tf.constant(3))
