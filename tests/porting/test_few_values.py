"""What a native must know of an argument with few values: those that a condition leaves, and whole tuples."""

from __future__ import annotations

import functools
import random

import cv2
import numpy as np
import pytest

from pipeport.errors import BadAxis
from pipeport.porting import port, sides
from pipeport.porting._example import in_graph

pytestmark = pytest.mark.both

X = np.arange(64.0).reshape(8, 8)


def below(x):
    axis = random.randint(0, 3)
    return np.flip(x, axis) * 1 if axis < 2 else x * 2


def below_of_an_element(x):
    axis = int(x[0, 1] * 7 + x.mean()) % 4
    if axis < 2:
        x = np.flip(x, axis)
    return x


def not_the_last(x):
    axis = np.random.choice([0, 1, 2])
    if axis != 2:
        x = np.flip(x, axis)
    return x


def not_the_only_wrong_one(x):
    axis = random.choice((0, 1, 5))
    if axis == 5:
        return x
    return np.flip(x, axis)


def in_two_conditions(x):
    k = random.randint(-2, 6)
    if k >= 0:
        if k <= 1:
            return np.flip(x, k)
        x = x + 1
    return x


def two_draws(x):
    k, axes = random.randint(0, 3), random.choice([(0, 1), (1, 0)])
    return np.rot90(x, k, axes=axes)


def three_planes(x):
    return np.rot90(x.reshape(4, 4, 4), 1, axes=random.choice([(0, 1), (0, 2), (1, 2)]))


def unpacked(x):
    first, last = random.choice([(0, 1), (0, 2), (1, 2)])
    return np.swapaxes(x.reshape(4, 4, 4), first, last)


def nested(x):
    return np.pad(x, random.choice([((0, 1), (1, 0)), ((1, 0), (0, 1))]))


def of_opencv(x):
    return cv2.GaussianBlur(x, random.choice([(3, 3), (5, 5), (3, 5)]), 0)


BODIES = (
    below, below_of_an_element, not_the_last, not_the_only_wrong_one, in_two_conditions, two_draws,
    three_planes, unpacked, nested, of_opencv,
)  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_few_values(body):
    ported, seen = port(body), set()
    for number in range(8):
        old, _ = sides(ported, (1, number))
        want = old(X)
        seen.add(want.tobytes())
        for sized in (True, False):
            found = in_graph(ported, (X,), sized=sized, seed=(1, number))
            np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)
    assert len(seen) > 1 or body is below_of_an_element


def test_a_value_that_is_left_and_wrong_is_refused():
    def body(x):
        axis = random.randint(0, 3)
        return np.flip(x, axis) if axis < 3 else x

    with pytest.raises(BadAxis, match="axis: got 2"):
        in_graph(port(body), (X,), sized=True)


@functools.cache
def ramp(count):
    weights = np.zeros(count)
    for k in range(count):
        weights[k] = k * k
    return weights


@functools.lru_cache(maxsize=None)  # noqa: UP033 - as people write it
def bell(height, width):
    rows, columns = np.mgrid[0:height, 0:width]
    return np.exp(-((rows - height / 2) ** 2 + (columns - width / 2) ** 2) / height)


class Windowed:
    @functools.lru_cache  # noqa: B019 - as people write it
    def window(self, count):
        return np.hanning(count)

    def __call__(self, x):
        return x[0] * self.window(8) + ramp(8)


def by_its_size(x):
    height, width = x.shape
    return x * bell(height, width)


@pytest.mark.parametrize("body", [Windowed(), by_its_size], ids=["method", "sizes"])
def test_helpers_that_are_cached(body):
    ported = port(body)
    for sized in (True, False):
        np.testing.assert_allclose(in_graph(ported, (X,), sized=sized), body(X), rtol=1e-12)
