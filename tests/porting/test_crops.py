"""Crops at drawn places: the static size that follows from where they begin."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import seeds
from pipeport.porting import Ported, sides

GENERATOR = np.random.default_rng(0)


def after_other_functions(x):
    size = len(x)
    x = x * 2.0 + np.float32(1)
    start = np.random.randint(0, size - 100)
    return x[start : start + 100]


def of_a_waveform(x):
    start = np.random.randint(0, len(x) - 100)
    return x[start : start + 100]


def by_python(x):
    start = random.randint(0, len(x) - 100)
    return x[start : start + 100]


def to_the_last(x):
    count = 100
    start = np.random.randint(x.shape[0] - count + 1)
    end = start + count
    return x[start:end].astype(np.float64)


def of_a_range(x):
    start = random.randrange(len(x) - 100)
    return x[1 + start : start + 101]


def of_a_generator(x):
    start = GENERATOR.integers(0, len(x) - 100, endpoint=True)
    return x[start : start + 100]


def chosen(x):
    start = np.random.choice(len(x) - 100)
    return x[start : 100 + start]


def under_a_condition(x):
    if len(x) > 100:
        start = random.randint(0, len(x) - 100)
        x = x[start : start + 100]
    else:
        x = np.zeros(100, x.dtype)
    return x


def size_asked_before(x):
    size = len(x)
    x = x.astype(np.float64)
    if size > 0:
        start = np.random.randint(0, size - 99)
        x = x[start : start + 100]
    else:
        x = np.zeros(100)
    return x


def with_a_new_axis(x):
    start = np.random.randint(0, len(x) - 100)
    return x[None, start : start + 100]


def of_a_share(x):
    start = int(np.random.rand() * (len(x) - 100))
    return x[start : start + 100]


def of_a_share_by_python(x):
    start = int(random.uniform(0, len(x) - 100))
    return x[start : start + 100]


KNOWN = (
    of_a_waveform, by_python, to_the_last, of_a_range, of_a_generator, chosen, under_a_condition,
    size_asked_before, with_a_new_axis, after_other_functions,
)  # fmt: skip
KNOWN_OF_KNOWN = (of_a_share, of_a_share_by_python)


def sizes(function, shape, dtype=tf.float32):
    arrays = tf.data.Dataset.from_generator(list, output_signature=tf.TensorSpec(shape, dtype))
    return arrays.apply(seeds.seeded_map(pipeport.port(function), 42)).element_spec.shape.as_list()


@pytest.mark.parametrize("function", [*KNOWN, *KNOWN_OF_KNOWN])
def test_the_size_of_a_crop_of_known_sizes_is_known(function):
    assert sizes(function, [400]) == [1] * (function is with_a_new_axis) + [100]


@pytest.mark.parametrize("function", KNOWN)
def test_it_is_known_where_the_array_s_own_is_not(function):
    assert sizes(function, [None]) == [1] * (function is with_a_new_axis) + [100]


@pytest.mark.parametrize("function", KNOWN_OF_KNOWN)
def test_a_share_of_an_unknown_size_may_be_negative(function):
    assert sizes(function, [None]) == [None]


def too_short(x):
    start = np.random.randint(0, max(1, len(x) - 100))
    return x[start : start + 100]


def beyond(x):
    start = np.random.randint(0, len(x) - 98)
    return x[start : start + 100]


def from_below(x):
    start = np.random.randint(-5, len(x) - 200)
    return x[start : start + 100]


def of_another(x):
    y = x[x > 0]
    start = np.random.randint(0, len(x) - 100)
    return y[start : start + 100]


def of_narrow_numbers(x):
    start = np.random.randint(0, len(x) - 100)
    return x[start : np.uint8(start) + 100]


def of_another_draw(x):
    start = np.random.randint(0, len(x) - 100)
    return x[start : np.random.randint(0, len(x) - 100) + 100]


@pytest.mark.parametrize(
    "function", [too_short, beyond, from_below, of_another, of_narrow_numbers, of_another_draw]
)
def test_what_may_end_early_has_no_size(function):
    assert sizes(function, [None]) == [None]


@pytest.mark.parametrize("function", [beyond, from_below, of_another, of_another_draw])
def test_nor_in_an_array_of_known_size(function):
    assert sizes(function, [400]) == [None]


def of_an_image(x):
    top = np.random.randint(0, x.shape[0] - 32)
    left = np.random.randint(0, x.shape[1] - 16 + 1)
    return x[top : top + 32, left : left + 16]


def of_its_last_axes(x):
    top = np.random.randint(0, x.shape[-2] - 32)
    left = np.random.randint(0, x.shape[-1] - 2)
    return x[..., top : top + 32, left : left + 2]


def of_a_channel(x):
    top = np.random.randint(0, x.shape[0] - 32)
    return x[top : top + 32, :, 0]


def of_the_wrong_axis(x):
    top = np.random.randint(0, x.shape[1] - 32)
    return x[top : top + 32]


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (of_an_image, [32, 16, 3]),
        (of_its_last_axes, [None, 32, 2]),
        (of_a_channel, [32, None]),
        (of_the_wrong_axis, [None, None, 3]),
    ],
)
def test_crops_of_images(function, shape):
    assert sizes(function, [None, None, 3], tf.uint8) == shape


@pytest.mark.parametrize("function", [*KNOWN, *KNOWN_OF_KNOWN])
@pytest.mark.parametrize("length", [150, 401])
def test_crops_are_those_of_the_function(function, length):
    x = np.arange(length, dtype=np.float32)
    for seed in range(3):
        old, new = sides(Ported(function), (seed, 0))
        traced = tf.function(new, input_signature=[tf.TensorSpec([None], tf.float32)])
        np.testing.assert_array_equal(traced(x), old(x))


def test_a_waveform_that_is_too_short_stops_the_graph():
    _, new = sides(pipeport.port(of_a_waveform))
    traced = tf.function(new, input_signature=[tf.TensorSpec([None], tf.float32)])
    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(tf.zeros(50))
