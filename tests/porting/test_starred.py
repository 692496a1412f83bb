"""Values taken apart with a star, `first, *rest = ..`."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port
from tests.porting.modes import every_size

pytestmark = pytest.mark.both


def of_a_line(text):
    name, *rest = text.decode().split()
    *_, last = text.decode().split(" ")
    first, *middle, end = text.split()
    return name, np.array(rest, np.float32), last, end, len(middle), first


def of_numbers(text):
    count, *sizes = map(int, text.decode()[4:].split())
    letter, *others = text.decode()
    return count, sum(sizes), letter, "".join(others), np.array([size * 2 for size in sizes])


def of_an_array(x):
    first, *rest = x
    *before, last = [row * 2 for row in x]
    total = last * 0
    for row in rest:
        total = total + row
    return first, total, len(rest), len(before), last


def of_rows(x):
    first, *rest = x
    return first.sum() + rest[0], len(rest)


def known(x):
    a, *b = 1, 2, 3
    (c, *d), e = [4, 5, 6], 7
    table = [0, 0]
    table[0], *f = (x[0], x[1], 9)
    g, *h = range(1)
    return np.array([a, *b, c, *d, e, len(f), len(h)]), f[1], table[0], g


def in_a_loop(text):
    found = []
    for line in text.decode().split(";"):
        name, *values = line.split(",")
        found.append(len(name) + len(values))
    for first, *rest in [[1, 2, 3], [4]]:
        found.append(first + len(rest))
    return np.array(found)


def test_a_star_takes_the_rest():
    every_size(of_a_line, b"car 1 2.5 3")
    every_size(of_a_line, b"car 1")
    every_size(of_numbers, b"box 2 30 4")
    every_size(of_numbers, b"box 2 3")
    every_size(of_an_array, np.arange(5))
    every_size(of_rows, np.arange(12.0).reshape(3, 4))
    every_size(known, np.arange(3))
    every_size(in_a_loop, b"a,1,2;bc,3;d")


def several(text):
    first, *_, last = text.decode().split()
    return first, last


def test_fewer_values_than_names_stop_the_graph():
    ported = port(several)
    graph = tf.function(ported, autograph=False, input_signature=[tf.TensorSpec([], tf.string)])
    assert [one.numpy() for one in graph(b"a b")] == [b"a", b"b"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="unpacking: got fewer elements; allowed: 2 at"):
        graph(b"a")
    with pytest.raises(ValueError, match="expected at least 2, got 1"):
        ported(b"a")
