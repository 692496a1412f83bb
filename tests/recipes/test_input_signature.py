"""input_signature and get_concrete_function: what can be saved, and when it is traced."""

from __future__ import annotations

import tempfile

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "input-signature"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [0, "ValueError", 0, 5]
    assert list(after.values()) == [1, "shape (2,)", 1, 1]


def test_claims():
    assert list(claimed(NAME).values()) == ["TypeError", "InvalidArgumentError", [2]]


def test_before_and_after_agree():
    """The loaded model of after.py with the unsaved one of before.py."""
    before, after = loaded(NAME)
    weights, rows = [1.0, -2.0, 3.0], tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]])
    with tempfile.TemporaryDirectory() as folder:
        after.save(weights, folder)
        restored = tf.saved_model.load(folder)
    scorer = before.Scorer(weights)
    expected = scorer.score(rows)
    np.testing.assert_array_equal(restored.score(rows), expected)
    [served] = restored.signatures["serving_default"](rows=rows).values()
    np.testing.assert_array_equal(served, expected)
    assert expected.numpy().tolist() == [6.0, 13.5]
