"""Gradients that belong to a graph: of any order, saved with it, gone with it."""

from __future__ import annotations

import gc
import importlib
import weakref

import numpy as np
import pytest
import tensorflow as tf

from pipeport._tensorflow_private import passing_gradient, with_gradient

pytestmark = pytest.mark.both

X = tf.constant([1.0, -2.0, 3.0])


def cubed(x):
    def gradient(given, upstream):
        return [upstream[0] * 3 * given[0] ** 2]

    return with_gradient([tf.stop_gradient(x**3)], [x], gradient)[0]


def passing(x):
    return passing_gradient(tf.stop_gradient(x**3), x)


def of_tape(function, x=X):
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = function(x)
    return tape.gradient(result, x)


def of_graph(function):
    return lambda x: tf.gradients(function(x), x)[0]


@pytest.mark.parametrize(
    ("function", "first", "second"), [(cubed, 3 * X**2, 6 * X), (passing, tf.ones_like(X), None)]
)
def test_gradients_are_those_that_are_given(function, first, second, tmp_path):
    compiled = tf.function(function, input_signature=[tf.TensorSpec([3])])
    of_function = tf.function(lambda x: of_tape(function, x))
    of_condition = tf.function(
        lambda x: of_tape(lambda x: tf.cond(x[0] > 0, lambda: function(x), lambda: x), x)
    )
    module = tf.Module()
    module.run = compiled
    tf.saved_model.save(module, tmp_path)
    del module
    restored = tf.saved_model.load(tmp_path).run
    for found in (
        of_tape(compiled),
        of_function(X),
        of_condition(X),
        tf.function(of_graph(function))(X),
        of_tape(restored),
    ):
        np.testing.assert_array_equal(found, first)
    if second is not None:
        np.testing.assert_array_equal(of_tape(lambda x: of_tape(compiled, x)), second)
        np.testing.assert_array_equal(tf.function(of_graph(of_graph(function)))(X), second)


def test_gradients_of_a_passing_one_are_saved_for_each_shape(tmp_path):
    module = tf.Module()
    module.run = tf.function(lambda x: (passing(x), passing(x[:2])), input_signature=[tf.TensorSpec([3])])
    tf.saved_model.save(module, tmp_path)
    np.testing.assert_array_equal(of_tape(tf.saved_model.load(tmp_path).run), [2, 2, 1])


def test_gradients_go_with_their_graph():
    registry = importlib.import_module("tensorflow.python.framework.ops").gradient_registry
    concrete = tf.function(cubed).get_concrete_function(X)
    graph = weakref.ref(concrete.graph)
    [name] = [
        one.node_def.attr["_gradient_op_type"].s.decode()
        for one in concrete.graph.get_operations()
        if one.type == "IdentityN"
    ]
    of_tape(concrete)
    gc.collect()
    assert name in registry.list()
    del concrete
    gc.collect()
    assert graph() is None
    assert name not in registry.list()
