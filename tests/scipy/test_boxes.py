"""Filters of scipy.ndimage with weights and footprints of several axes: bit for bit, tensors, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as reference
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import ndimage

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(41)
IMAGE = RANDOM.integers(0, 256, (9, 11, 3)).astype(np.uint8)
SHARP = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
SLOPE = np.array([[0.1, 0.2, 0.3], [0.4, -0.5, 0.6]])
CORNER = np.array([[1, 0, 0, 1], [0, 0, 1, 0]])


def _cast(image, dtype):
    return (image / 3.0 - 40 * (dtype[0] != "u")).astype(dtype)


def _agree(name, image, *arguments, jit_compile=None, **options):
    """Compare in a graph, bit for bit but for the sign of zeros."""
    native = tf.function(lambda x: getattr(ndimage, name)(x, *arguments, **options), jit_compile=jit_compile)(
        image
    )
    right = getattr(reference, name)(image, *arguments, **options)
    assert native.dtype == right.dtype
    np.testing.assert_array_equal(native, right)


@pytest.mark.parametrize("weights", [SHARP, SLOPE, np.full((4, 3), 1 / 12)], ids=["sharp", "slope", "mean"])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_sums_round_as_in_the_reference(name, dtype, weights):
    options = {"mode": "constant", "cval": 2.25, "origin": (0, -1)}
    _agree(name, _cast(IMAGE, dtype), weights, axes=(-1, 0), **options)
    _agree(name, _cast(IMAGE, dtype), weights, axes=(1, 0), output="int16")


@pytest.mark.parametrize("shape", [(17, 16, 1), (5, 18, 3)])
@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_more_weights_than_a_program_has(name, shape):
    weights = RANDOM.normal(size=shape)
    weights[1, 2] = 0
    image = RANDOM.integers(0, 256, (64, 97, 3)).astype(np.uint8)
    _agree(name, image, weights, mode="mirror", origin=(1, -2, 0))
    floats = image.astype(np.float32)
    floats[2, 3, 1] = np.inf  # which a weight of 0 does not read
    _agree(name, floats, weights, mode="constant", cval=2.5)
    right = getattr(reference, name)(image, weights)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec(shape, tf.float64)])
    def drawn(x, weights):
        return getattr(ndimage, name)(x, weights)

    np.testing.assert_array_equal(drawn(image, weights), right)


@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_weights_of_a_tensor(name):
    @tf.function
    def filtered(x, weights):
        return getattr(ndimage, name)(x, weights, axes=(0, 1), output="float64")

    image = IMAGE.astype(np.float32)
    image[2, 3, 1] = np.inf  # which a weight of 0 does not read
    for weights in (SHARP, SLOPE, [[3.0]]):
        right = getattr(reference, name)(image, weights, axes=(0, 1), output="float64")
        np.testing.assert_array_equal(filtered(image, tf.constant(weights, tf.float64)), right)
    two = np.stack([SHARP, SHARP + 1.5])
    found = pipeport.batched(getattr(ndimage, name))(np.stack([IMAGE[..., 0]] * 2), tf.constant(two))
    for one, weights in zip(found, two, strict=True):
        np.testing.assert_array_equal(one, getattr(reference, name)(IMAGE[..., 0], weights))


def test_an_infinity_beside_a_weight_of_zero_is_not_read():
    image = np.full((5, 5), np.inf)
    image[1:4, 2] = image[2, 1:4] = 1.0
    _agree("correlate", image, [[0, 1, 0], [1, 1, 1], [0, 1, 0]])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "uint32", "int64", "uint64", "float32"])
@pytest.mark.parametrize("name", ["maximum_filter", "minimum_filter"])
def test_extremes_of_every_dtype(name, dtype):
    image = IMAGE > 128 if dtype == "bool" else _cast(IMAGE, dtype)
    _agree(name, image, size=(2, 3, 1), origin=(0, 1, 0), mode=("constant", "wrap", "nearest"))
    _agree(name, image, footprint=CORNER, axes=(1, 0), origin=(1, 0), mode="mirror")
    _agree(name, image, footprint=np.ones((3, 2)), axes=(0, 1), output="float64", mode="constant", cval=0.5)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("name", ["maximum_filter", "minimum_filter"])
def test_a_footprint_passes_over_what_is_no_number(name, jit_compile):
    image = RANDOM.random((6, 7))
    image[RANDOM.random((6, 7)) < 0.3] = np.nan
    _agree(name, image, footprint=CORNER, jit_compile=jit_compile)


@pytest.mark.parametrize("cval", [-3.0, 7.5, 300.0])
def test_a_fill_may_lie_outside_of_the_dtype(cval):
    for name in ("maximum_filter", "minimum_filter"):
        _agree(name, IMAGE, size=3, mode="constant", cval=cval, output="float32")


def test_sizes_that_the_graph_knows_give_the_same():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.uint8)])
    def filtered(x):
        return (
            ndimage.convolve(x, SLOPE),
            ndimage.maximum_filter(x, 4),
            ndimage.minimum_filter(x, None, CORNER),
        )

    for image in (IMAGE[..., 0], IMAGE[:1, :1, 0], IMAGE[:0, :, 0]):
        right = (
            reference.convolve(image, SLOPE),
            reference.maximum_filter(image, 4),
            reference.minimum_filter(image, None, CORNER),
        )
        for one, other in zip(filtered(image), right, strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_is_not_served_is_refused():
    with pytest.raises(OutsideDomain, match="an axis for each of the 3"):
        ndimage.convolve(IMAGE, SHARP)
    with pytest.raises(OutsideDomain, match="origin"):
        ndimage.correlate(IMAGE, SHARP, axes=(0, 1), origin=2)
    with pytest.raises(WrongType, match="mode"):
        ndimage.correlate(IMAGE, SHARP, axes=(0, 1), mode=("wrap", "wrap"))
    with pytest.raises(UnsupportedArgument, match="Give another `output`"):
        ndimage.convolve(IMAGE > 3, SHARP, axes=(0, 1))
    with pytest.raises(OutsideDomain, match="neither"):
        ndimage.maximum_filter(IMAGE)
    with pytest.raises(UnsupportedArgument, match="both"):
        ndimage.maximum_filter(IMAGE, 3, CORNER)
    with pytest.raises(OutsideDomain, match="at least one neighbour"):
        ndimage.minimum_filter(IMAGE, footprint=np.zeros((3, 3)), axes=(0, 1))
    with pytest.raises(UnsupportedArgument, match="bool for uint8"):
        ndimage.minimum_filter(IMAGE, 3, output=bool)
    with pytest.raises(OutsideDomain, match="size"):
        ndimage.minimum_filter1d(IMAGE, 0)
