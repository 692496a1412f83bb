"""`cv2.equalizeHist`: noise, few levels, one level, large images, batches, what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from tests.cv2.test_arithmetic import same


def test_levels_are_spread_as_in_opencv() -> None:
    draw = np.random.default_rng(3)
    images = [draw.integers(0, 256, (64, 520)), draw.normal(90, 20, (97, 128)).clip(0, 255)]
    images += [draw.choice(draw.integers(0, 256, n), (31, 29)) for n in (1, 2, 3)] + [np.array([[255]])]
    for x in [one.astype(np.uint8) for one in images]:
        np.testing.assert_array_equal(cv2.equalizeHist(x), reference.equalizeHist(x))
    for x in [one.astype(np.uint8) for one in images[1:3]]:
        same(cv2.equalizeHist, reference.equalizeHist(x), x)
    batch = draw.integers(0, 200, (3, 12, 9)).astype(np.uint8)
    batch[1] = 7
    expected = [reference.equalizeHist(one) for one in batch]
    np.testing.assert_array_equal(pipeport.batched(cv2.equalizeHist)(batch), expected)


def test_what_is_refused() -> None:
    x = np.zeros((4, 5, 3), np.uint8)
    with pytest.raises(OutsideDomain, match="channel"):
        cv2.equalizeHist(x)
    with pytest.raises(OutsideDomain, match="uint16"):
        cv2.equalizeHist(x[..., 0].astype(np.uint16))
    with pytest.raises(UnsupportedArgument, match="dst"):
        cv2.equalizeHist(x[..., 0], x[..., 0])
