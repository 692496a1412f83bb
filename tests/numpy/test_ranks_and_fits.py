"""Quantiles without NaN, fits, powers and repetitions: what contracts do not draw."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as mirror
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

pytestmark = pytest.mark.both

RANDOM = np.random.default_rng(0)
GAPS = RANDOM.normal(size=(5, 7, 4))
GAPS[RANDOM.uniform(size=GAPS.shape) < 0.4] = np.nan
GAPS[2] = np.nan


def same(found: Any, expected: Any, rtol: float = 1e-9) -> None:
    expected = np.asarray(expected)
    assert found.dtype.as_numpy_dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)


@pytest.mark.filterwarnings("ignore:All-NaN slice:RuntimeWarning")
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_rows_of_several_numbers(axis: Any, keepdims: bool) -> None:
    options = {"axis": axis, "keepdims": keepdims}
    calls = (("nanmedian", ()), ("nanpercentile", (30,)), ("nanpercentile", ([10, 50.5, 100],)))
    for name, arguments in calls:
        expected = getattr(np, name)(GAPS, *arguments, **options)
        native = getattr(mirror, name)
        same(native(GAPS, *arguments, **options), expected)
        traced = tf.function(
            lambda x, native=native, arguments=arguments: native(x, *arguments, **options),
            input_signature=[tf.TensorSpec([None] * 3, tf.float64)],
        )
        same(traced(GAPS), expected)


@pytest.mark.filterwarnings("ignore:All-NaN slice:RuntimeWarning")
@pytest.mark.parametrize("method", ["lower", "midpoint", "nearest", "hazen", "weibull", "inverted_cdf"])
def test_methods_by_row(method: str) -> None:
    found = mirror.nanpercentile(GAPS, [0, 25, 60, 100], axis=1, method=method)
    same(found, np.nanpercentile(GAPS, [0, 25, 60, 100], axis=1, method=method))


def test_infinities_are_numbers() -> None:
    x = np.array([[np.inf, np.nan, -np.inf, 1.0], [np.inf, np.inf, np.nan, np.nan]])
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(mirror.nanmedian(x, 1), np.nanmedian(x, 1))


def test_kron_of_other_ranks() -> None:
    for first, second in (((2, 3), (3, 1, 2)), ((), (2, 2)), ((4,), (3,))):
        a, b = RANDOM.integers(0, 9, first), RANDOM.normal(size=second)
        same(mirror.kron(a, b), np.kron(a, b))
    same(mirror.kron([True, False], [True, True]), np.kron([True, False], [True, True]))
    unknown = tf.function(mirror.kron, input_signature=[tf.TensorSpec([None, 2], tf.float64)] * 2)
    a = RANDOM.normal(size=(3, 2))
    same(unknown(a, a), np.kron(a, a))


@pytest.mark.parametrize("power", [-2, -1, 0, 1, 2, 3, 10])
def test_powers_of_stacks(power: int) -> None:
    a = RANDOM.normal(size=(2, 3, 3))
    same(mirror.linalg.matrix_power(a, power), np.linalg.matrix_power(a, power))
    whole = np.array([[1, 2], [3, 5]])
    same(mirror.linalg.matrix_power(whole, power), np.linalg.matrix_power(whole, power))


def test_signs_and_logarithms() -> None:
    a = RANDOM.normal(size=(6, 5, 5))
    a[0, 1] = a[0, 2]
    a[0] = np.round(a[0])
    found, expected = mirror.linalg.slogdet(a[1:]), np.linalg.slogdet(a[1:])
    same(found.sign, expected[0])
    same(found.logabsdet, expected[1])
    sign, logarithm = mirror.linalg.slogdet([[1, 1], [1, 1]])
    assert (float(sign), float(logarithm)) == (0.0, -np.inf)


def test_fits_of_several_sets() -> None:
    x = np.linspace(-1, 2, 30)
    y = np.stack([x**3 - x, 2 - x], 1) + RANDOM.normal(size=(30, 2)) * 0.01
    same(mirror.polyfit(x, y, 3), np.polyfit(x, y, 3))
    unknown = tf.function(
        lambda x, y: mirror.polyfit(x, y, 2), input_signature=[tf.TensorSpec([None], tf.float64)] * 2
    )
    unknown_weights = tf.function(
        lambda x, y, w: mirror.polyfit(x, y, 2, w=w),
        input_signature=[tf.TensorSpec([None], tf.float64)] * 3,
    )
    same(unknown(x, y[:, 0]), np.polyfit(x, y[:, 0], 2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="another number of elements"):
        unknown(x, y[1:, 0])
    for w in (np.arange(30), np.sqrt(np.abs(x)).tolist(), x < 1):
        right = np.polyfit(x, y, 2, w=w)
        same(mirror.polyfit(x, y, 2, w=w), right)
        same(unknown_weights(x, y[:, 1], np.float64(w)), right[:, 1])
        same(pipeport.port(lambda x, y: np.polyfit(x, y, 2, w=w)[0], example=(x, y))(x, y), right[0])  # noqa: B023
    with pytest.raises(tf.errors.InvalidArgumentError, match="w, y"):
        unknown_weights(x, y[:, 0], x[1:])
    narrow = x.astype(np.float32)
    same(mirror.polyfit(narrow, narrow, 1), np.polyfit(narrow, narrow, 1), 1e-6)
    same(mirror.polyfit(narrow, narrow**2, 1, w=x), np.polyfit(narrow, narrow**2, 1, w=x))


def test_transforms_along_several_axes() -> None:
    x = RANDOM.normal(size=(3, 4, 5))
    for options in ({}, {"axes": (0, 2)}, {"s": (4, 6), "axes": (1, 0)}, {"norm": "ortho"}):
        same(mirror.fft.fftn(x, **options), np.fft.fftn(x, **options))
        same(mirror.fft.ifftn(x, **options), np.fft.ifftn(x, **options))
    batched = pipeport.batched(mirror.fft.fftn)(x, axes=(0,))
    same(batched, np.stack([np.fft.fftn(one, axes=(0,)) for one in x]))


def test_resize_of_unknown_sizes() -> None:
    unknown = tf.function(
        lambda x: mirror.resize(x, (2, 3)), input_signature=[tf.TensorSpec([None], tf.int64)]
    )
    for count in (0, 1, 4, 9):
        same(unknown(np.arange(count)), np.resize(np.arange(count), (2, 3)))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: mirror.nanpercentile([True], 5), WrongType, ("a", "bool")),
        (lambda: mirror.nanpercentile([1.0], 101), OutsideDomain, ("q", "0 to 100")),
        (lambda: mirror.nanpercentile([1.0], 5, method="best"), OutsideDomain, ("method", "'best'")),
        (lambda: mirror.nanmedian(np.zeros((0, 2))), OutsideDomain, ("no element",)),
        (lambda: mirror.linalg.matrix_power(np.ones((2, 3)), 2), OutsideDomain, ("a", "square")),
        (lambda: mirror.linalg.matrix_power(np.eye(2), 0.5), WrongType, ("n", "0.5")),
        (lambda: mirror.resize([1], -1), OutsideDomain, ("new_shape", "-1")),
        (lambda: mirror.polyfit([1.0], [1.0], -1), OutsideDomain, ("deg", "0 or more")),
        (lambda: mirror.polyfit([1.0], [1.0, 2.0], 0), OutsideDomain, ("x, y", "1 and 2")),
        (lambda: mirror.polyfit([1.0], [1.0], 0, w=[1.0, 2.0]), OutsideDomain, ("w, y", "2 and 1")),
        (lambda: mirror.polyfit([1.0], [1.0], 0, w=[[1.0]]), OutsideDomain, ("w", "rank 2")),
        (lambda: mirror.polyfit([1.0], [1.0], 0, cov=True), UnsupportedArgument, ("cov",)),
        (lambda: mirror.fft.fftn(np.ones((2, 2)), (2,), (0, 1)), OutsideDomain, ("s", "one size per axis")),
    ],
)
def test_mistakes(call: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert all(word in str(raised.value) for word in words), raised.value
