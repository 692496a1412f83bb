"""Seldom used functions of NumPy beside NaN: what examples drawn at random hardly meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as native
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType

NAN = float("nan")
X = np.array([[1.0, NAN, 3.0, -2.0], [NAN, NAN, NAN, NAN], [0.0, -0.0, np.inf, 4.0]])


@pytest.mark.filterwarnings("ignore:Degrees of freedom:RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_what_passes_over_nan(dtype: Any) -> None:
    x = X.astype(dtype)
    options: list[dict[str, int]] = [{"axis": 1}, {"axis": 0, "ddof": 1}, {"axis": 0, "ddof": 2}]
    for name, more in (("nansum", {"axis": 1}), *(("nanstd", one) for one in options)):
        with np.errstate(all="ignore"):
            found, right = (getattr(side, name)(x, **more) for side in (native, np))
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=4 * np.finfo(dtype).eps)
    for name in ("fmin", "fmax"):
        for one, other in ((x, x.T[:3, :3].copy()), (x, dtype(1)), (dtype(NAN), x)):
            one = one[:, :3] if np.ndim(one) else one
            other = other[:, :3] if np.ndim(other) else other
            np.testing.assert_array_equal(getattr(native, name)(one, other), getattr(np, name)(one, other))


def test_arctanh_keeps_its_accuracy_where_it_is_compiled() -> None:
    x = np.concatenate([np.linspace(-0.999, 0.999, 999), np.logspace(-300, -1, 99), [1.0, -1.0, 1.5, -0.0]])
    with np.errstate(all="ignore"):
        right = np.arctanh(x)
    found = tf.function(native.arctanh, jit_compile=True)(tf.constant(x))
    np.testing.assert_allclose(found, right, rtol=4 * np.finfo(np.float64).eps)
    assert np.signbit(found[-1])


@pytest.mark.parametrize("n", [None, 1, 2, 5, 6, 9])
def test_irfft_of_complex_numbers_on_either_axis(n: int | None) -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=(3, 4)) + 1j * random.normal(size=(3, 4))
    for axis in (0, -1):
        for norm in (None, "ortho", "forward"):
            found = native.fft.irfft(x, n, axis, norm)
            np.testing.assert_allclose(found, np.fft.irfft(x, n, axis, norm), rtol=0, atol=1e-13)
    sizes = [tf.TensorSpec([None, None], tf.complex128)]
    graph = tf.function(lambda x: native.fft.irfft(x, n), input_signature=sizes)
    np.testing.assert_allclose(graph(x), np.fft.irfft(x, n), rtol=0, atol=1e-13)
    assert graph.get_concrete_function().output_shapes == [None, n]


def test_places_of_scalars_and_of_nothing() -> None:
    for value in (5.0, 0.0, NAN, np.zeros([0, 2])):
        for name in ("argwhere", "flatnonzero"):
            found = getattr(native, name)(value)
            right = getattr(np, name)(value)
            assert found.dtype == tf.int64
            assert found.shape == right.shape
            np.testing.assert_array_equal(found, right)


def test_bad_input() -> None:
    with pytest.raises(OutsideDomain, match="no element of the result"):
        native.fft.irfft([1.0])
    empty = tf.function(native.fft.irfft, input_signature=[tf.TensorSpec([None])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="no element of the result"):
        empty([1.0])
    with pytest.raises(OutsideDomain, match="norm: got 'full'"):
        native.fft.irfft([1.0, 2.0], norm="full")
    with pytest.raises(BadAxis):
        native.nansum([1.0], axis=1)
    with pytest.raises(OutsideDomain, match="a: got complex128"):
        native.nanstd([1j])
    with pytest.raises(WrongType, match="ddof"):
        native.nanstd([1.0], ddof="one")
    with pytest.raises(WrongType, match="where"):
        native.nansum([1.0], where=[1])
    unknown = tf.function(native.argwhere, input_signature=[tf.TensorSpec(None)])
    with pytest.raises(UnsupportedArgument, match="rank"):
        unknown([1.0])


@pytest.mark.parametrize("name", ["left_shift", "right_shift", "bitwise_left_shift", "bitwise_right_shift"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_bits_are_shifted_beyond_the_width_too(name: str, dtype: str) -> None:
    about = np.iinfo(dtype)
    x = np.array([about.min, about.max, 0, 1, about.max // 3], dtype)[:, None]
    width = about.bits
    shifts = np.array([0, 1, width - 1, width, width + 1, 100], dtype)
    with np.errstate(all="ignore"):
        right = getattr(np, name.removeprefix("bitwise_"))(x, shifts)
    for how in (getattr(native, name), tf.function(getattr(native, name), jit_compile=True)):
        found = how(tf.constant(x), tf.constant(shifts))
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
    found = getattr(native, name)(x, 3)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, getattr(np, name.removeprefix("bitwise_"))(x, np.array(3, dtype)))


@pytest.mark.parametrize("name", ["invert", "bitwise_not", "bitwise_invert"])
def test_bits_are_turned_over(name: str) -> None:
    for x in (np.array([True, False]), np.array([0, 5, 255], np.uint8), np.array([-1, 0, 7], np.int64)):
        found = getattr(native, name)(x)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, ~x)


@pytest.mark.parametrize(
    "call",
    [
        lambda: native.invert(1.5),
        lambda: native.left_shift([1.0], 1),
        lambda: native.right_shift([1], 0.5),
    ],
)
def test_floats_have_no_bits(call: Any) -> None:
    with pytest.raises(WrongType, match="bool or integers"):
        call()
