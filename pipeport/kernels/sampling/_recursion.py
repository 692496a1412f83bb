"""Recursive filters, block by block: within a block a product of matrices, between blocks a few of them.

A filter of order p is a state of p numbers: s' = A s + B x, y = C s + D x. What a block of inputs adds to the
state is one product, and the states of all blocks follow by doubling: from those one block apart those two
apart, and so on, until the powers of A have died away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._convolution import framed

_STEP = 64

# Powers of A below this are nothing beside the float64 that they are added to, and lines have fewer blocks.
_GONE, _MOST_DOUBLINGS = 2.0**-120, 26

# Of larger matrices the products are taken in float64.
_LARGE = 64


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

    def system(self) -> tuple[np.ndarray, np.ndarray]:
        """Return A and B."""
        order = len(self.a) - 1
        step = np.eye(order, k=1)
        step[:, :1] -= self.a[1:, np.newaxis]
        return step, self.b[1:] - self.a[1:] * self.b[0]

    def steady(self) -> np.ndarray:
        """Return the state that an endless input of ones leads to."""
        step, enter = self.system()
        return np.linalg.solve(np.eye(len(step)) - step, enter)


@dataclass(frozen=True)
class _Block:
    """What a block does: outputs of inputs and state, what inputs add to the state, powers of A."""

    outputs: np.ndarray
    enter: np.ndarray
    powers: tuple[np.ndarray, ...]


def _block(filtered: Filter) -> _Block:
    step, enter = filtered.system()
    order = len(step)
    wide = np.longdouble if order < _LARGE else np.float64
    step, enter = step.astype(wide), enter.astype(wide)
    seen = np.zeros((_STEP, order), wide)  # C A^i
    added = np.zeros((_STEP, order), wide)  # A^i B
    row, column = np.eye(1, order, dtype=wide)[0], enter
    for place in range(_STEP):
        seen[place], added[place] = row, column
        row, column = row @ step, step @ column
    response = np.append(wide(filtered.b[0]), added[:-1, :1].ravel())
    lags = np.arange(_STEP)[:, np.newaxis] - np.arange(_STEP)
    inside = np.where(lags >= 0, response[np.maximum(lags, 0)], 0)
    power = np.linalg.matrix_power(step, _STEP)
    powers: list[np.ndarray] = []
    while len(powers) < _MOST_DOUBLINGS and np.isfinite(power).all() and np.abs(power).max() > _GONE:
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
