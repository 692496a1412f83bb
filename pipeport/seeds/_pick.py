"""Orders and choices of n things."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.seeds._ambient import runs_as_it_is
from pipeport.seeds._continuous import exponential
from pipeport.seeds._derive import as_seed, whole_range
from pipeport.seeds._draws import randint, uniform

# How many numbers are sorted by keys that hold them.
_NUMBERED = 1024, 16384
# As numpy.random: the square root of eps.
_SUM_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))


def permutation(seed: Any, n: Any) -> Any:
    """Draw an order of the numbers from 0 to n - 1, each as likely as any other.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    n : int or scalar integer tensor
        How many, not negative.

    Returns
    -------
    tf.Tensor, shape (n,), int64
        The same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `n` is negative, or `seed` has another shape.
    WrongType
        `n` or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        A tensor `n` turns out to be negative.

    Notes
    -----
    The order of random keys of 64 bits. Two of n are equal, and then keep their order, with a
    probability of n * n * 2**-65: 3e-8 for a million. For 1024 to 16384 numbers the last bits of a key
    are its number, and this probability is n**3 * 2**-65 or a little more: 2e-9 for 4096.

    Examples
    --------
    >>> from pipeport import seeds
    >>> sorted(seeds.permutation((1, 2), 4).numpy().tolist())
    [0, 1, 2, 3]
    """
    count = _count(n)
    keys = whole_range(as_seed(seed), tf.reshape(count, [1]), tf.int64)
    known = tf.get_static_value(count)
    if known is None or not _NUMBERED[0] <= known <= _NUMBERED[1]:
        return tf.cast(tf.argsort(keys, stable=True), tf.int64)
    low = 2 ** (int(known) - 1).bit_length() - 1
    keys = tf.bitwise.bitwise_or(tf.bitwise.bitwise_and(keys, ~low), tf.range(int(known), dtype=tf.int64))
    return tf.bitwise.bitwise_and(tf.sort(_nearly_sorted(keys) if runs_as_it_is() else keys), low)


def _nearly_sorted(keys: Any) -> Any:
    """Return keys in the order of their first twelve bits, four at a time.

    The kernel sorts 4096 drawn keys in 190 µs, as the processor cannot guess how two compare, these in 30;
    this takes 70. XLA does not know how many keys there are of a digit.
    """
    for shift in (52, 56, 60):
        digit = tf.bitwise.bitwise_and(tf.bitwise.right_shift(keys, shift), 15)
        # The first digit has the sign.
        digit = tf.bitwise.bitwise_xor(digit, 8) if shift == 60 else digit
        parts = tf.dynamic_partition(keys, tf.cast(digit, tf.int32), 16)
        keys = tf.ensure_shape(tf.concat(parts, 0), keys.shape)
    return keys


def choice(seed: Any, n: Any, shape: Any = (), replace: bool = True, p: Any = None) -> Any:
    """Draw from the numbers 0 to n - 1.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    n : int, or scalar integer tensor where `p` is None
        How many there are, at least 1.
    shape : sequence of int, default ()
        Shape of the result.
    replace : bool, default True
        Whether a number may come more than once; else numbers come one after the other, each by its
        probability among those that are left.
    p : array_like of float, shape (n,), optional
        Probabilities; not tensors. None for equal ones.

    Returns
    -------
    tf.Tensor, int64
        The same on every engine and TensorFlow version; without replacement and with `p`, but for
        keys that agree in 15 digits.

    Raises
    ------
    OutsideDomain
        More numbers are asked for than there are, `p` has another length, is negative, or does not sum
        to 1, or `n` is not positive.
    UnsupportedArgument
        `p`, or `shape` or `n` without replacement, is not known while tracing.
    WrongType
        An argument is of no use at all.
    tf.errors.InvalidArgumentError
        A tensor `n` turns out not to be positive.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.choice((1, 2), 3, p=[0.0, 1.0, 0.0]).numpy().item()
    1
    """
    if p is None and replace:
        return randint(seed, 0, _count(n, least=1), shape)
    size, sides = _known(n, "n"), _sides(shape)
    chances: Any = None if p is None else _probabilities(p, size)
    if replace:
        ends = np.cumsum(chances)
        drawn = uniform(seed, [math.prod(sides)], "float64")
        found = tf.searchsorted(tf.constant(ends / ends[-1]), drawn, side="right", out_type=tf.int64)
        return tf.reshape(found, sides)
    there = size if chances is None else int(np.count_nonzero(chances))
    if math.prod(sides) > there:
        given = f"{math.prod(sides)} of {there} without replacement"
        raise OutsideDomain(explain("shape", given, f"at most {there}", "Draw fewer, or with replacement."))
    if chances is None:
        order = permutation(seed, size)
    else:
        # Whoever rings first: exponential clocks that run as fast as the probabilities.
        clocks = exponential(seed, [size], "float64")
        with np.errstate(divide="ignore"):
            slowness = 1.0 / chances
        # An infinite clock never rings first: there are enough others. Not of 0 * inf, which is NaN.
        rings = tf.where(chances == 0, tf.constant(np.inf, tf.float64), clocks * tf.constant(slowness))
        order = tf.cast(tf.argsort(rings, stable=True), tf.int64)
    return tf.reshape(order[: math.prod(sides)], sides)


def _count(n: Any, least: int = 0) -> Any:
    known = tf.get_static_value(n) if tf.is_tensor(n) else n
    allowed = f"an integer, at least {least}"
    if known is None:
        if not n.dtype.is_integer or n.shape.rank not in (None, 0):
            raise WrongType(
                explain("n", f"{n.dtype.name}, shape {n.shape}", allowed, "Cast it with tf.cast.")
            )
        message = explain("n", "fewer at run time", allowed, "Leave such elements out first.")
        enough = tf.debugging.assert_greater_equal(n, tf.cast(least, n.dtype), message)
        with tf.control_dependencies([] if enough is None else [enough]):
            return tf.cast(tf.identity(n), tf.int32)
    array = np.asarray(known)
    if array.dtype.kind not in "iu" or array.ndim:
        raise WrongType(explain("n", repr(n), allowed, "Give a whole number."))
    if not least <= int(array) < 2**31:
        raise OutsideDomain(explain("n", repr(n), allowed + " and below 2**31", "Check the sizes."))
    return tf.constant(int(array), tf.int32)


def _known(n: Any, parameter: str) -> int:
    known = tf.get_static_value(_count(n, least=1))
    if known is None:
        advice = "Draw with replacement and equal probabilities, or slice seeds.permutation."
        raise UnsupportedArgument(explain(parameter, "a tensor", "a Python integer", advice))
    return int(known)


def _sides(shape: Any) -> list[int]:
    known = tf.get_static_value(shape) if tf.is_tensor(shape) else shape
    if known is None:
        advice = "Slice seeds.permutation, whose n may be a tensor."
        raise UnsupportedArgument(explain("shape", "a tensor", "Python integers", advice))
    sides = np.asarray(known if np.ndim(known) else [known])
    if sides.size and (sides.dtype.kind not in "iu" or (sides < 0).any()):
        raise WrongType(explain("shape", repr(shape), "integers, none negative", "Give a tuple."))
    return [int(side) for side in sides]


def _probabilities(p: Any, size: int) -> Any:
    known = tf.get_static_value(p) if tf.is_tensor(p) else p
    allowed, advice = f"{size} numbers, none negative, that sum to 1", "Divide them by their sum."
    if known is None:
        raise UnsupportedArgument(explain("p", "a tensor", "Python numbers", "They are part of the graph."))
    try:
        chances = np.asarray(known, np.float64)
    except (TypeError, ValueError) as error:
        raise WrongType(explain("p", repr(p), allowed, advice)) from error
    # Written so that NaN fails.
    fits = chances.shape == (size,) and bool((chances >= 0).all())
    if not fits or not abs(math.fsum(chances) - 1.0) <= _SUM_TOLERANCE:
        raise OutsideDomain(explain("p", repr(known), allowed, advice))
    return chances
