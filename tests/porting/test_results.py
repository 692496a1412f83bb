"""Results of ported functions beside those of the wrappers that they had: numbers in lists, and `Tout`."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import WrongType
from pipeport.porting import port
from tests.porting.modes import agrees

pytestmark = pytest.mark.both

X = np.arange(4, dtype=np.float32)
SIZES = {"eager": None, "sizes": [4], "no sizes": [None]}


def run(ported, where):
    if where == "eager":
        return ported(X)
    spec = [tf.TensorSpec(SIZES[where], tf.float32)]
    return tf.function(ported.__call__, input_signature=spec, autograph=False)(X)


# Each gives several results; what stands in a list of them is one array.
NUMBERS = [
    lambda x: ([1], [0.5, x[0]]),
    lambda x: ([x[0], 1], x),
    lambda x: ([0.5, x[0]], [x[0].astype(np.float64), 2], [True, 3]),
    lambda x: (x, [[0.5, x[0]], [x[1], 2]], [[1, 2], [3, len(x)]]),
    lambda x: (x, [np.uint8(3), x[0].astype(np.int32)], [float(x[0]), 1, int(x[1])]),
    lambda x: (x, [], [[1.0]]),
    lambda x: [x[0], 0.5, [len(x), 2.5]],
]
NESTED = [
    lambda x: ((1, 2.5), x, (x[0], True)),
    lambda x: [[x, x + 1], [x[:2], x[1:3]]],
    lambda x: [x[0], x[1]],
    lambda x: [x],
]


def wrapped(body, wrapper, dtypes):
    function = {"numpy_function": tf.numpy_function, "py_function": tf.py_function}[wrapper]
    return tf.function(lambda x: function(body, [x], dtypes))(X)


@pytest.mark.parametrize("where", SIZES)
def test_a_list_of_numbers_among_results_is_an_array(where):
    for body in NUMBERS:
        dtypes = [np.asarray(one).dtype for one in body(X)]
        agrees(run(port(body), where), wrapped(body, "numpy_function", dtypes), where=where)


@pytest.mark.parametrize("where", SIZES)
def test_with_dtypes_each_result_is_one_array(where):
    for body in NUMBERS + NESTED:
        dtypes = [np.asarray(one).dtype for one in body(X)]
        agrees(run(port(body, Tout=dtypes), where), wrapped(body, "numpy_function", dtypes), where=where)


CAST = [
    (
        lambda x: (len(x), len(x) / 2, x.shape[0] > 2, [len(x), 2]),
        [tf.float32, tf.float64, tf.int64, tf.uint8],
    ),
    (lambda x: (x.numpy() * 2.5, x.numpy()[1], np.float64(1.5)), [tf.uint8, tf.int64, tf.float32]),
    (
        lambda x: (x, x.numpy().astype(np.int64), [x.numpy(), x.numpy() + 1]),
        [tf.float32, tf.bool, tf.float64],
    ),
    (lambda x: x.numpy().sum(dtype=np.float64), tf.float32),
    (lambda x: [x.numpy().astype(np.float64)], [tf.float32]),
]  # fmt: skip


@pytest.mark.parametrize("where", SIZES)
def test_a_py_function_casts_to_its_dtypes(where):
    for body, dtypes in CAST:
        found = run(port(body, wrapper="py_function", Tout=dtypes), where)
        agrees(found, wrapped(body, "py_function", dtypes), where=where)


@pytest.mark.parametrize(
    ("body", "dtypes"),
    [
        (lambda x: x * 2, tf.float64),  # a tensor
        (lambda x: x.shape[0] / 2, tf.int32),
        (lambda x: [len(x), 2.5], [tf.int32, tf.int32]),
        (lambda x: len(x) + 1, tf.bool),
    ],
)
def test_what_a_py_function_does_not_cast(body, dtypes):
    with pytest.raises(tf.errors.OpError):
        wrapped(body, "py_function", dtypes)
    for where in SIZES:
        with pytest.raises(WrongType, match="Tout"):
            run(port(body, wrapper="py_function", Tout=dtypes), where)


def test_other_numbers_of_results_are_refused():
    for wrapper in ("numpy_function", "py_function"):
        with pytest.raises(WrongType, match="3 dtypes; allowed: 2, as results"):
            port(NUMBERS[0], wrapper=wrapper, Tout=[tf.int64, tf.float64, tf.float32])(X)


def test_an_example_is_compared_after_the_cast():
    body, dtypes = CAST[1]
    assert port(body, wrapper="py_function", Tout=dtypes, example=X)(X)[0].dtype == tf.uint8
