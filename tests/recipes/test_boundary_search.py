"""The search for Python in a graph finds every kind of it, however deep."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries

pytestmark = pytest.mark.newest_only

NUMBERS = tf.data.Dataset.range(4)


def numpy_function(x):
    return tf.numpy_function(np.copy, [x], tf.int64)


@tf.function
def inside_tf_function(x):
    return numpy_function(x)


@pytest.mark.parametrize(
    ("dataset", "kinds"),
    [
        (NUMBERS.map(numpy_function), {"PyFunc"}),
        (NUMBERS.map(numpy_function).batch(2).prefetch(1), {"PyFunc"}),
        (NUMBERS.map(inside_tf_function), {"PyFunc"}),
        (NUMBERS.map(lambda x: tf.cond(x > 1, lambda: numpy_function(x), lambda: x)), {"PyFunc"}),
        (NUMBERS.flat_map(lambda x: NUMBERS.map(numpy_function)), {"PyFunc"}),
        (NUMBERS.filter(lambda x: tf.numpy_function(lambda a: a > 1, [x], tf.bool)), {"PyFunc"}),
        (NUMBERS.map(lambda x: tf.py_function(lambda a: a, [x], tf.int64)), {"EagerPyFunc"}),
        (
            NUMBERS.map(lambda x: tf.numpy_function(np.copy, [x], tf.int64, stateful=False)),
            {"PyFuncStateless"},
        ),
        (NUMBERS.map(lambda x: x * 2).batch(2), set()),
    ],
    ids=[
        "numpy_function",
        "before batch",
        "inside tf.function",
        "inside tf.cond",
        "inside flat_map",
        "filter",
        "py_function",
        "stateless",
        "none",
    ],
)
def test_boundaries(dataset, kinds):
    assert boundaries(dataset) == kinds
