"""`reduce`, `accumulate` and `outer` of universal functions; assignments to a list at a drawn place."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import every_size

X = np.array([[7, 0, 3, 3, 9], [2, 200, 1, 5, 0], [4, 4, 8, 255, 6]], np.uint8)


def reduced(x):
    return (
        (np.add.reduce(x), np.add.reduce(x, axis=1), np.multiply.reduce(x[:, :2] / 3), np.maximum.reduce(x)),
        (np.minimum.reduce(x, axis=1), np.logical_or.reduce(x > 8), np.logical_and.reduce(x < 250, axis=1)),
        (
            np.bitwise_and.reduce(x, axis=1),
            np.bitwise_or.reduce(x),
            np.fmax.reduce(x),
            np.fmin.reduce(x / 2, 1),
        ),
        np.minimum.reduce([x[0], x[1], x[2]]),
    )


def accumulated(x):
    gaps = np.where(x > 3, x, 0)
    return (
        (np.maximum.accumulate(x, axis=1), np.minimum.accumulate(x), np.maximum.accumulate(gaps[0])),
        (np.add.accumulate(x), np.multiply.accumulate(x / 9, axis=1), np.logical_or.accumulate(x > 8, 1)),
        (np.fmax.accumulate(x / 2), np.bitwise_or.accumulate(x, axis=1)),
    )


def outer(x):
    return np.add.outer(x[0], x[1]), np.multiply.outer(x, [1, 2]), np.subtract.outer(x[0] / 2, x[1])


@pytest.mark.parametrize("body", [reduced, accumulated, outer])
def test_methods_of_universal_functions(body):
    every_size(body, X)


def with_nans(x):
    return np.maximum.accumulate(x), np.fmax.accumulate(x), np.maximum.reduce(x), np.fmin.reduce(x)


def test_nans_are_kept_as_the_function_keeps_them():
    every_size(with_nans, np.array([np.nan, 1.0, 3.0, np.nan, 2.0, 5.0, 4.0]))


@pytest.mark.parametrize("size", range(1, 9))
def test_every_length_of_an_axis(size):
    def body(x):
        return np.maximum.accumulate(x), np.fmax.reduce(x), np.bitwise_xor.outer(x, x)

    every_size(body, X.reshape(-1)[:size])


def test_without_elements_there_is_nothing_to_reduce():
    def body(x):
        return np.fmax.reduce(x)

    with pytest.raises(PipeportError, match="an axis without elements"):
        port(body)(np.zeros(0))
    graph = tf.function(port(body), input_signature=[tf.TensorSpec([None], tf.float64)], autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="an axis without elements"):
        graph(np.zeros(0))


def one_hot(x, k):
    label = [0] * 5
    label[k] = 1
    rows = [[0.0, 1.0] for _ in range(3)]
    rows[1][k - 2] = 7.5
    label[int(x[1, 3]) - 6] += 3
    return np.array(label), np.array(rows), sum(label)


def test_a_list_takes_a_value_at_a_drawn_place():
    every_size(one_hot, X, np.int64(3))
    graph = tf.function(port(one_hot), autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="a place out of range"):
        graph(tf.constant(X), tf.constant(9, tf.int64))
