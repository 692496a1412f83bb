"""OpenCV's arithmetic: dtypes, numbers beside images, masks, overflow, unknown sizes, what is refused."""

from __future__ import annotations

import functools

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument

pytestmark = pytest.mark.both

DTYPES = ["uint8", "int8", "uint16", "int16", "int32", "float32", "float64"]
TWO = ["absdiff", "bitwise_and", "bitwise_or", "bitwise_xor"]
MASKED = ["bitwise_and", "bitwise_or", "bitwise_xor"]


def image(dtype: str, shape: tuple[int, ...] = (13, 9, 3), seed: int = 0) -> np.ndarray:
    """Values of the whole range of a dtype, its ends among them."""
    draw = np.random.default_rng(seed)
    if dtype.startswith("float"):
        return (draw.normal(size=shape) * 100).astype(dtype)
    ends = np.iinfo(dtype)
    values = draw.integers(ends.min, ends.max, shape, dtype=dtype, endpoint=True)
    values.flat[:2] = draw.permutation([ends.min, ends.max])
    return values


def same(native, right, *arguments, **options) -> None:
    """Compare eagerly, in a graph of known sizes, and in one that knows channels alone."""

    def compare(found) -> None:
        for got, expected in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
            assert (got.dtype, got.shape) == (np.asarray(expected).dtype, np.shape(expected))
            np.testing.assert_array_equal(got, expected)

    compare(native(*arguments, **options))
    arrays = [n for n, one in enumerate(arguments) if isinstance(one, np.ndarray) and one.ndim > 1]
    for unknown in (False, True):
        specs = [
            tf.TensorSpec(
                [None, None, *arguments[n].shape[2:]] if unknown else arguments[n].shape, arguments[n].dtype
            )
            for n in arrays
        ]

        @functools.partial(tf.function, input_signature=specs, autograph=False)
        def graph(*given):
            every = list(arguments)
            for n, one in zip(arrays, given, strict=True):
                every[n] = one
            return native(*every, **options)

        compare(graph(*(arguments[n] for n in arrays)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TWO)
def test_two_images_and_numbers_of_every_kind(name: str, dtype: str) -> None:
    native, right = getattr(cv2, name), getattr(reference, name)
    for shape in ((13, 9), (13, 9, 5)):
        one, other = image(dtype, shape), image(dtype, shape, 1)
        np.testing.assert_array_equal(native(one, other), right(one, other))
    one = image(dtype)
    for numbers in (7, 2.5, 3.5, -300.4, 70000, (1, 2.5, -3, 4)):
        np.testing.assert_array_equal(native(one, numbers), right(one, numbers))
        np.testing.assert_array_equal(native(numbers, one), right(numbers, one))
    if dtype in ("uint8", "float32"):
        same(native, right(one, (5.0, 300.0, 7.0)), one, (5.0, 300.0, 7.0))


@pytest.mark.parametrize("name", [*TWO, "bitwise_not"])
def test_masks_and_whole_batches(name: str) -> None:
    one, other = image("uint8"), image("uint8", seed=1)
    native, right = getattr(cv2, name), getattr(reference, name)
    mask = (image("uint8", (13, 9), 2) > 100).astype(np.uint8) * 3
    operands = (one,) if name == "bitwise_not" else (one, other)
    if name != "absdiff":
        same(native, right(*operands, mask=mask), *operands, mask=mask)
        with pytest.raises(OutsideDomain, match="mask"):
            native(*operands, mask=mask.astype(np.int32))
        with pytest.raises(OutsideDomain, match="mask"):
            native(*operands, mask=mask[1:])
    batches = [np.stack([x, x[::-1]]) for x in operands]
    expected = np.stack([right(*each) for each in zip(*batches, strict=True)])
    np.testing.assert_array_equal(pipeport.batched(native)(*batches), expected)


def test_numbers_that_are_drawn() -> None:
    x = image("uint8")
    for number in (3, 200.5):
        found = tf.function(cv2.absdiff)(x, tf.constant(number))
        np.testing.assert_array_equal(found, reference.absdiff(x, number))
        found = tf.function(lambda n: cv2.absdiff(x, (n, 1, n)))(tf.constant(number))
        np.testing.assert_array_equal(found, reference.absdiff(x, (number, 1, number)))


def test_sizes_that_turn_out_to_differ() -> None:
    specs = [tf.TensorSpec([None, None], tf.uint8)] * 2
    graph = tf.function(cv2.absdiff, input_signature=specs)
    x = image("uint8", (6, 5))
    np.testing.assert_array_equal(graph(x, x), np.zeros_like(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match="src2"):
        graph(x, x[1:])


@pytest.mark.parametrize("dtype", DTYPES)
def test_colours_in_a_range(dtype: str) -> None:
    for shape in ((30, 70, 3), (30, 70), (30, 70, 5)):
        x = image(dtype, shape)
        count = shape[2] if len(shape) == 3 else 1
        low, high = np.full(count, -60.5), np.arange(count) + 100.5
        for form in (tuple, np.array) if count < 5 else (np.array,):
            bounds = form(low.tolist()), form(high.tolist())
            np.testing.assert_array_equal(cv2.inRange(x, *bounds), reference.inRange(x, *bounds))
    plane = x[..., 0].copy()
    np.testing.assert_array_equal(cv2.inRange(plane, 3, 100), reference.inRange(plane, 3, 100))
    levels = np.array([20, 30, 40], np.uint8), np.array([120, 255, 200], np.uint8)
    x = image(dtype)
    if dtype in ("uint8", "float64"):
        same(cv2.inRange, reference.inRange(x, *levels), x, *levels)


def test_bounds_of_each_image_of_a_batch() -> None:
    images = np.stack([image("uint8"), image("uint8", seed=1)])
    low, high = np.array([[1.0, 2, 3], [50, 60, 70]]), np.full((2, 3), 180.0)
    expected = np.stack([reference.inRange(*each) for each in zip(images, low, high, strict=True)])
    np.testing.assert_array_equal(
        pipeport.batched(cv2.inRange)(images, tf.constant(low), tf.constant(high)), expected
    )


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32", "float64"])
@pytest.mark.parametrize("kind", range(5))
def test_thresholds_inside_and_outside_of_a_dtype(kind: int, dtype: str) -> None:
    x = image(dtype)
    for level in (0, 127.5, 254, 255, 256, -0.5, -200.3, 1e5, -1e5, 32767, -32769):
        for most in (255, 2.5, 1e5):
            right, found = reference.threshold(x, level, most, kind), cv2.threshold(x, level, most, kind)
            assert float(found[0]) == right[0]
            np.testing.assert_array_equal(found[1], right[1])
    if dtype in ("uint8", "float32"):
        same(cv2.threshold, reference.threshold(x, 20.5, 200, kind), x, 20.5, 200, kind)


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_otsu_on_noise_and_on_few_levels(dtype: str) -> None:
    """Of two levels every threshold between them is as good: OpenCV takes the first, and so do we."""
    draw = np.random.default_rng(4)
    most = np.iinfo(dtype).max
    images = [image(dtype, (45, 70)), np.full((3, 4), 9, dtype), np.array([[0, most]], dtype)]
    images += [draw.choice(draw.integers(0, most, n), (31, 29)).astype(dtype) for n in (2, 2, 3, 5)]
    peaks = np.where(
        draw.random((64, 520)) < 0.4, draw.normal(0.3, 0.1, (64, 520)), draw.normal(0.7, 0.05, (64, 520))
    )
    images.append((np.clip(peaks, 0, 1) * most).astype(dtype))
    kind = cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU
    for x in images:
        level, mask = cv2.threshold(x, 0, 255, kind)
        right = reference.threshold(x, 0, 255, kind)
        assert float(level) == right[0]
        np.testing.assert_array_equal(mask, right[1])
    same(cv2.threshold, right, x, 0, 255, kind)
    pair = np.stack([images[0], images[0] // 2])
    levels, masks = pipeport.batched(cv2.threshold)(pair, 0, 255, kind)
    for n in range(2):
        right = reference.threshold(pair[n], 0, 255, kind)
        assert float(levels[n]) == right[0]
        np.testing.assert_array_equal(masks[n], right[1])


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: cv2.absdiff(x, x[1:])),
        (OutsideDomain, lambda x: cv2.absdiff(x, x.astype("float32"))),
        (OutsideDomain, lambda x: cv2.absdiff(1, 2)),
        (OutsideDomain, lambda x: cv2.absdiff(np.tile(x, 2), 2)),
        (UnsupportedArgument, lambda x: cv2.absdiff(x, (1, 2, 3, 4, 5))),
        (UnsupportedArgument, lambda x: cv2.absdiff(x, x, x)),
        (UnsupportedArgument, lambda x: cv2.bitwise_and(x, (1, 2))),
        (OutsideDomain, lambda x: cv2.bitwise_not(x.astype("float16"))),
        (UnsupportedArgument, lambda x: cv2.inRange(x, (1, 2), (3, 4))),
        (UnsupportedArgument, lambda x: cv2.inRange(x, x, x)),
        (UnsupportedArgument, lambda x: cv2.threshold(x, 1, 2, cv2.THRESH_TRIANGLE)),
        (UnsupportedArgument, lambda x: cv2.threshold(x, 1, 2, 7)),
        (UnsupportedArgument, lambda x: cv2.threshold(x, (1, 2), 2, 0)),
        (OutsideDomain, lambda x: cv2.threshold(x, 1, 2, cv2.THRESH_OTSU)),
        (OutsideDomain, lambda x: cv2.threshold(x.astype("int32"), 1, 2, 0)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(image("uint8"))
