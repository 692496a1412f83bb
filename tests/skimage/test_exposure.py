"""`skimage.exposure`: drawn numbers, one per element of a batch, ranges by name, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from skimage import exposure as reference

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.skimage import exposure

RANDOM = np.random.default_rng(43)
BYTES = RANDOM.integers(0, 256, (3, 64, 70, 3), np.uint8)
DRAWN = np.array([0.5, 1.0, 2.2])


@pytest.mark.parametrize("images", [BYTES, BYTES.astype(np.float32) / 255], ids=["bytes", "floats"])
@pytest.mark.parametrize("name", ["adjust_gamma", "adjust_log", "adjust_sigmoid"])
def test_each_element_has_a_number_of_its_own(name: str, images: Any) -> None:
    native, right = getattr(exposure, name), getattr(reference, name)
    found = tf.function(pipeport.batched(native), autograph=False)(images, tf.constant(DRAWN)).numpy()
    for one, image, number in zip(found, images, DRAWN, strict=True):
        wanted = right(image, number)
        # What is beyond 255 is left open for adjust_log.
        inside = np.asarray(
            right(image.astype(np.float64) / 255, number) < 1 if image.dtype == "u1" else True
        )
        tolerance = 0 if image.dtype == np.uint8 else 1e-6
        np.testing.assert_allclose(np.where(inside, one, 0), np.where(inside, wanted, 0), 0, tolerance)


@pytest.mark.parametrize("dtype", ["uint16", "int8", "int16"])
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("adjust_gamma", (1.0,)),
        ("adjust_gamma", (0.45, 0.9)),
        ("adjust_gamma", (2.2,)),
        ("adjust_log", (0.8, True)),
        ("adjust_log", ()),
        ("adjust_sigmoid", (0.4, 7, True)),
        ("adjust_sigmoid", ()),
    ],
)
def test_every_level_of_other_whole_numbers(name: str, numbers: tuple[Any, ...], dtype: str) -> None:
    levels = np.arange(np.iinfo(dtype).max + 1).astype(dtype).reshape(-1, 64)
    right = getattr(reference, name)(levels, *numbers)
    native = getattr(exposure, name)
    for spec in (tf.TensorSpec(levels.shape, dtype), tf.TensorSpec([None, 64], dtype)):
        known = tf.function(lambda x: native(x, *numbers), input_signature=[spec], autograph=False)
        found = known(levels)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, right)
    if numbers:
        drawn = tf.function(lambda x, number: native(x, number, *numbers[1:]), autograph=False)
        np.testing.assert_array_equal(drawn(levels, tf.constant(numbers[0], tf.float64)), right)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32", "float64"])
def test_a_drawn_range(dtype: str) -> None:
    images = (BYTES / 255).astype(dtype) if "float" in dtype else BYTES.astype(dtype)
    low, high = np.percentile(images, (2, 98), axis=(1, 2, 3))
    native = pipeport.batched(exposure.rescale_intensity)
    found = tf.function(native, autograph=False)(images, (tf.constant(low), tf.constant(high))).numpy()
    for one, image, *ends in zip(found, images, low, high, strict=True):
        wanted = reference.rescale_intensity(image, tuple(ends))
        assert one.dtype == wanted.dtype
        tolerance = 2 * np.finfo(dtype).eps if "float" in dtype else 0
        np.testing.assert_allclose(one, wanted, 0, tolerance)


@pytest.mark.parametrize("name", ["uint8", "uint14", "int8", "bool", "float", np.uint16, np.float32, float])
def test_ranges_by_name(name: Any) -> None:
    image = RANDOM.normal(100, 300, (40, 31))
    for ranges in (("image", name), (name, "image"), (name, name)):
        right = reference.rescale_intensity(image, *ranges)
        found = tf.function(lambda x: exposure.rescale_intensity(x, *ranges), autograph=False)(image).numpy()  # noqa: B023
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, 0, 1e-12 * np.abs(right).max())


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
def test_images_of_any_size_in_programs_for_few_sizes(dtype: str) -> None:
    ranges = [
        ("image", "dtype"),
        ("dtype", "image"),
        ((0, 90), "dtype"),
        ("image", (3, 9)),
        ((0, 50), (3, 9)),
    ]

    def rescaled(library: Any, image: Any) -> list[Any]:
        return [library.rescale_intensity(image, *each) for each in ranges]

    spec = tf.TensorSpec([None, None, 3], dtype)
    compiled = tf.function(lambda x: rescaled(exposure, x), input_signature=[spec], autograph=False)
    for size in ((20, 31, 3), (1, 1, 3), (70, 5, 3)):
        image = RANDOM.uniform(0, 100, size).astype(dtype)
        for found, wanted in zip(compiled(image), rescaled(reference, image), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, 1e-6, 1e-5 if dtype == "float32" else 0)


def test_nan_becomes_the_whole_image() -> None:
    image = np.array([[0.0, np.nan, 1.0]])
    with pytest.warns(UserWarning, match="NaN"):
        np.testing.assert_array_equal(reference.rescale_intensity(image), np.full([1, 3], np.nan))
    np.testing.assert_array_equal(exposure.rescale_intensity(image), np.full([1, 3], np.nan))


def test_in_a_ported_body() -> None:
    def prepared(image):
        low, high = np.percentile(image, (2, 98))
        return reference.adjust_gamma(reference.rescale_intensity(image, in_range=(low, high)), 0.7)

    np.testing.assert_array_equal(port(prepared)(BYTES[0]), prepared(BYTES[0]))

    def brighter(scan):
        return reference.adjust_log(reference.adjust_gamma(scan, gamma=0.8), 0.9)

    scan = BYTES[0].astype(np.uint16) * 211
    np.testing.assert_array_equal(port(brighter)(scan), brighter(scan))


IMAGE = np.zeros([2, 3])


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "gamma: got -1", lambda: exposure.adjust_gamma(IMAGE, -1)),
        (OutsideDomain, "int32", lambda: exposure.adjust_gamma(IMAGE.astype(np.int32))),
        (WrongType, "gain", lambda: exposure.adjust_log(IMAGE, "1")),
        (UnsupportedArgument, "inv: got a tensor", lambda: exposure.adjust_log(IMAGE, 1, tf.constant(True))),
        (UnsupportedArgument, "3 numbers", lambda: exposure.rescale_intensity(IMAGE, (0, 1, 2))),
        (UnsupportedArgument, "'uint7'", lambda: exposure.rescale_intensity(IMAGE, "uint7")),
        (WrongType, "got list", lambda: exposure.rescale_intensity(IMAGE, [0, 1])),
        (OutsideDomain, "no pixels", lambda: exposure.rescale_intensity(IMAGE[:0])),
        (tf.errors.InvalidArgumentError, "below 0", lambda: exposure.adjust_sigmoid(IMAGE - 1)),
        (
            tf.errors.InvalidArgumentError,
            "below 0",
            lambda: exposure.adjust_log((IMAGE - 1).astype(np.int16)),
        ),
    ],
)
def test_what_is_refused(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
