"""Draws from integer bits: TensorFlow's own float draws differ between graph and XLA."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.seeds import _many
from pipeport.seeds._derive import as_seed, whole_range


def bits(seed: Any, shape: Any = ()) -> Any:
    """Draw 32 random bits per entry.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.

    Returns
    -------
    tf.Tensor, int32
        Uniform over the whole range; the same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `seed` has another shape.
    WrongType
        `seed` is not of an integer dtype.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.bits((5, -7)).numpy().item()
    1603181134
    """
    return whole_range(as_seed(seed), shape, tf.int32)


def _unsigned(drawn: Any) -> Any:
    """Return 32 bits as an int64 from 0: unsigned dtypes lack kernels here and there."""
    return tf.bitwise.bitwise_and(tf.cast(drawn, tf.int64), 0xFFFFFFFF)


def uniform(seed: Any, shape: Any = (), dtype: Any = "float32") -> Any:
    """Draw from [0, 1).

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.
    dtype : {'float32', 'float64'}, default 'float32'
        float32 is a multiple of 2**-24, float64 of 2**-53.

    Returns
    -------
    tf.Tensor, dtype `dtype`
        The same on every engine and TensorFlow version.

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
    >>> seeds.uniform((1, 2), [3]).shape
    TensorShape([3])
    """
    return _many.draw_numbers(_fractions, as_seed(seed), shape, floating(dtype))


def _fractions(seed: Any, shape: Any, dtype: Any) -> Any:
    # Each step is exact.
    whole, digits = (tf.int32, 24) if dtype == tf.float32 else (tf.int64, 53)
    return tf.cast(_top(whole_range(seed, shape, whole), digits), dtype) * 2.0**-digits


def _top(drawn: Any, count: int) -> Any:
    """Return the highest bits of an integer, as one of its dtype from 0."""
    shifted = tf.bitwise.right_shift(drawn, drawn.dtype.size * 8 - count)
    return tf.bitwise.bitwise_and(shifted, 2**count - 1)


def floating(dtype: Any) -> Any:
    """Return the dtype of a continuous draw, float32 or float64; any other is refused."""
    advice = "Draw float32 and cast."
    try:  # by NumPy's rules, where `float` is float64
        wanted = dtype if isinstance(dtype, tf.DType) else tf.as_dtype(np.dtype(dtype))
    except (TypeError, ValueError) as error:
        raise WrongType(explain("dtype", repr(dtype), "'float32', 'float64'", advice)) from error
    if wanted not in (tf.float32, tf.float64):
        raise UnsupportedArgument(explain("dtype", wanted.name, "'float32', 'float64'", advice))
    return wanted


def bernoulli(seed: Any, p: Any = 0.5, shape: Any = ()) -> Any:
    """Draw True with probability p.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    p : float or floating tensor, default 0.5
        Probability, rounded to a multiple of 2**-32: exact within 2**-33, and exact at 0
        and 1. A tensor must broadcast to `shape`.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.

    Returns
    -------
    tf.Tensor, bool
        The same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `p` lies outside [0, 1], or `seed` has another shape.
    WrongType
        `p` is not a real number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        A tensor `p` turns out to lie outside [0, 1].

    Examples
    --------
    >>> from pipeport import seeds
    >>> bool(seeds.bernoulli((1, 2), p=1.0))
    True
    """
    return chance(bits(seed, shape), p)


def chance(drawn: Any, p: Any) -> Any:
    """Return True with probability p, from bits drawn before.

    Parameters
    ----------
    drawn : tf.Tensor, int32
        From `bits`.
    p : float or floating tensor
        See `bernoulli`.

    Returns
    -------
    tf.Tensor, bool
        Shape of `drawn` and `p`, broadcast.

    Raises
    ------
    OutsideDomain
        `p` lies outside [0, 1].
    WrongType
        `p` is not a real number.
    tf.errors.InvalidArgumentError
        A tensor `p` turns out to lie outside [0, 1].

    Examples
    --------
    >>> from pipeport import seeds
    >>> bool(seeds.chance(seeds.bits((1, 2)), 0.0))
    False
    """
    p = probability(p)
    whole = np.round if isinstance(p, np.ndarray) else tf.round
    below = whole(p * 2.0**32) - 2.0**31
    limit = below.astype(np.int64) if isinstance(p, np.ndarray) else tf.cast(below, tf.int64)
    # In 64 bits, because p = 1 is one more than the largest draw.
    return tf.cast(drawn, tf.int64) < limit


def probability(p: Any) -> Any:
    """Return p in float64, checked to lie in [0, 1].

    Parameters
    ----------
    p : float or floating tensor
        Any shape.

    Returns
    -------
    numpy.ndarray or tf.Tensor, float64
        The probability; a tensor only if it is not known while tracing.

    Raises
    ------
    OutsideDomain
        It lies outside, or is NaN.
    WrongType
        It is not a real number.
    tf.errors.InvalidArgumentError
        A tensor turns out to lie outside.
    """
    allowed, advice = "a probability in [0, 1]", "Pass a fraction, not a percentage."
    if isinstance(p, (list, tuple)) and any(map(tf.is_tensor, p)):
        return tf.stack([tf.convert_to_tensor(probability(one)) for one in p])
    known = tf.get_static_value(p) if tf.is_tensor(p) else p
    if known is None:
        if not p.dtype.is_floating:
            raise WrongType(explain("p", f"dtype {p.dtype.name}", allowed, "Cast it with tf.cast."))
        p = tf.cast(p, tf.float64)
        message = explain("p", "another number at run time", allowed, advice)
        # Written so that NaN fails.
        inside = tf.reduce_all((p >= 0) & (p <= 1))
        with tf.control_dependencies([tf.debugging.Assert(inside, [message, p])]):
            return tf.identity(p)
    numbers = np.asarray(known)
    if numbers.dtype.kind not in "biuf":
        raise WrongType(explain("p", repr(p), allowed, advice))
    if not np.all((numbers >= 0) & (numbers <= 1)):
        raise OutsideDomain(explain("p", repr(p), allowed, advice))
    return numbers.astype(np.float64)


def randint(seed: Any, low: Any, high: Any, shape: Any = ()) -> Any:
    """Draw integers from [low, high).

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    low, high : int or integer tensor
        Smallest value, and one above the largest; ``high - low`` from 1 to 2**31. Tensors
        must broadcast to `shape`.
    shape : sequence of int or integer tensor, default ()
        Shape of the result.

    Returns
    -------
    tf.Tensor, int64
        The same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        The range is empty or too wide, or `seed` has another shape.
    WrongType
        A bound or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Tensors turn out to enclose an empty or too wide range.

    Notes
    -----
    32 bits are multiplied by the width and shifted: no rejection, so that one draw costs the
    same everywhere. The probability of a value is off by less than ``2**-32``, hence by a
    relative ``(high - low) * 2**-32``: 6e-8 for 256 values.

    Examples
    --------
    >>> from pipeport import seeds
    >>> bool(0 <= seeds.randint((1, 2), 0, 6) < 6)
    True
    """
    low, high = _bound(low, "low"), _bound(high, "high")
    width = high - low
    allowed, advice = "high - low from 1 to 2**31", "`high` is exclusive."
    known = tf.get_static_value(width)
    if known is None:
        message = explain("high", "an empty or too wide range at run time", allowed, advice)
        inside = tf.reduce_all((width >= 1) & (width <= 2**31))
        with tf.control_dependencies([tf.debugging.Assert(inside, [message, width])]):
            width = tf.identity(width)
    elif not np.all((known >= 1) & (known <= 2**31)):
        raise OutsideDomain(explain("high", f"high - low = {known}", allowed, advice))
    return low + tf.bitwise.right_shift(_unsigned(bits(seed, shape)) * width, 32)


def _bound(value: Any, parameter: str) -> Any:
    known: Any = value if tf.is_tensor(value) else np.asarray(value)
    if not (known.dtype.is_integer if tf.is_tensor(value) else known.dtype.kind in "iu"):
        raise WrongType(explain(parameter, repr(value), "integers", "Round it, then cast."))
    return tf.cast(known, tf.int64)
