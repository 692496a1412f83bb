"""Normal draws at the size of images: float32 in float32, equal on every engine."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

from pipeport import seeds
from pipeport.seeds import _continuous

ALARM = 1e-6
LONG = [2_000_001]
# Drawn once, in TensorFlow 2.15 and 2.21.
DRAWN = [0.28181254863739014, 0.4446479380130768, 1.3720823526382446]


@pytest.fixture(scope="module")
def long() -> np.ndarray:
    return seeds.normal((1, 2), LONG).numpy()


def test_they_are_these_on_every_version() -> None:
    assert seeds.normal((5, -7), [1024])[:3].numpy().tolist() == DRAWN


def test_short_draws_are_those_of_float64() -> None:
    short = seeds.normal((5, -7), [1023])
    np.testing.assert_array_equal(short, tf.cast(seeds.normal((5, -7), [1023], "float64"), tf.float32))
    assert not np.array_equal(short, seeds.normal((5, -7), [1024])[:1023])


def test_every_engine_draws_the_same(long: np.ndarray) -> None:
    for compiled in (False, True):
        np.testing.assert_array_equal(
            tf.function(lambda: seeds.normal((1, 2), LONG), jit_compile=compiled)(), long
        )


@pytest.mark.parametrize("shape", [(), (0, 3), (1023,), (1024,), (31, 33), (32, 33)])
def test_an_unknown_shape_draws_what_a_known_one_does(shape: tuple[int, ...]) -> None:
    expected = seeds.normal((3, 4), shape)
    spec = tf.TensorSpec([None], tf.int32)
    traced = tf.function(lambda size: seeds.normal((3, 4), size), input_signature=[spec])
    np.testing.assert_array_equal(traced(tf.constant(shape, tf.int32)), expected)
    compiled = tf.function(lambda like: seeds.normal((3, 4), tf.shape(like)), jit_compile=True)
    found = compiled(tf.zeros(shape))
    assert found.shape == shape
    np.testing.assert_array_max_ulp(found.numpy(), expected.numpy(), 2)


def test_the_distribution_as_a_whole_and_in_its_tails(long: np.ndarray) -> None:
    drawn = long.astype(float)
    assert stats.kstest(drawn, "norm").pvalue > ALARM
    for size in (3.0, 4.0, 4.5):
        for count in ((drawn > size).sum(), (drawn < -size).sum()):
            assert stats.binomtest(int(count), len(drawn), stats.norm.sf(size)).pvalue > ALARM
    for size in (1e-2, 1e-4):  # no hole around 0
        count = int((np.abs(drawn) < size).sum())
        assert stats.binomtest(count, len(drawn), 1 - 2 * stats.norm.sf(size)).pvalue > ALARM


def test_both_of_a_pair_are_independent(long: np.ndarray) -> None:
    first, second = long[: LONG[0] // 2].astype(float), long[LONG[0] // 2 + 1 :].astype(float)
    for one, other in ((first, second), (first**2, second**2), (np.abs(first), second)):
        assert stats.pearsonr(one, other).pvalue > ALARM
    # The direction is uniform, whatever the radius.
    far = first**2 + second**2 > 4
    for kept in (far, ~far):
        turn = np.arctan2(first[kept], second[kept]) / (2 * np.pi) + 0.5
        assert stats.kstest(turn, "uniform").pvalue > ALARM


def test_radius_and_sine_are_those_of_double_precision() -> None:
    words = tf.concat([seeds.bits((1, 2), [100_000]), [0, 1, 2, 2**31 - 1, -1, -(2**31)]], 0)
    u = ((words.numpy() & 0x7FFFFFFF).astype(np.float32) + np.float32(0.5)) * 2.0**-31
    expected = np.sqrt(-2 * np.log(u.astype(float)))
    np.testing.assert_allclose(_continuous._radius(words), expected, rtol=2e-7)
    assert 6.66 < expected.max() < 6.67
    turns = tf.concat([tf.bitwise.right_shift(words, 1), [0, 1, -1, 2**30, -(2**30)]], 0)
    expected = np.sin(turns.numpy() * (np.pi / 2**31))
    np.testing.assert_allclose(_continuous._sine(turns), expected, rtol=2.6e-7)
