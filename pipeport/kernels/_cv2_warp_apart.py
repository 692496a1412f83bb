"""Arrays that XLA shall keep in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf


def apart(known: Any, make: Callable[[], Any]) -> Any:
    """Return `make()` as arrays in memory, which XLA does not compute again where they are read.

    XLA fuses a producer into the scalar loop of a gather, and repeats it for every pixel read. What
    leaves a conditional is materialised; but XLA turns one of element-wise branches into a
    selection, so the other branch, which is never taken, holds a running sum. A warp by eight pixels
    a side takes a third of the time this way.

    Parameters
    ----------
    known : tf.Tensor
        Anything not empty whose value XLA does not know.
    make : callable
        Without parameters; gives tensors, in lists or alone.

    Returns
    -------
    Any
        What `make` gives.
    """
    first = tf.cast(tf.reshape(known, [-1])[0], tf.float32)
    holds = tf.equal(first, first) | tf.not_equal(first, first)

    def other() -> Any:
        zero = 0.0 * tf.cumsum(tf.fill([2], first))[1]
        return tf.nest.map_structure(lambda part: tf.zeros_like(part) + tf.cast(zero, part.dtype), make())

    return tf.cond(holds, make, other)
