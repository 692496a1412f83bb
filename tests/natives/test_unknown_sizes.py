"""Warps of images whose sizes are unknown while tracing: padded to buckets, compiled, cut."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage
import skimage.transform
import tensorflow as tf

import pipeport.scipy.ndimage as ndimage
from pipeport.skimage import transform

pytestmark = pytest.mark.newest_only

# The last two meet another bucket than the first; one pixel is a size too.
SIZES = [(63, 40), (1, 1), (5, 64), (65, 70)]
# A bucket is a compilation: two stand for all where another call of the same warp meets all four.
FEW = [(1, 1), (65, 70)]
MODES = ["mirror", "reflect", "nearest", "wrap", "grid-wrap", "constant", "grid-constant"]
CHANNELS = [1, 2, 3, 7]
TILTED = np.array([[0.9, 0.2, 1.0], [-0.3, 1.1, 0.5], [0.002, 0.001, 1.0]])
TURN_2D = np.array([[0.901, 0.2013], [-0.3017, 1.0971]])

CALLS = {
    "ndimage.rotate": (
        lambda x: ndimage.rotate(x, 33.0),
        lambda x: scipy.ndimage.rotate(x, 33.0),
    ),
    "ndimage.rotate, same size, nearest": (
        lambda x: ndimage.rotate(x, 33.0, reshape=False, mode="nearest", order=1),
        lambda x: scipy.ndimage.rotate(x, 33.0, reshape=False, mode="nearest", order=1),
    ),
    "warp": (
        lambda x: transform.warp(x, TILTED),
        lambda x: skimage.transform.warp(x, TILTED),
    ),
    "warp to a size": (
        lambda x: transform.warp(x, TILTED, output_shape=(20, 90), mode="edge"),
        lambda x: skimage.transform.warp(x, TILTED, output_shape=(20, 90), mode="edge"),
    ),
    "warp, order 3": (
        lambda x: transform.warp(x, TILTED, order=3, mode="wrap"),
        lambda x: skimage.transform.warp(x, TILTED, order=3, mode="wrap"),
    ),
    "rotate, order 4": (
        lambda x: transform.rotate(x, 33.0, order=4, cval=0.25),
        lambda x: skimage.transform.rotate(x, 33.0, order=4, cval=0.25),
    ),
}


# Of each warp the one whose sizes are met in every bucket.
EVERYWHERE = {"ndimage.rotate", "warp", "warp to a size"}


@pytest.mark.parametrize("name", CALLS)
def test_every_size_gives_what_the_reference_gives(name):
    native, reference = CALLS[name]
    traced = tf.function(native, input_signature=[tf.TensorSpec([None, None, 3], tf.float64)])
    for size in SIZES if name in EVERYWHERE else FEW:
        image = np.random.default_rng(sum(size)).random((*size, 3))
        right = reference(image)
        found = traced(image).numpy()
        assert found.shape == right.shape
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, atol=2e-11)


def test_a_plane_of_unknown_size_through_a_matrix():
    traced = tf.function(
        lambda x: ndimage.affine_transform(x, TURN_2D, offset=0.5),
        input_signature=[tf.TensorSpec([None, None], tf.float64)],
    )
    for size in FEW:
        image = np.random.default_rng(sum(size)).random(size)
        right = scipy.ndimage.affine_transform(image, TURN_2D, offset=0.5)
        np.testing.assert_allclose(traced(image), right, atol=1e-11)


def test_what_is_computed_beyond_the_output_does_not_reach_it():
    """The rest of the bucket divides by zero here."""
    matrix = np.array([[1.0, 0, 0], [0, 1.0, 0], [-1 / 50, 0, 1.0]])
    traced = tf.function(
        lambda x: transform.warp(x, matrix, cval=0.5),
        input_signature=[tf.TensorSpec([None, None], tf.float64)],
    )
    image = np.random.default_rng(0).random((20, 30))
    np.testing.assert_allclose(traced(image), skimage.transform.warp(image, matrix, cval=0.5), atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("channels", CHANNELS)
def test_channels_are_extended_as_by_scipy(mode, channels):
    image = np.random.default_rng(channels).random((6, 5, channels))
    amount = np.array([0.3, -1.2, 0.75])

    def native(x, by):
        return ndimage.shift(x, by, mode=mode, cval=0.25)

    right = scipy.ndimage.shift(image, amount, mode=mode, cval=0.25)
    # The number of channels decides what is computed, in a graph and eagerly alike: a graph per mode.
    in_a_graph = channels == CHANNELS[MODES.index(mode) % len(CHANNELS)]
    for run in (native, tf.function(native)) if in_a_graph else (native,):
        np.testing.assert_allclose(run(tf.constant(image), tf.constant(amount)), right, atol=1e-11)


@pytest.mark.parametrize("mode", MODES)
def test_order_one_touches_the_next_pixel_of_an_axis_that_stays(mode):
    image = np.zeros((3, 4, 3))
    image[1, 2, 1] = np.nan
    image[0, 0, 0] = np.nan
    image[2, 3, 2] = np.inf

    def native(v):
        return ndimage.zoom(v, (2, 1, 1), order=1, mode=mode)

    # What the graph compiles by itself, the caller's compilation compiles too: of two modes.
    runs = [native, tf.function(native)]
    runs += [tf.function(native, jit_compile=True)] if mode in ("mirror", "grid-constant") else []
    for x in (image, image[:1]):
        right = scipy.ndimage.zoom(x, (2, 1, 1), order=1, mode=mode)
        for run in runs:
            np.testing.assert_array_equal(np.isnan(run(tf.constant(x))), np.isnan(right))
