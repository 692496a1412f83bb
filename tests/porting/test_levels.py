"""Results that follow interpolated bytes in proportion, on an example: one level of those is allowed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config, seeds
from pipeport.errors import NotEquivalent
from pipeport.porting._levels import levels_of

pytestmark = pytest.mark.newest_only
IMAGE = np.random.default_rng(0).integers(0, 256, (260, 300, 3), np.uint8)
MEAN, SPREAD = np.array([0.4, 0.5, 0.6]), np.array([0.2, 0.25, 0.3])


def resized(image):
    return cv2.resize(image, (224, 200))


def cast(image):
    return resized(image).astype(np.float32)


def scaled(image):
    return resized(image) / 255


def scaled_in_place(image):
    x = np.array(resized(image), dtype=np.float32)
    x /= 255.0
    x *= 2
    return x - 1


def standardised(image):
    return ((resized(image) / 255.0 - MEAN) / SPREAD).astype(np.float32)


def whole_numbers(image):
    return resized(image).astype(np.int32) * 3 - 7


def laid_out_anew(image):
    x = resized(image)[10:100, ::-1].astype(np.float32) / 255
    return np.pad(np.transpose(x, (2, 0, 1)), ((0, 0), (4, 4), (0, 0)), constant_values=0.5)


def two_results(image):
    return resized(image).astype(np.float64) / 127.5 - 1, image.mean()


def flipped_by_a_draw(image):
    image = resized(image)
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    return image.astype(np.float32) * np.float32(1 / 255)


def weighted(image):
    return cv2.addWeighted(image, 0.3, image[::-1], 0.7, 0).astype(np.float32)


def turned_before(image):
    return cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), (224, 200)).astype(np.float32) / 255


def added(image):
    return resized(image) / 255 + cv2.addWeighted(image, 0.3, image, 0.6, 0)[:200, :224] / 51


def above(image):
    return (resized(image) > 127).astype(np.float32)


def squared(image):
    return (resized(image) / 255.0) ** 2


def summed(image):
    return resized(image).sum(-1).astype(np.float32)


def averaged(image):
    return resized(image).astype(np.float64).mean((0, 1))


def of_the_worst(image):
    x = resized(image).astype(np.float32)
    return np.where(x > 200, x * 10, x)


PROPORTIONAL = (
    cast, scaled, scaled_in_place, standardised, whole_numbers, laid_out_anew, two_results, flipped_by_a_draw,
    weighted, turned_before,
)  # fmt: skip
OTHERS = (above, squared, summed, averaged, of_the_worst)


def differs(function):
    """Return whether the port's result differs from the function's at all."""
    pairs = zip(
        tf.nest.flatten(pipeport.port(function)(IMAGE)), tf.nest.flatten(function(IMAGE)), strict=True
    )
    return any(not np.array_equal(one, other) for one, other in pairs)


@pytest.mark.parametrize("function", PROPORTIONAL)
def test_one_level_of_what_is_in_proportion_is_allowed(function):
    assert function in (flipped_by_a_draw, weighted) or differs(function)
    pipeport.port(function, example=IMAGE)


def test_levels_of_several_natives_add_up():
    """`cvtColor` may be a level off as well, in other colours; what it gives is interpolated here."""

    def levels(function):
        port = pipeport.port(function)
        with tf.init_scope(), seeds.ambient((0, 0)):
            [found] = levels_of(lambda: [np.asarray(port(IMAGE))])
        return float(np.median(found))

    assert levels(turned_before) == pytest.approx(1 / 255, rel=1e-2)
    assert levels(scaled) == pytest.approx(1 / 255, rel=1e-2)
    assert levels(added) == pytest.approx(6 / 255, rel=1e-2)
    assert levels(above) == 0


@pytest.mark.parametrize("function", OTHERS)
def test_all_else_is_exact(function):
    assert differs(function)
    with pytest.raises(NotEquivalent, match="set_bit_equal"):
        pipeport.port(function, example=IMAGE)
    with config.use_bit_equal(True):
        pipeport.port(function, example=IMAGE)


@pytest.mark.parametrize("off", [1, 2])
def test_two_levels_are_too_many(monkeypatch, off):
    real = pipeport.cv2._resize.kernel.resize

    def moved(x, *args, **kwargs):
        found = real(x, *args, **kwargs)
        return tf.where(found < 200, found + tf.cast(off, tf.uint8), found)

    with config.use_bit_equal(True):
        monkeypatch.setattr(pipeport.cv2._resize.kernel, "resize", moved)
        if off == 1:
            pipeport.port(scaled, example=IMAGE)
        else:
            with pytest.raises(NotEquivalent, match=r"values up to 0\.00784 apart"):
                pipeport.port(scaled, example=IMAGE)
