"""`skimage.filters`: sizes of photographs, drawn numbers, one per axis or element, masks, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from skimage import filters as reference

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.skimage import filters

RANDOM = np.random.default_rng(53)
PHOTOGRAPHS = RANDOM.integers(0, 256, (3, 90, 130, 3), np.uint8)
SIGMAS = np.array([0.4, 1.0, 2.3])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("name", ["gaussian", "unsharp_mask"])
def test_each_element_has_a_sigma_of_its_own(name: str, dtype: str) -> None:
    images = PHOTOGRAPHS if dtype == "uint8" else (PHOTOGRAPHS / 255).astype(dtype)
    native = pipeport.batched(getattr(filters, name))
    found = tf.function(lambda x, s: native(x, s, channel_axis=2), autograph=False)(
        images, tf.constant(SIGMAS)
    )
    for one, image, sigma in zip(found.numpy(), images, SIGMAS, strict=True):
        right = getattr(reference, name)(image, sigma, channel_axis=2)
        assert one.dtype == right.dtype
        np.testing.assert_allclose(one, right, 0, 8 * np.finfo(right.dtype).eps)


@pytest.mark.parametrize("sigma", [(0.5, 2.0), (2.0, 0.0), (0.5, 1.0, 0.7), np.array([0.5, 2.0])], ids=str)
def test_one_sigma_for_each_axis(sigma: Any) -> None:
    image = PHOTOGRAPHS[0]
    right = reference.gaussian(image, sigma, channel_axis=-1, mode="mirror")
    spec = tf.TensorSpec([None, None, 3], tf.uint8)
    graph = tf.function(
        lambda x: filters.gaussian(x, sigma, channel_axis=-1, mode="mirror"), [spec], autograph=False
    )
    np.testing.assert_allclose(graph(image), right, 0, 1e-15)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (2,)])
@pytest.mark.parametrize("mode", ["reflect", "constant", "wrap"])
def test_edges_along_axes(axis: Any, mode: str) -> None:
    image = RANDOM.random((66, 70, 3), np.float32)
    right = reference.sobel(image, axis=axis, mode=mode, cval=0.5)
    for shape in (image.shape, [None, None, None]):
        spec = tf.TensorSpec(shape, tf.float32)
        graph = tf.function(
            lambda x: filters.sobel(x, axis=axis, mode=mode, cval=0.5), [spec], autograph=False
        )
        np.testing.assert_allclose(graph(image), right, 0, 4e-7)


def test_a_mask_cuts_off_what_touches_its_border() -> None:
    image = RANDOM.random((40, 50))
    mask = RANDOM.random((40, 50)) > 0.05
    for given in (mask, mask.astype(np.int32) * 3):
        found = tf.function(filters.sobel, autograph=False)(image, given).numpy()
        np.testing.assert_allclose(found, reference.sobel(image, given), 0, 1e-14)
    assert 0 < np.count_nonzero(found) < np.count_nonzero(mask)


def test_in_a_ported_body() -> None:
    def prepared(image):
        smooth = reference.gaussian(image, sigma=1.5, channel_axis=-1)
        return (
            reference.sobel(smooth.mean(axis=2))
            + reference.unsharp_mask(image, radius=2, channel_axis=2)[..., 0]
        )

    np.testing.assert_allclose(port(prepared)(PHOTOGRAPHS[0]), prepared(PHOTOGRAPHS[0]), 0, 1e-13)


X = np.zeros((5, 6))


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "sigma: got -1", lambda: filters.gaussian(X, -1)),
        (OutsideDomain, "radius: got -1", lambda: filters.unsharp_mask(X, -1)),
        (OutsideDomain, "3 numbers", lambda: filters.gaussian(X, (1, 2, 3))),
        (OutsideDomain, "complex64", lambda: filters.gaussian(X.astype(np.complex64))),
        (OutsideDomain, "mask: got shape", lambda: filters.sobel(X, np.ones((5, 5)))),
        (UnsupportedArgument, "out: got ndarray", lambda: filters.gaussian(X, out=X)),
        (UnsupportedArgument, "mode: got 'edge'", lambda: filters.gaussian(X, mode="edge")),
        (WrongType, "mode", lambda: filters.sobel(X, mode=1)),
        (BadAxis, "channel_axis", lambda: filters.gaussian(X, channel_axis=2)),
        (BadAxis, "axis", lambda: filters.sobel(X, axis=2)),
        (
            tf.errors.InvalidArgumentError,
            "negative",
            lambda: tf.function(filters.gaussian)(X, tf.constant(-1.0)),
        ),
    ],
)
def test_what_is_refused(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
