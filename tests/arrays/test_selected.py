"""Selection of places: as a sort, whatever the numbers are."""

import numpy as np
import pytest
import tensorflow as tf

from pipeport.arrays._selected import Selected, is_selectable
from tests.arrays.engines import compiled, eager, graph

pytestmark = pytest.mark.both

SIZE = 6000


def kinds(dtype):
    rng = np.random.default_rng(3)
    if np.dtype(dtype).kind in "iu":
        ends = np.iinfo(dtype)
        yield rng.integers(ends.min, ends.max, SIZE, dtype, endpoint=True)
        yield np.where(rng.random(SIZE) < 0.5, ends.min, ends.max).astype(dtype)
        yield np.full(SIZE, ends.max, dtype)
        return
    normal, some = rng.normal(size=SIZE), rng.random(SIZE)
    yield normal.astype(dtype)
    yield np.where(some < 0.3, np.where(normal < 0, np.inf, -np.inf), 1.0).astype(dtype)
    yield np.where(some < 0.01, np.nan, normal).astype(dtype)
    yield np.where(some < 0.5, -1024.0, normal).astype(dtype)
    yield np.where(some < 0.5, np.nextafter(dtype(1), dtype(2)), dtype(1)).astype(dtype)
    yield np.where(some < 0.5, 0.0, normal / 10 * np.finfo(dtype).max).astype(dtype)


PLACES, STEPS = np.int32([0, SIZE // 2 - 1, SIZE - 2]), np.int32([0, 1, 1])


def neighbours(x):
    selected = Selected(x)
    low, high = selected.neighbours(PLACES, STEPS)
    return tf.stack([low, high]), selected.last()


def bits(x):
    return np.asarray(x).view(f"u{np.asarray(x).dtype.itemsize}")


@pytest.mark.parametrize("engine", [eager, graph, compiled])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_as_a_sort(dtype, engine):
    for x in kinds(dtype):
        rows = np.sort(x)
        found, last = engine(neighbours, x)
        np.testing.assert_array_equal(found, [rows[PLACES], rows[PLACES + STEPS]])
        np.testing.assert_array_equal(last, rows[-1])
        assert found.dtype == dtype


@pytest.mark.parametrize("engine", [eager, graph])
def test_subnormal_numbers_are_no_zeros(engine):
    # Under XLA they may be: TensorFlow flushes them.
    x = (np.random.default_rng(1).normal(size=SIZE) * 1e-44).astype(np.float32)
    rows = np.sort(x)
    found, _ = engine(neighbours, x)
    np.testing.assert_array_equal(found, [rows[PLACES], rows[PLACES + STEPS]])


@pytest.mark.parametrize("engine", [eager, graph])
def test_zeros_keep_their_signs(engine):
    x = np.where(np.arange(SIZE) % 2, 0.0, -0.0).astype(np.float32)
    found, _ = engine(neighbours, x)
    np.testing.assert_array_equal(bits(found), bits(np.float32([[-0.0, -0.0, 0.0], [-0.0, 0.0, 0.0]])))


def test_few_elements_and_many_places_are_sorted():
    assert not is_selectable(tf.zeros([4096]), 1)
    assert not is_selectable(tf.zeros([4097]), 5)
    assert not is_selectable(tf.zeros([4097]), None)
    assert is_selectable(tf.zeros([4097]), 4)
