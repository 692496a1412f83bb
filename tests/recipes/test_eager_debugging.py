"""Eager debugging: a switch that stays on before, and is as it was after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "eager-debugging"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [0, 1, 20, "yes"]
    assert list(after.values()) == [0, 1, 0, "no"]


def test_claims():
    assert list(claimed(NAME).values()) == ["yes", "no"]


@pytest.fixture(autouse=True)
def as_graphs():
    assert not tf.config.functions_run_eagerly()
    yield
    tf.config.run_functions_eagerly(False)


def test_before_and_after_agree():
    before, after = loaded(NAME)
    counts = tf.constant([1.0, 2.0, 5.0])
    expected = after.entropy(counts).numpy()
    np.testing.assert_allclose(expected, 0.9002560, rtol=1e-5)
    np.testing.assert_allclose(after.look(counts), expected, rtol=1e-6)
    np.testing.assert_allclose(before.look(counts), expected, rtol=1e-6)


def test_the_switch_is_restored_after_an_error():
    _before, after = loaded(NAME)
    with pytest.raises(tf.errors.InvalidArgumentError):
        after.look(tf.constant(["a"]))
    assert not tf.config.functions_run_eagerly()


def test_the_function_without_its_decorator(capsys):
    """As the README says: it prints numbers, and no switch is touched."""
    before, _after = loaded(NAME)
    before.entropy.python_function(tf.constant([1.0, 3.0]))
    assert "[0.25 0.75]" in capsys.readouterr().out
    assert not tf.config.functions_run_eagerly()
