"""The linear filters of scipy.ndimage: whole numbers bit for bit, one value per axis, tensors, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as reference
import tensorflow as tf

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import ndimage

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(40)
BYTES = RANDOM.integers(0, 256, (40, 50)).astype(np.uint8)
FLOATS = RANDOM.random((7, 9, 3)).astype(np.float32)


@pytest.mark.parametrize("sigma", [0.3, 0.5, 1.0, 1.7, 3.0])
@pytest.mark.parametrize(
    "image", [BYTES, BYTES // 128 * 100, np.full((9, 9), 77, np.int16)], ids=["noise", "flat", "one"]
)
def test_whole_numbers_lose_their_fraction_as_in_the_reference(image, sigma):
    native = tf.function(lambda x: ndimage.gaussian_filter(x, sigma))(image)
    assert np.array_equal(native, reference.gaussian_filter(image, sigma))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 31])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32"])
def test_means_of_whole_numbers_are_equal(dtype, size):
    image = RANDOM.integers(-100, 100, (20, 30)).astype(dtype)
    assert np.array_equal(ndimage.uniform_filter(image, size), reference.uniform_filter(image, size))


SIZES = ((30, 41, 3), (1, 1, 3), (3, 70, 3), (4, 0, 3))


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "constant"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_images_of_any_size_in_programs_for_few_sizes(dtype, mode):
    def filters(library, image):
        return (
            library.gaussian_filter(image, (1.5, 1.0, 0), mode=mode),
            library.uniform_filter(image, 4, mode=mode, origin=1),
            library.sobel(image, 0, mode=mode),
        )

    compiled = tf.function(
        lambda image: filters(ndimage, image), input_signature=[tf.TensorSpec([None, None, 3], dtype)]
    )
    for size in SIZES:
        image = RANDOM.integers(0, 256, size).astype(dtype)
        if dtype == "float32" and image.size > 9:
            image[size[0] // 2, size[1] // 2, 1] = np.nan
        for found, wanted in zip(compiled(image), filters(reference, image), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-3 if dtype == "float32" else 0)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gaussian_filter", {"sigma": (1.0, 0.5, 0)}),
        ("gaussian_filter", {"sigma": np.array([1.0, 0.0, 2.0]), "mode": ["wrap", "mirror", "nearest"]}),
        ("gaussian_filter", {"sigma": (2.0, 1.0), "axes": (1, 0), "order": (1, 0), "radius": (2, 3)}),
        ("gaussian_filter", {"sigma": 1, "axes": -1}),
        (
            "uniform_filter",
            {"size": (3, 5, 1), "origin": (1, -2, 0), "mode": ("constant", "wrap", "reflect")},
        ),
        ("uniform_filter", {"size": 3.7, "axes": (0, 1)}),
        ("sobel", {"axis": 0, "mode": ("nearest", "wrap", "mirror")}),
    ],
)
def test_each_axis_has_its_own_value(name, options):
    native = getattr(ndimage, name)(FLOATS, **options)
    np.testing.assert_allclose(native, getattr(reference, name)(FLOATS, **options), rtol=2e-6, atol=2e-7)


@pytest.mark.parametrize("mode", ["reflect", "mirror", "wrap", "nearest", "constant"])
@pytest.mark.parametrize("jit_compile", [False, True])
def test_weights_may_reach_further_than_the_array(mode, jit_compile):
    image = RANDOM.random((2, 3))

    @tf.function(jit_compile=jit_compile)
    def smooth(x, sigma):
        return ndimage.gaussian_filter(x, sigma, mode=mode, cval=0.5)

    right = reference.gaussian_filter(image, 5.0, mode=mode, cval=0.5)
    np.testing.assert_allclose(smooth(image, tf.constant(5.0)), right, rtol=1e-12)
    np.testing.assert_allclose(ndimage.gaussian_filter(image, 5.0, mode=mode, cval=0.5), right, rtol=1e-12)


# Symmetric, of opposite signs, and of no kind; an even number.
MANY_WEIGHTS = (np.hanning(101), np.arange(-50.0, 51), RANDOM.standard_normal(77), np.hanning(90))


@pytest.mark.parametrize("weights", MANY_WEIGHTS, ids=["symmetric", "odd", "any", "even"])
@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_many_weights_add_up_in_the_order_of_the_reference(weights, dtype):
    image = (RANDOM.standard_normal((40, 50)) * 100).astype(dtype)
    right = reference.correlate1d(image, weights, 0, mode="mirror", origin=3)
    unknown = tf.TensorSpec([None, None], dtype)
    for spec, compiled in ((unknown, False), (tf.TensorSpec(image.shape, dtype), True)):

        @tf.function(input_signature=[spec], jit_compile=compiled, autograph=False)
        def graph(x):
            return ndimage.correlate1d(x, weights, 0, mode="mirror", origin=3)

        found = graph(image).numpy()
        if dtype == "float32":
            np.testing.assert_allclose(found, right, rtol=0, atol=2e-7 * np.abs(right).max())
        else:
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("weights", MANY_WEIGHTS, ids=["symmetric", "odd", "any", "even"])
def test_gradients_of_many_weights_are_sums_of_the_same_kind(weights):
    line, upstream = RANDOM.standard_normal((2, 200))

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(ndimage.correlate1d(x, weights) * upstream)
        return tape.gradient(total, x)

    right = [reference.correlate1d(unit, weights) @ upstream for unit in np.eye(200)]
    spec = tf.TensorSpec([None], tf.float64)
    unknown = tf.function(gradient, input_signature=[spec], autograph=False)
    compiled = tf.function(gradient, jit_compile=True, autograph=False)
    for found in (gradient(tf.constant(line)), unknown(line), compiled(tf.constant(line))):
        np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-9)


def test_a_tensor_holds_one_sigma_per_axis():
    @tf.function
    def smooth(x, sigma):
        return ndimage.gaussian_filter(x, sigma)

    sigma = np.array([2.0, 0.0, 0.7])
    right = reference.gaussian_filter(FLOATS, sigma)
    np.testing.assert_allclose(smooth(FLOATS, sigma), right, rtol=2e-6)
    two = pipeport.batched(ndimage.gaussian_filter)(
        tf.stack([FLOATS, FLOATS]), tf.constant([[2.0, 0.0, 0.7]] * 2)
    )
    np.testing.assert_allclose(two[1], right, rtol=2e-6)


def test_sizes_that_the_graph_knows_give_the_same():
    @tf.function(input_signature=[tf.TensorSpec([None, None, None], tf.float32)])
    def smooth(x):
        return ndimage.gaussian_filter(x, (1.0, 1.0, 0)), ndimage.uniform_filter(x, 5), ndimage.sobel(x)

    for image in (FLOATS, FLOATS[:1, :1], FLOATS[:0]):
        right = (
            reference.gaussian_filter(image, (1.0, 1.0, 0)),
            reference.uniform_filter(image, 5),
            reference.sobel(image),
        )
        for one, other in zip(smooth(image), right, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_line_is_spoilt_once_what_is_not_finite_has_left_the_window(bad, jit_compile):
    lines = RANDOM.random((3, 12))
    lines[1, 4] = bad
    native = tf.function(lambda x: ndimage.uniform_filter1d(x, 3), jit_compile=jit_compile)(lines)
    np.testing.assert_allclose(native, reference.uniform_filter1d(lines, 3), rtol=1e-12)


def test_what_scipy_refuses_is_refused():
    with pytest.raises(OutsideDomain, match="above 0"):
        ndimage.gaussian_filter1d(FLOATS, 0)
    with pytest.raises(OutsideDomain, match="finite"):
        ndimage.gaussian_filter(FLOATS, np.nan)
    with pytest.raises(OutsideDomain, match="2 values"):
        ndimage.gaussian_filter(FLOATS, (1, 2))
    with pytest.raises(OutsideDomain, match="origin"):
        ndimage.correlate1d(FLOATS, [1, 2, 1], origin=2)
    with pytest.raises(OutsideDomain, match="weights"):
        ndimage.correlate1d(FLOATS, [])
    with pytest.raises(BadAxis):
        ndimage.sobel(FLOATS, axis=3)
    with pytest.raises(UnsupportedArgument, match="mode"):
        ndimage.uniform_filter(FLOATS, mode="edge")
    with pytest.raises(UnsupportedArgument, match="Give another `output`"):
        ndimage.uniform_filter(FLOATS > 0.5)
    with pytest.raises(WrongType, match="order"):
        ndimage.gaussian_filter(FLOATS, 1, order=0.5)


def test_a_sigma_that_is_no_number_is_found_in_the_graph():
    smooth = tf.function(ndimage.gaussian_filter)
    with pytest.raises(tf.errors.InvalidArgumentError, match="sigma"):
        smooth(FLOATS, tf.constant(np.nan))
