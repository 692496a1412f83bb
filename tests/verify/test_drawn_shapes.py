"""Functions whose draws decide the shape of a result, against their ports."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tensorflow as tf

from pipeport import verify
from pipeport.errors import NotEquivalent
from pipeport.porting import Ported, sides

pytestmark = pytest.mark.newest_only


def cropped(image):
    height, width = np.random.randint(4, 9, 2)
    return image[:height, :width]


def cropped_or_not(image):
    if random.random() < 0.5:
        image = image[2:-2]
    return image


def of_two_sizes(image):
    side = np.random.choice([4, 6])
    return image[:side].astype(np.float32), image.mean()


@pytest.mark.parametrize("function", [cropped, cropped_or_not, of_two_sizes])
def test_a_size_that_is_drawn_may_be_unknown(function):
    verify.check(*sides(Ported(function)), "image: uint8[10:14,12,3]", examples=8)


def test_a_size_that_is_not_drawn_must_be_known():
    old, new = sides(Ported(cropped))

    def lost(image):
        return tf.raw_ops.PlaceholderWithDefault(input=new(image), shape=[None, None, None])

    with pytest.raises(NotEquivalent, match="lost on axis 2"):
        verify.check(old, lost, "image: uint8[10:14,12,3]", examples=8)
