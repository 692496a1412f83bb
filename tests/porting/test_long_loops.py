"""Loops of many rounds, whose number is known, become loops of the graph where all stays as it would be."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config, seeds
from pipeport.porting import port


def windows(x):
    y = np.zeros((x.shape[0], x.shape[1] - 4, 3), np.float32)
    for i in range(x.shape[0]):
        for j in range(x.shape[1] - 4):
            y[i, j] = x[i, j : j + 5].mean(axis=0) + i
    return y


def table(x):
    t = np.zeros((13, 13), np.float32)
    for i in range(1, 13):
        for j in range(12, 0, -1):
            t[i, j] = abs(x[i % 12, 0, 0] - x[j % 9, 1, 0]) + min(t[i - 1, j], t[i, j - 1], t[i - 1, j - 1])
    return t


def rows(x):
    kept = np.zeros(3, np.float32)
    for part in x:
        for row in part:
            kept = kept * np.float32(0.5) + row * row.sum() - np.clip(row, 0.2, 0.8).mean()
    return kept


def stops(x):
    total, last = np.float32(0), x[0, 0, 0]
    for i in range(200):
        if total > 20:
            break
        last = x[i % 12, i % 20, 0]
        total = total + np.sqrt(last) + (last + last) * last - np.abs(last - np.float32(1)) * last
    return total, last


def known(x):
    count, kept = 0, []
    for i in range(40):
        count += 2
        kept.append(x[i % 12, i % 20] * np.float32(0.5) + x[(i + 1) % 12, i % 20].mean())
    return np.stack(kept), np.zeros(count // 16)


def grows(x):
    y = x[0]
    for i in range(30):
        y = np.concatenate([y, x[i % 12, :1] * 2 + x[i % 12, 1:2].mean(axis=0) * 3 - 1])
    return y


def blocks(x):
    found = np.zeros((6, 20), np.float32)
    for i, j in itertools.product(range(6), range(20)):
        block = x[2 * i : 2 * i + 2, j : j + 1]
        found[i, j] = block.mean() + block.max() * np.sqrt(block[0, 0, 0]) - i
    return found


def numbered(x):
    kept = np.zeros((20, 3), np.float32)
    for i, (column, other) in enumerate(zip(x.transpose(1, 0, 2), x[3], strict=True), start=1):
        kept[i - 1] = column.mean(axis=0) * i + np.clip(other, 0.2, 0.8) - column[i % 12] * other
    return kept


def each(x):
    kept = np.zeros(3, np.float32)
    for value in x[:, :, 0].ravel():
        kept = kept * np.float32(0.5) + np.sqrt(value) - np.clip(value, 0.2, 0.8) * kept.mean()
    return kept


def after_one(x):
    pairs = itertools.product(range(12), range(20))
    kept, last = np.zeros(3, np.float32), -1
    for _ in pairs:
        break
    for i, j in pairs:
        kept = kept * np.float32(0.5) + x[i, j] * x[i, j] + np.sqrt(x[j % 12, i])
        last = j
    return kept, np.zeros(last)


def known_last(x):
    total, rest = np.float32(0), enumerate(x.reshape(-1, 3))
    for i, row in rest:
        total = total + row.mean() * np.sqrt(row[0]) + np.clip(row, 0.2, 0.8).mean() * np.float32(i)
    return total, np.zeros(len(list(rest)))


# Whether a loop becomes one of the graph.
LONG = {windows: True, table: True, rows: True, stops: True, known: False, grows: False}
LONG |= {blocks: True, numbered: True, each: True, after_one: False, known_last: True}


@pytest.mark.parametrize("function", LONG)
def test_a_long_loop_is_one_of_the_graph(function):
    x = np.random.default_rng(3).random((12, 20, 3), np.float32)
    right = function(x.copy())
    right = right if isinstance(right, tuple) else (right,)
    ported = port(function)
    graph = tf.function(ported, autograph=False)
    with config.use_jit("never"):
        traced = graph.get_concrete_function(tf.TensorSpec(x.shape, x.dtype))
    results = [ported(x), traced(tf.constant(x)), tf.function(ported, autograph=False)(tf.constant(x))]
    if function is stops:
        results.append(next(iter(tf.data.Dataset.from_tensors(x).map(ported))))
    for found in results:
        for ours, theirs in zip(tf.nest.flatten(found), right, strict=True):
            assert (ours.dtype.as_numpy_dtype, ours.shape) == (
                np.asarray(theirs).dtype,
                np.asarray(theirs).shape,
            )
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    for one, theirs in zip(tf.nest.flatten(traced.structured_outputs), right, strict=True):
        assert one.shape == np.asarray(theirs).shape  # sizes stay known
    loops = [node for node in traced.graph.get_operations() if "While" in node.type]
    assert bool(loops) is LONG[function]
    if loops:
        assert len(traced.graph.get_operations()) < 1500


def drawn(x):
    for i in range(150):
        x[i % 12, i % 20] += np.random.uniform(0, 1, 3) * np.random.uniform() + np.random.normal() * 0.1
    return x


def test_rounds_draw_alike_eagerly_and_in_a_long_loop():
    x = np.zeros((12, 20, 3), np.float32)
    ported = port(drawn)
    with seeds.ambient((1, 2)):
        np.testing.assert_allclose(ported(x), tf.function(ported, autograph=False)(x), rtol=1e-6)
