"""What the domains of reductions, order and rounding cannot draw: refusals, Python numbers, odd arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.numpy import _average, _ordering, _quantiles, _reductions, _rounded, _running

pytestmark = pytest.mark.both

BYTES = np.arange(12, dtype=np.uint8).reshape(3, 4)
MODERN = np.lib.NumpyVersion(np.__version__) >= "2.1.0"


def equal(found: Any, expected: Any) -> None:
    found = np.asarray(found)
    assert found.dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(found, expected)


def test_python_integers_take_the_dtype_of_the_array_or_bound_nothing() -> None:
    equal(_rounded.clip(BYTES, -5, 300), BYTES)
    equal(_rounded.clip(BYTES, None, None), BYTES)
    equal(_rounded.clip(BYTES, min=3), np.clip(BYTES, np.uint8(3), None))
    equal(_rounded.clip(BYTES, 0.5, 3), np.clip(BYTES.astype(np.float64), 0.5, 3))
    equal(_rounded.clip(5, 0, 3), np.int64(3))
    with pytest.raises(OutsideDomain, match="300"):
        _rounded.clip(BYTES, 300, None)


def test_bounds_of_a_clip_may_be_arrays_and_nan_comes_of_nan() -> None:
    low = np.float32([0, np.nan, 2, 3])
    equal(_rounded.clip(BYTES, low, None), np.clip(BYTES, low, None))


def test_bounds_have_one_name() -> None:
    with pytest.raises(WrongType, match="a_max"):
        _rounded.clip(BYTES, 1)
    with pytest.raises(OutsideDomain, match="min, max"):
        _rounded.clip(BYTES, 1, 2, min=0)
    with pytest.raises(UnsupportedArgument, match="kwargs"):
        _rounded.clip(BYTES, 1, 2, casting="unsafe")


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: _reductions.std(BYTES, mean=5.0), "mean"),
        (lambda: _reductions.std(BYTES, correction=1), "correction"),
        (lambda: _ordering.sort(BYTES, order="f"), "order"),
        (lambda: _ordering.sort(BYTES, kind="bubble"), "kind"),
        (lambda: _ordering.unique(BYTES, sorted=False), "sorted"),
        (lambda: _quantiles.median(BYTES, overwrite_input=True), "overwrite_input"),
        (lambda: _rounded.nan_to_num(BYTES, copy=False), "copy"),
    ],
)
def test_what_is_not_served_is_refused(call: Any, parameter: str) -> None:
    with pytest.raises(UnsupportedArgument, match=parameter):
        call()


def test_lists_and_numbers_are_reduced() -> None:
    equal(_reductions.sum([1, 2.5]), np.float64(3.5))
    equal(_reductions.max(3), np.int64(3))
    equal(_reductions.nanmean([np.nan, 1.0], keepdims=True), np.array([1.0]))
    equal(_reductions.nanmax(np.float32([[np.nan] * 2, [1, 2]]), axis=1), np.float32([np.nan, 2]))


def test_the_same_object_answers_to_both_names() -> None:
    assert _reductions.amin is _reductions.min
    assert _reductions.amax is _reductions.max
    assert _rounded.around is _rounded.round


def test_one_value_is_unique_and_an_inverse_has_the_shape_of_the_array() -> None:
    equal(_ordering.unique(np.full((2, 3), 7)), np.array([7]))
    nans = np.array([np.nan, 1.0, np.nan])
    equal(_ordering.unique(nans), np.array([1.0, np.nan]))
    equal(_ordering.unique(nans, equal_nan=False), np.array([1.0, np.nan, np.nan]))
    values, inverse, counts = _ordering.unique(BYTES % 5, return_inverse=True, return_counts=True)
    equal(tf.gather(values, inverse), BYTES % 5)
    equal(counts, np.array([3, 3, 2, 2, 2]))


@pytest.mark.parametrize("dtype", ["float16", "float32", "uint8"])
def test_a_weak_fraction_keeps_narrow_floats_and_a_strong_one_does_not(dtype: str) -> None:
    a = BYTES.astype(dtype)
    narrow = np.float64 if dtype == "uint8" else np.dtype(dtype)
    assert _quantiles.percentile(a, 50).numpy().dtype == narrow
    assert _quantiles.percentile(a, [50.0]).numpy().dtype == np.float64
    assert _quantiles.percentile(a, np.float64(50)).numpy().dtype == np.float64
    if MODERN:
        for q in (30, [10, 30.0], np.float64(30)):
            equal(_quantiles.percentile(a, q, axis=1), np.percentile(a, q, axis=1))


def test_whole_fractions_take_elements() -> None:
    equal(_quantiles.quantile(BYTES, 1), np.uint8(11))
    equal(_quantiles.quantile(BYTES, [0, 1], axis=0), np.quantile(BYTES, [0, 1], axis=0))


def test_a_fraction_may_be_a_tensor() -> None:
    traced = tf.function(lambda q: _quantiles.percentile(BYTES, q, axis=0))
    found = traced(tf.constant([10.0, 75.0], tf.float64))
    np.testing.assert_allclose(found, np.percentile(BYTES, [10.0, 75.0], axis=0), rtol=1e-12)
    with pytest.raises(tf.errors.InvalidArgumentError, match="0 to 100"):
        traced(tf.constant([10.0, 101.0], tf.float64))
    for q in (-1, 101.0, [50, np.nan]):
        with pytest.raises(OutsideDomain, match="0 to 100"):
            _quantiles.percentile(BYTES, q)


def test_quantiles_of_bool_are_refused_as_in_numpy() -> None:
    with pytest.raises(WrongType, match="bool"):
        _quantiles.quantile(BYTES > 2, 0.5)
    with pytest.raises(OutsideDomain, match="no element"):
        _quantiles.median(np.zeros([0]))


def test_weights_along_one_axis() -> None:
    weights = np.array([1.0, 2.0, 5.0])
    equal(_average.average(BYTES, 0, weights), np.average(BYTES, 0, weights))
    found, total = _average.average(BYTES, 0, weights, returned=True)
    equal(total, np.average(BYTES, 0, weights, returned=True)[1])
    assert found.shape == total.shape
    with pytest.raises(WrongType, match="axis"):
        _average.average(BYTES, weights=weights)
    with pytest.raises(OutsideDomain, match="weights"):
        _average.average(BYTES, 1, weights)
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        _average.average(BYTES, 0, np.array([1.0, -1.0, 0.0]))


def test_replacements_fit_the_dtype() -> None:
    x = np.float16([np.nan, np.inf, -np.inf, 2])
    equal(_rounded.nan_to_num(x), np.nan_to_num(x))
    equal(_rounded.nan_to_num(x, nan=1e9, posinf=3), np.float16([np.inf, 3, np.finfo(np.float16).min, 2]))


def test_diff_refuses_what_numpy_refuses() -> None:
    for a, n, said in ((BYTES, -1, "non-negative"), (np.float32(3), 1, "at least one")):
        with pytest.raises(OutsideDomain):
            _running.diff(a, n)
        with pytest.raises(ValueError, match=said):
            np.diff(a, n)
