"""`pipeport.tensorflow_addons.image.rotate`, with and without the real library."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.tensorflow_addons.image import rotate

pytestmark = pytest.mark.both

ANGLES = (0.0, 0.3, -2.0, 5.5)


@pytest.mark.parametrize("interpolation", ["nearest", "BILINEAR"])
@pytest.mark.parametrize("fill_mode", ["constant", "reflect", "wrap", "nearest"])
def test_against_the_kernel_behind_the_library(interpolation: str, fill_mode: str) -> None:
    """ImageProjectiveTransformV3 does the library's work, and every TensorFlow has it."""
    images = np.random.default_rng(0).uniform(size=(len(ANGLES), 13, 17, 2)).astype(np.float32)
    cosine, sine = (f(tf.constant(ANGLES)).numpy() for f in (tf.cos, tf.sin))
    right, bottom, two = np.float32(16), np.float32(12), np.float32(2)
    x_offset = (right - (cosine * right - sine * bottom)) / two
    y_offset = (bottom - (sine * right + cosine * bottom)) / two
    zero = np.zeros_like(cosine)
    transforms = np.stack([cosine, -sine, x_offset, sine, cosine, y_offset, zero, zero], axis=1)
    expected = tf.raw_ops.ImageProjectiveTransformV3(
        images=images,
        transforms=transforms,
        output_shape=[13, 17],
        fill_value=0.5,
        interpolation=interpolation.upper(),
        fill_mode=fill_mode.upper(),
    ).numpy()
    # In a graph: test_structured_geometries_in_a_graph of test_answers_addons.py.
    for native in (rotate, tf.function(rotate, jit_compile=True)):
        got = native(images, tf.constant(ANGLES, tf.float32), interpolation, fill_mode, fill_value=0.5)
        fused = native is not rotate and interpolation != "nearest"
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6 if fused else 0)


def test_bytes_are_truncated_like_the_library() -> None:
    image = np.array([[0, 255]] * 2, np.uint8)
    result = rotate(image, 0.4, "bilinear", "nearest").numpy()
    exact = rotate(image.astype(np.float32), 0.4, "bilinear", "nearest").numpy()
    assert (exact % 1 > 0.5).any()
    np.testing.assert_array_equal(result, np.floor(exact))


def test_the_old_names_lead_here() -> None:
    for name in ("tf.contrib.image.rotate", "tfa.image.rotate", "tensorflow_addons.image.rotate"):
        assert catalog.find(name).native == "pipeport.tensorflow_addons.image.rotate"


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"images": np.zeros((2, 2), bool)}, WrongType, ("images", "bool", "uint8")),
        ({"images": np.zeros(3, np.float32)}, OutsideDomain, ("images", "rank 1")),
        ({"images": np.zeros((0, 3), np.float32)}, OutsideDomain, ("images", "no pixels", "shape (0, 3)")),
        ({"interpolation": "cubic"}, UnsupportedArgument, ("interpolation", "'cubic'", "'bilinear'")),
        ({"fill_mode": "edge"}, UnsupportedArgument, ("fill_mode", "'edge'", "'nearest'")),
        ({"angles": math.inf}, OutsideDomain, ("angles", "inf", "finite")),
        ({"angles": [1.0, 2.0]}, OutsideDomain, ("angles", "(2,)")),
    ],
)
def test_mistakes(arguments: dict[str, object], error: type[Exception], words: tuple[str, ...]) -> None:
    complete = {"images": np.zeros((4, 5), np.float32), "angles": 0.5, **arguments}
    with pytest.raises(error) as raised:
        rotate(**complete)
    assert all(word in str(raised.value) for word in words), raised.value
