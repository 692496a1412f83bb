"""Normal and exponential draws.

TensorFlow's logarithm, sine and cosine differ between engines: by 4 ulps in single precision, by one in
double. Short draws and float64 take them in double. Normal float32 at the size of images takes functions
of our own, from operations that every engine rounds alike.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.seeds._draws import bits, floating, uniform

# From this many on, float32 normals are computed in float32.
_MANY = 1024


def normal(seed: Any, shape: Any = (), dtype: Any = "float32") -> Any:
    """Draw from the normal distribution of mean 0 and standard deviation 1.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.
    dtype : {'float32', 'float64'}, default 'float32'
        Of the result.

    Returns
    -------
    tf.Tensor, dtype `dtype`
        float32 of 1024 numbers or more: the same on every engine and TensorFlow version, at most
        6.67 in size. Else within 2 ulps the same, at most 8.6 in size.

    Raises
    ------
    OutsideDomain
        `seed` has another shape.
    UnsupportedArgument
        Another dtype.
    WrongType
        `seed` is not of an integer dtype.

    Notes
    -----
    Box and Muller's pairs. From 1024 numbers on, float32 takes 64 bits for a pair and is computed in
    float32; all else takes 128 bits and is computed in float64, where logarithm, sine and cosine are
    within an ulp of each other on all engines.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.normal((1, 2), [3]).shape
    TensorShape([3])
    """
    wanted = floating(dtype)
    shape = tf.convert_to_tensor(shape, tf.int32)
    count = tf.reduce_prod(shape)
    known = tf.get_static_value(shape)
    if wanted == tf.float64 or (known is not None and np.prod(known) < _MANY):
        flat = tf.cast(_double(seed, count), wanted)
    elif known is not None:
        flat = _single(seed, count)
    else:
        flat = tf.cond(
            count < _MANY, lambda: tf.cast(_double(seed, count), wanted), lambda: _single(seed, count)
        )
    return tf.reshape(flat, shape)


def _double(seed: Any, count: Any) -> Any:
    radius, turn = tf.unstack(uniform(seed, tf.stack([2, (count + 1) // 2]), "float64"), 2)
    radius = tf.sqrt(-2.0 * tf.math.log(1.0 - radius))
    turn = turn * (2.0 * math.pi)
    return tf.concat([radius * tf.cos(turn), radius * tf.sin(turn)], 0)[:count]


def _single(seed: Any, count: Any) -> Any:
    first, second = tf.unstack(bits(seed, tf.stack([2, (count + 1) // 2])), 2)
    # A turn between -1/4 and 1/4; its cosine, the sine of what is left, gets a sign of its own.
    turn = tf.bitwise.right_shift(second, 1)
    rest = tf.bitwise.bitwise_xor(2**30 - tf.abs(turn), tf.bitwise.right_shift(first, 31))
    return tf.reshape(_sine(tf.stack([rest, turn])) * _radius(first), [-1])[:count]


# No sum below has a product as its term: XLA would round the two once, and graphs twice. No sum has a
# sum with a constant as its term, no numerator is 1 and no quotient is divided: TensorFlow's optimizer
# and XLA rewrite these. The constants are fitted, for the least relative error over the range.


def _radius(word: Any) -> Any:
    """Return the square root of -2 log(u), with u = (the lower 31 bits + 0.5) / 2**31, within 2e-7."""
    u = tf.cast(tf.bitwise.bitwise_and(word, 0x7FFFFFFF), tf.float32) + 0.5
    # As m * 2**power, with m / 2**31 between the square roots of a half and of two.
    lowest = int(np.float32(math.sqrt(0.5) * 2.0**31).view(np.int32))
    above = tf.bitcast(u, tf.int32) - lowest
    m = tf.bitcast(tf.bitwise.bitwise_and(above, 0x7FFFFF) + lowest, tf.float32)
    power = tf.cast(tf.bitwise.right_shift(above, 23), tf.float64)
    whole = tf.cast(power * (-2.0 * math.log(2.0)), tf.float32)
    # -2 log(m / 2**31) = 4 artanh(ratio)
    less, more = 2.0**31 - m, 2.0**31 + m
    ratio = less / more
    return tf.sqrt(whole + less / (more * (0.25 - 3.0 / (36.00095 / (ratio * ratio) - 9.70318))))


def _sine(turn: Any) -> Any:
    """Return the sine of 2 pi turn / 2**32, for whole turns from -2**30 to 2**30, within 2.6e-7."""
    x = tf.cast(turn, tf.float32) * (math.pi / 2.0**31)
    square = x * x
    inner = 2.1000293 - 3.0 / (127.08865 / square - 2.0968878)
    return x / (1.0 + 3.0 / (18.000008 / square - inner))


def exponential(seed: Any, shape: Any = (), dtype: Any = "float32") -> Any:
    """Draw from the exponential distribution of mean 1.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.
    dtype : {'float32', 'float64'}, default 'float32'
        Of the result; computed in float64.

    Returns
    -------
    tf.Tensor, dtype `dtype`
        Not negative, at most 36.8; within an ulp the same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `seed` has another shape.
    UnsupportedArgument
        Another dtype.
    WrongType
        `seed` is not of an integer dtype.

    Examples
    --------
    >>> from pipeport import seeds
    >>> bool(seeds.exponential((1, 2)) >= 0)
    True
    """
    wanted = floating(dtype)
    # Not of -0.0, which is no distance.
    return tf.cast(tf.abs(tf.math.log(1.0 - uniform(seed, shape, "float64"))), wanted)
