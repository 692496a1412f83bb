"""Integers from ranges of up to 2**64 values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.seeds._derive import as_seed, whole_range
from pipeport.seeds._draws import bits

_WORD = 0xFFFFFFFF


def _are_few(low: Any, high: Any) -> bool:
    """Say whether tracing knows that there are at most 2**31 values."""
    least, most = tf.get_static_value(low), tf.get_static_value(high)
    if least is None or most is None:
        return False
    # Not as scalars, of which NumPy reports an overflow.
    widths = np.atleast_1d(most) - np.atleast_1d(least) + 1
    return bool(np.all((widths >= 1) & (widths <= 2**31)))


def between(seed: Any, low: Any, high: Any, shape: Any, *, narrow: bool = False) -> Any:
    """Draw integers from [low, high], both included.

    `seed`: array_like of int, shape (2,). `low`, `high`: int64; bounds that broadcast to `shape`, or the bits
    of unsigned ones; `high` is not below `low`. `narrow`: whether there are at most 2**16 values: then 32
    random bits serve, else 64 are drawn. Returns: int64; the same on every engine. The random bits are
    multiplied by the number of values, of which the upper half counts: the probability of a value is off by a
    relative 2**-16 at most where `narrow`, and by 2**-32 for 2**32 values.
    """
    width = high - low + 1  # 2**64 values are 0 here
    word, half = tf.constant(_WORD, tf.int64), tf.constant(32, tf.int64)

    def lower(x: Any) -> Any:
        return tf.bitwise.bitwise_and(x, word)

    def upper(x: Any) -> Any:
        """Return the upper 32 bits, as of an unsigned number."""
        return lower(tf.bitwise.right_shift(x, half))

    if narrow:
        drawn = lower(tf.cast(bits(seed, shape), tf.int64))
        return low + tf.bitwise.right_shift(drawn * width, half)
    drawn = whole_range(as_seed(seed), shape, tf.int64)
    # The upper half of a product of 128 bits, from products of 32 by 32.
    many, few = upper(drawn), lower(drawn)
    if _are_few(low, high):
        scaled = many * width + tf.bitwise.right_shift(few * width, half)
        return low + tf.bitwise.right_shift(scaled, half)
    of_width, rest = upper(width), lower(width)
    one, other = many * rest, few * of_width
    carried = upper(few * rest) + lower(one) + lower(other)
    scaled = many * of_width + upper(one) + upper(other) + upper(carried)
    return low + tf.where(tf.equal(width, 0), drawn, scaled)
