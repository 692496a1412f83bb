"""Checks of values: at once where they are known, else in the graph."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain


def holds(value: Any, *conditions: tuple[Any, str]) -> Any:
    """Return a tensor, ordered after conditions (a tensor of bools, the message where one is False)."""
    checks = []
    for condition, message in conditions:
        all_of_it = tf.reduce_all(condition)
        known = tf.get_static_value(all_of_it)
        if known is None:
            checks.append(tf.debugging.Assert(all_of_it, [message, value], summarize=8))
        elif not known:
            raise OutsideDomain(message)
    with tf.control_dependencies(checks):
        return tf.identity(value)
