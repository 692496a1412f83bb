"""`skimage.measure.block_reduce`: every function, dtype and incomplete blocks, a body, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from skimage.measure import block_reduce as reference

import pipeport.numpy
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.skimage.measure import block_reduce

RANDOM = np.random.default_rng(59)


NAMES = ["sum", "mean", "max", "min", "median", "std", "var", "ptp", "prod", "any", "all"]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
def test_every_function(name: str, dtype: str) -> None:
    if (name, dtype) == ("ptp", "bool"):
        pytest.skip("NumPy subtracts no bool")
    # Products of up to 60 pixels stay below what float32 holds.
    image = (RANDOM.random((65, 70, 3)) * (3 if name == "prod" else 255)).astype(np.uint8).astype(dtype)
    for size in (2, (3, 5, 1), (20, 1, 3)):
        right = reference(image, size, getattr(np, name), 4)
        for shape in (image.shape, [None, None, 3]):
            graph = tf.function(
                lambda x: block_reduce(x, size, getattr(pipeport.numpy, name), 4),  # noqa: B023
                input_signature=[tf.TensorSpec(shape, dtype)],
                autograph=False,
            )
            found = graph(image).numpy()
            assert found.dtype == right.dtype
            np.testing.assert_allclose(found, right, 2e-6 if dtype == "float32" else 4e-15)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [2, 20])
def test_nan_spoils_its_block_alone(name: str, size: int) -> None:
    image = np.arange(1600.0).reshape(40, 40)
    if name == "prod":
        image %= 2
    image[1, 2] = image[20, 20] = np.nan
    right = reference(image, size, getattr(np, name))
    found = tf.function(lambda x: block_reduce(x, size, getattr(np, name)), autograph=False)(image)
    np.testing.assert_array_equal(found, right)


def test_in_a_ported_body() -> None:
    def prepared(image):
        spread = reference(image, block_size=(2, 2, 1), func=np.std)
        return (
            reference(image, (2, 2, 1), np.max)
            + reference(image, block_size=(2, 2, 1), func=np.mean)
            + spread
        )

    image = RANDOM.integers(0, 100, (20, 30, 3), np.uint8)
    np.testing.assert_array_equal(port(prepared)(image), prepared(image))


X = np.zeros((5, 6), np.uint8)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (UnsupportedArgument, "func", lambda: block_reduce(X, 2, np.argmax)),
        (OutsideDomain, "bool", lambda: block_reduce(X > 0, 2, np.ptp)),
        (UnsupportedArgument, "func_kwargs", lambda: block_reduce(X, 2, np.sum, 0, {"dtype": "int8"})),
        (OutsideDomain, "block_size", lambda: block_reduce(X, 0)),
        (OutsideDomain, "block_size", lambda: block_reduce(X, (2, 2, 2))),
        (WrongType, "block_size", lambda: block_reduce(X, (2, 1.5))),
        (OutsideDomain, "cval: got 300", lambda: block_reduce(X, 2, np.max, 300)),
    ],
)
def test_what_is_refused(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
