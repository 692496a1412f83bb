"""Poisson and binomial draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.seeds._derive import as_seed, split
from pipeport.seeds._draws import uniform
from pipeport.seeds._gamma import rounds

# Means from here on are drawn by rejection, which accepts two thirds at least; those below by inversion.
_LARGE = 10.0
_ROUNDS = 64
# Of a mean below 10 a count above this has a probability below 2**-150.
_MOST = 100
_EXACT = 16
# Trials up to which all probabilities of one distribution are made.
_MOST_COUNTS = 1024
# log(k!) without Stirling's main part, where his series is not exact.
_STIRLING = np.array(
    [0.0, *(math.lgamma(k + 1) - (k + 0.5) * math.log(k) + k - 0.5 * math.log(2 * math.pi)
            for k in range(1, _EXACT))]
)  # fmt: skip


def _remainder(k: Any) -> Any:
    """Return log(k!) - (k + 1/2) log(k) + k - log(2 pi) / 2, for whole k from 1."""
    near = tf.gather(tf.constant(_STIRLING), tf.cast(tf.clip_by_value(k, 0.0, _EXACT - 1.0), tf.int32))
    r = 1.0 / tf.maximum(k, float(_EXACT))
    s = r * r
    series = r * (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188))))
    return tf.where(k < _EXACT, near, series)


def _deviance(k: Any, mean: Any) -> Any:
    """Return k log(k / mean) - (k - mean), without loss where k is near the mean; k from 1."""
    x = (k - mean) / mean
    return mean * ((1.0 + x) * tf.math.log1p(x) - x)


def _hat(u: Any, v: Any, a: Any, b: Any, centre: Any, quick: Any) -> Any:
    """Return candidates of Hörmann's transformed rejection, and which are taken at once and left at once."""
    u = u - 0.5
    room = 0.5 - tf.abs(u)
    room = tf.maximum(room, 2.0**-60)
    k = tf.floor((2.0 * a / room + b) * u + centre)
    at_once = tf.logical_and(room >= 0.07, v <= quick)
    return k, room, at_once


def _pair(seed: Any, shape: Any) -> Any:
    first, second = tf.unstack(split(seed))
    return uniform(first, shape, "float64"), 1.0 - uniform(second, shape, "float64")


def _inverted(u: Any, first: Any, ratio: Any) -> Any:
    """Return the smallest count whose cumulative probability exceeds u.

    `first` is the probability of 0, `ratio` gives that of k + 1 divided by that of k.
    """
    form = u.shape

    def go_on(k: Any, mass: Any, below: Any, count: Any) -> Any:  # noqa: ARG001
        return tf.logical_and(k < _MOST, tf.reduce_any(u >= below))

    def body(k: Any, mass: Any, below: Any, count: Any) -> Any:
        count = count + tf.cast(u >= below, tf.float64)
        mass = mass * ratio(k)
        return k + 1.0, mass, tf.ensure_shape(below + mass, form), count

    zero = tf.zeros([], tf.float64)
    return tf.while_loop(go_on, body, (zero, first, first, tf.zeros_like(u)))[3]


def poisson(seed: Any, lam: Any, shape: Any) -> Any:
    """Draw from the Poisson distribution.

    `seed`: array_like of int, shape (2,). `lam`: float64; mean, not negative and below 2**63; it broadcasts
    to `shape`. Returns: int64; the same on every engine, but where rounding moves a draw over a threshold.
    """
    first, second = tf.unstack(split(as_seed(seed)))
    shape = tf.convert_to_tensor(shape, tf.int32)
    known = tf.get_static_value(lam)
    lam = tf.broadcast_to(lam, shape)
    large = lam >= _LARGE
    small = tf.where(large, tf.zeros_like(lam), lam)
    drawn = small
    if known is None or (known < _LARGE).any():
        drawn = _inverted(uniform(first, shape, "float64"), tf.exp(-small), lambda k: small / (k + 1.0))
    if known is not None and (known < _LARGE).all():
        return tf.cast(drawn, tf.int64)
    mean = tf.where(large, lam, tf.fill(shape, tf.constant(_LARGE, tf.float64)))
    b = 0.931 + 2.53 * tf.sqrt(mean)
    a = -0.059 + 0.02483 * b
    scale, quick = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)

    def attempt(own: Any) -> Any:
        u, v = _pair(own, shape)
        k, room, at_once = _hat(u, v, a, b, mean + 0.43, quick)
        some = tf.maximum(k, 1.0)
        chance = -_deviance(some, mean) - _remainder(some) - 0.5 * tf.math.log(2.0 * math.pi * some)
        chance = tf.where(k < 1.0, -mean, chance)
        fits = tf.math.log(v * scale / (a / (room * room) + b)) <= chance
        left = tf.logical_or(k < 0, tf.logical_and(room < 0.013, v > room))
        accepted = tf.logical_or(at_once, tf.logical_and(fits, tf.logical_not(left)))
        return k, tf.logical_or(accepted, tf.logical_not(large))  # the others are not waited for

    found = rounds(second, shape, _ROUNDS, attempt, tf.floor(mean))
    return tf.cast(tf.where(large, found, drawn), tf.int64)


