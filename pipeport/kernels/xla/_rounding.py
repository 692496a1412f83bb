"""Sums of products in which every operation rounds, as in references that are not contracted."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import passing_gradient


def alone(number: Any) -> Any:
    """Return a floating tensor as it is, rounded by the operation that made it, whatever takes it.

    A compiler that joins a product and a sum has to see both. Here an integer stands between them: the
    bits of the number, the last of them set if it is NaN, which it then stays. For no number is that known
    while compiling.
    """
    if tf.executing_eagerly():
        return number
    whole = tf.int64 if number.dtype == tf.float64 else tf.int32
    bits = tf.bitwise.bitwise_or(tf.bitcast(number, whole), tf.cast(tf.math.is_nan(number), whole))
    return passing_gradient(tf.bitcast(bits, number.dtype), number)


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
