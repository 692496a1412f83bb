"""`skimage.exposure.equalize_adapthist`: tiles of every size, limits, unknown sizes, batches, refusals."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf
from skimage.exposure import equalize_adapthist as reference

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage.exposure import equalize_adapthist

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(8)


def image_of(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return a smooth image with noise, dark on one side."""
    row, column = np.indices(shape[:2])
    values = 0.4 + 0.3 * np.sin(column / 11.0) * np.cos(row / 7.0) * (row + 1) / shape[0]
    values = values.reshape(values.shape + (1,) * (len(shape) - 2)) + RANDOM.normal(0, 0.04, shape)
    values = values.clip(0, 1)
    return (values * np.iinfo(dtype).max if np.dtype(dtype).kind in "iu" else values).astype(dtype)


CASES = [
    ((256, 256), {}),
    ((100, 67), {"clip_limit": 0.05, "nbins": 100}),
    ((64, 520), {"kernel_size": (10, 100), "clip_limit": 0.0}),
    ((33, 70), {"kernel_size": 8, "clip_limit": 0.2}),
    ((97, 128), {"kernel_size": 40, "nbins": 3}),
    ((9, 5), {"kernel_size": (30, 11)}),
    ((1, 1), {}),
]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32", "float64"])
@pytest.mark.parametrize(("shape", "options"), CASES)
def test_grey_images_are_equal(shape, options, dtype) -> None:
    image = image_of(shape, dtype)
    right = reference(image, **options)
    native = functools.partial(equalize_adapthist, **options)
    for sizes in (shape, (None, None)):
        found = tf.function(native, input_signature=[tf.TensorSpec(sizes, dtype)])(image).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


def test_negative_pixels_are_black() -> None:
    image = RANDOM.integers(-(2**15), 2**15, (64, 65), np.int16)
    for x in (image, image // 2 - 2**14):
        np.testing.assert_array_equal(equalize_adapthist(x), reference(x))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
def test_colours_compiled_and_not(dtype) -> None:
    image = image_of((64, 70, 4), dtype)
    right = reference(image)
    for options in ({}, {"jit_compile": True}):
        found = tf.function(equalize_adapthist, **options)(image).numpy()
        assert found.shape == right.shape
        np.testing.assert_allclose(found, right, 0, 1e-6 if dtype == "float32" else 1e-14)


def test_one_level_and_what_is_left_above_the_limit() -> None:
    for image in (np.full((20, 30), 7, np.uint8), np.full((20, 30), 255, np.uint8), np.eye(40)):
        for clip in (0.01, 0.5):
            right = reference(image, kernel_size=10, clip_limit=clip)
            np.testing.assert_array_equal(equalize_adapthist(image, 10, clip), right)


def test_each_element_has_a_limit_of_its_own() -> None:
    images, limits = np.stack([image_of((40, 50), "uint8") for _ in range(3)]), [0.01, 0.1, 0.0]
    native = tf.function(pipeport.batched(equalize_adapthist))
    found = native(images, clip_limit=tf.constant(limits, tf.float64)).numpy()
    for one, image, limit in zip(found, images, limits, strict=True):
        np.testing.assert_array_equal(one, reference(image, clip_limit=limit))


IMAGE = np.zeros((4, 5))


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (UnsupportedArgument, "1 channels", lambda: equalize_adapthist(IMAGE[..., np.newaxis])),
        (UnsupportedArgument, "1 axes", lambda: equalize_adapthist(IMAGE[0])),
        (OutsideDomain, "kernel_size", lambda: equalize_adapthist(IMAGE, 0)),
        (OutsideDomain, "kernel_size", lambda: equalize_adapthist(IMAGE, (2, 2, 2))),
        (OutsideDomain, "nbins", lambda: equalize_adapthist(IMAGE, nbins=0)),
        (OutsideDomain, "no pixels", lambda: equalize_adapthist(IMAGE[:0])),
        (WrongType, "kernel_size", lambda: equalize_adapthist(IMAGE, "8")),
        (tf.errors.InvalidArgumentError, "beyond -1 or 1", lambda: equalize_adapthist(IMAGE + 2)),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()
