"""One of several branches of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeport._lazy import tf


def one_of(index: Any, branches: Sequence[Callable[[], Any]]) -> Any:
    """Return what a branch gives; only that one runs.

    `index`: shape (), int32. `branches`: without parameters; give the same structure and dtypes.

    `tf.switch_case` is an operation with state as soon as a branch checks anything, and a map with it runs
    on one core unless it is told otherwise; of `tf.cond` TensorFlow looks at what the branches do.
    """
    if tf.executing_eagerly():
        return branches[int(index)]()
    if len(branches) == 1:
        return branches[0]()
    half = len(branches) // 2
    return tf.cond(
        index < half, lambda: one_of(index, branches[:half]), lambda: one_of(index - half, branches[half:])
    )
