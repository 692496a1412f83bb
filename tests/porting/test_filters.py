"""Filters that go along one axis after the other, in ported bodies."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import ndimage
from skimage import filters

from pipeport.porting import port
from tests.porting.modes import every_size

pytestmark = pytest.mark.both


def along_each_axis(x):
    found = [ndimage.uniform_filter1d(x, 3, axis=axis) for axis in range(x.ndim)]
    return [*found, ndimage.convolve1d(x, [1.0, 2.0, 4.0], axis=0), ndimage.sobel(x, axis=0)]


def of_a_picture(x):
    return ndimage.gaussian_filter(x.T * 2, 1.0), filters.gaussian(x, 1.0)


@pytest.mark.parametrize("shape", [(9,), (5, 7), (4, 5, 3)])
def test_filters_of_any_rank_and_size(shape):
    x = np.random.default_rng(1).integers(1, 99, shape).astype(np.float64)
    every_size(along_each_axis, x, relative=1e-14)


def test_pictures_of_unknown_sizes_in_a_batched_map():
    pictures = np.random.default_rng(2).random((2, 5, 7))
    unsized = tf.TensorSpec([None, None], tf.float64)
    data = tf.data.Dataset.from_generator(lambda: iter(pictures), output_signature=unsized)
    for found in data.map(port(of_a_picture)).batch(2):
        for number, picture in enumerate(pictures):
            for ours, right in zip(found, of_a_picture(picture), strict=True):
                np.testing.assert_allclose(ours[number], right, 1e-13)
