"""Fourier transforms: dtypes, axes, sizes and errors that are not drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as mirror
from pipeport.errors import UnsupportedArgument, WrongType

RANDOM = np.random.default_rng(0)
MODERN = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
XLA_IS_EXACT = not tf.__version__.startswith("2.15.")
NAMES = ["fft", "ifft", "rfft", "fft2", "ifft2"]


def same(found: Any, expected: Any, rtol: float = 1e-9) -> None:
    expected = np.asarray(expected)
    assert found.dtype.as_numpy_dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_transforms_of_every_dtype(name: str, dtype: str) -> None:
    x = (RANDOM.random((4, 3, 5)) * 9).astype(dtype)
    x = x * x.dtype.type(1 - 2j) if dtype.startswith("complex") else x
    function, reference = getattr(mirror.fft, name), getattr(np.fft, name)
    if name == "rfft" and dtype.startswith("complex"):
        with pytest.raises(WrongType, match="real numbers"):
            function(x)
        return
    for options in ({"axes": (0, 1), "s": (3, 6)}, {}) if name.endswith("2") else ({"n": 6, "axis": 0}, {}):
        expected = np.asarray(reference(x, **options))
        if not MODERN and dtype in ("float16", "float32", "complex64"):
            expected = expected.astype("complex64")
        # NumPy divides float16 by a number of that dtype.
        bound = 1e-2 if dtype == "float16" else 1e-5
        same(function(x, **options), expected, bound)
        same(tf.function(function, jit_compile=True)(x, **options), expected, bound)


@pytest.mark.parametrize("name", NAMES)
def test_transforms_of_unknown_sizes(name: str) -> None:
    spec = [tf.TensorSpec([None, None], tf.float64)]
    traced = tf.function(getattr(mirror.fft, name), input_signature=spec)
    x = RANDOM.random((3, 5))
    same(traced(x), getattr(np.fft, name)(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no element"):
        traced(x[:, :0])
    if not name.endswith("2"):
        cut = tf.function(lambda x: getattr(mirror.fft, name)(x, 4, 0, "ortho"), input_signature=spec)
        same(cut(x), getattr(np.fft, name)(x, 4, 0, "ortho"))


def test_transforms_refuse_what_numpy_refuses() -> None:
    x = np.ones((2, 3))
    for call in (
        lambda m: m.fft.fft(x, 0), lambda m: m.fft.fft(x, norm="both"), lambda m: m.fft.fft2(x, (2,)),
        lambda m: m.fft.fft(x[:, :0]), lambda m: m.fft.fft(x, axis=2),
    ):  # fmt: skip
        for module in (np, mirror):
            with pytest.raises((ValueError, IndexError)):
                call(module)


@pytest.mark.parametrize("name", NAMES)
def test_transforms_of_no_signal_and_of_one_element(name: str) -> None:
    function, reference = getattr(mirror.fft, name), getattr(np.fft, name)
    for x in (np.zeros((0, 3, 2)), np.full((1, 1), 2.5), np.full((2, 1, 1), -1, np.int16)):
        for engine in (function, tf.function(function), tf.function(function, jit_compile=True)):
            same(engine(x), reference(x))


@pytest.mark.parametrize("name", NAMES)
def test_nan_and_infinities_spread_as_in_numpy(name: str) -> None:
    for special in (np.nan, np.inf):
        x = np.ones((2, 4))
        x[0, 1] = special
        found, expected = getattr(mirror.fft, name)(x).numpy(), getattr(np.fft, name)(x)
        np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))


@pytest.mark.parametrize("length", [7, 9, 64, 100, 257, 1000, 1024])
@pytest.mark.parametrize("name", NAMES)
def test_long_transforms(name: str, length: int) -> None:
    x = RANDOM.normal(size=(3, length))
    expected = getattr(np.fft, name)(x)
    most = np.abs(expected).max()
    same(getattr(mirror.fft, name)(x) / most, expected / most, 2e-15)
    compiled = tf.function(getattr(mirror.fft, name), jit_compile=True)
    same(compiled(x) / most, expected / most, 2e-15 if XLA_IS_EXACT else 1e-12)


def test_a_size_that_is_left_as_it_is() -> None:
    x = RANDOM.normal(size=(3, 5))
    expected = np.fft.fft2(x, (4, 5))
    same(mirror.fft.fft2(x, (4, -1)), expected)
    if MODERN:  # NumPy 1 knows no -1
        same(mirror.fft.fft2(x, (4, -1)), np.fft.fft2(x, (4, -1)))


def test_what_is_not_served() -> None:
    x = np.ones((2, 3))
    with pytest.raises(UnsupportedArgument, match="out"):
        mirror.fft.fft(x, out=np.empty((2, 3), complex))
    traced = tf.function(lambda n: mirror.fft.fft(x, n), input_signature=[tf.TensorSpec([], tf.int32)])
    with pytest.raises(UnsupportedArgument, match="n: got"):
        traced(2)
    any_rank = tf.function(mirror.fft.fft, input_signature=[tf.TensorSpec(None, tf.float64)])
    with pytest.raises(UnsupportedArgument, match="rank"):
        any_rank(x)
    with pytest.raises(WrongType, match="axes"):
        mirror.fft.fft2(x, axes=None)
