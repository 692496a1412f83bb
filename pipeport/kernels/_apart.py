"""Arrays that XLA shall keep in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf


def apart(holds: Any, make: Callable[[], Any]) -> Any:
    """Return `make()` as arrays in memory, which XLA does not compute again where they are read.

    XLA for the CPU fuses a producer into the scalar loop of the gather that reads it, and computes
    it there once per channel and tap. What leaves a conditional is materialised; but one of
    element-wise branches becomes a selection, so the other branch, which is never taken, holds a
    running sum.

    Parameters
    ----------
    holds : scalar tf.Tensor, bool
        True wherever the result matters, which XLA must not know.
    make : callable
        Without parameters; gives tensors, in a structure or alone.

    Returns
    -------
    Any
        What `make` gives; zeros of its shapes where `holds` is false.
    """

    def other() -> Any:
        zero = tf.cumsum(tf.fill([2], tf.cast(holds, tf.int32)))[1]
        return tf.nest.map_structure(lambda part: tf.zeros_like(part) + tf.cast(zero, part.dtype), make())

    return tf.cond(holds, make, other)


def always(tensor: Any) -> Any:
    """Return what is true of every tensor with an element, but not to XLA."""
    first = tf.reshape(tensor, [-1])[0]
    return tf.equal(first, first) | tf.not_equal(first, first)
