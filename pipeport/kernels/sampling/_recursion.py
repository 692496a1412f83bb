"""Recursive filters, block by block: within a block a product of matrices, between blocks a few of them.

A filter of order p is a state of p numbers: s' = A s + B x, y = C s + D x. What a block of inputs adds to the
state is one product, and the states of all blocks follow by doubling: from those one block apart those two
apart, and so on, until the powers of A have died away.

Of the many states that give one filter, those of its coefficients as they stand are the worst: where poles
lie close together, as of a band-pass from 0.5 Hz, numbers that are 10^10 times the output cancel each other.
White noise makes the numbers of the state used here independent, each of variance 1 (the normalised lattice
of Gray and Markel): A lengthens no state, so that neither its powers nor roundings grow. Decimals find it.
"""

from __future__ import annotations

import decimal
import functools
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._convolution import framed

_STEP = 64

# Powers of A below this are nothing beside the float64 that they are added to, and lines have fewer blocks.
_GONE, _MOST_DOUBLINGS = 2.0**-120, 26
_HUGE = float(np.finfo(np.float64).max)

# Of larger matrices the products are taken in float64.
_LARGE = 64

# Filters of a higher order keep their coefficients; digits in all, and for each order.
_MOST_ORDER, _DIGITS, _DIGITS_EACH = 32, 50, 20


class _System(NamedTuple):
    """A, B and C. Of a stable filter, too, the state that an endless input of ones leads to, and its gain.

    `gain`: how often larger than its input, as white noise, what the denominator alone gives is: so much are
    the roundings magnified of who computes with the coefficients as they stand.
    """

    step: np.ndarray
    enter: np.ndarray
    leave: np.ndarray
    steady: np.ndarray | None = None
    gain: float = 1.0


@dataclass(frozen=True)
class Filter:
    """A recursive filter whose coefficients are known.

    `b`, `a`: float64, shape (p + 1,); coefficients, the first of `a` being 1.
    """

    b: np.ndarray
    a: np.ndarray

    @classmethod
    def of(cls, b: np.ndarray, a: np.ndarray) -> Filter:
        """Return the filter of coefficients of any lengths; the first of `a` is not 0."""
        count = max(len(b), len(a))
        wide = [np.pad(one.astype(np.float64), (0, count - len(one))) for one in (b, a)]
        return cls(*(one / wide[1][0] for one in wide))

    @functools.cached_property
    def system(self) -> _System:
        """A, B and C: of independent states where the filter is stable, else of its coefficients."""
        found = _independent(self.b, self.a) if len(self.a) - 1 <= _MOST_ORDER else None
        if found is not None:
            return found
        order = len(self.a) - 1
        wide: Any = np.longdouble if order < _LARGE else np.float64
        step = np.eye(order, k=1, dtype=wide)
        step[:, :1] -= self.a[1:, np.newaxis]
        enter = (self.b[1:] - self.a[1:] * self.b[0]).astype(wide)
        return _System(step, enter, np.eye(1, order, dtype=wide)[0])

    def steady(self) -> np.ndarray:
        """Return the state that an endless input of ones leads to."""
        step, enter, _, found, _ = self.system
        if found is None:
            found = np.linalg.solve(np.eye(len(step)) - step.astype(np.float64), enter.astype(np.float64))
        return found.astype(np.float64)


def _independent(b: np.ndarray, a: np.ndarray) -> _System | None:
    """Return the system whose states white noise makes independent; None of a filter that is not stable."""
    order = len(a) - 1
    with decimal.localcontext() as context:
        context.prec = _DIGITS + _DIGITS_EACH * order
        numerator, denominator = (np.array([Decimal(one) for one in side.tolist()]) for side in (b, a))
        # From the last to the first: the polynomials that predict a number from those before it, or behind.
        rows = np.full((order, order), Decimal(0))
        lower, error = denominator, Decimal(1)
        for length in range(order, 0, -1):
            reflected = lower[-1]
            if abs(reflected) >= 1:
                return None
            lower = (lower - reflected * lower[::-1])[:-1] / (1 - reflected**2)
            error /= 1 - reflected**2
            rows[length - 1, :length] = lower[::-1] / error.sqrt()
        # From the last numbers that the denominator gave to the states, and back.
        inverse = np.full_like(rows, Decimal(0))
        for place in range(order):
            inverse[place] = -rows[place, :place] @ inverse[:place] if place else inverse[place]
            inverse[place, place] += 1
            inverse[place] /= rows[place, place]
        moved = np.concatenate([-(denominator[1:] @ inverse)[np.newaxis], inverse[:-1]])
        return _System(
            _rounded(rows @ moved),
            _rounded(rows[:, 0]),
            _rounded((numerator[1:] - numerator[0] * denominator[1:]) @ inverse),
            _rounded(rows.sum(1) / denominator.sum()),
            float(error.sqrt()),
        )


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.array([np.longdouble(str(one)) for one in values.ravel()]).reshape(values.shape)


