"""Gamma and beta draws."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.seeds._continuous import normal
from pipeport.seeds._derive import as_seed, child, split
from pipeport.seeds._draws import uniform

# A round accepts 95 % at least: none of sixteen does with a probability below 2**-69.
_ROUNDS = 16
_ROUND = 0x3F84D5B5B5470917  # keeps the seeds of rounds apart from others (digits of pi)
# Below this the logarithm of a draw leaves the range of floats.
_TINY = 1e-280


def rounds(seed: Any, shape: Any, most: int, attempt: Any, otherwise: Any) -> Any:
    """Draw by acceptance and rejection, entry by entry, until all are accepted.

    `seed`: shape (2,); of the whole draw; each round has one of its own. `attempt`: takes the seed of a
    round, and gives values and which of them are accepted. `otherwise`: float64; what an entry gets that no
    round accepts. Returns: float64, of that shape; the values. What an entry gets does not depend on the
    others.
    """
    start = tf.broadcast_to(otherwise, shape)
    form = start.shape

    def go_on(index: Any, value: Any, done: Any) -> Any:  # noqa: ARG001
        return tf.logical_and(index < most, tf.logical_not(tf.reduce_all(done)))

    def body(index: Any, value: Any, done: Any) -> Any:
        found, accepted = attempt(child(seed, index, _ROUND))
        fresh = tf.logical_and(accepted, tf.logical_not(done))
        value, done = tf.where(fresh, found, value), tf.logical_or(done, accepted)
        return index + 1, tf.ensure_shape(value, form), tf.ensure_shape(done, form)

    nothing = tf.ensure_shape(tf.math.is_nan(start), form)
    return tf.while_loop(go_on, body, (tf.constant(0, tf.int64), start, nothing))[1]


def _above_one(seed: Any, alpha: Any, shape: Any) -> Any:
    """Draw from the gamma distribution for alpha from 1: Marsaglia's and Tsang's cube of a normal."""
    d = alpha - 1.0 / 3.0
    c = 1.0 / tf.sqrt(9.0 * d)

    def attempt(own: Any) -> Any:
        first, second = tf.unstack(split(own))
        x, u = normal(first, shape, "float64"), uniform(second, shape, "float64")
        base = 1.0 + c * x
        positive = base > 0
        cube = tf.where(positive, base, tf.ones_like(base)) ** 3
        accepted = tf.math.log(1.0 - u) < 0.5 * x * x + d - d * cube + d * tf.math.log(cube)
        return d * cube, tf.logical_and(positive, accepted)

    return rounds(seed, shape, _ROUNDS, attempt, d)


def log_gamma(seed: Any, alpha: Any, shape: Any) -> Any:
    """Draw the logarithm of a gamma variate.

    `seed`: array_like of int, shape (2,). `alpha`: float64; shape parameter, not negative; it broadcasts to
    `shape`. Returns: float64; minus infinity where alpha is 0.
    """
    first, second = tf.unstack(split(as_seed(seed)))
    shape = tf.convert_to_tensor(shape, tf.int32)
    below = alpha < 1.0
    drawn = _above_one(first, tf.where(below, alpha + 1.0, alpha), shape)
    # One below 1 is one above 1 times a power of a uniform number.
    u = 1.0 - uniform(second, shape, "float64")
    return tf.math.log(drawn) + tf.where(below, tf.math.log(u) / alpha, tf.zeros_like(u))


def gamma(seed: Any, alpha: Any, shape: Any) -> Any:
    """Draw from the gamma distribution of scale 1.

    `seed`: array_like of int, shape (2,). `alpha`: float64; shape parameter, not negative; it broadcasts to
    `shape`. Returns: float64; not negative; the same on every engine to rounding, but where that moves an
    acceptance.
    """
    first, second = tf.unstack(split(as_seed(seed)))
    shape = tf.convert_to_tensor(shape, tf.int32)
    below = alpha < 1.0
    drawn = _above_one(first, tf.where(below, alpha + 1.0, alpha), shape)
    u = 1.0 - uniform(second, shape, "float64")
    power = tf.where(below, tf.exp(tf.math.log(u) / alpha), tf.ones_like(u))
    return tf.where(tf.equal(alpha, 0.0), tf.zeros_like(drawn), drawn * power)


def beta(seed: Any, a: Any, b: Any, shape: Any) -> Any:
    """Draw from the beta distribution.

    `seed`: array_like of int, shape (2,). `a`, `b`: float64; parameters, positive; they broadcast to `shape`.
    Returns: float64; from 0 to 1; the same on every engine to rounding, but where that moves an acceptance.
    """
    first, second, third = tf.unstack(split(as_seed(seed), 3))
    shape = tf.convert_to_tensor(shape, tf.int32)
    # By logarithms: for small parameters both variates are zero in floats, their quotient is not.
    odds = log_gamma(second, b, shape) - log_gamma(first, a, shape)
    found = 1.0 / (1.0 + tf.exp(odds))
    tiny = tf.maximum(a, b) < _TINY
    total = a + b
    side = tf.cast(uniform(third, shape, "float64") * total < a, tf.float64)
    return tf.where(tiny, side, found)
