"""Ranges of continuous draws, and one draw for each element of a batch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain

Span = tuple[float, float]


def number_of(value: Any, name: str, allowed: str) -> float:
    """Return a finite Python number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise WrongType(explain(name, repr(value), allowed, "Give a Python number."))
    if not math.isfinite(value):
        raise OutsideDomain(explain(name, repr(value), allowed, "Give a finite number."))
    return float(value)


def span_of(value: Any, name: str) -> Span:
    """Return the smallest and the largest number of a draw; one number a means -a to a."""
    allowed = "a number from 0, or (smallest, largest)"
    parts = value if isinstance(value, (list, tuple)) else (value, value)
    if len(parts) != 2:
        raise WrongType(explain(name, repr(value), allowed, "Give the smallest and the largest one."))
    low, high = (number_of(one, name, allowed) for one in parts)
    low = low if parts is value else -high
    if low > high:
        raise OutsideDomain(explain(name, repr(value), allowed, "Give the smaller one first."))
    return low, high


def within(seed: Any, span: Span) -> Any:
    """Draw one number from a range, float64."""
    low, high = span
    return tf.minimum(low + (high - low) * seeds.uniform(seed, [], "float64"), high)


def for_each(draw: Callable[[Any], Any], seed: Any, first: Any, *, batch: bool) -> Any:
    """Return a draw of float64 numbers with a leading axis: one, or one for every element of a batch.

    Parameters
    ----------
    draw : callable
        Takes a seed and gives float64 numbers, of a shape known while tracing.
    seed : array_like of int or None
        One per element, or one that is folded with the element's number.
    first : tf.Tensor
        An array of the batch, which says how many elements there are.
    batch : bool
        Whether there is a batch; else `seed` is that of the one draw.

    Returns
    -------
    tf.Tensor, float64
        As `pipeport.idioms._drawn.each` would draw it.
    """
    if not batch:
        return draw(seeds.look_up(seed))[tf.newaxis]
    drawn, count = seeds.look_up(seed, batch=True), first.shape[0]
    shape = draw(tf.zeros([2], tf.int64)).shape
    if count == 0:  # XLA does not compile a loop over nothing
        return tf.zeros([0, *shape], tf.float64)
    if drawn.shape.rank == 2:
        return tf.map_fn(draw, drawn, fn_output_signature=tf.TensorSpec(shape, tf.float64))
    numbers = tf.range(tf.cast(tf.shape(first)[0] if count is None else count, tf.int64))
    one = tf.TensorSpec(shape, tf.float64)
    return tf.map_fn(lambda index: draw(seeds.fold_in(drawn, index)), numbers, fn_output_signature=one)
