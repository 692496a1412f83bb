"""Normal and exponential draws, in float64 throughout: single precision differs between engines by 4 ulps."""

from __future__ import annotations

import math
from typing import Any

from pipeport._lazy import tf
from pipeport.seeds._draws import floating, uniform


def normal(seed: Any, shape: Any = (), dtype: Any = "float32") -> Any:
    """Draw from the normal distribution of mean 0 and standard deviation 1.

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
        Within 2 ulps the same on every engine and TensorFlow version. At most 8.6 in size.

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
    Box and Muller's pairs: logarithm, sine and cosine are within an ulp of each other on all engines,
    the inverse of the distribution function (`tf.math.ndtri`) is 500 apart.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.normal((1, 2), [3]).shape
    TensorShape([3])
    """
    wanted = floating(dtype)
    shape = tf.convert_to_tensor(shape, tf.int32)
    count = tf.reduce_prod(shape)
    radius, turn = tf.unstack(uniform(seed, tf.stack([2, (count + 1) // 2]), "float64"), 2)
    radius = tf.sqrt(-2.0 * tf.math.log(1.0 - radius))
    turn = turn * (2.0 * math.pi)
    both = tf.concat([radius * tf.cos(turn), radius * tf.sin(turn)], 0)
    return tf.cast(tf.reshape(both[:count], shape), wanted)


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
