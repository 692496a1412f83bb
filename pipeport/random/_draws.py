"""Draws of the standard library's `random`, by seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays import accepts_ndarray
from pipeport.arrays._elements import elements_at
from pipeport.arrays._promotion import fitted
from pipeport.arrays._random import python_number, read, real
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.inputs.integers import whole_number
from pipeport.seeds._chosen import places
from pipeport.seeds._gamma import beta as beta_draw
from pipeport.seeds._wide import between

_WORD = 63
_SCALAR = "one number"


def _one(x: Any, parameter: str) -> Any:
    if x.shape.rank not in (None, 0):
        advice = "For arrays use numpy.random."
        raise OutsideDomain(explain(parameter, f"shape {x.shape}", _SCALAR, advice))
    return tf.ensure_shape(x, []) if x.shape.rank is None else x


def number(value: Any, parameter: str) -> Any:
    """Return an argument as a float64 scalar."""
    return _one(real(value, parameter), parameter)


def integer(value: Any, parameter: str) -> Any:
    """Return an argument as an int64 scalar."""
    found = read(value, parameter)
    if found.dtype.kind not in "biu":
        raise WrongType(
            explain(parameter, f"{value!r}", "one whole number", "Round it, and cast it with int.")
        )
    return _one(fitted(found, np.dtype(np.int64)), parameter)


def _unit(seed: Any) -> Any:
    return seeds.uniform(seed, (), "float64")


def random(seed: Any) -> Any:
    """Draw from [0, 1)."""
    return python_number(_unit(seed))


def uniform(seed: Any, a: Any, b: Any) -> Any:
    """Draw from an interval."""
    a, b = number(a, "a"), number(b, "b")
    return python_number(a + (b - a) * _unit(seed))


def triangular(seed: Any, low: Any, high: Any, mode: Any) -> Any:
    """Draw from a triangular distribution."""
    low, high = number(low, "low"), number(high, "high")
    same = tf.equal(low, high)
    width = tf.where(same, tf.ones_like(low), high - low)
    peak = tf.constant(0.5, tf.float64) if mode is None else (number(mode, "mode") - low) / width
    u = _unit(seed)
    beyond = u > peak
    from_low = low + (high - low) * tf.sqrt(tf.where(beyond, tf.zeros_like(u), u * peak))
    rest = tf.where(beyond, (1.0 - u) * (1.0 - peak), tf.zeros_like(u))
    found = tf.where(beyond, high + (low - high) * tf.sqrt(rest), from_low)
    return python_number(tf.where(same, low, found))


def gauss(seed: Any, mu: Any, sigma: Any) -> Any:
    """Draw from a normal distribution."""
    mu, sigma = number(mu, "mu"), number(sigma, "sigma")
    return python_number(mu + sigma * seeds.normal(seed, (), "float64"))


def _where(condition: Any, x: Any, parameter: str, allowed: str) -> Any:
    known = tf.get_static_value(x)
    given = "another number at run time" if known is None else f"{known}"
    return check(condition, parameter, given, allowed, "Check where it comes from.", x)[0]


def betavariate(seed: Any, alpha: Any, beta: Any) -> Any:
    """Draw from a beta distribution."""
    alpha = _where(lambda x: x > 0, number(alpha, "alpha"), "alpha", "numbers above 0")
    beta = _where(lambda x: x > 0, number(beta, "beta"), "beta", "numbers above 0")
    return python_number(beta_draw(seed, alpha, beta, ()))


def expovariate(seed: Any, lambd: Any) -> Any:
    """Draw from an exponential distribution."""
    lambd = _where(lambda x: tf.not_equal(x, 0), number(lambd, "lambd"), "lambd", "numbers other than 0")
    return python_number(seeds.exponential(seed, (), "float64") / lambd)


def _below(seed: Any, count: Any, parameter: str) -> Any:
    allowed, advice = "a range that is not empty", "Check the order of the bounds."
    (count,) = check(lambda n: n > 0, parameter, "an empty range", allowed, advice, count)
    return between(seed, tf.zeros([], tf.int64), count - 1, ())


def randint(seed: Any, a: Any, b: Any) -> Any:
    """Draw a whole number from [a, b]."""
    a, b = integer(a, "a"), integer(b, "b")
    allowed, advice = "a <= b", "Check the order of the bounds."
    a, b = check(lambda a, b: a <= b, "b", "an empty range", allowed, advice, a, b)
    return python_number(between(seed, a, b, ()))


def randrange(seed: Any, start: Any, stop: Any, step: Any) -> Any:
    """Draw from a range."""
    by = integer(step, "step")
    if stop is None:
        if tf.get_static_value(by) != 1:
            raise WrongType(
                explain("stop", "none beside a `step`", "a number", "Write randrange(0, stop, step).")
            )
        return python_number(_below(seed, integer(start, "start"), "start"))
    by = _where(lambda x: tf.not_equal(x, 0), by, "step", "whole numbers other than 0")
    first, last = integer(start, "start"), integer(stop, "stop")
    count = tf.math.floordiv(last - first + by - tf.sign(by), by)
    return python_number(first + by * _below(seed, _known(count, last, first, by), "stop"))


def _known(count: Any, last: Any, first: Any, by: Any) -> Any:
    """Return the number of a range as a constant where its bounds are known."""
    values = [tf.get_static_value(one) for one in (first, last, by)]
    if any(value is None for value in values):
        return count
    return tf.constant(len(range(*(int(value) for value in values))), tf.int64)


def getrandbits(seed: Any, k: Any) -> Any:
    """Draw a whole number of k bits."""
    k = integer(k, "k")
    known = tf.get_static_value(k)
    if known is not None and known > _WORD:
        advice = "Draw several and put them together."
        raise UnsupportedArgument(explain("k", known, f"0 to {_WORD} bits, as int64 holds", advice))
    k = _where(lambda x: (x >= 0) & (x <= _WORD), k, "k", f"0 to {_WORD} bits, as int64 holds")
    most = tf.bitwise.left_shift(tf.ones([], tf.int64), k) - 1
    return python_number(between(seed, tf.zeros([], tf.int64), most, ()))


def _at(seq: Any, index: list[Any], parameter: str) -> list[Any]:
    """Return elements of a sequence at drawn places."""
    if isinstance(seq, range):
        return [python_number(seq.start + seq.step * one) for one in index]
    if isinstance(seq, (list, tuple)):
        return elements_at(seq, index, parameter) if seq else []
    values = tf.convert_to_tensor(read(seq, parameter).value)
    return [tf.gather(values, one) for one in index]


def _length(seq: Any, parameter: str) -> Any:
    """Return the length of a sequence."""
    allowed = "a list, a tuple, a range or an array"
    if isinstance(seq, (range, list, tuple)):
        return tf.constant(len(seq), tf.int64)
    if isinstance(seq, (str, bytes)):
        advice = "Draw an index, and take the letter with `if` or tf.switch_case."
        raise UnsupportedArgument(explain(parameter, repr(seq), allowed, advice))
    array = isinstance(seq, np.ndarray) or tf.is_tensor(seq) or hasattr(type(seq), "__pipeport_operand__")
    values = read(seq, parameter).value if array else None
    if values is None or values.shape.rank in (None, 0):
        given = f"a value of type {type(seq).__name__}" if values is None else f"shape {values.shape}"
        raise WrongType(explain(parameter, given, allowed, "Make a list of it."))
    size = values.shape[0]
    return tf.shape(values, out_type=tf.int64)[0] if size is None else tf.constant(size, tf.int64)


@accepts_ndarray
def choice(seed: Any, seq: Any) -> Any:
    """Draw one element."""
    count = _length(seq, "seq")
    if tf.get_static_value(count) == 0:
        raise BadIndex(explain("seq", "an empty sequence", "one element at least", "Leave such calls out."))
    return _at(seq, [_below(seed, count, "seq")], "seq")[0]


@accepts_ndarray
def choices(seed: Any, population: Any, weights: Any, cum_weights: Any, k: Any) -> Any:
    """Draw elements, each as if it were the only one."""
    count, wanted = _length(population, "population"), max(whole_number(k, "k"), 0)
    if weights is not None and cum_weights is not None:
        raise WrongType(
            explain("cum_weights", "both kinds of weights", "one of them", "Leave the other out.")
        )
    if not wanted:
        return []
    if tf.get_static_value(count) == 0:
        advice = "Leave such calls out."
        raise BadIndex(explain("population", "an empty sequence", "one element at least", advice))
    chances = None
    if weights is not None or cum_weights is not None:
        chances = _chances(weights, cum_weights, count)
    index = places(seed, count, tf.constant([wanted]), True, chances)
    return _at(population, tf.unstack(index, wanted), "population")


def _chances(weights: Any, cum_weights: Any, count: Any) -> Any:
    name = "weights" if cum_weights is None else "cum_weights"
    given = real(weights if cum_weights is None else cum_weights, name)
    if given.shape.rank != 1 or not given.shape.is_compatible_with([tf.get_static_value(count)]):
        allowed, advice = "one for each element", "Give as many as there are."
        raise OutsideDomain(explain(name, f"shape {given.shape}", allowed, advice))

    def fits(x: Any) -> Any:
        return tf.reduce_all(x >= 0) & (tf.reduce_sum(x) > 0) & tf.math.is_finite(tf.reduce_sum(x))

    def apart(x: Any) -> Any:
        return x if cum_weights is None else x - tf.concat([tf.zeros([1], x.dtype), x[:-1]], 0)

    allowed = "finite weights from 0, not all of them 0"
    (given,) = check(lambda x: fits(apart(x)), name, "other weights", allowed, "Check them.", given)
    each = apart(given)
    return each / tf.reduce_sum(each)


@accepts_ndarray
def sample(seed: Any, population: Any, k: Any, counts: Any) -> Any:
    """Draw elements of which none comes twice."""
    if counts is not None:
        raise UnsupportedArgument(explain("counts", repr(counts), "None", "Repeat the elements in the list."))
    if not isinstance(population, (list, tuple, range, str, bytes)):
        allowed, advice = "a list, a tuple or a range", "Use numpy.random.choice(replace=False)."
        raise WrongType(explain("population", type(population).__name__, allowed, advice))
    count, wanted = _length(population, "population"), whole_number(k, "k")
    if not 0 <= wanted <= len(population):
        given = f"{wanted} of {len(population)}"
        raise OutsideDomain(explain("k", given, "from 0 to as many as there are", "Draw fewer."))
    index = places(seed, count, tf.constant([wanted]), False)
    return _at(population, tf.unstack(index, wanted), "population")
