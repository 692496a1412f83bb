"""Matrices, signals, parts of complex numbers, and what NumPy says about an array."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as native
from pipeport.arrays import body
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType

IMAGE = np.arange(24, dtype=np.uint8).reshape(4, 6)
PLANE = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
SIGNAL = np.array([0.5, -1.0, 2.0, 0.25, 3.0])


def unknown(function: Any, *arrays: Any) -> Any:
    specs = [tf.TensorSpec([None] * np.ndim(one), np.asarray(one).dtype) for one in arrays]
    return tf.function(function, input_signature=specs, autograph=False)(*arrays)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "uint32", "bool", "complex64"])
def test_signals_of_any_lengths_are_convolved(mode: str, dtype: str) -> None:
    for name in ("convolve", "correlate"):
        function, right = getattr(native, name), getattr(np, name)
        graph = tf.function(
            functools.partial(function, mode=mode), input_signature=[tf.TensorSpec([None], dtype)] * 2
        )
        for first, second in ((5, 3), (3, 5), (4, 4), (1, 6), (2, 7), (70, 200), (300, 130)):
            a, v = (np.arange(1, size + 1).astype(dtype) for size in (first, second))
            if dtype == "complex64":
                a, v = a * np.complex64(1 + 2j), v - np.complex64(3j)
            wanted = right(a, v, mode)
            for found in (function(a, v, mode), graph(a, v)):
                assert found.dtype == wanted.dtype
                np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=2e-6 * np.abs(wanted).max())


@pytest.mark.parametrize("dtype", ["float64", "int32", "uint8", "bool"])
def test_signals_are_convolved_by_a_compiled_program(dtype: str) -> None:
    for first, second in ((2, 7), (300, 130)):
        a, v = (np.arange(1, size + 1).astype(dtype) for size in (first, second))
        for name in ("convolve", "correlate"):
            found = tf.function(getattr(native, name), jit_compile=True, autograph=False)(a, v)
            np.testing.assert_allclose(found, getattr(np, name)(a, v), rtol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("jit_compile", [False, True])
def test_what_is_not_finite_reaches_its_own_sums_alone(bad: float, jit_compile: bool) -> None:
    signal = np.arange(100.0)
    signal[40] = bad
    found = tf.function(lambda a: native.convolve(a, SIGNAL, "same"), jit_compile=jit_compile)(signal)
    np.testing.assert_allclose(found, np.convolve(signal, SIGNAL, "same"), rtol=1e-12)
    kernel = np.array([1.0, bad, 0.0])
    found = tf.function(lambda a: native.correlate(a, kernel, "full"), jit_compile=jit_compile)(SIGNAL)
    np.testing.assert_allclose(found, np.correlate(SIGNAL, kernel, "full"), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_sums_of_integers_are_exact(dtype: str) -> None:
    limits = np.iinfo(dtype)
    a, v = (np.random.default_rng(7).integers(limits.min, limits.max, n, dtype) for n in (500, 300))
    np.testing.assert_array_equal(native.convolve(a, v), np.convolve(a, v))
    np.testing.assert_array_equal(unknown(native.convolve, a, v), np.convolve(a, v))


def test_static_sizes_of_convolutions() -> None:
    for mode, size in (("full", 7), ("same", 5), ("valid", 3)):
        concrete = tf.function(lambda a, mode=mode: native.convolve(a, [1.0, 2.0, 1.0], mode))
        assert concrete.get_concrete_function(tf.TensorSpec([5], tf.float64)).output_shapes == [size]


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman"])
def test_windows_of_a_drawn_length(name: str) -> None:
    window, right = getattr(native, name), getattr(np, name)
    graph = tf.function(window, input_signature=[tf.TensorSpec([], tf.int32)])
    for length in (-2, 0, 1, 2, 7, 256):
        np.testing.assert_array_equal(window(length), right(length))
        np.testing.assert_allclose(graph(length), right(length), rtol=0, atol=4e-16)
    assert tf.function(lambda: window(9)).get_concrete_function().output_shapes == [9]


def test_parts_of_a_transform() -> None:
    turned = np.fft.fft(SIGNAL)
    for name in ("real", "imag", "conj", "conjugate", "angle", "absolute", "abs"):
        for dtype in ("complex64", "complex128"):
            x = turned.astype(dtype)
            for found in (getattr(native, name)(x), unknown(getattr(native, name), x)):
                right = getattr(np, name)(x)
                assert found.dtype == right.dtype
                np.testing.assert_allclose(found, right, rtol=4 * np.finfo(dtype).eps)
    np.testing.assert_allclose(native.angle(turned, deg=True), np.angle(turned, deg=True))
    array = native.array(turned)
    assert isinstance(native.real(array), native.ndarray)
    native.real(array)[0] = 1.0
    assert np.asarray(array[0]).real == 1.0


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_functions_of_complex_numbers(dtype: str) -> None:
    """Phases make numbers of magnitude one: `np.exp(1j * phase)`, as in the mixing of amplitudes."""
    turned = np.fft.fft(SIGNAL).astype(dtype)
    special = np.array([0.0, -0.0, 1.5, -np.inf, np.nan])
    special = (special[:, None] + 1j * np.array([0.0, -0.0, 2.0, -7.0])).astype(dtype)
    infinite = np.array(
        [complex(1, np.inf), complex(np.inf, 0), complex(np.nan, 1), complex(0, -np.nan)], dtype
    )
    for x in (turned / 9, special, 1j * np.angle(turned).astype(dtype), infinite):
        for name in ("exp", "square", "isnan", "isinf", "isfinite"):
            with np.errstate(invalid="ignore", over="ignore"):
                right = getattr(np, name)(x)
            compiled = tf.function(getattr(native, name), jit_compile=True)
            for found in (getattr(native, name)(x), unknown(getattr(native, name), x), compiled(x)):
                assert found.dtype == right.dtype
                np.testing.assert_allclose(found, right, rtol=4 * np.finfo(dtype).eps)


def test_the_amplitude_of_one_image_and_the_phase_of_another() -> None:
    @body
    def mixed(source: Any, target: Any) -> Any:
        one, other = native.fft.fft2(source, axes=(0, 1)), native.fft.fft2(target, axes=(0, 1))
        return native.real(
            native.fft.ifft2(native.abs(other) * native.exp(1j * native.angle(one)), axes=(0, 1))
        )

    source, target = np.random.default_rng(0).random((2, 32, 24, 3))
    one, other = (np.fft.fft2(image, axes=(0, 1)) for image in (source, target))
    right = np.real(np.fft.ifft2(np.abs(other) * np.exp(1j * np.angle(one)), axes=(0, 1)))
    for found in (mixed(source, target), unknown(mixed, source, target)):
        np.testing.assert_allclose(found, right, atol=1e-12)


def test_a_spectrogram_runs_as_it_is_written() -> None:
    @body
    def spectrum(wave: Any) -> Any:
        frames = native.stack([wave[start : start + 16] for start in range(0, 48, 8)])
        return native.log1p(native.abs(native.fft.rfft(frames * native.hanning(16), axis=1)) ** 2)

    wave = np.sin(np.arange(64) / 3)
    frames = np.stack([wave[start : start + 16] for start in range(0, 48, 8)])
    right = np.log1p(np.abs(np.fft.rfft(frames * np.hanning(16), axis=1)) ** 2)
    np.testing.assert_allclose(tf.function(spectrum)(wave), right, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("k", [-5, -1, 0, 2, 9])
def test_triangles_and_diagonals_of_unknown_sizes(k: int) -> None:
    for name in ("tril", "triu", "diag"):
        for x in (PLANE, IMAGE, SIGNAL, SIGNAL > 1, np.array([np.nan, 2.0])):
            right = getattr(np, name)(x, k)
            for found in (
                getattr(native, name)(x, k),
                unknown(lambda x, f=name: getattr(native, f)(x, k), x),
            ):
                assert found.dtype == right.dtype
                np.testing.assert_array_equal(found, right)
    volume = np.arange(60).reshape(3, 4, 5)
    for axes in ((0, 1), (2, 0), (-1, 1)):
        np.testing.assert_array_equal(native.diagonal(volume, k, *axes), np.diagonal(volume, k, *axes))
        np.testing.assert_array_equal(native.trace(volume, k, *axes), np.trace(volume, k, *axes))


def test_a_matrix_made_of_a_diagonal_may_be_written_to() -> None:
    made = native.diag(native.array([1.0, 2.0]))
    made[0, 1] = 5.0
    np.testing.assert_array_equal(made.numpy(), [[1.0, 5.0], [0.0, 2.0]])


def test_the_place_of_a_peak() -> None:
    @body
    def peak(heat: Any) -> Any:
        row, column = native.unravel_index(heat.argmax(), heat.shape)
        return row, column, heat[row, column]

    for sized in (True, False):
        spec = tf.TensorSpec(IMAGE.shape if sized else [None, None], tf.uint8)
        found = tf.function(peak, input_signature=[spec])(IMAGE)
        assert [int(one) for one in found] == [3, 5, 23]
    right = np.unravel_index([[5, 0], [59, 7]], (3, 4, 5))
    for one, other in zip(native.unravel_index([[5, 0], [59, 7]], (3, 4, 5)), right, strict=True):
        np.testing.assert_array_equal(one, other)
    graph = tf.function(lambda places: native.unravel_index(places, (3, 4)))
    for wrong in (12, -1):
        with pytest.raises(ValueError, match=r"out of bounds|negative"):
            np.unravel_index(wrong, (3, 4))
        with pytest.raises(OutsideDomain, match="outside"):
            native.unravel_index(wrong, (3, 4))
        with pytest.raises(tf.errors.InvalidArgumentError, match="outside, at run time"):
            graph(tf.constant(wrong))


def test_what_is_said_about_an_array() -> None:
    for x in (IMAGE, IMAGE.tolist(), tf.constant(IMAGE), native.array(IMAGE), 5, [[1.5, 2]]):
        plain = x.numpy() if hasattr(x, "numpy") else x
        assert native.shape(x) == np.shape(plain)
        assert native.ndim(x) == np.ndim(plain)
        assert native.size(x) == np.size(plain)
    assert native.size(IMAGE, 1) == native.size(tf.constant(IMAGE), -1) == 6
    with pytest.raises(BadAxis):
        native.size(IMAGE, 2)
    for value in (2.5, np.float32(1), "text", [1], IMAGE, None):
        assert native.isscalar(value) == np.isscalar(value)
    assert native.asanyarray([1, 2]).dtype == tf.int64

    @body
    def halves(image: Any) -> Any:
        height, width = native.shape(image)
        assert native.ndim(image) == 2
        assert native.isscalar(native.size(image) + 0)
        return image[: height // 2, : width // 2], native.size(image), native.size(image, 0)

    part, count, rows = unknown(halves, IMAGE)
    np.testing.assert_array_equal(part, IMAGE[:2, :3])
    assert (int(count), int(rows)) == (24, 4)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda: native.convolve([], [1.0])),
        (OutsideDomain, lambda: native.convolve(PLANE, [1.0])),
        (UnsupportedArgument, lambda: native.convolve([1.0], [1.0], "most")),
        (OutsideDomain, lambda: native.diag(np.zeros((2, 2, 2)))),
        (OutsideDomain, lambda: native.diagonal([1, 2])),
        (OutsideDomain, lambda: native.trace(PLANE, 0, 1, 1)),
        (WrongType, lambda: native.triu(3)),
        (WrongType, lambda: native.unravel_index(1.5, (3, 4))),
        (WrongType, lambda: native.tril(PLANE, 0.5)),
        (WrongType, lambda: native.hanning(2.5)),
    ],
)
def test_what_is_refused(error: Any, call: Any) -> None:
    with pytest.raises(error):
        call()


def test_an_empty_signal_is_an_error_of_the_graph() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="no elements at run time"):
        unknown(lambda a: native.convolve(a, [1.0]), np.zeros([0]))
