"""Bodies that call OpenCV's functions of pixels, ported: they equal themselves."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pipeport import seeds
from pipeport.porting import port

IMAGE = np.random.default_rng(5).integers(0, 256, (40, 52, 3), dtype=np.uint8)


def masked_colour(image):
    mask = cv2.inRange(image, np.array([20, 30, 0]), np.array([200, 255, 180]))
    kept = cv2.bitwise_and(image, image, mask=mask)
    return cv2.bitwise_or(kept, cv2.bitwise_not(image, mask=cv2.bitwise_not(mask)))


def otsu(image):
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    level, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    _, dark = cv2.threshold(grey, level / 2, 1, cv2.THRESH_BINARY_INV)
    return mask, dark.astype(np.float32), cv2.absdiff(grey, mask)


def above_the_mean(image):
    _, kept = cv2.threshold(image, image.mean(), 255, cv2.THRESH_TOZERO)
    return cv2.bitwise_xor(kept, image)


def brightness(image):
    brighter = cv2.add(image, np.random.randint(5, 6))
    darker = cv2.subtract(cv2.multiply(image, 0.5), (1, 2, 3))
    return (
        brighter,
        cv2.addWeighted(image, 0.5, darker, 0.5, 0),
        cv2.convertScaleAbs(image, alpha=1.5, beta=10),
    )


def equalised(image):
    return np.stack([cv2.equalizeHist(one) for one in cv2.split(image)], -1)


@pytest.mark.parametrize("body", [masked_colour, otsu, above_the_mean, brightness, equalised])
def test_a_body_equals_itself(body) -> None:
    with seeds.ambient((1, 2)):
        found, right = port(body)(IMAGE), body(IMAGE)
    for got, expected in zip(*((x if isinstance(x, tuple) else (x,)) for x in (found, right)), strict=True):
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(got, expected)
