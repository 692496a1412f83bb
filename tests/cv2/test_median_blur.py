"""`cv2.medianBlur`: sides, dtypes, sizes known or not, and what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import config, cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.kernels.sampling._selection import median, sorted_values
from pipeport.porting import port

RANDOM = np.random.default_rng(23)


def image(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    if dtype == "float32":
        return RANDOM.normal(size=shape).astype(dtype)
    # Few levels, so that many pixels are equal.
    return (RANDOM.integers(0, 6, shape) * 40 - (100 if dtype == "int16" else 0)).astype(dtype)


CASES = [("uint8", side) for side in (1, 3, 5, 7, 9, 31)]
CASES += [(dtype, side) for dtype in ("uint16", "int16", "float32") for side in (3, 5)]


@pytest.mark.parametrize(("dtype", "side"), CASES)
def test_every_side_and_dtype(dtype: str, side: int) -> None:
    shapes = (40, 31, 3), (65, 70, 4)
    # Each is a program to compile: the sizes of one image are known.
    known, unknown = shapes if side % 4 == 3 else shapes[::-1]
    specs = {shape: tf.TensorSpec(shape, dtype) for shape in ((1, 1), (7, 1), known)}
    for shape, spec in (specs | {unknown: tf.TensorSpec([None, None, unknown[2]], dtype)}).items():
        x = image(dtype, shape)
        right = reference.medianBlur(x, side)
        graph = tf.function(lambda x: cv2.medianBlur(x, side), input_signature=[spec], autograph=False)
        found = graph(x).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


def test_without_the_compiler_and_in_a_ported_body() -> None:
    x = image("uint8", (20, 30, 3))

    def cleaned(image):
        return reference.medianBlur(reference.medianBlur(image, 5), 11) / 255

    np.testing.assert_array_equal(cv2.medianBlur(x, 5), reference.medianBlur(x, 5))
    np.testing.assert_array_equal(port(cleaned)(x), cleaned(x))
    with config.use_jit("never"):
        found = tf.function(lambda x: cv2.medianBlur(x, 3), autograph=False)(tf.constant(x))
    np.testing.assert_array_equal(found, reference.medianBlur(x, 3))


@pytest.mark.parametrize("side", [17, 183, 255])
def test_large_squares_of_masks_and_of_photographs(side: int) -> None:
    for shape in ((520, 67, 3), (64, 300)):
        for x in (RANDOM.integers(0, 256, shape, np.uint8), image("uint8", shape) // 200 * 255):
            right = reference.medianBlur(x, side)
            found = tf.function(lambda x: cv2.medianBlur(x, side), autograph=False)(tf.constant(x))
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("count", range(1, 26, 2))
def test_exchanges_find_order_and_median(count: int) -> None:
    rows = [tf.constant(row) for row in RANDOM.integers(0, 9, (count, 64))]
    np.testing.assert_array_equal(sorted_values(list(rows)), np.sort(rows, 0))
    np.testing.assert_array_equal(median(list(rows)), np.median(rows, 0))


X = np.zeros((5, 6, 3), np.uint8)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "ksize: got 4", lambda: cv2.medianBlur(X, 4)),
        (OutsideDomain, "ksize: got 257", lambda: cv2.medianBlur(X, 257)),
        (OutsideDomain, "dtype uint16", lambda: cv2.medianBlur(X.astype(np.uint16), 7)),
        (OutsideDomain, "dtype float64", lambda: cv2.medianBlur(X.astype(np.float64), 3)),
        (OutsideDomain, "2 channels", lambda: cv2.medianBlur(X[..., :2], 3)),
        (UnsupportedArgument, "ksize", lambda: cv2.medianBlur(X, 3.0)),
        (UnsupportedArgument, "dst", lambda: cv2.medianBlur(X, 3, X)),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()
