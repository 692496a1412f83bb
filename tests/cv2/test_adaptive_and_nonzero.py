"""`cv2.adaptiveThreshold`, `boundingRect` and `findNonZero` at sizes people use, and what they refuse."""

from __future__ import annotations

from typing import Any

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument

pytestmark = pytest.mark.both

PAGE = reference.GaussianBlur(np.random.default_rng(0).integers(0, 256, (231, 190), np.uint8), (5, 5), 2)
MASK = np.zeros((40, 50), np.uint8)
MASK[7:20, 11:13], MASK[30, 45] = 9, 1
UNKNOWN = [tf.TensorSpec([None, None], tf.uint8)]


@pytest.mark.parametrize("method", [cv2.ADAPTIVE_THRESH_MEAN_C, cv2.ADAPTIVE_THRESH_GAUSSIAN_C])
@pytest.mark.parametrize("kind", [cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV])
def test_a_page(method: int, kind: int) -> None:
    for side, less in ((3, 0), (11, 2), (51, -3.5)):
        right = reference.adaptiveThreshold(PAGE, 255, method, kind, side, less)

        def found(x: Any, side: int = side, less: float = less) -> Any:
            return cv2.adaptiveThreshold(x, 255, method, kind, side, less)

        for form in (found, tf.function(found), tf.function(found, input_signature=UNKNOWN)):
            apart = np.mean(form(tf.constant(PAGE)).numpy() != right)
            assert apart <= (0 if method == cv2.ADAPTIVE_THRESH_MEAN_C else 1e-3)


def test_rectangles_of_masks_and_points() -> None:
    points = np.argwhere(MASK)[:, ::-1]
    given = (MASK, points.astype(np.int32), points[:, np.newaxis].astype(np.float32) + 0.75, MASK[..., None])
    for array in given:
        right = reference.boundingRect(array)
        assert tuple(int(side) for side in cv2.boundingRect(array)) == right
    traced = tf.function(cv2.boundingRect, input_signature=UNKNOWN)
    assert tuple(int(side) for side in traced(MASK)) == reference.boundingRect(MASK)
    assert [int(side) for side in traced(MASK * 0)] == [0] * 4
    each = pipeport.batched(cv2.boundingRect)(np.stack([MASK, MASK.T[:40, :40].repeat(2, 1)[:, :50]]))
    assert [int(side[0]) for side in each] == list(reference.boundingRect(MASK))
    drawn = tf.function(cv2.boundingRect, input_signature=[tf.TensorSpec([None, 2], tf.int32)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="no points"):
        drawn(np.zeros((0, 2), np.int32))


def test_points_row_by_row() -> None:
    for image in (MASK, MASK.astype(np.float32), MASK[..., np.newaxis].astype(np.int16)):
        right = reference.findNonZero(image)
        found = cv2.findNonZero(image)
        assert found.shape == right.shape
        np.testing.assert_array_equal(found, right)
    traced = tf.function(cv2.findNonZero, input_signature=UNKNOWN)
    np.testing.assert_array_equal(traced(MASK), reference.findNonZero(MASK))
    assert tf.size(traced(MASK * 0)) == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cv2.adaptiveThreshold(PAGE, 255, 0, 0, 4, 2), OutsideDomain, ("blockSize", "odd")),
        (lambda: cv2.adaptiveThreshold(PAGE, 255, 2, 0, 5, 2), UnsupportedArgument, ("adaptiveMethod",)),
        (lambda: cv2.adaptiveThreshold(PAGE, 255, 0, 2, 5, 2), UnsupportedArgument, ("thresholdType",)),
        (lambda: cv2.adaptiveThreshold(PAGE, np.inf, 0, 0, 5, 2), OutsideDomain, ("maxValue", "finite")),
        (lambda: cv2.adaptiveThreshold(PAGE[..., None].repeat(3, 2), 1, 0, 0, 5, 2), OutsideDomain, ("src",)),
        (lambda: cv2.adaptiveThreshold(PAGE, 255, 0, 0, 5, 2, PAGE), UnsupportedArgument, ("dst",)),
        (lambda: cv2.boundingRect(np.zeros((3, 3), np.int32)), OutsideDomain, ("array", "(3, 3)")),
        (lambda: cv2.boundingRect(np.zeros((3, 3))), OutsideDomain, ("array", "float64")),
        (lambda: cv2.boundingRect(np.zeros((0, 2), np.float32)), OutsideDomain, ("array", "no points")),
        (lambda: cv2.findNonZero(MASK, MASK), UnsupportedArgument, ("idx",)),
        (lambda: cv2.findNonZero(np.zeros((2, 2, 3), np.uint8)), OutsideDomain, ("src", "3 channels")),
    ],
)
def test_mistakes(call: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert all(word in str(raised.value) for word in words), raised.value
