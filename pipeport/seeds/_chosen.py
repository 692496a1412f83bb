"""Choices of n things whose number, sizes and probabilities may be tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs._checks import check
from pipeport.seeds._continuous import exponential
from pipeport.seeds._derive import as_seed, whole_range
from pipeport.seeds._draws import uniform
from pipeport.seeds._wide import between

# As numpy.random: the square root of eps.
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))


def places(seed: Any, n: Any, shape: Any, replace: bool = True, p: Any = None) -> Any:
    """Draw from the numbers 0 to n - 1.

    `seed`: array_like of int, shape (2,). `n`: scalar int64 tensor. `shape`: int32 tensor. `replace`: whether
    a number may come more than once. `p`: float64, or None; probabilities, None for equal ones. Returns:
    int64, of that shape; the same on every engine, but where rounding moves a draw from one number to the
    next.
    """
    seed, sizes = as_seed(seed), tf.get_static_value(shape)
    count = tf.reduce_prod(tf.cast(shape, tf.int64)) if sizes is None else tf.constant(
        int(np.prod(sizes, dtype=np.int64)), tf.int64)  # fmt: skip
    advice = "Leave out elements with nothing to choose from."
    n, count = check(
        lambda n, count: (n > 0) | tf.equal(count, 0), "a", "nothing to choose from", "at least one", advice,
        n, count,
    )  # fmt: skip
    p = None if p is None else _probabilities(p, n)
    if not replace:
        count = _enough(n, count, p)
    if p is None:
        if replace:
            return between(seed, tf.zeros([], tf.int64), tf.maximum(n, 1) - 1, shape)
        keys = whole_range(seed, tf.reshape(tf.cast(n, tf.int32), [1]), tf.int64)
    elif replace:
        return _by_probability(seed, shape, p)
    else:
        # Whoever rings first: exponential clocks that run as fast as the probabilities.
        clocks = exponential(seed, tf.shape(p), "float64") / tf.where(p > 0, p, tf.ones_like(p))
        keys = tf.where(p > 0, clocks, tf.constant(np.inf, p.dtype))
    order = tf.cast(tf.argsort(keys, stable=True), tf.int64)
    return tf.reshape(order[: tf.cast(count, tf.int32)], shape)


def _enough(n: Any, count: Any, p: Any) -> Any:
    """Return how many are asked for, after the check that there are so many."""
    allowed, advice = "as many as there are", "Draw fewer, or with replacement."
    if p is None:
        return check(lambda n, count: count <= n, "size", "more than there are", allowed, advice, n, count)[1]
    return check(
        lambda p, count: count <= tf.math.count_nonzero(p, dtype=tf.int64),
        "size", "more than have a probability above 0", allowed, advice, p, count,
    )[1]  # fmt: skip


def _by_probability(seed: Any, shape: Any, p: Any) -> Any:
    if p.shape[0] == 0:
        return tf.zeros(shape, tf.int64)
    ends = tf.cumsum(p)
    drawn = uniform(seed, shape, "float64") * ends[-1]
    found = tf.searchsorted(ends, tf.reshape(drawn, [-1]), side="right", out_type=tf.int64)
    # A product that is rounded up to the end counts for the last that is possible.
    numbers = tf.range(tf.size(p, tf.int64))
    last = tf.reduce_max(tf.where(p > 0, numbers, tf.zeros_like(numbers)))
    return tf.reshape(tf.minimum(found, last), shape)


def _probabilities(p: Any, n: Any) -> Any:
    advice, sum_advice = "Give as many as there are entries in `a`.", "Divide them by their sum."
    allowed = "one probability for each of `a`"
    if p.shape.rank not in (None, 1):
        raise OutsideDomain(explain("p", f"shape {p.shape}", allowed, advice))
    many = tf.constant(p.shape[0], tf.int64) if p.shape.is_fully_defined() else tf.size(p, tf.int64)
    many, _ = check(tf.equal, "p", "another number of them", allowed, advice, many, n)
    with tf.control_dependencies([many]):
        p = tf.identity(p) if tf.get_static_value(p) is None else p
    return check(
        lambda p: tf.reduce_all(p >= 0) & (tf.abs(tf.reduce_sum(p) - 1.0) <= _TOLERANCE),
        "p", "other numbers", "numbers from 0 that sum to 1", sum_advice, p,
    )[0]  # fmt: skip
