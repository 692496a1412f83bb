"""Draws at the size of images: compiled in graphs, equal on every engine."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport
from pipeport import seeds
from pipeport.seeds import _continuous

ALARM = 1e-6
LONG = [2_000_001]
# Drawn once, in TensorFlow 2.15 and 2.21.
DRAWN = [0.214009627699852, 1.2733557224273682, -1.4128934144973755]


@pytest.fixture(scope="module")
def long() -> np.ndarray:
    return seeds.normal((1, 2), LONG).numpy()


def test_they_are_these_on_every_version() -> None:
    assert seeds.normal((5, -7), [1024])[:3].numpy().tolist() == DRAWN


def test_short_draws_are_those_of_float64() -> None:
    short = seeds.normal((5, -7), [1023])
    double = seeds.normal((5, -7), [1023], "float64")
    np.testing.assert_array_equal(short, tf.cast(double, tf.float32))
    assert float(tf.reduce_max(tf.abs(double - seeds.normal((5, -7), [1024], "float64")[:1023]))) > 1
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


@pytest.mark.parametrize(("dtype", "bound"), [(tf.float32, 2e-7), (tf.float64, 6e-16)])
def test_radius_and_sine_are_the_functions_they_stand_for(dtype: tf.DType, bound: float) -> None:
    words = tf.concat([seeds.bits((1, 2), [100_000]), [0, 1, 2, 2**31 - 1, -1, -(2**31)]], 0)
    u = ((words.numpy() & 0x7FFFFFFF).astype(dtype.as_numpy_dtype) + 0.5).astype(np.longdouble) * 2.0**-31
    expected = np.sqrt(-2 * np.log(u))
    found = _continuous._radius(words, dtype).numpy()
    assert np.all(np.abs(found - expected) <= bound * expected)
    assert 6.66 < expected.max() < 6.67
    turns = tf.concat([tf.bitwise.right_shift(words, 1), [1, -1, 2**30, -(2**30)]], 0)
    expected = np.sin(turns.numpy() * (np.longdouble(math.pi) / 2**31))
    found = _continuous._sine(turns, dtype).numpy()
    assert np.all(np.abs(found - expected) <= 1.3 * bound * np.abs(expected))


def test_float64_has_the_pairs_of_float32_and_all_its_digits() -> None:
    double = seeds.normal((3, 4), [40_001], "float64").numpy()
    # Where a radius is small, float32 has rounded what its logarithm is taken of.
    np.testing.assert_allclose(double, seeds.normal((3, 4), [40_001]), rtol=0, atol=1e-4)
    assert len(np.unique(double)) == len(double)


@pytest.mark.parametrize("shape", [(2**15,), (40_001,), (128, 129, 3)])
@pytest.mark.parametrize("seed", [(3, -5), (-(2**63), 2**40)])
def test_draws_of_images_are_those_of_the_generator(shape: tuple[int, ...], seed: tuple[int, int]) -> None:
    def drawn() -> list[tf.Tensor]:
        floats = [
            seeds.uniform(seed, shape),
            seeds.uniform(seed, shape, "float64"),
            seeds.normal(seed, shape),
        ]
        return [seeds.bits(seed, shape), *floats, seeds.normal(seed, shape, "float64")]

    expected = drawn()
    for compiled in (False, True):
        found = tf.function(drawn, jit_compile=compiled)()
        for one, other in zip(found[:-1], expected[:-1], strict=True):
            assert one.shape == shape
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_max_ulp(found[-1].numpy(), expected[-1].numpy(), 4)


def _kinds(function: Callable[[], tf.Tensor]) -> set[str]:
    return {node.type for node in tf.function(function).get_concrete_function().graph.get_operations()}


@pytest.mark.parametrize("draw", [seeds.bits, seeds.uniform, seeds.normal])
def test_graphs_draw_images_by_a_program_unless_nothing_is_compiled(draw: Callable[..., tf.Tensor]) -> None:
    assert "StatelessRandomUniformFullIntV2" in _kinds(lambda: draw((1, 2), [2**15 - 2]))
    found = _kinds(lambda: draw((1, 2), [2**15]))
    assert found & {"PartitionedCall", "StatefulPartitionedCall"}
    assert "StatelessRandomUniformFullIntV2" not in found
    with pipeport.config.use_jit("never"):
        assert "StatelessRandomUniformFullIntV2" in _kinds(lambda: draw((1, 2), [2**15]))
