"""`skimage.util.invert`: the ends of every integer dtype, unknown ranks, a body in float."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from skimage.util import invert as reference

from pipeport.errors import UnsupportedArgument
from pipeport.porting import port
from pipeport.skimage.util import invert

INTEGERS = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_the_ends_of_integers(dtype: np.dtype) -> None:
    ends = np.iinfo(dtype)
    image = np.array([[ends.min, ends.min + 1, ends.max // 2, ends.max]], dtype)
    graph = tf.function(invert, input_signature=[tf.TensorSpec(None, dtype)], autograph=False)
    found = graph(image).numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, reference(image))


def test_signed_floats_keep_the_sign_of_zeros() -> None:
    image = np.array([[0.0, -0.0, -1.0, 0.25]], np.float32)
    found, right = invert(image, signed_float=True).numpy(), reference(image, signed_float=True)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(right))
    np.testing.assert_array_equal(found, right)


def test_in_a_ported_body() -> None:
    def negative(image):
        return reference(image)[::2] / 255

    image = np.arange(24, dtype=np.uint8).reshape(4, 6)
    np.testing.assert_array_equal(port(negative)(image), negative(image))


def test_a_tensor_as_a_switch_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="signed_float: got a tensor"):
        tf.function(lambda on: invert(np.zeros([2, 2]), on), autograph=False)(tf.constant(True))
