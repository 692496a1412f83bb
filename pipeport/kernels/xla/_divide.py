"""Division that is a division."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def divided(numerator: Any, divisor: Any) -> Any:
    """Return a quotient rounded once, in float64; a Python number where both are.

    Where a divisor is known while tracing, Grappler and XLA multiply by its reciprocal instead: of
    the quotients of 1 to 39 by 3, twelve differ. Sample positions that should be whole numbers are
    then beside them, and an infinite neighbour of weight zero counts, or a tie falls to the other side.

    Returns: float or tf.Tensor, float64.
    """
    if not tf.is_tensor(numerator) and not tf.is_tensor(divisor):
        return numerator / divisor
    above, below = _wide(numerator), _wide(divisor)
    # Not known to be zero, because it is not where the quotient is NaN anyway. A product with a constant's
    # quotient would become the quotient of a product.
    if not tf.is_tensor(numerator):
        return (above + tf.cast(tf.math.is_nan(below), tf.float64)) / below
    return above / (below + tf.cast(tf.math.is_nan(above), tf.float64))


def _wide(value: Any) -> Any:
    # tf.cast would make a Python number a float32 first.
    return tf.cast(value, tf.float64) if tf.is_tensor(value) else tf.constant(value, tf.float64)
