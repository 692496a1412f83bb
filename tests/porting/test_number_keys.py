"""Dictionaries of constants, looked up by numbers known only at run time."""

from __future__ import annotations

import collections

import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port
from tests.porting.modes import every_size, refused_in_graphs

pytestmark = pytest.mark.both

NUMBERS = {0: 10, 1: 20, 5: 30}
NAMES = {0: "none", 1: "car", -3: "bus"}
COLOURS = {1: (1, 2.5), 2: (3, 4.5)}
ARRAYS = {1: np.array([1, 2]), np.int64(2): np.array([4, 5])}
ODD = {1.0: 1, 2.5: 2, True + 2: 3, 2**70: 4, "1": 5, (1,): 6, float("nan"): 7, None: 8, 1 << 63: 9}
NESTED = {1: {"a": 1}, 2: {"a": 2}}


def looked_up(k):
    colour = COLOURS[int(k)]
    large = {True: 5, False: 6}[k > 2]
    return NUMBERS[k], NAMES[int(k)], colour[1], ARRAYS[k] * 2, NESTED[int(k)]["a"], large


def with_defaults(k):
    return NUMBERS.get(k, -1) + 1, NUMBERS.get(int(k) + 1, 7), NAMES.get(int(k) * 2, "?"), {}.get(k, 3)


def odd_keys(x):
    halves = [ODD.get(v / 2, 0) for v in x]
    return np.array([ODD.get(int(v), 0) for v in x]), np.array(halves), ODD.get(float(x[2]), 0)


def wide_keys(k):
    return ODD.get(k, 0), ODD.get(k + np.uint64(1), 0)


def of_labels(x):
    return np.array([NUMBERS.get(v, -1) for v in x]), np.array([NUMBERS[int(v) * 5] for v in x[:2]])


def made_here(k):
    table = {}
    for number in range(4):
        table[number] = number * 2.5
    names = dict(zip(range(3), [7, 8, 9], strict=True))
    return table[int(k)] * names[k], k in names, table.get(k, 0.5)


def test_numbers_are_keys():
    for body in (looked_up, with_defaults, made_here):
        every_size(body, np.int64(1))
    every_size(with_defaults, np.uint8(1))
    every_size(with_defaults, np.int32(3))
    every_size(odd_keys, np.arange(-1, 7))
    every_size(wide_keys, np.uint64(2**63 - 1))
    every_size(of_labels, np.array([1, 0, 7]))


def one(k):
    return NUMBERS[int(k)]


def test_a_number_that_is_no_key_stops_the_graph():
    ported = port(one)
    graph = tf.function(ported, autograph=False, input_signature=[tf.TensorSpec([], tf.int64)])
    assert graph(5).numpy() == 30
    with pytest.raises(tf.errors.InvalidArgumentError, match="a number that is not a key"):
        graph(2)
    with pytest.raises(KeyError):
        ported(np.int64(2))


def of_many_kinds(k):
    return {0: 1, 1: "a"}[int(k)]


def changed(k):
    counts = {0: 0, 1: 0}
    counts[int(k)] += 1
    return counts[0]


def counted(k):
    return collections.Counter([1, 1, 2])[int(k)]


def by_an_array(x):
    return NUMBERS[x]


@pytest.mark.parametrize(
    ("body", "words", "shape"),
    [
        (of_many_kinds, "values of int, str", []),
        (changed, "key: got a value known only at run time", []),
        (by_an_array, "key: got a value known only at run time", [3]),
    ],
)
def test_what_is_no_look_up_is_refused(body, words, shape):
    refused_in_graphs(body, words, tf.TensorSpec(shape, tf.int64))
