"""Draws of the size of images, compiled: XLA computes four blocks of bits at once, TensorFlow's kernel one.

The bits are those of TensorFlow's kernel. XLA's own lowering of it takes up to three times as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla import choose, compiled
from pipeport.kernels.xla._materialize import opaque_true

# Numbers from which on a program gains: its start takes as long as drawing 12,000 of 64 bits.
_MANY = 2**15
# Philox 4x32: factors, what is added to the key in each round, and rounds (Salmon et al. 2011).
_FACTORS = 0xD2511F53, 0xCD9E8D57
_STEPS = 0x9E3779B9, 0xBB67AE85
_ROUNDS = 10


def count_of(shape: Any) -> int | None:
    """Return how many numbers a program would draw; None if they are few or the count is unknown."""
    known = type(shape) in (list, tuple) and all(type(side) is int for side in shape)
    sides = shape if known else tf.get_static_value(tf.convert_to_tensor(shape, tf.int32))
    if sides is None:
        return None
    count = math.prod(int(side) for side in np.atleast_1d(sides))
    return count if count >= _MANY else None


def draw_numbers(make: Callable[[Any, Any, Any], Any], seed: Any, shape: Any, dtype: Any) -> Any:
    """Return `make(seed, shape, dtype)`, compiled where there are many numbers.

    `make`: a function of a module, which draws. `seed`: shape (2,), int64.
    """
    count = count_of(shape)
    form = choose(count is not None, program=_by_program, otherwise=_by_operations)
    return form(make, seed, shape, dtype, count)


def _by_program(make: Callable[[Any, Any, Any], Any], seed: Any, shape: Any, dtype: Any, count: Any) -> Any:
    return tf.reshape(compiled(_made, make, count, dtype)(seed), shape)


def _by_operations(make: Callable[[Any, Any, Any], Any], seed: Any, shape: Any, dtype: Any, _: Any) -> Any:
    return make(seed, shape, dtype)


def _made(make: Callable[[Any, Any, Any], Any], count: int, dtype: Any) -> Callable[[Any], Any]:
    # Normals come as two halves; a program that makes a row of them computes an index for each number.
    shape = [2, count // 2] if count % 2 == 0 else [count]
    return lambda seed: make(seed, shape, dtype)


def whole(seed: Any, count: int, dtype: Any) -> Any:
    """Draw from every value of int32 or int64, as TensorFlow's kernel does from counter 0.

    `seed`: shape (2,), int64; the key, and the upper half of the counter. `dtype`: int32 or int64. Returns:
    shape (count,), dtype `dtype`.
    """
    if dtype == tf.int64:
        return compiled(_longs, count)(seed)
    words = tf.bitcast(compiled(_longs, -(-count // 2))(seed), tf.int32)
    return tf.reshape(words, [-1])[:count]


def _longs(count: int) -> Callable[[Any], Any]:
    blocks = -(-count // 2)

    def draw(seed: Any) -> Any:
        # What leaves a condition stays in memory: what reads it does not compute it again.
        def nothing() -> Any:
            return tf.fill([blocks, 2], tf.cumsum(tf.zeros_like(seed))[1])

        pairs = tf.cond(opaque_true(seed), lambda: _philox(seed, blocks), nothing)
        return tf.reshape(pairs, [-1])[:count]

    return draw


def _philox(seed: Any, blocks: int) -> Any:
    half, low = tf.constant(32, tf.uint64), tf.constant(0xFFFFFFFF, tf.uint64)

    def lower(x: Any) -> Any:
        return tf.bitwise.bitwise_and(x, low)

    def upper(x: Any) -> Any:
        return tf.bitwise.right_shift(x, half)

    def mixed(x: Any, y: Any, z: Any) -> Any:
        return tf.bitwise.bitwise_xor(tf.bitwise.bitwise_xor(x, y), z)

    key, counter = tf.unstack(tf.bitcast(seed, tf.uint64))
    steps = [np.arange(_ROUNDS, dtype=np.uint64) * np.uint64(step) for step in _STEPS]
    keys = [tf.unstack(lower(part(key) + step)) for part, step in zip((lower, upper), steps, strict=True)]
    factors = [tf.constant(factor, tf.uint64) for factor in _FACTORS]
    # Two numbers of each block: a compiler unrolls the short axis, and computes the block once for both.
    block = tf.cast(tf.range(blocks, dtype=tf.int64), tf.uint64)[:, tf.newaxis]
    zero = tf.zeros_like(block)
    x = [block, zero, lower(counter) + zero, upper(counter) + zero]
    for first, second in zip(*keys, strict=True):
        one, other = x[0] * factors[0], x[2] * factors[1]
        x = [mixed(upper(other), x[1], first), lower(other), mixed(upper(one), x[3], second), lower(one)]
    even = tf.constant([[True, False]])
    low_half, high_half = tf.where(even, x[0], x[2]), tf.where(even, x[1], x[3])
    return tf.bitcast(tf.bitwise.bitwise_or(low_half, tf.bitwise.left_shift(high_half, half)), tf.int64)
