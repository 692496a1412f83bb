"""`cv2.createCLAHE`: tiles of every size, limits, sizes known or not, and in ported bodies."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port
from pipeport.references.opencv import equalized

CASES = [
    ((64, 64), 2.0, (8, 8)),
    ((60, 61), 4.0, (8, 8)),
    ((33, 70), 0.0, (3, 5)),
    ((5, 5), 2.0, (8, 8)),
    ((1, 7), 2.0, (2, 2)),
    ((40, 30), -1.0, (1, 1)),
]


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize(("shape", "clip", "grid"), CASES)
def test_images_of_every_size(shape, clip, grid, dtype) -> None:
    if dtype == "uint16" and tf.__version__.startswith("2.15") and shape != (1, 7):
        pytest.skip("environment: TensorFlow 2.15 takes two minutes to compile 65,536 levels of many tiles")
    noise = np.random.default_rng(shape[1]).integers(0, np.iinfo(dtype).max + 1, shape).astype(dtype)
    native = cv2.createCLAHE(clip, grid)
    for x in (noise, noise // 4 + np.arange(shape[1], dtype=dtype)):
        right = reference.createCLAHE(clip, grid).apply(x)
        for spec in (tf.TensorSpec(shape, dtype), tf.TensorSpec([None, None], dtype)):
            found = tf.function(native.apply, input_signature=[spec], autograph=False)(x)
            np.testing.assert_array_equal(found, right)


def test_what_is_compared_of_the_pair_depends_on_the_limit() -> None:
    one, other = (equalized(cv2.createCLAHE(clip, (2, 2))) for clip in (1.0, 4.0))
    assert any((np.asarray(one[name]) != np.asarray(other[name])).any() for name in one)


def test_in_ported_bodies() -> None:
    outside = reference.createCLAHE(clipLimit=3.0, tileGridSize=(4, 4))

    def by_object(image):
        return outside.apply(image)

    def inside(image):
        equaliser = reference.createCLAHE(clipLimit=2.0)
        image[..., 0] = equaliser.apply(image[..., 0])
        return image

    x = np.random.default_rng(1).integers(0, 256, (50, 40, 3)).astype(np.uint8)
    np.testing.assert_array_equal(port(by_object)(x[..., 1]), by_object(x[..., 1].copy()))
    np.testing.assert_array_equal(port(inside)(x), inside(x.copy()))


def test_what_the_graph_draws_and_what_is_refused() -> None:
    x = np.arange(600, dtype=np.uint8).reshape(20, 30)
    drawn = tf.function(
        lambda clip: cv2.createCLAHE(clip, (2, 2)).apply(x),
        input_signature=[tf.TensorSpec([], tf.float32)],
        autograph=False,
    )
    for clip in (1.0, 2.5):
        np.testing.assert_array_equal(drawn(clip), reference.createCLAHE(clip, (2, 2)).apply(x))
    equaliser = cv2.createCLAHE()
    assert (equaliser.getClipLimit(), equaliser.getTilesGridSize()) == (40.0, (8, 8))
    equaliser.setClipLimit(2)
    equaliser.setTilesGridSize([4, 3])
    equaliser.collectGarbage()
    assert (equaliser.getClipLimit(), equaliser.getTilesGridSize()) == (2.0, (4, 3))
    for error, call in (
        (OutsideDomain, lambda: equaliser.apply(np.stack([x, x], -1))),
        (OutsideDomain, lambda: equaliser.apply(x.astype(np.float32))),
        (OutsideDomain, lambda: equaliser.apply(x[:0])),
        (UnsupportedArgument, lambda: equaliser.apply(x, x)),
        (OutsideDomain, lambda: cv2.createCLAHE(2.0, (0, 8))),
        (UnsupportedArgument, lambda: cv2.createCLAHE(2.0, 8)),
        (UnsupportedArgument, lambda: cv2.createCLAHE("2", (8, 8))),
    ):
        with pytest.raises(error):
            call()
