"""`raise` under a condition known only at run time: a check of the graph."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import BadIndex, UnsupportedArgument
from pipeport.porting import port
from tests.porting.modes import every_mode, step_of

X = np.array([[3, 2], [1, 4], [2, 5]], np.float32)
SEED = tf.constant([1, 2], tf.int64)


def checked(x):
    if x.mean() < 0:
        raise ValueError("negative")
    return x * 2


def in_the_other_branch(x):
    if x.mean() >= 0:
        y = x * 2
    else:
        raise ValueError("negative")
    return y


def after_a_return(x):
    if x.mean() >= 0:
        return x * 2
    raise ValueError("negative")


def helper(x):
    if x < 0:
        if x > -100:
            raise ValueError("negative", x)
        x = x * 0
    return x


def in_a_helper_and_a_loop(x):
    total = 0.0
    for row in x:
        total = total + float(helper(row.mean()))
    return total


def with_what_follows(x):
    y = x * np.random.rand()
    if (y < 0).any():
        raise ValueError("negative")
    if y.max() > 3:
        y = y / 2
    return y


BODIES = [checked, in_the_other_branch, after_a_return, in_a_helper_and_a_loop, with_what_follows]


@pytest.mark.parametrize("body", BODIES)
def test_raise_is_a_check_of_the_graph(monkeypatch, body):
    graphs = every_mode(monkeypatch, body, X, draws=2, compiled=False, relative=1e-6)
    for graph in graphs.values():
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_raise\.py, line \d+: ValueError"):
            graph(SEED, -X)
    if body is not with_what_follows:
        with pytest.raises(ValueError, match="negative"):
            port(body)(-X)


def no_number(x):
    if x.min() < -5:
        return x * 0
    if x.mean() < 0:
        raise ValueError
    return x


def test_what_does_not_raise_is_as_it_was():
    graph = step_of(port(no_number), [tf.TensorSpec([None, 2], tf.float32)])
    np.testing.assert_array_equal(graph(SEED, -10 * X), -0 * X)
    np.testing.assert_array_equal(graph(SEED, X), X)
    with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError"):
        graph(SEED, -X)


def with_values(x, name):
    if x.mean() < 0:
        worst = x.min()
        raise ValueError(f"{name.decode()}: {int(worst)} is negative", worst)
    return x * 2


def asserts(x, name):
    assert x.mean() >= 0, f"{name.decode()} is negative"
    return x * 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (with_values, r"test_raise\.py, line \d+: ValueError: a\.png: -5 is negative, -5\]"),
        (asserts, r"test_raise\.py, line \d+: assertion failed: a\.png is negative\]"),
    ],
)
def test_what_is_raised_is_one_sentence(body, said):
    data = tf.data.Dataset.from_tensors((-X, "a.png"))
    for graph in (tf.function(port(body)), lambda *args: list(data.map(port(body)))):
        with pytest.raises(tf.errors.InvalidArgumentError, match=said):
            graph(tf.constant(-X), tf.constant("a.png"))
    np.testing.assert_array_equal(tf.function(port(body))(tf.constant(X), tf.constant("a.png")), X * 2)


NUMBERS = (1, 2)


def a_missing_key(x):
    y = 1.0
    if x.mean() < 0:
        y = {"a": 1}["b"]
    return x * y


def a_place_outside(x):
    if x.mean() >= 0:
        y = 2.0
        z = x
    else:
        y = NUMBERS[5]
        z = -x
    return z * y


def a_quotient(x):
    return x * (1 / 0 if x.mean() < 0 else 2.0)


def no_number_in_a_text(x):
    if x.mean() < 0:
        if x.max() < 100:
            return x * int("a")
        x = x * 2
    return x


def too_few_values(x):
    total = 0.0
    for row in x:
        if row.min() < 0:
            _, second = [1]
            total += second
        total += row.sum()
    return total


OF_PYTHON = [
    (a_missing_key, '["b"]', "KeyError: .*b"),
    (a_place_outside, "NUMBERS[5]", "IndexError: tuple index out of range"),
    (a_quotient, "1 / 0", "ZeroDivisionError: division by zero"),
    (no_number_in_a_text, 'int("a")', "ValueError: invalid literal"),
    (too_few_values, "_, second", "ValueError: not enough values"),
]


@pytest.mark.parametrize(("body", "cause", "said"), OF_PYTHON)
def test_what_python_raises_in_a_branch_that_branch_raises(monkeypatch, body, cause, said):
    lines, first = inspect.getsourcelines(body)
    line = first + [cause in one for one in lines].index(True)
    for graph in every_mode(monkeypatch, body, X, compiled=False, relative=1e-6).values():
        with pytest.raises(tf.errors.InvalidArgumentError, match=rf"test_raise\.py, line {line}: {said}"):
            graph(SEED, -X)


def without_a_condition(x):
    return x * {"a": 1}["b"]


def test_without_a_condition_python_raises_while_tracing():
    with pytest.raises(KeyError, match="b"):
        tf.function(port(without_a_condition)).get_concrete_function(tf.TensorSpec([2], tf.float32))


def without_a_native(x):
    return x.tobytes() if x.mean() < 0 else x


def outside_an_array(x):
    return x[9] if x.mean() < 0 else x[0]


@pytest.mark.parametrize(
    ("body", "error"), [(without_a_native, UnsupportedArgument), (outside_an_array, BadIndex)]
)
def test_what_pipeport_refuses_is_refused_in_a_branch_too(body, error):
    with pytest.raises(error):
        tf.function(port(body)).get_concrete_function(tf.TensorSpec([2], tf.float32))
