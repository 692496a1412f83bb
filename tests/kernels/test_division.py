"""Quotients and decimals that TensorFlow would round twice."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from pipeport.kernels.pillow._rotate import _rounded
from pipeport.kernels.xla._divide import divided
from pipeport.skimage.transform import resize

WHOLE = np.arange(1.0, 200.0)


def runs():
    return {"eager": lambda f: f, "graph": tf.function, "xla": lambda f: tf.function(f, jit_compile=True)}


@pytest.mark.parametrize("engine", runs())
@pytest.mark.parametrize("divisor", [3, 7.0, 49.0, 1e15])
def test_a_quotient_is_rounded_once(engine, divisor):
    run = runs()[engine](lambda x: divided(x, divisor))
    np.testing.assert_array_equal(run(tf.constant(WHOLE)), WHOLE / divisor)


def test_tensorflow_itself_multiplies_by_the_reciprocal():
    """Else `divided` is not needed."""
    plain = tf.function(lambda x: x / 3.0, input_signature=[tf.TensorSpec([None], tf.float64)])
    assert (plain(tf.constant(WHOLE)).numpy() != WHOLE / 3).any()


def test_python_numbers_stay_python_numbers():
    assert divided(7, 2) == 3.5
    assert isinstance(divided(7, 2), float)


@pytest.mark.parametrize("engine", runs())
def test_decimals_round_as_in_python(engine):
    angles = [*np.random.default_rng(0).uniform(0, 7, 2000), *np.deg2rad(np.arange(0, 361, 0.5))]
    values = np.array(
        [math.sin(a) for a in angles] + [math.cos(a) for a in angles] + [0, 1, -1, 5e-16, 6e-17]
    )
    right = [round(float(value), 15) for value in values]
    np.testing.assert_array_equal(runs()[engine](_rounded)(tf.constant(values)), right)


def test_an_infinity_beside_a_whole_coordinate_counts_alike_for_known_and_unknown_sizes():
    """7 * (1 / 3) is not 7 / 3: the middle column would lie beside a pixel instead of on it."""
    image = np.full((7, 7), -0.5, np.float32)
    image[1, 1] = np.inf
    traced = tf.function(
        lambda x: resize(x, (3, 3)), input_signature=[tf.TensorSpec([None, None], tf.float32)]
    )
    known = resize(image, (3, 3)).numpy()
    assert np.isnan(known).any()
    np.testing.assert_array_equal(np.isnan(traced(image)), np.isnan(known))


def test_an_image_that_has_the_size_already_keeps_its_infinities():
    image = np.zeros((4, 5), np.float32)
    image[2, 3] = np.inf
    traced = tf.function(
        lambda x: resize(x, (4, 5)), input_signature=[tf.TensorSpec([None, None], tf.float32)]
    )
    np.testing.assert_array_equal(traced(image), image)
    smooth = tf.function(
        lambda x: resize(x, (4, 5), anti_aliasing=True, anti_aliasing_sigma=1.0),
        input_signature=[tf.TensorSpec([None, None], tf.float32)],
    )
    right = resize(image, (4, 5), anti_aliasing=True, anti_aliasing_sigma=1.0)
    np.testing.assert_array_equal(smooth(image), right)
