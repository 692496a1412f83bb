"""Gaussian elimination as OpenCV does it: a system that it calls singular has the solution zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla._rounding import minus, plus

# A pivot below this is not a pivot, whatever the scale of the system.
_TINY = 100 * float(np.finfo(np.float64).eps)


def solve(matrix: Any, right: Any) -> Any:
    """Solve square systems with partial pivoting.

    `matrix`: float64, shape (B, N, N); N is known while tracing, and small: elimination is unrolled. `right`:
    float64, shape (B, N). Returns: float64, shape (B, N).
    """
    size = matrix.shape[-1]
    rows = tf.concat([matrix, right[..., tf.newaxis]], axis=-1)
    order = tf.range(size)
    regular = tf.fill(tf.shape(right)[:1], True)
    for step in range(size):
        cells = tf.unstack(tf.unstack(rows, axis=2)[step], axis=1)
        best = tf.argmax(tf.abs(tf.stack(cells[step:], axis=1)), axis=-1, output_type=tf.int32) + step
        best = tf.expand_dims(best, 1)
        swapped = tf.where(order == best, step, order)
        swapped = tf.where(order == step, best, swapped)
        rows = tf.gather(rows, swapped, batch_dims=1)
        column = tf.unstack(rows, axis=2)[step]
        pivot = tf.unstack(column, axis=1)[step]
        # False for NaN, which is not called singular: it stays.
        small = tf.abs(pivot) < _TINY
        regular &= ~small
        inverse = 1 / tf.where(small, tf.ones_like(pivot), pivot)
        below = tf.where(order > step, -column, tf.zeros_like(column))
        factor = tf.expand_dims(below * tf.expand_dims(inverse, 1), 2)
        rows = plus(rows, factor * tf.expand_dims(tf.unstack(rows, axis=1)[step], 1))
    cells = [tf.unstack(row, axis=1) for row in tf.unstack(rows, axis=1)]
    found: list[Any] = []
    for step in reversed(range(size)):
        total = cells[step][size]
        for factor, value in zip(cells[step][step + 1 :], found, strict=False):
            total = minus(total, factor * value)
        pivot = cells[step][step]
        found.insert(0, total / tf.where(tf.abs(pivot) < _TINY, tf.ones_like(pivot), pivot))
    return tf.where(regular[:, tf.newaxis], tf.stack(found, axis=-1), tf.zeros_like(right))
