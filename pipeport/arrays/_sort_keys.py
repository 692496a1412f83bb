"""Integers in the order of NumPy's sort, because TensorFlow's own puts NaN anywhere."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def sort_keys(x: Any, *, zeros_apart: bool) -> Any:
    """Return integers in the order of the elements.

    `zeros_apart`: whether -0. comes before 0., so that elements can be made of keys again; else they are
    equal. Returns: int32 or int64; the keys; NaN has the largest.
    """
    if x.dtype in (tf.int32, tf.int64):
        return x
    if x.dtype.is_bool or (x.dtype.is_integer and x.dtype.size <= 2):
        return tf.cast(x, tf.int32)
    if x.dtype.is_integer:
        signed = tf.int32 if x.dtype.size == 4 else tf.int64
        return tf.bitwise.bitwise_xor(tf.bitcast(x, signed), tf.constant(signed.min, signed))
    # Of the bits, not of the numbers: TensorFlow's threads take subnormal numbers for zeros.
    keys = _turned(_bits(x), x.dtype)
    if not zeros_apart:
        keys = tf.where(tf.equal(keys, -1), tf.zeros_like(keys), keys)
    return tf.where(tf.math.is_nan(x), tf.constant(_most(x.dtype), keys.dtype), keys)


def from_keys(keys: Any, dtype: Any) -> Any:
    """Return the elements that have these keys.

    `keys`: from `sort_keys` with `zeros_apart`. Returns: the elements; every NaN is the same one.
    """
    if dtype in (tf.int32, tf.int64):
        return keys
    if dtype.is_bool or (dtype.is_integer and dtype.size <= 2):
        return tf.cast(keys, dtype)
    if dtype.is_integer:
        least = tf.constant(keys.dtype.min, keys.dtype)
        return tf.bitcast(tf.bitwise.bitwise_xor(keys, least), dtype)
    bits = _turned(keys, dtype)
    return tf.bitcast(tf.cast(bits, tf.int16) if dtype.size == 2 else bits, dtype)


def _bits(x: Any) -> Any:
    if x.dtype.size == 2:
        return tf.cast(tf.bitcast(x, tf.int16), tf.int32)
    return tf.bitcast(x, tf.int32 if x.dtype.size == 4 else tf.int64)


def _most(dtype: Any) -> int:
    return int(2 ** (8 * dtype.size - 1) - 1)


def _turned(bits: Any, dtype: Any) -> Any:
    """Turn the order of the negative ones round, whose magnitude grows downwards; twice is nothing."""
    width = 8 * bits.dtype.size - 1
    below = tf.bitwise.right_shift(bits, tf.constant(width, bits.dtype))  # -1 or 0
    magnitude = tf.bitwise.bitwise_and(below, tf.constant(_most(dtype), bits.dtype))
    return tf.bitwise.bitwise_xor(bits, magnitude)
