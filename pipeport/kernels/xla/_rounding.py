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


def plus_product(total: Any, product: Any, some: Any) -> Any:
    """Return total + product, each rounded.

    XLA would contract the two to one fused operation, rounded once; not a product that something else
    needs. Whether it is NaN is not enough: of a pixel times a known coefficient that is decided without
    the product. So it is compared with some number that is not known while compiling.
    """
    return tf.where(tf.equal(product, some), total + some, total + product)
