"""Loops as programs: what their rounds take from an array and write to it, at places of the graph."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeport import config, seeds
from pipeport.porting import port

pytestmark = pytest.mark.both


def average(x):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = np.float32(0.1) * x[i] + np.float32(0.9) * y[i - 1]
    return y


def from_the_end(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[-i - 1] = x[i] - y[-i]
    return y


def windows(x):
    y = np.zeros((len(x) - 4, x.shape[1] - 2), np.float32)
    for i in range(len(x) - 4):
        y[i] = x[i : i + 5, 1:-1].max(axis=0) * np.float32(0.5)
    return y


def blocks(x):
    y = np.ones_like(x)
    for i in range(len(x) // 2):
        y[2 * i : 2 * i + 2, 1] = x[2 * i : 2 * i + 2, 0] * np.float32(2)
    return y


def counted(x):
    y = np.zeros((6, 6), np.int64)
    for row in x:
        y[int(row[0] * 5.9), int(row[1] * 5.9)] += 1
    return y


def products(x):
    y = np.zeros((len(x) - 2, x.shape[1]), np.float32)
    weights = np.array([1, -2, 1], np.float32)
    for i in range(len(x) - 2):
        y[i] = np.dot(weights, x[i : i + 3])
    return y


def suppressed(x):
    dead = np.zeros(len(x), bool)
    for i in range(len(x)):
        if dead[i]:
            continue
        near = np.abs(x[:, 0] - x[i, 0]) < 0.1
        near[i] = False
        dead |= near
    return dead


def table(x):
    y = np.zeros((len(x), x.shape[1]), np.float32)
    for i in range(1, len(x)):
        for j in range(1, x.shape[1]):
            y[i, j] = x[i, j] + min(y[i - 1, j], y[i, j - 1], y[i - 1, j - 1])
    return y


def until(x):
    total, last = np.float32(0), 0
    for i in range(len(x)):
        if total > 3:
            break
        total = total + x[i, 0]
        last = i
    return total, last


def placed(x, places):
    y = np.zeros_like(x)
    for at in places:
        y[at] += x[at]
    return y


def chosen(x):
    y = np.zeros(len(x), np.float32)
    for i in range(len(x)):
        if x[i, 0] > 0.5:
            y[-i] = x[i - 1, 2] + y[i]
        for k in range(3):
            y[i] = y[i] * np.float32(0.5) + x[i, k]
    return y


BODIES = [average, from_the_end, windows, blocks, counted, products, suppressed, table, until, chosen]
# Those whose arrays are of unknown length, and are only read and written at places.
ROWS = [average, from_the_end, counted, until, chosen]


def loops(concrete):
    return [node for node in concrete.graph.get_operations() if "While" in node.type]


def in_graphs(function, *arguments):
    """Yield a port's graph with static sizes, with some, and without."""
    ported = port(function)
    for keep in (lambda shape: shape, lambda shape: [None, *shape[1:]], lambda shape: [None] * len(shape)):
        specs = [tf.TensorSpec(keep(list(one.shape)), one.dtype) for one in arguments]
        yield tf.function(ported, autograph=False, input_signature=specs)


def same(found, right):
    for ours, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
        assert ours.dtype.as_numpy_dtype == np.asarray(theirs).dtype
        assert tuple(ours.shape) == np.shape(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("function", [one for one in BODIES if one is not blocks])
def test_a_loop_over_known_sizes_is_a_program(function):
    x = np.random.default_rng(1).random((300, 6), np.float32)
    concrete = tf.function(port(function), autograph=False).get_concrete_function(tf.constant(x))
    assert not loops(concrete)
    same(concrete(tf.constant(x)), function(x))
    with config.use_jit("never"):
        plain = tf.function(port(function), autograph=False).get_concrete_function(tf.constant(x))
    assert loops(plain)


@pytest.mark.parametrize("function", BODIES)
@given(rows=st.sampled_from([20, 33]), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=3)
def test_values_are_those_of_numpy(function, rows, seed):
    x = np.random.default_rng(seed).random((rows, 6), np.float32)
    for graph in in_graphs(function, x):
        same(graph(x), function(x.copy()))
        same(next(iter(tf.data.Dataset.from_tensors(x).map(graph))), function(x.copy()))


@pytest.mark.parametrize("function", ROWS)
def test_a_loop_over_an_unknown_length_is_a_program(function):
    concrete = tf.function(port(function), autograph=False).get_concrete_function(
        tf.TensorSpec([None, 6], tf.float32)
    )
    assert not loops(concrete)
    for length in (1, 2, 63, 64, 65, 200):  # below, at and above the sizes of programs
        x = np.random.default_rng(length).random((length, 6), np.float32)
        same(concrete(tf.constant(x)), function(x.copy()))
    nothing = np.zeros((0, 6), np.float32)
    if function is not average:
        same(concrete(tf.constant(nothing)), function(nothing))


@pytest.mark.parametrize("places", [[0, -1, 29, -30, 3] * 6, [0, 30] * 15, [-31] * 30])
def test_a_place_outside_is_an_error_of_the_graph(places):
    x, places = np.random.default_rng(1).random((30, 2), np.float32), np.array(places)
    for graph in in_graphs(placed, x, places):
        if np.abs(places + 0.5).max() > 30:
            with pytest.raises(tf.errors.InvalidArgumentError):
                graph(x, places)
        else:
            same(graph(x, places), placed(x, places))


def picked(x):
    y = np.zeros(len(x), np.float32)
    for i in range(len(x)):
        y[i] = x[i, np.random.randint(0, 6)] + x[np.random.randint(0, len(x)), 1]
    for _ in range(np.random.randint(2, 5)):
        y[np.random.randint(1, len(x)) - 1] = np.random.randint(7, 9)
    return y


@pytest.mark.parametrize("shape", [[300, 6], [None, 6], [None, None]])
def test_a_loop_draws_as_its_eager_run(shape):
    x, ported = np.random.default_rng(1).random((300, 6), np.float32), port(picked)

    @tf.function(autograph=False, input_signature=[tf.TensorSpec(shape, tf.float32)])
    def graph(x):
        with seeds.ambient((3, 4)):
            return ported(x)

    with seeds.ambient((3, 4)):
        right = ported(x)
    np.testing.assert_array_equal(graph(x), right)
    assert len(np.unique(right)) > 200


@pytest.mark.parametrize("length", [300, None])
def test_the_gradient_is_that_of_the_graph(length):
    x = tf.constant(np.random.default_rng(1).random((300, 6), np.float32))

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([length, 6], tf.float32)])
    def rising(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(port(average)(x)[-1])
        return tape.gradient(y, x)

    found = rising(x)
    with config.use_jit("never"):
        right = tf.function(rising.python_function, input_signature=rising.input_signature)(x)
    assert float(tf.reduce_max(right)) == pytest.approx(0.1)
    np.testing.assert_allclose(found, right, rtol=1e-6)
