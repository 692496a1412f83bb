"""`cv2.applyColorMap`: every map of OpenCV, maps of one's own, sizes known or not, and what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.kernels.opencv import _colour_maps as kernel
from pipeport.porting import port

pytestmark = pytest.mark.both

RANDOM = np.random.default_rng(61)
LEVELS = np.arange(256, dtype=np.uint8)[np.newaxis]
GREY = RANDOM.integers(0, 256, (97, 128), np.uint8)
OWN = RANDOM.integers(0, 256, (256, 1, 3), np.uint8)


def test_there_are_all_maps() -> None:
    theirs = {name: getattr(reference, name) for name in dir(reference) if name.startswith("COLORMAP_")}
    assert sorted(theirs.values()) == list(range(kernel.COUNT))
    for name, number in theirs.items():
        right = reference.applyColorMap(LEVELS, number)
        np.testing.assert_array_equal(cv2.applyColorMap(LEVELS, getattr(cv2, name)), right)
    with pytest.raises(reference.error):
        reference.applyColorMap(LEVELS, kernel.COUNT)


@pytest.mark.parametrize(
    "colormap",
    [cv2.COLORMAP_TURBO, OWN, OWN[..., 0].copy(), OWN[..., :1].copy()],
    ids=["turbo", "colours", "levels", "one channel"],
)
@pytest.mark.parametrize("shape", [(97, 128), (64, 520, 3), (1, 1), (31, 7, 1)])
def test_images_of_any_size(shape: tuple[int, ...], colormap) -> None:
    x = RANDOM.integers(0, 256, shape, np.uint8)
    right = reference.applyColorMap(x, colormap)
    for spec in (tf.TensorSpec(shape, tf.uint8), tf.TensorSpec([None, None, *shape[2:]], tf.uint8)):
        graph = tf.function(lambda x: cv2.applyColorMap(x, colormap), input_signature=[spec], autograph=False)
        found = graph(x)
        assert found.dtype == tf.uint8
        np.testing.assert_array_equal(found, right)


def test_in_a_ported_body() -> None:
    def heat(levels):
        scaled = (255 * levels).astype(np.uint8)
        return reference.cvtColor(
            reference.applyColorMap(scaled, reference.COLORMAP_VIRIDIS), reference.COLOR_BGR2RGB
        )

    def own(levels):
        return reference.applyColorMap(levels, OWN)

    np.testing.assert_array_equal(port(own)(GREY), own(GREY))
    levels = RANDOM.random((40, 50), np.float32)
    np.testing.assert_array_equal(port(heat)(levels), heat(levels))


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "colormap: got 22", lambda: cv2.applyColorMap(GREY, 22)),
        (OutsideDomain, "colormap: got -1", lambda: cv2.applyColorMap(GREY, -1)),
        (OutsideDomain, "shape", lambda: cv2.applyColorMap(GREY, OWN[:100])),
        (OutsideDomain, "float32", lambda: cv2.applyColorMap(GREY, OWN.astype(np.float32))),
        (OutsideDomain, "2 channels", lambda: cv2.applyColorMap(np.zeros((2, 2, 2), np.uint8), 2)),
        (OutsideDomain, "uint16", lambda: cv2.applyColorMap(GREY.astype(np.uint16), 2)),
        (UnsupportedArgument, "colormap", lambda: cv2.applyColorMap(GREY, 2.0)),
        (UnsupportedArgument, "dst", lambda: cv2.applyColorMap(GREY, 2, GREY)),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()


def test_a_plain_row_is_served_as_opencv_does_it() -> None:
    row = OWN[:, 0, 0].copy()
    try:
        right = reference.applyColorMap(GREY, row)
    except reference.error:
        with pytest.raises(OutsideDomain, match="shape"):
            cv2.applyColorMap(GREY, row)
    else:
        np.testing.assert_array_equal(cv2.applyColorMap(GREY, row), right)
