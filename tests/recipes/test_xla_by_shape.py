"""XLA by shape: a program for every length before, one for every power of two after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "xla-by-shape"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [16]
    assert list(after.values()) == [5]


def test_claims():
    assert list(claimed(NAME).values()) == ["shape (4, 4, 1)", "InvalidArgumentError"]


@pytest.mark.parametrize("length", [1, 2, 5, 8, 100])
def test_before_and_after_agree(programs, length):
    before, after = programs
    values = tf.random.stateless_normal([length], seed=(1, length)) + 100.0
    expected = np.std(values.numpy().astype(np.float64))
    for program in (before, after):
        assert float(program.spread_of(values)) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.fixture(scope="module")
def programs():
    return loaded(NAME)


def test_a_signature_saves_no_compilation():
    """As the README says: one trace, and a program with the length in it for each."""

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(values):
        return tf.reduce_sum(values)

    for length in (2, 3):
        total(tf.ones([length]))
        assert f"f32[{length}]" in total.experimental_get_compiler_ir(tf.ones([length]))(stage="hlo")
    assert total.experimental_get_tracing_count() == 1
