"""Many holes at once: the corners of all are added up."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import albumentations as A
from pipeport.albumentations._dropout import _inside


@pytest.mark.parametrize("count", [3, 40, 200])
def test_every_number_of_holes_is_filled_alike(count):
    rng = np.random.default_rng(count)
    left, top = rng.integers(0, 60, count), rng.integers(0, 40, count)
    right, bottom = left + rng.integers(0, 9, count), top + rng.integers(0, 7, count)
    holes = np.stack([left, top, right, bottom], 1).astype(np.int32)
    # Beyond the image, empty, and with its ends turned round.
    holes[:3] = [[58, 35, 90, 60], [5, 5, 5, 9], [30, 20, 10, 12]]
    right_result = np.zeros((41, 61), bool)
    for x, y, to_x, to_y in holes:
        right_result[y:to_y, x:to_x] = True
    found = [_inside(tf.constant(holes), (41, 61))]
    unknown = tf.function(lambda some: _inside(some, (41, 61)), autograph=False)
    found.append(unknown.get_concrete_function(tf.TensorSpec([None, 4], tf.int32))(tf.constant(holes)))
    for one in found:
        np.testing.assert_array_equal(one, right_result)


def test_a_fine_grid_of_known_size_is_that_of_an_unknown_one():
    transform = A.GridDropout(unit_size_range=(3, 9), fill=7, p=1.0)
    image = tf.zeros([64, 96, 3], tf.uint8)

    def run(image):
        return transform(image=image, seed=(1, 2))["image"]

    sized = tf.function(run, autograph=False)
    loose = tf.function(run, autograph=False, input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
    assert 0 < np.mean(sized(image) == 7) < 1
    np.testing.assert_array_equal(sized(image), run(image))
    np.testing.assert_array_equal(loose(image), run(image))
