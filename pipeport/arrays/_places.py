"""Where bools hold, in every engine."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def true_places(holds: Any) -> Any:
    """Return where bools hold.

    `holds`: bool, of known rank, 1 at least. Returns: int64, shape (N, rank); one row of indices per place,
    in the order of the elements.
    """
    if holds.shape.num_elements() in (None, 1):
        # XLA finds the only element of an array whatever it is: rows of False stand behind it.
        holds = tf.concat([holds, tf.zeros_like(holds[:1])], 0)
    return tf.where(holds)
