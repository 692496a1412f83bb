"""take_along_axis, percentiles by other methods, differences of joined arrays, frequencies."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as natives
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType

RANDOM = np.random.default_rng(42)
X = RANDOM.random((3, 4, 5)).astype(np.float32)


@pytest.mark.parametrize("axis", [-1, 0, 1, 2])
def test_lines_are_sorted_by_their_own_indices(axis):
    @tf.function(input_signature=[tf.TensorSpec([None, None, None])])
    def ordered(x):
        return natives.take_along_axis(x, natives.argsort(x, axis=axis), axis=axis)

    assert np.array_equal(ordered(X), np.sort(X, axis=axis))


def test_indices_broadcast_and_count_from_the_end():
    index = np.array([[[-1, 0]]])
    right = np.take_along_axis(X, index, -1)
    assert np.array_equal(natives.take_along_axis(X, index), right)
    batch = pipeport.batched(natives.take_along_axis)
    assert np.array_equal(batch(X, index[0]), right)
    flat = np.array([0, -1, 7])
    assert np.array_equal(natives.take_along_axis(X, flat, None), np.take_along_axis(X, flat, None))


def test_indices_that_do_not_fit_are_refused():
    with pytest.raises(BadIndex):
        natives.take_along_axis(X, np.array([[[5]]]))
    with pytest.raises(OutsideDomain, match="rank 1"):
        natives.take_along_axis(X, np.array([0]))
    with pytest.raises(WrongType, match="whole numbers"):
        natives.take_along_axis(X, np.array([[[0.0]]]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(natives.take_along_axis)(X, tf.constant([[[5]]]))


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_quantiles_by_every_method(method, dtype):
    x = (X * 200).astype(dtype)
    for q in ([0.0, 0.125, 0.5, 0.61, 1.0], 0.375):
        native = tf.function(lambda x, q=q: natives.quantile(x, q, method=method))(x)
        right = np.quantile(x, q, method=method)
        np.testing.assert_allclose(native, right, rtol=1e-6)
        if dtype != "float32":  # before NumPy 2 some results were wider
            assert native.dtype == right.dtype


def test_other_methods_are_refused():
    with pytest.raises(UnsupportedArgument, match="'midpoint'"):
        natives.percentile(X, 50, method="hazen")


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_differences_begin_and_end_with_what_is_put_beside(dtype, axis):
    x = (X * 200).astype(dtype)
    beside = {"prepend": x, "append": np.take(x, [0, 1], axis)}
    for options in ({"prepend": 0}, {"append": 1.5}, beside):
        native = tf.function(lambda x, o=options: natives.diff(x, axis=axis, **o))(x)
        right = np.diff(x, axis=axis, **options)
        assert np.array_equal(native, right)
        assert native.dtype == right.dtype
    with pytest.raises(OutsideDomain, match="prepend"):
        natives.diff(x, prepend=[1, 2])


def test_frequencies_of_real_transforms():
    for n in (1, 4, 5):
        assert np.array_equal(natives.fft.rfftfreq(n, 0.1), np.fft.rfftfreq(n, 0.1))
