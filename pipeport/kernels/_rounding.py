"""Sums of products in which every operation rounds, as in references that are not contracted."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def plus(first: Any, second: Any) -> Any:
    """Return the sum of two numbers, either of which may be a product, rounded before it is added.

    XLA for the CPU joins a product and a sum into one instruction that rounds once. It does so only
    where nothing else needs the product; here the comparison does. (A comparison of one of the
    factors is not enough: where that is the same in a whole loop, it is decided before the loop.)
    """
    return tf.where(tf.math.is_nan(first) | tf.math.is_nan(second), first * second, first + second)


def minus(first: Any, second: Any) -> Any:
    """Return the difference of two numbers, either of which may be a product, as `plus` does."""
    return tf.where(tf.math.is_nan(first) | tf.math.is_nan(second), first * second, first - second)
