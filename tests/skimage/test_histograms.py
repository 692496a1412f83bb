"""Histograms of `exposure` and `filters`: photographs, masks, each image of a batch, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from skimage import exposure as reference
from skimage import filters as reference_filters

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port
from pipeport.skimage import exposure, filters

RANDOM = np.random.default_rng(61)
LEVELS = RANDOM.normal([[[90]], [[40]], [[200]]], 25, (3, 120, 130)).clip(0, 255)
DTYPES = ["uint8", "uint16", "int16", "float32", "float64"]


def _images(dtype: str) -> Any:
    return (
        (LEVELS / 255).astype(dtype)
        if "float" in dtype
        else (LEVELS * 3 - 90 if dtype == "int16" else LEVELS).astype(dtype)
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_image_of_a_batch_is_equalised(dtype: str) -> None:
    images = _images(dtype)
    mask = RANDOM.random(images.shape) > 0.6
    batched = pipeport.batched(exposure.equalize_hist)
    for given in ((), (mask,)):
        graph = tf.function(lambda x, *m: batched(x, 100, *m), autograph=False)
        found = graph(images, *given).numpy()
        for at, image in enumerate(images):
            right = reference.equalize_hist(image, 100, *(one[at] for one in given))
            assert found[at].dtype == right.dtype
            bound = 4 * np.finfo(right.dtype).eps if "float" in dtype else 0
            np.testing.assert_allclose(found[at], right, 0, bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_image_of_a_batch_has_a_threshold(dtype: str) -> None:
    images = _images(dtype)
    graph = tf.function(
        pipeport.batched(filters.threshold_otsu),
        input_signature=[tf.TensorSpec([None, None, None], dtype)],
        autograph=False,
    )
    right = [reference_filters.threshold_otsu(image) for image in images]
    found = graph(images).numpy()
    assert found.dtype == right[0].dtype
    np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_levels_of_another_image(axis: int | None) -> None:
    images = _images("uint8").transpose(1, 2, 0)
    others = RANDOM.integers(3, 250, (40, 31, 3), np.uint8) // 3 * 2
    if axis is not None:
        images, others = (np.moveaxis(one, -1, axis) for one in (images, others))
    images, others = np.stack([images, 255 - images]), np.stack([others, others[::-1] if axis else others])
    graph = tf.function(pipeport.batched(exposure.match_histograms), autograph=False)
    found = graph(images, others, channel_axis=axis).numpy()
    for one, image, other in zip(found, images, others, strict=True):
        right = reference.match_histograms(image, other, channel_axis=axis)
        assert one.dtype == right.dtype
        np.testing.assert_array_equal(one, right)


@pytest.mark.parametrize("value", [0, 7, 255])
def test_an_image_of_one_level(value: int) -> None:
    image = np.full((9, 12), value, np.uint8)
    assert int(filters.threshold_otsu(image)) == value
    assert float(filters.threshold_otsu(image / 255)) == reference_filters.threshold_otsu(image / 255)
    np.testing.assert_array_equal(exposure.equalize_hist(image), reference.equalize_hist(image))
    np.testing.assert_array_equal(exposure.equalize_hist(image / 255), reference.equalize_hist(image / 255))


def test_in_a_ported_body() -> None:
    def prepared(image):
        return (image > reference_filters.threshold_otsu(image)) * reference.equalize_hist(image)

    for image in (_images("uint8")[0], _images("float64")[1]):
        np.testing.assert_allclose(port(prepared)(image), prepared(image), 0, 1e-15)


X = np.zeros((5, 6))
Y = X.astype(np.uint8)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "nbins: got 0", lambda: exposure.equalize_hist(X, 0)),
        (OutsideDomain, "mask: got shape", lambda: exposure.equalize_hist(X, mask=X[:2])),
        (OutsideDomain, "int32", lambda: filters.threshold_otsu(X.astype(np.int32))),
        (OutsideDomain, "no pixels", lambda: filters.threshold_otsu(X[:0])),
        (OutsideDomain, "float64", lambda: exposure.match_histograms(X, Y)),
        (OutsideDomain, "rank 1", lambda: exposure.match_histograms(Y, Y[0])),
        (OutsideDomain, "4 channels", lambda: exposure.match_histograms(Y, Y[:, :4], channel_axis=1)),
        (UnsupportedArgument, "hist", lambda: filters.threshold_otsu(hist=np.ones(4))),
        (tf.errors.InvalidArgumentError, "NaN", lambda: tf.function(exposure.equalize_hist)(X * np.nan)),
        (tf.errors.InvalidArgumentError, "no pixel", lambda: tf.function(exposure.equalize_hist)(X, mask=X)),
    ],
)
def test_what_is_refused(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
