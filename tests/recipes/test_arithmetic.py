"""The arithmetic recipe: bit for bit, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, photographs, program

before, after = program("arithmetic", "before"), program("arithmetic", "after")
pitfalls = program("arithmetic", "pitfalls")


@pytest.fixture
def images():
    """Photographs, and one image that holds every byte."""
    every_byte = np.resize(np.arange(256, dtype=np.uint8), photographs().shape[1:])
    return np.concatenate([photographs(), every_byte[None]])


@pytest.fixture
def frames():
    frames = np.random.default_rng(0).normal(scale=1e3, size=(7, 5)).astype(np.float32)
    frames[0] = [np.nan, np.inf, -np.inf, -0.0, np.finfo(np.float32).max]
    return frames


@pytest.mark.filterwarnings("ignore:overflow encountered")  # NumPy warns, TensorFlow does not
def test_before_and_after_agree(images, frames):
    old = collected(before.build_dataset(images, frames))
    new = collected(after.build_dataset(images, frames))
    assert len(old) == len(new) == 7
    for old_element, new_element in zip(old, new, strict=True):
        for expected, got in zip(old_element, new_element, strict=True):
            assert got.dtype == expected.dtype == np.float32
            np.testing.assert_array_equal(got, expected)


def test_boundaries(images, frames):
    assert boundaries(after.build_dataset(images, frames)) == set()
    assert boundaries(before.build_dataset(images, frames)) == {"PyFunc"}


def test_static_shapes(images, frames):
    image, frame = after.build_dataset(images, frames).element_spec
    assert (image.shape, frame.shape) == ((48, 64, 3), (5,))
    assert all(spec.shape.rank is None for spec in before.build_dataset(images, frames).element_spec)


def test_float64_against_tout():
    assert "is double, but expects float" in pitfalls.float64_against_tout()


def test_py_function_casts_silently():
    black = pitfalls.py_function_casts_silently()
    assert black.dtype == np.uint8
    assert not black.any()


def test_static_shape_lost():
    shape, message = pitfalls.static_shape_lost()
    assert shape.rank is None
    assert "contains no shape" in message


def test_set_shape_is_believed():
    assert pitfalls.set_shape_is_believed() == pytest.approx(4 / 25)


def test_ensure_shape_is_checked():
    """The fix that the README names for the trap above."""
    wrong = tf.data.Dataset.from_tensors(np.ones((2, 2), np.float32)).map(
        lambda x: tf.ensure_shape(tf.numpy_function(np.copy, [x], tf.float32), [5, 5])
    )
    with pytest.raises(tf.errors.InvalidArgumentError):
        collected(wrong)


def test_in_place_after_cache():
    assert pitfalls.in_place_after_cache() == [2, 4, 8]


def test_in_place_reaches_the_input():
    assert pitfalls.in_place_reaches_the_input() == (2, 2)


def test_iterator_cannot_be_saved():
    wrapped, native = pitfalls.iterator_cannot_be_saved()
    assert "PyFunc is stateful" in wrapped
    assert native is None


def test_division_has_other_dtypes():
    assert pitfalls.division_has_other_dtypes() == {
        "uint8": ("float64", "float32"),
        "uint16": ("float64", "float32"),
        "int32": ("float64", "float64"),
        "float32": ("float32", "float32"),
    }


def test_integer_plus_float():
    assert pitfalls.integer_plus_float() == ("float64", "InvalidArgumentError")


def test_bytes_wrap_around():
    assert pitfalls.bytes_wrap_around() == (145, 145)


def test_power_by_exponential():
    """`exp(g log x)`, which the README sets beside `tf.pow`, is the same power."""
    x = np.linspace(0, 1, 100, dtype=np.float32)
    np.testing.assert_allclose(tf.exp(0.8 * tf.math.log(x)), x**0.8, rtol=1e-6)
