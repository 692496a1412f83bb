"""Changes of what a condition or a loop gave another name: lists, dictionaries, and arrays from outside."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import agrees

X = np.arange(6.0).reshape(2, 3)
A, B = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(2, 3)
TABLES = [A, B]
NAMED = {b"a": A, b"b": B}
KEPT = [1.0]
SIZES = {"sizes": [2, 3], "no sizes": [None, None]}


def graph_of(body, shape):
    def step(x, k):
        with seeds.ambient([1, 2]):
            return run(x, k)

    run = port(body)
    specs = tf.TensorSpec(shape, tf.float64), tf.TensorSpec([], tf.int64)
    return tf.function(step, input_signature=specs, autograph=False)


# Lists and dictionaries that have another name too.


def read_by_its_old_name(x, k):
    a, b = [1.0, 2.0], [3.0, 4.0]
    c = a if k > 1 else b
    c.append(9.0)
    return np.array(a) * x[0, 0]


def changed_by_its_old_name(x, k):
    a, b = [1.0, 2.0], [3.0, 4.0]
    c = a if k > 1 else b
    a.append(9.0)
    return np.array(c) * x[0, 0]


def an_element(x, k):
    a, b = [x[0], x[1]], [x[1], x[0]]
    c = b
    if k > 1:
        c = a
    c[0] = x[0] * 5
    return a[0], c[0]


def a_dictionary(x, k):
    a, b = {"n": 1.0}, {"n": 3.0}
    c = a if k > 1 else b
    c["n"] += 9.0
    return x * a["n"]


def in_a_dictionary(x, k):
    rows = {"a": [1.0], "b": [2.0]}
    c = rows["a"] if k > 1 else rows["b"]
    c.append(3.0)
    return np.array(rows["a"]) * x[0, 0]


def two_names_of_one(x, k):
    if k > 1:
        p = [1.0]
        q = p
    else:
        p = [2.0]
        q = p
    q.append(3.0)
    return np.array(p), np.array(q)


def in_a_loop(x, k):
    a, c = [[x[0]], [x[1]]], [x[0] + 1]
    for row in a:
        if k > 1:
            c = row
    c.append(x[1])
    return a[0][0]


def handed_on_by_a_loop(x, k):
    rows = [x, x * 2]
    same = rows
    for _ in range(k):
        rows = [rows[1], rows[0] + 1]
    rows.append(x)
    return np.stack(rows), len(same)


def in_a_helper(x, k):
    def grow(values):
        values.extend([3.0])

    a, b = [1.0], [2.0]
    c, d = (a, b) if k > 1 else (b, a)
    grow(c)
    return np.array(a) * x[0, 0], np.array(d)


def in_a_closure(x, k):
    def of(rows):
        return lambda: np.array(rows)

    a = [1.0]
    read = of(a)
    a = a if k > 1 else [2.0]
    a.append(3.0)
    return read()


def from_outside(x, k):
    c = KEPT if k > 1 else [2.0]
    c.append(3.0)
    return np.array(c) * x[0, 0]


OTHER_NAMES = [
    read_by_its_old_name,
    changed_by_its_old_name,
    an_element,
    a_dictionary,
    in_a_dictionary,
    two_names_of_one,
    in_a_loop,
    handed_on_by_a_loop,
    in_a_helper,
    in_a_closure,
    from_outside,
]


@pytest.mark.parametrize("body", OTHER_NAMES)
def test_a_list_with_another_name_is_not_changed_by_one_of_them(body):
    for shape in SIZES.values():
        with pytest.raises(
            PipeportError, match=r"change: got a (list|dict) that a condition or a run-time loop"
        ):
            graph_of(body, shape).get_concrete_function()
    assert KEPT == [1.0]


# Those that have one.


def made_in_branches(x, k):
    if k > 1:
        rows = [x, x * 2]
    else:
        y = x * 3
        rows = [y, x]
    rows.append(x * 4)
    rows[0] = x - 1
    return np.stack(rows)


def replaced_in_one(x, k):
    a = [1.0, 2.0]
    if k > 1:
        a = [3.0, 4.0]
    a.append(5.0)
    return np.array(a) * x[0, 1]


def handed_on_alone(x, k):
    rows = [x, x * 2]
    for _ in range(k):
        rows = [rows[1], rows[0] + 1]
    rows.append(x)
    return np.stack(rows)


def copied_first(x, k):
    a = [1.0, 2.0, 7.0]
    c = list(a) if k > 1 else [5.0, 6.0, 7.0]
    c.append(3.0)
    a.append(9.0)
    return np.array(c), np.array(a)


def only_read(x, k):
    a, b = [1.0, 2.0], [3.0, 4.0]
    c = a if k > 1 else b
    return np.array(c), np.array(a + b), x * c[1]


def of_a_helper(x, k):
    def chosen(one, other):
        return one if k > 1 else other

    found = chosen({"n": x}, {"n": x * 2})
    found["m"] = found["n"] + 1
    return found["m"], found["n"]


def arrays_in_it(x, k):
    a, b = [x, x + 1], [x + 2, x + 3]
    c = a if k > 1 else b
    c[0] += 1
    return a[0], b[0], c[0]


@pytest.mark.parametrize(
    "body",
    [made_in_branches, replaced_in_one, handed_on_alone, copied_first, only_read, of_a_helper, arrays_in_it],
)
def test_a_list_with_one_name_is_changed(body):
    run = port(body)
    graphs = {where: graph_of(body, shape) for where, shape in SIZES.items()}
    for k in range(3):
        right = body(X.copy(), k)
        agrees(tf.nest.map_structure(np.asarray, run(X, k)), right, where="eager")
        for where, graph in graphs.items():
            agrees(tf.nest.map_structure(lambda one: one.numpy(), graph(X, k)), right, where=where)


# Arrays from outside.


def assigned_by_a_loop(x, k):
    t = x.copy()
    for _ in range(k):
        t = A
    t[0] = 7
    return t


def before_a_loop(x, k):
    t = A
    for _ in range(k):
        t = x * 2
    t *= 2
    return t


def in_the_loop(x, k):
    t = x.copy()
    for _ in range(k):
        t[0] = 3
        t = A
    return t


def by_a_while(x, k):
    t = x.copy()
    while k > 0:
        t = B
        k -= 1
    t[0, 0] = 5
    return t


def picked(x, k):
    t = TABLES[k]
    t[0] = 7
    return t


def picked_in_place(x, k):
    t = TABLES[k]
    t += 1
    return t


def picked_row(x, k):
    t = TABLES[k][0]
    t[k] += 1
    return t


def picked_by_a_name(x, k):
    t = NAMED[b"a" if k > 0 else b"b"]
    t[0] = 1
    return t


def picked_after_a_sort(x, k):
    t = sorted(TABLES, key=lambda one: one[0, k])[0]
    t[0] = 1
    return t


def drawn(x, k):
    t = random.choice(TABLES)
    t[0] = 7
    return t


def drawn_in_a_sample(x, k):
    t = random.sample(TABLES, 2)[0]
    t[0] = 7
    return t


def shuffled(x, k):
    tables = [A, B]
    random.shuffle(tables)
    tables[0][0] = 7
    return tables[0]


def collected(x, k):
    rows = []
    for _ in range(k):
        rows.append(A)
    t = rows[0]
    t[0] = 3
    return t


WRITES = [
    assigned_by_a_loop,
    before_a_loop,
    in_the_loop,
    by_a_while,
    picked,
    picked_in_place,
    picked_row,
    picked_by_a_name,
    picked_after_a_sort,
    drawn,
    drawn_in_a_sample,
    shuffled,
    collected,
]


@pytest.mark.parametrize("body", WRITES)
def test_an_array_from_outside_is_not_written_to_by_another_name(body):
    for shape in SIZES.values():
        with pytest.raises(PipeportError, match=r"array: got an assignment to an array .*from outside"):
            graph_of(body, shape).get_concrete_function()


def copies_of_them(x, k):
    t = x.copy()
    for number in range(k):
        t = t + 1
        t[0] = 3
        u = TABLES[number % 2].copy()
        u[0] = 4
        t = t + u
    t[1] = 4
    v = TABLES[k % 2] * 2.0
    v = v + x
    v[0] = 1
    w = [x.copy(), x * 3][k % 2]
    w[0] = 4
    return t, v, w


def test_copies_of_arrays_from_outside_are_written_to():
    graphs = {where: graph_of(copies_of_them, shape) for where, shape in SIZES.items()}
    for k in range(3):
        right = copies_of_them(X.copy(), k)
        for where, graph in graphs.items():
            agrees(tf.nest.map_structure(lambda one: one.numpy(), graph(X, k)), right, where=where)
