"""Islands whose functions use values of the body: `np.vectorize(lambda q: q + k)(x)`."""

from __future__ import annotations

import functools
import gc
import warnings
import weakref

import numpy as np
import pytest
import tensorflow as tf
from scipy import ndimage

import pipeport
from pipeport.errors import PipeportWarning, PortRefused
from tests.porting.modes import agrees

pytestmark = pytest.mark.both

X = np.arange(12, dtype=np.float64).reshape(3, 4)


def of_an_object(x, k):
    def one(q):
        return q * k

    def two(q, c=k):
        return one(q) + c + x[0, 1]

    add = np.vectorize(lambda q: q + k)
    first = add(x)
    k = k + 1
    return first + add(x), np.vectorize(two, otypes=[np.float64])(x), np.vectorize(lambda q: q + 1)(x)


def along_an_axis(x, k):
    table = {1: "a", "b": x, None: 3}
    scaled = functools.partial(lambda factor, row: row * factor, k)
    rows = [np.apply_along_axis(lambda row, i=i: np.sort(row) * i + k, 1, x) for i in range(2)]
    return (
        np.apply_along_axis(lambda row: row * k + table["b"][0, 1] + len(table), 0, x),
        np.apply_along_axis(scaled, 0, x),
        np.stack(rows),
    )


def in_lists_and_windows(x, k):
    return (
        np.piecewise(x, [x < 3, x >= 3], [lambda q: q * k, lambda q: q + k]),
        ndimage.generic_filter(x, lambda window: window.max() - k, 3),
        np.fromfunction(lambda i, j: i + j * k, (3, 4)),
        np.apply_over_axes(lambda a, axis: a.sum(axis=axis) + k, x, [0]),
    )


def behind_conditions(x, k):
    most = x.max()
    if k > 2:
        x = np.apply_along_axis(lambda row: row - most + k, 0, x)
    for _ in range(k):
        x = np.vectorize(lambda q: q + k)(x)
    return x


def calls_itself(x, k):
    def power(n):
        return 1 if n < 2 else k * power(n - 1)

    return np.vectorize(power)(x)


def of_no_object(x, k):
    return np.frompyfunc(lambda q: q + k, 1, 1)(x).astype(np.float64)


BODIES = [of_an_object, along_an_axis, in_lists_and_windows, behind_conditions, calls_itself, of_no_object]


def ported(body):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        return pipeport.port(body, example=(X[::-1].copy(), np.int64(4)), islands=True)


@pytest.mark.parametrize("body", BODIES, ids=lambda one: one.__name__)
def test_their_values_are_those_of_each_element(body):
    port = ported(body)
    runs = {"eager": port}
    for where, shape in {"sizes": [3, 4], "no sizes": [None, None]}.items():
        specs = [tf.TensorSpec(shape, tf.float64), tf.TensorSpec([], tf.int64)]
        runs[where] = tf.function(port.__call__, input_signature=specs, autograph=False)
    for k in (2, 5):
        right = body(X.copy(), np.int64(k))
        for where, run in runs.items():
            agrees(run(X, np.int64(k)), right, where=f"{where}, {k}")


def draws(x, k):
    return np.apply_along_axis(lambda row: row * np.random.rand() + k, 0, x)


def test_draws_are_refused():
    with pytest.raises(PortRefused, match="does not give the same result for the same arguments") as caught:
        ported(draws)
    text = str(caught.value) + "".join(caught.value.__notes__)
    assert "test_island_callbacks.py" in text


def test_they_hold_no_graph():
    port = ported(of_an_object)
    graphs = []
    for _ in range(2):
        run = tf.function(port.__call__, autograph=False)
        graph = run.get_concrete_function(
            tf.TensorSpec([3, 4], tf.float64), tf.TensorSpec([], tf.int64)
        ).graph
        graphs.append(weakref.ref(graph))
        del run, graph
    gc.collect()
    assert [one() for one in graphs] == [None, None]


def bound(x, k):
    return functools.partial(np.multiply, k)(x) + functools.partial(np.add, 1)(x)


def test_a_partial_of_a_value_of_the_graph():
    run = tf.function(pipeport.port(bound).__call__, autograph=False)
    for shape in ([3, 4], [None, None]):
        graph = run.get_concrete_function(tf.TensorSpec(shape, tf.float64), tf.TensorSpec([], tf.int64))
        agrees(graph(tf.constant(X), tf.constant(3, tf.int64)), bound(X, np.int64(3)), where=str(shape))
