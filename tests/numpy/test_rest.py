"""Indices along an axis, choices, bits, windows, products, differences, quantiles by every method."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as natives
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.numpy.lib.stride_tricks import sliding_window_view
from pipeport.numpy.linalg import multi_dot

MODERN = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
RANDOM = np.random.default_rng(42)
X = RANDOM.random((3, 4, 5)).astype(np.float32)
BYTES = RANDOM.integers(0, 256, (4, 5), np.uint8)


def in_every_way(function, *arrays):
    """Return the results eagerly, in graphs with and without sizes, and compiled."""
    spec = [tf.TensorSpec(x.shape, x.dtype) for x in arrays]
    unknown = [tf.TensorSpec([None] * x.ndim, x.dtype) for x in arrays]
    yield function(*arrays)
    yield tf.function(function, input_signature=unknown)(*arrays)
    yield tf.function(function, input_signature=spec, jit_compile=True)(*arrays)
    traced = tf.function(function, input_signature=spec)
    found = traced(*arrays)
    for one, known in zip(
        tf.nest.flatten(found),
        tf.nest.flatten(traced.get_concrete_function().structured_outputs),
        strict=True,
    ):
        assert known.shape == one.shape
    yield found


def equal(found, right):
    found = np.asarray(found)
    assert (found.dtype, found.shape) == (np.asarray(right).dtype, np.shape(right))
    np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("axis", [-1, 0, 1, 2])
def test_lines_are_sorted_by_their_own_indices(axis):
    for found in in_every_way(
        lambda x: natives.take_along_axis(x, natives.argsort(x, axis=axis), axis=axis), X
    ):
        equal(found, np.sort(X, axis=axis))


def test_indices_broadcast_and_count_from_the_end():
    index = np.array([[[-1, 0]]])
    right = np.take_along_axis(X, index, -1)
    for found in in_every_way(lambda x, i: natives.take_along_axis(x, i, -1), X, index):
        equal(found, right)
    equal(pipeport.batched(natives.take_along_axis)(X, index[0]), right)
    flat = np.array([0, -1, 7])
    equal(natives.take_along_axis(X, flat, None), np.take_along_axis(X, flat, None))


def test_indices_that_do_not_fit_are_refused():
    with pytest.raises(BadIndex):
        natives.take_along_axis(X, np.array([[[5]]]))
    with pytest.raises(OutsideDomain, match="rank 1"):
        natives.take_along_axis(X, np.array([0]))
    with pytest.raises(OutsideDomain, match="broadcast"):
        natives.take_along_axis(X, np.zeros((2, 1, 1), int))
    with pytest.raises(BadIndex, match="whole numbers"):
        natives.take_along_axis(X, np.array([[[0.0]]]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(natives.take_along_axis)(X, tf.constant([[[5]]]))


def test_the_first_condition_that_holds_chooses():
    for default in (0, 2.5, np.float32(1)):
        for found in in_every_way(lambda x, d=default: natives.select([x > 0.7, x > 0.3], [x * 2, -1], d), X):
            right = np.select([X > 0.7, X > 0.3], [X * 2, np.float32(-1)], np.float32(default))
            equal(found, right)
    row = X[0, 0]
    for found in in_every_way(lambda x, y: natives.select([x > 0.5, y > 0.5], [x, y], 0), X, row):
        equal(found, np.select([X > 0.5, row > 0.5], [X, row], 0))


def test_choices_that_do_not_fit_are_refused():
    with pytest.raises(OutsideDomain, match="choicelist"):
        natives.select([X > 0], [X, X])
    with pytest.raises(OutsideDomain, match="choicelist"):
        natives.select([], [])
    with pytest.raises(WrongType, match="bool"):
        natives.select([X], [X])
    with pytest.raises(OutsideDomain, match="broadcast"):
        natives.select([X > 0], [X[:2]])


def test_places_of_bool_are_those_that_are_true():
    rows, columns = np.array([2, 0]), np.array([True, False, True, False, True])
    right = X[0][np.ix_(rows, columns)]
    for found in in_every_way(lambda x, r: natives.array(x)[natives.ix_(r, columns)]._values, X[0], rows):
        equal(found, right)
    equal(tf.function(lambda c: natives.ix_([0, 1], c)[1])(columns), np.ix_([0, 1], columns)[1])
    assert natives.ix_([], [1])[0].dtype == tf.int64
    with pytest.raises(OutsideDomain, match="rank 2"):
        natives.ix_(np.zeros((2, 2), int))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("bitorder", ["big", "little"])
def test_bits_are_taken_apart(axis, bitorder):
    for count in (None, 11, 40, -3, 0):
        for found in in_every_way(lambda x, c=count: natives.unpackbits(x, axis, c, bitorder), BYTES):
            equal(found, np.unpackbits(BYTES, axis, count, bitorder))
        if count is not None:
            drawn = tf.function(lambda x, count: natives.unpackbits(x, axis, count, bitorder))
            equal(drawn(BYTES, tf.constant(count)), np.unpackbits(BYTES, axis, count, bitorder))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no more than there are bits"):
        drawn(BYTES, tf.constant(-1000))
    with pytest.raises(WrongType, match="count"):
        drawn(BYTES, tf.constant(1.0))
    with pytest.raises(OutsideDomain, match="count"):
        natives.unpackbits(BYTES, axis, -1000)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(
            lambda x: natives.unpackbits(x, 0, -1000), input_signature=[tf.TensorSpec([None, 5], tf.uint8)]
        )(BYTES)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("bitorder", ["big", "little"])
def test_bits_are_put_together(axis, bitorder):
    for bits in (BYTES % 2, BYTES > 99, RANDOM.integers(-1, 2, (17, 24)), np.zeros((0, 3), bool)):
        for found in in_every_way(lambda x: natives.packbits(x, axis, bitorder), bits):
            equal(found, np.packbits(bits, axis, bitorder))
    every = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder=bitorder)
    equal(natives.packbits(every, bitorder=bitorder), np.arange(256, dtype=np.uint8))


def test_what_holds_no_bits_is_refused():
    with pytest.raises(WrongType, match="float32"):
        natives.packbits(X)
    with pytest.raises(OutsideDomain, match="bitorder"):
        natives.packbits(BYTES, bitorder="middle")


@pytest.mark.parametrize(
    ("window", "axis"),
    [
        (2, 0), (3, -1), ((2, 3), (1, 2)), ((3, 2), (2, 1)), ((2, 2), (1, 1)), ((1, 2, 2), None),
        ((2, 1, 2), (2, 0, 2)), (0, 1),
    ],
)  # fmt: skip
def test_windows_along_axes_in_any_order(window, axis):
    right = np.lib.stride_tricks.sliding_window_view(X, window, axis)
    for found in in_every_way(lambda x: sliding_window_view(x, window, axis), X):
        equal(found, right)


def test_windows_that_do_not_fit_are_refused():
    for window, axis in ((6, -1), (-1, 0), (2, None), ((2, 2), 0)):
        with pytest.raises(OutsideDomain, match="window_shape"):
            sliding_window_view(X, window, axis)
    with pytest.raises(UnsupportedArgument, match="writeable"):
        sliding_window_view(X, 2, 0, writeable=True)
    unknown = tf.function(lambda x: sliding_window_view(x, 6), input_signature=[tf.TensorSpec([None])])
    with pytest.raises(tf.errors.InvalidArgumentError):
        unknown(X[0, 0])


def test_matrices_are_multiplied_in_the_order_of_the_reference():
    sizes = (2, 7, 3, 5, 1, 4)
    arrays = [RANDOM.normal(size=pair) for pair in itertools.pairwise(sizes)]
    for number in range(2, 6):
        right = np.linalg.multi_dot(arrays[:number])
        for found in in_every_way(lambda *one: multi_dot(one), *arrays[:number]):
            np.testing.assert_allclose(found, right, rtol=1e-12)
    # Bytes wrap around where they meet first.
    odd = [BYTES[:, :4], BYTES[:4, :4], X[0, :, :2]]
    np.testing.assert_allclose(multi_dot(odd), np.linalg.multi_dot(odd), rtol=1e-5)
    vectors = [arrays[0][0], arrays[1], arrays[2][:, 0]]
    for ends in (vectors, [*vectors[:2], arrays[2]], [arrays[0], *vectors[1:]]):
        found, right = multi_dot(ends), np.linalg.multi_dot(ends)
        assert found.shape == right.shape
        np.testing.assert_allclose(found, right, rtol=1e-12)
    for wrong in (arrays[:1], [X, *arrays[:2]], [arrays[0], arrays[0], arrays[1]]):
        with pytest.raises(OutsideDomain):
            multi_dot(wrong)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "bool"])
def test_differences_begin_and_end_with_what_stands_beside(dtype, axis):
    x = (X * 200).astype(dtype)
    for n in (1, 2):
        for options in ({"prepend": 0}, {"append": 1.5}, {"prepend": True, "append": np.float32(2)}):
            for found in in_every_way(lambda x, o=options, n=n: natives.diff(x, n, axis, **o), x):
                equal(found, np.diff(x, n, axis, **options))
        for found in in_every_way(
            lambda x, y, n=n: natives.diff(x, n, axis, prepend=y, append=x), x, np.take(x, [0, 1], axis)
        ):
            equal(found, np.diff(x, n, axis, prepend=np.take(x, [0, 1], axis), append=x))
    with pytest.raises(OutsideDomain, match="prepend"):
        natives.diff(x, prepend=[1, 2])


METHODS = (
    "linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf",
    "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
    "normal_unbiased",
)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_quantiles_by_every_method(method, dtype):
    if not MODERN and method == "closest_observation":
        pytest.skip("NumPy 1 takes another element at ties")
    x = (X * 200).astype(dtype)
    fractions = np.array([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.61, 0.9, 1.0])
    arrays = (x, x.reshape(6, 10)[:, :9], x[:, :, :1])

    def every(arrays, *given):
        return [[natives.quantile(one, q, axis=-1, method=method) for q in given] for one in arrays]

    traced = tf.function(lambda arrays, q: every(arrays, fractions, q))(arrays, fractions)
    for rows, *ways in zip(arrays, every(arrays, fractions), traced, strict=True):
        right = np.quantile(rows, fractions, axis=-1, method=method)
        for found in (one for way in ways for one in way):
            np.testing.assert_allclose(found, right, rtol=1e-6)
            if MODERN or dtype != "float32":  # before NumPy 2 some results were wider
                assert found.dtype == right.dtype
    for q in (0, 1, [0, 1]) if MODERN else ():
        found, right = natives.quantile(x, q, method=method), np.quantile(x, q, method=method)
        np.testing.assert_allclose(found, right, rtol=1e-6)
        assert found.dtype == np.asarray(right).dtype


def test_other_methods_are_refused():
    for method in ("middle", None, tf.constant("linear")):
        with pytest.raises(OutsideDomain, match="'hazen'"):
            natives.percentile(X, 50, method=method)


def test_answers_are_bools_of_python_eagerly_and_tensors_in_a_graph():
    assert natives.array_equal(X, X) is True
    assert natives.array_equal(X, X[:2]) is False
    assert natives.allclose(X, X + 1) is False
    for function in (natives.array_equal, natives.allclose):
        traced = tf.function(function).get_concrete_function(tf.TensorSpec([3]), tf.TensorSpec([3]))
        assert traced.structured_outputs.dtype == tf.bool
