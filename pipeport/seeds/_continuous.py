"""Normal and exponential draws.

TensorFlow's logarithm, sine and cosine differ between engines: by 4 ulps in single precision, by one in
double. Short draws take them in double. Normal draws at the size of images take functions of our own:
in float32 from operations that every engine rounds alike, in float64 from power series.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.seeds import _many
from pipeport.seeds._derive import as_seed
from pipeport.seeds._draws import bits, floating, uniform

# From this many on, normals take functions of our own.
_LONG = 1024
# Terms from which on the power series of float64 change no digit.
_TERMS = 11


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
        float32 of 1024 numbers or more: the same on every engine and TensorFlow version. Else within
        4 ulps the same. At most 6.67 in size; 8.6 below 1024 numbers.

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
    Box and Muller's pairs, of 64 bits; of 128 bits, computed in float64, below 1024 numbers.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.normal((1, 2), [3]).shape
    TensorShape([3])
    """
    wanted = floating(dtype)
    return _many.draw_numbers(_normal, as_seed(seed), shape, wanted)


def _normal(seed: Any, shape: Any, dtype: Any) -> Any:
    shape = tf.convert_to_tensor(shape, tf.int32)
    known = tf.get_static_value(shape)
    if known is None:
        count = tf.reduce_prod(shape)
        flat = tf.cond(count < _LONG, lambda: _short(seed, count, dtype), lambda: _long(seed, count, dtype))
    else:
        count = int(np.prod(known))
        flat = (_short if count < _LONG else _long)(seed, count, dtype)
    return tf.reshape(flat, shape)


def _short(seed: Any, count: Any, dtype: Any) -> Any:
    radius, turn = tf.unstack(uniform(seed, tf.stack([2, (count + 1) // 2]), "float64"), 2)
    radius = tf.sqrt(-2.0 * tf.math.log(1.0 - radius))
    turn = turn * (2.0 * math.pi)
    return tf.cast(tf.concat([radius * tf.cos(turn), radius * tf.sin(turn)], 0)[:count], dtype)


def _long(seed: Any, count: Any, dtype: Any) -> Any:
    first, second = tf.unstack(bits(seed, tf.stack([(count + 1) // 2, 2])), 2, axis=1)
    # A turn between -1/4 and 1/4; its cosine, the sine of what is left, gets a sign of its own.
    turn = tf.bitwise.right_shift(second, 1)
    rest = tf.bitwise.bitwise_xor(2**30 - tf.abs(turn), tf.bitwise.right_shift(first, 31))
    # Each half of the result reads all words: where XLA joins two arrays it reads beyond one of them, under
    # a mask, which takes fifty times as long if no memory is there.
    half = tf.constant([[True], [False]])
    return tf.reshape(_sine(tf.where(half, rest, turn), dtype) * _radius(first, dtype), [-1])[:count]


# In float32 no sum has a product as its term: XLA would round the two once, and graphs twice. No sum has a
# sum with a constant as its term, no numerator is 1 and no quotient is divided: TensorFlow's optimizer
# and XLA rewrite these. The constants are fitted, for the least relative error over the range.


def _radius(word: Any, dtype: Any) -> Any:
    """Return the square root of -2 log(u), with u = (the lower 31 bits + 0.5) / 2**31.

    Within 2e-7 in float32, 4e-16 in float64.
    """
    u = tf.cast(tf.bitwise.bitwise_and(word, 0x7FFFFFFF), dtype) + 0.5
    # As m * 2**power, with m / 2**31 between the square roots of a half and of two.
    whole, digits = (np.int32, 23) if dtype == tf.float32 else (np.int64, 52)
    lowest = int(np.asarray(math.sqrt(0.5) * 2.0**31, dtype.as_numpy_dtype).view(whole))
    above = tf.bitcast(u, whole) - lowest
    m = tf.bitcast(tf.bitwise.bitwise_and(above, 2**digits - 1) + lowest, dtype)
    power = tf.cast(tf.cast(tf.bitwise.right_shift(above, digits), tf.int32), tf.float64)
    of_power = tf.cast(power * (-2.0 * math.log(2.0)), dtype)
    # -2 log(m / 2**31) = 4 artanh(ratio)
    less, more = 2.0**31 - m, 2.0**31 + m
    ratio = less / more
    if dtype == tf.float32:
        return tf.sqrt(of_power + less / (more * (0.25 - 3.0 / (36.00095 / (ratio * ratio) - 9.70318))))
    return tf.sqrt(of_power + ratio * _series([4.0 / (2 * k + 1) for k in range(_TERMS)], ratio * ratio))


def _sine(turn: Any, dtype: Any) -> Any:
    """Return the sine of 2 pi turn / 2**32, for whole turns from -2**30 to 2**30.

    Within 2.6e-7 in float32, 4e-16 in float64.
    """
    x = tf.cast(turn, dtype) * (math.pi / 2.0**31)
    square = x * x
    if dtype == tf.float32:
        inner = 2.1000293 - 3.0 / (127.08865 / square - 2.0968878)
        return x / (1.0 + 3.0 / (18.000008 / square - inner))
    return x * _series([(-1.0) ** k / math.factorial(2 * k + 1) for k in range(_TERMS)], square)


def _series(factors: list[float], x: Any) -> Any:
    return tf.math.polyval([tf.constant(factor, x.dtype) for factor in reversed(factors)], x)


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
    # Not of -0.0, which is not a distance.
    return tf.cast(tf.abs(tf.math.log(1.0 - uniform(seed, shape, "float64"))), wanted)
