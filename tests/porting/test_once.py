"""Equal operations of a body are made once; what is not equal, or stands for more than values, is not."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import port
from pipeport._tensorflow_private import making_once


def kinds(function, *specs, once=True):
    """Return the kinds of the operations that a function adds to a graph, and the graph's function."""

    def run(*given):
        if not once:
            return function(*given)
        with making_once(tf.compat.v1.get_default_graph()):
            return function(*given)

    concrete = tf.function(run, autograph=False).get_concrete_function(*specs)
    return [node.type for node in concrete.graph.get_operations()], concrete


FLOATS = tf.TensorSpec([None], tf.float32)


def test_equal_operations_and_constants_are_made_once():
    def twice(x):
        return (x + 1.0) * 2.0, (x + 1.0) * 2.0, tf.shape(x)[0], tf.shape(x)[0]

    found, _ = kinds(twice, FLOATS)
    apart, _ = kinds(twice, FLOATS, once=False)
    for kind in ("AddV2", "Mul", "Shape", "StridedSlice"):
        assert (found.count(kind), apart.count(kind)) == (1, 2)
    assert found.count("Const") == 4  # 1.0, 2.0, and [0] and [1] of the slices


def test_constants_that_differ_in_sign_or_dtype_are_two():
    found, concrete = kinds(lambda x: (x * 0.0, x * -0.0, tf.cast(x, tf.int32) + 0, x + 0.0), FLOATS)
    assert found.count("Const") == 3
    assert [float(one[0]) for one in concrete(tf.constant([-1.0]))[:2]] == [0.0, 0.0]
    signs = [bool(np.signbit(one[0])) for one in concrete(tf.constant([1.0]))[:2]]
    assert signs == [False, True]


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("Identity", lambda x: (tf.identity(x), tf.identity(x))),
        ("RandomUniform", lambda x: (tf.random.uniform([2]) + x, tf.random.uniform([2]) + x)),
        ("Cast", lambda x: (tf.cast(x, tf.int32), tf.cast(x, tf.int64))),
        ("Const", lambda x: (x + np.zeros(1000, np.float32), x - np.zeros(1000, np.float32))),
    ],
)
def test_others_are_made_each_time(kind, function):
    found, _ = kinds(function, FLOATS)
    assert found.count(kind) == 2 + (kind == "Identity") * 2  # and what a function returns


def test_what_waits_for_a_check_is_made_behind_it():
    def checked(x):
        before = tf.sqrt(x)
        with tf.control_dependencies([tf.raw_ops.Assert(condition=x[0] > 0, data=["negative"])]):
            return before, tf.sqrt(x)

    found, _ = kinds(checked, FLOATS)
    assert found.count("Sqrt") == 2


def test_a_tape_sees_each_operation():
    def slopes(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.square(x) + tf.square(x)
        return tape.gradient(total, x)

    found, concrete = kinds(slopes, FLOATS)
    assert found.count("Square") == 2
    assert concrete(tf.constant([3.0])).numpy().tolist() == [12.0]


def test_devices_are_kept():
    def placed(x):
        with tf.device("/CPU:0"):
            there = x + 1.0
        return x + 1.0, there

    found, _ = kinds(placed, FLOATS)
    assert found.count("AddV2") == 2


def test_a_number_that_meets_whole_numbers_divides_as_numpy_divides():
    def scaled(image):
        whole = image.astype(np.float32) + np.float32(0.3)
        found = whole * whole - whole
        return (found * np.float32(1.7) + np.float32(0.3) * whole) / np.float32(0.3)

    image = np.arange(3 * 128 * 128, dtype=np.uint8).reshape(128, 128, 3)
    spec = tf.TensorSpec(image.shape, image.dtype)
    concrete = tf.function(port(scaled), autograph=False).get_concrete_function(spec)
    np.testing.assert_array_equal(concrete(image).numpy(), scaled(image))
