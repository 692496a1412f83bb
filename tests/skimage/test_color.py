"""`skimage.color`: channels on every axis, sizes known or not, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from skimage import color as reference

from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.skimage import color

RANDOM = np.random.default_rng(29)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "int16", "float16", "float32", "float64"])
@pytest.mark.parametrize("axis", [-1, 0, 1, -2])
def test_grey_levels_along_every_axis(dtype: str, axis: int) -> None:
    values = RANDOM.random((200, 130, 3)) * (2 if dtype == "bool" else 1)
    x = (
        values.astype(dtype)
        if "float" in dtype or dtype == "bool"
        else (values * np.iinfo(dtype).max).astype(dtype)
    )
    x = np.moveaxis(x, -1, axis)
    right = reference.rgb2gray(x, channel_axis=axis)
    shape = [3 if at == axis % 3 else None for at in range(3)]
    for spec in (tf.TensorSpec(x.shape, dtype), tf.TensorSpec(shape, dtype)):
        graph = tf.function(
            lambda x: color.rgb2gray(x, channel_axis=axis), input_signature=[spec], autograph=False
        )
        found = graph(x).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=0, atol=4 * np.finfo(right.dtype).eps)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_three_channels_on_every_axis(axis: int) -> None:
    x = RANDOM.integers(0, 256, (40, 31), np.uint8)
    right = reference.gray2rgb(x, channel_axis=axis)
    found = tf.function(lambda x: color.gray2rgb(x, channel_axis=axis), autograph=False)(x)
    np.testing.assert_array_equal(found, right)


def test_in_a_ported_body() -> None:
    def prepared(image):
        grey = reference.rgb2gray(image)
        return reference.gray2rgb(grey > grey.mean())

    x = RANDOM.integers(0, 256, (20, 30, 3), np.uint8)
    np.testing.assert_array_equal(port(prepared)(x), prepared(x))


X = np.zeros((5, 6, 3), np.uint8)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "4 channels", lambda: color.rgb2gray(np.zeros((5, 6, 4)))),
        (OutsideDomain, "complex64", lambda: color.rgb2gray(X.astype(np.complex64))),
        (BadAxis, "channel_axis", lambda: color.rgb2gray(X, channel_axis=3)),
        (WrongType, "channel_axis", lambda: color.gray2rgb(X, channel_axis=0.5)),
        (BadAxis, "channel_axis", lambda: color.gray2rgb(X, channel_axis=4)),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()


def test_channels_have_to_be_known() -> None:
    unknown = tf.TensorSpec([None, None, None], tf.uint8)
    with pytest.raises(UnsupportedArgument, match="channels"):
        tf.function(color.rgb2gray, autograph=False).get_concrete_function(unknown)
