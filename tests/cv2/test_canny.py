"""`cv2.Canny`: edges of noise, of smooth images and of long paths, in graphs with and without sizes."""

from __future__ import annotations

import itertools

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument

SIZES = ((64, 64), (65, 97), (130, 520), (256, 256))
APERTURES = (3, 5, 7)
# By the range of the derivatives, so that each finds weak and strong edges.
LEVELS = {3: (60, 190), 5: (500, 2500), 7: (6000, 30000)}


def smooth(height: int, width: int, channels: int | None = None) -> np.ndarray:
    rng = np.random.default_rng(height * width)
    shape = (height, width) if channels is None else (height, width, channels)
    x = reference.GaussianBlur(rng.integers(0, 256, shape).astype(np.uint8), (0, 0), 3)
    low, high = int(x.min()), int(x.max())
    return ((x.astype(np.int32) - low) * 255 // (high - low)).astype(np.uint8)


def spiral(side: int) -> np.ndarray:
    """A path that fades from strong to weak, and winds through the whole image."""
    x = np.full((side, side), 100, np.uint8)
    row, column, step = 4, 4, 0
    directions = itertools.cycle(((0, 1), (1, 0), (0, -1), (-1, 0)))
    for length in (length for half in range(side - 8, 6, -8) for length in (half, half)):
        down, right = next(directions)
        for _ in range(length):
            x[row, column] = 160 if step < 12 else 125
            row, column, step = row + down, column + right, step + 1
    return x


@pytest.mark.parametrize("aperture", APERTURES)
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("known", [True, False])
def test_edges_of_real_sizes(aperture: int, squared: bool, known: bool) -> None:
    def native(x, low, high):
        return cv2.Canny(x, low, high, apertureSize=aperture, L2gradient=squared)

    # Each image is a program to compile: two are known by their sizes, the other two are not.
    first = (squared + known) % 2
    for size, channels in list(zip(SIZES, (None, 3, 1, None), strict=True))[first::2]:
        x = smooth(*size, channels)
        shape = x.shape if known else (None, None, *x.shape[2:])
        graph = tf.function(
            native,
            input_signature=[tf.TensorSpec(shape, tf.uint8), *[tf.TensorSpec([], tf.float64)] * 2],
            autograph=False,
        )
        low, high = LEVELS[aperture]
        right = reference.Canny(x, low, high, apertureSize=aperture, L2gradient=squared)
        assert 0.01 < (right > 0).mean() < 0.6
        assert (right != reference.Canny(x, high, high, apertureSize=aperture, L2gradient=squared)).any()
        for one, other in ((low, high), (high, low)):
            np.testing.assert_array_equal(graph(x, one, other), right)


@pytest.mark.parametrize("side", [40, 150])
def test_long_paths_are_followed_to_their_end(side: int) -> None:
    x = spiral(side)
    right = reference.Canny(x, 20, 200)
    strong = reference.Canny(x, 200, 200)
    assert (right > 0).sum() > 5 * (strong > 0).sum() > 0
    np.testing.assert_array_equal(cv2.Canny(x, 20, 200), right)
    np.testing.assert_array_equal(tf.function(lambda x: cv2.Canny(x, 20, 200), autograph=False)(x), right)


def test_thresholds_below_all_and_above_all() -> None:
    x = smooth(20, 30)
    for low, high in ((-5, -1), (0, 0), (-3.5, 40.5), (1e12, 1e12), (50, 1e12)):
        if high < 1e9:
            right = reference.Canny(x, low, high, L2gradient=True)
            np.testing.assert_array_equal(cv2.Canny(x, low, high, L2gradient=True), right)
            np.testing.assert_array_equal(cv2.Canny(x, low, high), reference.Canny(x, low, high))
        else:
            assert not cv2.Canny(x, low, high).numpy().any()


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: cv2.Canny(x, 1, 2, apertureSize=4)),
        (OutsideDomain, lambda x: cv2.Canny(x, 1, 2, apertureSize=9)),
        (OutsideDomain, lambda x: cv2.Canny(x.astype(np.float32), 1, 2)),
        (OutsideDomain, lambda x: cv2.Canny(np.stack([x] * 5, -1), 1, 2)),
        (UnsupportedArgument, lambda x: cv2.Canny(x, 1, 2, x)),
        (UnsupportedArgument, lambda x: cv2.Canny(x, x, 2)),
        (UnsupportedArgument, lambda x: cv2.Canny(x, 1, 2, L2gradient=tf.constant(True))),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(smooth(8, 9))
