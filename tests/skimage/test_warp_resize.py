"""scikit-image's warp, resize, rescale and higher orders of rotate: what the contracts do not draw."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import skimage.transform as reference
import tensorflow as tf

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage import transform

pytestmark = pytest.mark.newest_only

MODES = ("constant", "edge", "symmetric", "reflect", "wrap")
TILTED = np.array([[0.9, 0.2, 1.0], [-0.3, 1.1, 0.5], [0.01, 0.02, 1.0]])


def image(*shape: int, dtype: str = "float64") -> np.ndarray:
    values = np.random.default_rng(sum(shape)).random(shape)
    return (values * 200).astype(dtype) if np.dtype(dtype).kind in "iu" else values.astype(dtype)


def far(native: tf.Tensor, right: np.ndarray) -> float:
    assert native.shape == right.shape
    assert native.dtype.as_numpy_dtype == right.dtype
    return float(np.abs(native.numpy().astype(float) - right.astype(float)).max())


def quiet(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-image warns of its own order 2
        return function(*args, **kwargs)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", range(6))
def test_callables_are_traced(mode, order):
    picture = image(6, 8, 3)

    def bent(xy):
        return xy * 1.1 - 0.3 + 0.01 * xy * xy

    right = quiet(reference.warp, picture, bent, order=order, mode=mode, cval=0.5)
    assert far(transform.warp(picture, bent, order=order, mode=mode, cval=0.5), right) < 1e-9


@pytest.mark.parametrize("order", range(6))
def test_coordinates_of_any_rank(order):
    volume = image(5, 6, 4)
    where = np.random.default_rng(3).uniform(-3, 9, (3, 4, 5))
    right = quiet(reference.warp, volume, where, order=order, mode="reflect")
    assert far(transform.warp(volume, where, order=order, mode="reflect"), right) < 1e-9


@pytest.mark.parametrize("order", [0, 1, 3, 4])
def test_transforms_of_both_libraries_are_taken(order):
    picture = image(7, 9)
    right = quiet(reference.warp, picture, reference.ProjectiveTransform(TILTED).inverse, order=order)
    ours = transform.ProjectiveTransform(TILTED).inverse
    assert far(transform.warp(picture, ours, order=order), right) < 1e-9
    theirs = reference.ProjectiveTransform(TILTED).inverse
    assert far(transform.warp(picture, theirs, order=order), right) < 1e-9


def test_arguments_reach_a_callable():
    def moved(xy, by):
        return xy + by

    picture = image(6, 7)
    right = reference.warp(picture, moved, map_args={"by": 1.5}, order=1)
    assert far(transform.warp(picture, moved, map_args={"by": 1.5}, order=1), right) < 1e-12


def test_a_matrix_per_image():
    pictures = np.stack([image(6, 7), image(6, 7) * 2])
    matrices = np.stack([TILTED, np.linalg.inv(TILTED)])
    for order in (0, 1, 3, 5):
        warped = pipeport.batched(transform.warp)(pictures, tf.constant(matrices), order=order)
        for k in range(2):
            right = quiet(reference.warp, pictures[k], matrices[k], order=order)
            assert far(warped[k], right) < 1e-9


def test_a_numpy_callable_is_refused_with_advice():
    def host(xy):
        return np.sqrt(xy.astype(float))

    with pytest.raises(WrongType, match="TensorFlow"):
        tf.function(lambda x: transform.warp(x, host))(tf.constant(image(4, 4)))


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("sizes", [(3, 4), (12, 9), (6, 3)])
def test_resize_smooths_as_scikit_image_does(order, sizes):
    picture = image(9, 7, 3)
    for mode in MODES:
        right = reference.resize(picture, sizes, order=order, mode=mode)
        assert far(transform.resize(picture, sizes, order=order, mode=mode), right) < 1e-9


def test_resize_of_unknown_sizes():
    spec = tf.TensorSpec([None, None, 3], tf.float32)
    small = tf.function(lambda x: transform.resize(x, (4, 5)), input_signature=[spec])
    half = tf.function(lambda x: transform.rescale(x, 0.5, channel_axis=-1), input_signature=[spec])
    assert small.get_concrete_function().output_shapes == [4, 5, 3]
    for shape in ((17, 9, 3), (3, 4, 3)):
        picture = image(*shape, dtype="float32")
        assert far(small(picture), reference.resize(picture, (4, 5))) < 1e-6
        assert far(half(picture), reference.rescale(picture, 0.5, channel_axis=-1)) < 1e-6


def test_resize_changes_the_number_of_axes_as_numpy_would():
    picture = image(6, 8)
    assert far(transform.resize(picture, (3, 4, 2)), reference.resize(picture, (3, 4, 2))) < 1e-12
    volume = image(6, 8, 5)
    assert far(transform.resize(volume, (3, 4)), reference.resize(volume, (3, 4))) < 1e-12


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_rescale_leaves_the_channel_axis_alone(axis):
    picture = image(6, 8, 5)
    right = reference.rescale(picture, 0.7, channel_axis=axis, order=3)
    assert far(transform.rescale(picture, 0.7, channel_axis=axis, order=3), right) < 1e-9


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_rotate_takes_every_order(order, dtype):
    picture = image(20, 17, 3, dtype=dtype)
    for mode in MODES:
        right = quiet(reference.rotate, picture, 33.0, order=order, mode=mode, resize=True)
        got = transform.rotate(picture, 33.0, order=order, mode=mode, resize=True)
        assert far(got, right) < (2e-4 if dtype == "float32" else 1e-9)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: transform.warp(x, "matrix"), WrongType),
        (lambda x: transform.warp(x, np.eye(2)), OutsideDomain),
        (lambda x: transform.warp(x, np.eye(3) * np.nan), OutsideDomain),
        (lambda x: transform.warp(x, np.eye(3), output_shape=(0, 3)), OutsideDomain),
        (lambda x: transform.warp(x, np.eye(3), output_shape=(10**6, 10**6)), OutsideDomain),
        (lambda x: transform.warp(x, np.eye(3), map_args={"a": 1}), UnsupportedArgument),
        (lambda x: transform.warp(x, np.eye(3), order=6), UnsupportedArgument),
        (lambda x: transform.warp(x, np.eye(3), mode="mirror"), UnsupportedArgument),
        (lambda x: transform.warp(x[0, 0], np.eye(3)), OutsideDomain),
        (lambda x: transform.warp(x[:0], np.eye(3)), OutsideDomain),
        (lambda x: transform.resize(x, (0, 3)), OutsideDomain),
        (lambda x: transform.resize(x, (3,) * 1), OutsideDomain),
        (lambda x: transform.resize(x, 3), WrongType),
        (lambda x: transform.resize(x, (3, 3), anti_aliasing_sigma=-1), OutsideDomain),
        (lambda x: transform.resize(x > 0.5, (3, 3), anti_aliasing=True), UnsupportedArgument),
        (lambda x: transform.rescale(x, (1, 2)), OutsideDomain),
        (lambda x: transform.rescale(x, 0.5, channel_axis=4), BadAxis),
        (lambda x: transform.rescale(x, tf.Variable(0.5)), UnsupportedArgument),
    ],
)
def test_bad_input_is_refused_while_tracing(call, error):
    with pytest.raises(error):
        call(image(4, 4, 3))
