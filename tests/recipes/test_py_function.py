"""tf.py_function: Python in the graph before, none after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "py-function"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, "unknown", "yes", "InvalidArgumentError"]
    assert list(after.values()) == [0, "(2,)", "yes", "shape (2,)"]


@pytest.mark.parametrize("values", [[3.0, 4.0], [0.3, 0.4]])
def test_before_and_after_agree(values):
    """Answers and gradients, in both branches."""
    found = []
    for program in loaded(NAME):
        vector = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(vector)
            answer = program.clipped(vector)
            weighted = tf.reduce_sum(answer * [1.0, 2.0])
        found.append((answer.numpy(), tape.gradient(weighted, vector).numpy()))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
    np.testing.assert_allclose(found[1][0], np.array(values) / max(1.0, np.linalg.norm(values)), rtol=1e-6)


def test_the_saved_model_has_no_python(tmp_path):
    """A SavedModel of before.py holds the number of a function of this process, and no other knows it."""
    for program, calls in zip(loaded(NAME), (1, 0), strict=True):
        module = tf.Module()
        module.clipped = program.clipped
        program.clipped(tf.ones([2]))
        tf.saved_model.save(module, str(tmp_path / str(calls)))
        written = (tmp_path / str(calls) / "saved_model.pb").read_bytes()
        assert (b"EagerPyFunc" in written) == bool(calls)
