"""What is compiled as one program, and what stays a few operations."""

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as mirror
from pipeport.arrays._one_pass import one_pass

pytestmark = pytest.mark.both


def kinds(function, *specs):
    graph = tf.function(function, autograph=False).get_concrete_function(*specs).graph.as_graph_def()
    return {node.op for node in graph.node}


def scaled(x, *, by):
    return tf.sinh(x) * by


def test_many_elements_of_known_size_are_one_program():
    def function(x):
        return one_pass(scaled, x, by=2.0)

    many = tf.TensorSpec([64, 64], tf.float32)
    assert "Sinh" not in kinds(function, many)
    for shape, dtype in (([64, 63], tf.float32), ([64, 64], tf.float16), ([None, 64], tf.float32)):
        assert "Sinh" in kinds(function, tf.TensorSpec(shape, dtype))
    with pipeport.config.use_jit("never"):
        assert "Sinh" in kinds(function, many)


def test_other_numbers_are_another_program():
    x = tf.ones([64, 64])
    found = tf.function(lambda x: [one_pass(scaled, x, by=by) for by in (1.0, -1.0, 0.0, -0.0)])(x)
    want = np.sinh(np.float32(1)) * np.float32([1, -1, 0, -0.0])
    np.testing.assert_allclose([one[0, 0] for one in found], want, rtol=1e-6)
    np.testing.assert_array_equal(np.signbit([one[0, 0] for one in found]), np.signbit(want))


def test_programs_have_gradients():
    x = tf.Variable(tf.ones([64, 64]))

    @tf.function
    def slope():
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(mirror.sinh(x.value()))
        return tape.gradient(total, x)

    np.testing.assert_allclose(slope(), np.full([64, 64], np.cosh(1)), rtol=1e-6)
