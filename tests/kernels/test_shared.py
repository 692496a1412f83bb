"""Equal programs are one function, which XLA compiles once."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import tensorflow as tf

from pipeport._tensorflow_private import add_functions
from pipeport.kernels.xla._shared import shared
from pipeport.kernels.xla._single_threaded import single_threaded

pytestmark = pytest.mark.both

X = tf.range(12.0)


def traced(factor, shape=(12,)):
    """A program with functions of its own, which TensorFlow names anew for each trace."""

    def body(x):
        halved = tf.while_loop(lambda x: tf.reduce_sum(x) > 1, lambda x: (x / 2,), (x,))[0]
        return tf.cond(x[1] > 0, lambda: halved * factor, lambda: x)

    return tf.function(body, autograph=False).get_concrete_function(tf.TensorSpec(shape))


def called(concrete):
    """The names of the functions that a traced function calls."""
    return [one.signature.name for one in concrete.graph.as_graph_def().library.function]


def test_the_first_of_equal_functions_serves_for_all():
    first = shared(traced(3.0))
    assert shared(traced(3.0)) is first
    assert shared(first) is first


@pytest.mark.parametrize("other", [traced(4.0), traced(3.0, [None])], ids=["constant", "shape"])
def test_another_function_serves_for_itself(other):
    assert shared(traced(3.0)) is not shared(other)
    assert shared(other) is other


def test_functions_that_capture_are_not_shared():
    def capturing(variable):
        return tf.function(lambda x: x * variable).get_concrete_function(X)

    for number in (2.0, 3.0):
        one = shared(capturing(tf.Variable(number)))
        np.testing.assert_array_equal(one(X), X * number)


@pytest.mark.parametrize("shape", [(12,), (None,)])
def test_a_program_has_one_name_however_often_it_is_traced(shape):
    ones = tf.ones([12])

    def run():
        whole = tf.function(lambda x: single_threaded(lambda x: {"made": tf.sqrt(x) * 5.0})(x)["made"])
        concrete = whole.get_concrete_function(tf.TensorSpec(shape))
        with tf.GradientTape() as tape:
            tape.watch(ones)
            found = concrete(ones)
        np.testing.assert_array_equal(found, 5 * ones)
        np.testing.assert_array_equal(tape.gradient(found, ones), 2.5 * ones)
        return called(concrete)

    assert run() == run()
    assert run()


@pytest.mark.parametrize("kept", [True, False])
def test_functions_of_imported_operations_are_there_while_a_graph_keeps_them(kept):
    def copied(x):
        source = traced(3.0).graph
        if kept:
            add_functions(tf.compat.v1.get_default_graph(), source)
        definition, given = source.as_graph_def(), {source.inputs[0].name: x}
        if kept:
            definition.ClearField("library")
        found = tf.graph_util.import_graph_def(definition, given, [source.outputs[0].name])
        del source, given
        gc.collect()
        return found[0]

    graph = tf.function(copied, autograph=False).get_concrete_function(tf.TensorSpec([12]))
    if kept:
        np.testing.assert_allclose(graph(X), traced(3.0)(X))
    else:  # as TensorFlow has it; where it no longer does, nothing need be kept
        with pytest.raises(tf.errors.OpError, match=r"not defined|not registered"):
            graph(X)