def binomial(seed: Any, n: Any, p: Any, shape: Any) -> Any:
    """Draw from the binomial distribution.

    `seed`: array_like of int, shape (2,). `n`: int64; number of trials, from 0 to 2**53; it broadcasts to
    `shape`. `p`: float64; probability of a success, from 0 to 1; it broadcasts to `shape`. Returns: int64;
    the same on every engine, but where rounding moves a draw over a threshold.
    """
    seed, shape = as_seed(seed), tf.convert_to_tensor(shape, tf.int32)
    if n.shape.rank != 0 or p.shape.rank != 0:
        return _one_by_one(seed, n, p, shape)
    known = tf.get_static_value(n)
    if known is None:
        return tf.cond(
            n <= _MOST_COUNTS,
            lambda: _by_table(seed, n, p, shape, _MOST_COUNTS),
            lambda: _one_by_one(seed, n, p, shape),
        )
    if known > _MOST_COUNTS:
        return _one_by_one(seed, n, p, shape)
    return _by_table(seed, n, p, shape, int(known))


def _by_table(seed: Any, n: Any, p: Any, shape: Any, most: int) -> Any:
    """Draw by inversion of all probabilities of one distribution; of 65,536 draws in a tenth of the time."""
    trials, k = tf.cast(n, tf.float64), tf.range(most + 1, dtype=tf.float64)
    failures = tf.maximum(trials - k, 0.0)
    ways = tf.math.lgamma(trials + 1.0) - tf.math.lgamma(k + 1.0) - tf.math.lgamma(failures + 1.0)
    chances = tf.exp(ways + tf.math.xlogy(k, p) + tf.math.xlog1py(failures, -p))
    below = tf.cumsum(tf.where(k <= trials, chances, tf.zeros_like(chances)))
    drawn = uniform(split(seed)[0], tf.reshape(tf.reduce_prod(shape), [1]), "float64")
    found = tf.searchsorted(below, drawn, side="right", out_type=tf.int64)
    return tf.reshape(tf.minimum(found, n), shape)


def _one_by_one(seed: Any, n: Any, p: Any, shape: Any) -> Any:
    """Draw each from a distribution of its own."""
    first, second = tf.unstack(split(seed))
    known = [tf.get_static_value(one) for one in (n, p)]
    mean = None if known[0] is None or known[1] is None else known[0] * np.minimum(known[1], 1 - known[1])
    trials = tf.broadcast_to(tf.cast(n, tf.float64), shape)
    p = tf.broadcast_to(p, shape)
    turned = p > 0.5
    rare = tf.where(turned, 1.0 - p, p)
    large = trials * rare >= _LARGE
    none = tf.zeros_like(rare)
    few, odds = tf.where(large, none, trials), rare / (1.0 - rare)
    drawn = _inverted(
        uniform(first, shape, "float64"),
        tf.exp(few * tf.math.log1p(-rare)),
        lambda k: tf.maximum(few - k, 0.0) / (k + 1.0) * odds,
    )
    counted = drawn
    # Below the border by more than rounding: the graph decides what lies near it.
    if mean is None or not (mean < 0.99 * _LARGE).all():
        many = tf.where(large, trials, none + 40.0), tf.where(large, rare, none + 0.25)
        counted = tf.where(large, _many(second, *many, large, shape), drawn)
    counted = tf.where(turned, trials - counted, counted)
    return tf.cast(tf.clip_by_value(counted, 0.0, trials), tf.int64)


def _many(seed: Any, n: Any, p: Any, wanted: Any, shape: Any) -> Any:
    """Draw binomial counts of a mean from 10 on, p up to a half, where they are wanted."""
    mean, rest = n * p, n * (1.0 - p)
    spread = tf.sqrt(mean * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    quick, scale = 0.92 - 4.2 / b, (2.83 + 5.1 / b) * spread

    def chance(k: Any) -> Any:
        """Return the logarithm of the probability of k, apart from a constant."""
        success, failure = tf.maximum(k, 1.0), tf.maximum(n - k, 1.0)
        found = -_deviance(success, mean) - _remainder(success) - 0.5 * tf.math.log(success)
        found = found - _deviance(failure, rest) - _remainder(failure) - 0.5 * tf.math.log(failure)
        # At the ends the one part is certain: k! is 1, and k log(k / mean) - (k - mean) is the mean.
        half = 0.5 * math.log(2.0 * math.pi)
        none = -mean + half - _deviance(n, rest) - _remainder(n) - 0.5 * tf.math.log(n)
        every = -rest + half - _deviance(n, mean) - _remainder(n) - 0.5 * tf.math.log(n)
        return tf.where(k < 1.0, none, tf.where(n - k < 1.0, every, found))

    mode = chance(tf.floor((n + 1.0) * p))

    def attempt(own: Any) -> Any:
        u, v = _pair(own, shape)
        k, room, at_once = _hat(u, v, a, b, mean + 0.5, quick)
        inside = tf.logical_and(k >= 0, k <= n)
        fits = tf.math.log(v * scale / (a / (room * room) + b)) <= chance(tf.clip_by_value(k, 0.0, n)) - mode
        accepted = tf.logical_and(inside, tf.logical_or(at_once, fits))
        return k, tf.logical_or(accepted, tf.logical_not(wanted))

    return rounds(seed, shape, _ROUNDS, attempt, tf.floor(mean))
