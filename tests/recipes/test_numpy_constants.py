"""NumPy arrays as constants: copied into each graph before, read where they are after."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.recipes.recipe_tools import counted, loaded

NAME = "numpy-constants"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    before_bytes, of_two, read = before.values()
    assert before_bytes > 1000 * 64 * 4
    assert of_two == 2 * before_bytes
    assert read == 0.0
    after_bytes, of_two, read = after.values()
    assert of_two == 2 * after_bytes < 100
    assert read == 1.0


def test_before_and_after_agree():
    """Where the table is changed before the function is traced."""
    before, after = loaded(NAME)
    values = np.arange(128, dtype=np.float32).reshape(2, 64)
    words = tf.constant([7, 3, 0])
    for program in (before, after):
        program.train([3, 7], values)
    np.testing.assert_array_equal(after.embed(words), before.embed(words))
    np.testing.assert_array_equal(after.embed(words)[0], values[1])


def test_a_constant_outside_is_not_copied():
    """As the README says of a table that never changes."""
    from pipeport import recipes_index

    table = tf.zeros([1000, 64])
    embed = tf.function(lambda words: tf.gather(table, words))
    constants = recipes_index.find(NAME).load("count").constants
    assert constants(embed.get_concrete_function(tf.TensorSpec([3], tf.int32))) < 100