@dataclass(frozen=True)
class _Block:
    """What a block does: outputs of inputs and state, what inputs add to the state, powers of A."""

    outputs: np.ndarray
    enter: np.ndarray
    powers: tuple[np.ndarray, ...]


def _block(filtered: Filter) -> _Block:
    step, column, row, *_ = filtered.system
    wide: Any = step.dtype.type
    seen = np.zeros((_STEP, len(step)), wide)  # C A^i
    added = np.zeros((_STEP, len(step)), wide)  # A^i B
    for place in range(_STEP):
        seen[place], added[place] = row, column
        row, column = row @ step, step @ column
    response = np.append(wide(filtered.b[0]), added[:-1] @ filtered.system.leave)
    lags = np.arange(_STEP)[:, np.newaxis] - np.arange(_STEP)
    inside = np.where(lags >= 0, response[np.maximum(lags, 0)], 0)
    power = np.linalg.matrix_power(step, _STEP)
    powers: list[np.ndarray] = []
    while len(powers) < _MOST_DOUBLINGS and _GONE < np.abs(power).max() < _HUGE:
        powers.append(power.astype(np.float64))
        with np.errstate(over="ignore", invalid="ignore"):
            power = power @ power
    outputs = np.concatenate([inside, seen], 1).T
    return _Block(outputs.astype(np.float64), added[::-1].astype(np.float64), tuple(powers))


def recursed(x: Any, filtered: Filter, state: Any = None) -> Any:
    """Return lines that a recursive filter has gone through.

    `x`: shape (..., N), float64. `state`: shape (..., p), or None; the states before the first elements;
    zeros. Returns: shape (..., N), float64; the outputs. From the first NaN or infinity on a line is NaN.
    """
    given = () if state is None else (state,)
    return xla.run(_program, tuple(filtered.b.tolist()), tuple(filtered.a.tolist()))(x, *given)


def _program(b: tuple[float, ...], a: tuple[float, ...]) -> Callable[..., Any]:
    block = _block(Filter(np.array(b), np.array(a)))

    def run(x: Any, state: Any = None) -> Any:
        return _unless_spoilt(x, lambda clean: _in_blocks(clean, block, state))

    return run


def _unless_spoilt(x: Any, recur: Callable[[Any], Any]) -> Any:
    """Return what a filter makes of lines, NaN from the first NaN or infinity on.

    In a product of matrices it would reach earlier elements.
    """
    good = tf.math.is_finite(x)
    found = recur(tf.where(good, x, tf.zeros([], x.dtype)))
    places = tf.range(sizes_of(x)[-1])
    first = tf.reduce_min(tf.where(good, tf.constant(2**31 - 1), places), -1, keepdims=True)
    return tf.ensure_shape(tf.where(places < first, found, tf.constant(np.nan, x.dtype)), x.shape)


def _in_blocks(x: Any, block: _Block, state: Any) -> Any:
    *lines, size = sizes_of(x)
    count = (size + _STEP - 1) // _STEP
    rows = framed(x, 0, count, _STEP, 1)
    ends = tf.matmul(rows, tf.constant(block.enter))  # what each block adds to the state
    if state is not None:
        first = state[..., tf.newaxis, :]
        if block.powers:
            ends += _moved(tf.matmul(first, tf.constant(block.powers[0].T)), 0, count - 1)
    for doubling, power in enumerate(block.powers):
        apart = 2**doubling
        if isinstance(count, int) and apart >= count:
            break
        kept = tf.maximum(count - apart, 0) if tf.is_tensor(count) else count - apart
        before = ends[..., :kept, :]
        ends += _moved(tf.matmul(before, tf.constant(power.T)), count - kept, 0)
    starts = _moved(ends[..., :-1, :], 1, 0)
    if state is not None:
        starts += _moved(first, 0, count - 1)
    found = tf.matmul(tf.concat([rows, starts], -1), tf.constant(block.outputs))
    return tf.reshape(found, [*lines, count * _STEP])[..., :size]


def _moved(rows: Any, before: Any, after: Any) -> Any:
    """Return rows with zeros before and after them."""
    return tf.pad(rows, [*[[0, 0]] * (rows.shape.rank - 2), [before, after], [0, 0]])
