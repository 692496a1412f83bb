"""swirl, warp_polar and pyramids of scikit-image: laws, tensors as parameters, batches, unknown sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage.transform import pyramid_expand, pyramid_reduce, swirl, warp_polar

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(5)
IMAGE = RANDOM.uniform(size=(20, 24, 3))
COLOURS = [None, None, 3]


def test_no_strength_is_no_change() -> None:
    np.testing.assert_allclose(swirl(IMAGE, strength=0), IMAGE, atol=1e-12)


def test_rotation_alone_turns_about_the_centre() -> None:
    image = RANDOM.uniform(size=(9, 9))
    turned = swirl(image, center=(4, 4), strength=0, rotation=math.pi / 2)
    np.testing.assert_allclose(turned, np.rot90(image), atol=1e-12)


@pytest.mark.parametrize("order", [0, 1, 3])
def test_swirl_by_tensors_as_by_numbers(order: int) -> None:
    numbers = {"strength": 2.0, "radius": 30.0, "rotation": 0.2, "center": (10.3, 8.7)}
    expected = swirl(IMAGE, order=order, **numbers)
    tensors = {name: tf.constant(value, tf.float64) for name, value in numbers.items()}
    for trace in (tf.function, lambda f: f):
        found = trace(lambda **each: swirl(IMAGE, order=order, **each))(**tensors)
        np.testing.assert_allclose(found, expected, atol=1e-11)
    unknown = tf.function(
        lambda image: swirl(image, order=order, **numbers),
        input_signature=[tf.TensorSpec(COLOURS, tf.float64)],
    )
    np.testing.assert_allclose(unknown(IMAGE), expected, atol=1e-11)


def test_a_batch_has_a_strength_and_a_centre_each() -> None:
    images = np.stack([IMAGE, IMAGE[::-1]])
    strengths, centres = np.array([1.0, -3.0]), np.array([[5.0, 6.0], [12.0, 10.0]])
    found = pipeport.batched(swirl)(images, tf.constant(centres), tf.constant(strengths), 20)
    for image, strength, centre, got in zip(images, strengths, centres, found, strict=True):
        np.testing.assert_allclose(got, swirl(image, tuple(centre), strength, 20), atol=1e-12)


def test_coordinates_of_numbers_are_a_constant() -> None:
    def kinds(*arguments):
        graph = tf.function(swirl).get_concrete_function(*arguments).graph
        return {node.op for node in graph.as_graph_def().node}

    image = tf.TensorSpec([20, 24, 3])
    assert not kinds(image, (3.0, 4.0), 2.0) & {"Sin", "Exp"}
    assert kinds(image, None, tf.TensorSpec([])) >= {"Sin", "Exp"}


def test_rows_of_a_polar_image_are_angles() -> None:
    y, x = np.indices((41, 41)) - 20.0
    angle = np.arctan2(y, x)
    polar = warp_polar(np.cos(angle), radius=18.0, output_shape=(36, 18)).numpy()
    expected = np.cos(np.arange(36) * 2 * np.pi / 36)
    np.testing.assert_allclose(polar[:, 10:], np.repeat(expected[:, np.newaxis], 8, 1), atol=5e-3)


def test_columns_of_a_log_polar_image_grow_by_equal_factors() -> None:
    y, x = np.indices((81, 81)) - 40.0
    polar = warp_polar(np.hypot(y, x), radius=32.0, output_shape=(8, 10), scaling="log").numpy()
    np.testing.assert_allclose(polar[:, 5:], np.tile(32.0 ** (np.arange(5, 10) / 10), (8, 1)), atol=0.05)


def test_polar_in_every_form_and_with_channels_anywhere() -> None:
    expected = warp_polar(IMAGE, channel_axis=-1)
    assert expected.shape == (360, 16, 3)
    moved = warp_polar(np.moveaxis(IMAGE, -1, 0), channel_axis=0)
    np.testing.assert_array_equal(np.moveaxis(moved, 0, -1), expected)
    unknown = tf.function(
        lambda image: warp_polar(image, channel_axis=-1), input_signature=[tf.TensorSpec(COLOURS, tf.float64)]
    )
    np.testing.assert_allclose(unknown(IMAGE), expected, atol=1e-12)
    middle = tf.constant([9.5, 11.5], tf.float64)
    np.testing.assert_allclose(warp_polar(IMAGE, middle, channel_axis=-1), expected, atol=1e-12)
    batch = pipeport.batched(warp_polar)(np.stack([IMAGE, IMAGE]), channel_axis=-1)
    np.testing.assert_allclose(batch[1], expected, atol=1e-12)


def test_a_wrapping_border_survives_coordinates_just_below_zero() -> None:
    """-1e-17 plus the size is the size: a pixel too far."""
    image = np.arange(4.0).reshape(2, 2)
    found = warp_polar(image, (0.0, 0.0), radius=2.0, output_shape=(8, 4), mode="wrap")
    assert found.numpy()[:, 0].tolist() == [0.0] * 8
    assert np.isfinite(found).all()


@pytest.mark.parametrize("factor", [2, 1.5, 3])
def test_pyramids_keep_a_constant_image(factor: float) -> None:
    image = np.full((13, 10, 3), 0.25, np.float32)
    small = pyramid_reduce(image, factor, channel_axis=-1)
    large = pyramid_expand(image, factor, channel_axis=-1)
    assert small.shape == (math.ceil(13 / factor), math.ceil(10 / factor), 3)
    assert large.shape == (math.ceil(13 * factor), math.ceil(10 * factor), 3)
    for found in (small, large):
        assert found.dtype == tf.float32
        np.testing.assert_allclose(found, 0.25, rtol=1e-6)


@pytest.mark.parametrize("options", [{}, {"downscale": 3}, {"order": 0}, {"mode": "wrap"}, {"sigma": 0.1}])
def test_a_shrunk_image_spreads_what_is_not_finite_as_the_reference(options) -> None:
    reference = pytest.importorskip("skimage.transform").pyramid_reduce
    image = np.random.default_rng(5).random((12, 15, 2))
    image[2, 3, 0], image[7, 8, 1], image[9, 0, 0] = np.nan, np.inf, -np.inf
    found = tf.function(lambda x: pyramid_reduce(x, channel_axis=-1, **options))(image)
    np.testing.assert_allclose(found, reference(image, channel_axis=-1, **options), rtol=1e-12)


@pytest.mark.parametrize("function", [pyramid_reduce, pyramid_expand])
@pytest.mark.parametrize("options", [{}, {"mode": "constant", "cval": 2.0, "order": 3}, {"mode": "wrap"}])
def test_pyramids_in_every_form(function, options) -> None:
    def run(image):
        return function(image, 1.75, channel_axis=-1, **options)

    expected = run(IMAGE)
    known = tf.function(run)(IMAGE)
    unknown = tf.function(run, input_signature=[tf.TensorSpec(COLOURS, tf.float64)])(IMAGE)
    batch = pipeport.batched(function)(np.stack([IMAGE, IMAGE]), 1.75, channel_axis=-1, **options)
    for found in (known, unknown, batch[1]):
        np.testing.assert_allclose(found, expected, atol=1e-12)
    first = np.moveaxis(function(np.moveaxis(IMAGE, -1, 0), 1.75, channel_axis=0, **options), 0, -1)
    np.testing.assert_allclose(first, expected, atol=1e-12)


def _unrolled(radius):
    return warp_polar(IMAGE[..., 0], radius=radius)


@pytest.mark.parametrize(
    ("run", "error"),
    [
        (lambda: swirl(IMAGE, radius=0), OutsideDomain),
        (lambda: swirl(IMAGE, strength=math.nan), OutsideDomain),
        (lambda: swirl(IMAGE, center=(1, 2, 3)), OutsideDomain),
        (lambda: swirl(IMAGE[np.newaxis]), OutsideDomain),
        (lambda: swirl(IMAGE, order=6), UnsupportedArgument),
        (lambda: swirl(IMAGE, mode="mirror"), UnsupportedArgument),
        (lambda: swirl(IMAGE > 0.5, order=1), UnsupportedArgument),
        (lambda: swirl(IMAGE, output_shape=(0, 3)), OutsideDomain),
        (lambda: warp_polar(IMAGE), OutsideDomain),
        (lambda: warp_polar(IMAGE, channel_axis=3), BadAxis),
        (lambda: warp_polar(IMAGE[..., 0], channel_axis=-1), OutsideDomain),
        (lambda: warp_polar(IMAGE[..., 0], scaling="square"), UnsupportedArgument),
        (lambda: warp_polar(IMAGE[..., 0], border="wrap"), WrongType),
        (lambda: tf.function(_unrolled).get_concrete_function(tf.TensorSpec([])), UnsupportedArgument),
        (lambda: pyramid_reduce(IMAGE, 1), OutsideDomain),
        (lambda: pyramid_expand(IMAGE, "2"), WrongType),
        (lambda: pyramid_reduce(IMAGE, sigma=-1), OutsideDomain),
        (lambda: pyramid_reduce(IMAGE, sigma=(1, 1, 0), channel_axis=-1), WrongType),
        (lambda: pyramid_reduce(IMAGE, mode="edge"), UnsupportedArgument),
    ],
)
def test_refusals_name_what_is_allowed(run, error) -> None:
    with pytest.raises(error, match="allowed: "):
        run()


def test_a_radius_that_turns_out_negative() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="radius"):
        tf.function(lambda radius: swirl(IMAGE, radius=radius))(tf.constant(-1.0))
