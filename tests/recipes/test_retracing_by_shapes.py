"""Retracing by shapes: a trace per length before, two traces after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "retracing-by-shapes"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [1, 30]
    assert list(after.values()) == [1, 2]


def test_claims():
    assert list(claimed(NAME).values()) == [1, 5]


def test_before_and_after_agree():
    before, after = loaded(NAME)
    table = tf.random.stateless_uniform([10, 4], seed=(1, 2))
    sentences = [[1, 2, 3], [4], [5, 6, 7, 8, 9]]
    np.testing.assert_array_equal(after.embed_all(table, sentences), before.embed_all(table, sentences))


def test_a_compiled_function_is_compiled_for_each_shape():
    """As the README says of `jit_compile=True`: one trace, and a program with the shape in it for each."""

    @tf.function(jit_compile=True, reduce_retracing=True)
    def mean(x):
        return tf.reduce_mean(x)

    sizes = [2, 3, 5]
    for size in sizes:
        mean(tf.ones([size]))
    assert mean.experimental_get_tracing_count() == 2
    for size in sizes:
        assert f"f32[{size}]" in mean.experimental_get_compiler_ir(tf.ones([size]))(stage="hlo")
