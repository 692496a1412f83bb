"""Shared by functions of OpenCV that return a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

VERSIONS = ">=4.11,<5.1"


def at_once(function: Callable[..., Any], *values: Any) -> Any:
    """Call a function of tensors, while tracing if all values are known then: maps become constants."""
    known = [tf.get_static_value(value) for value in values]
    if any(value is None for value in known):
        return function(*values)
    with tf.init_scope():
        constant = function(*(tf.constant(value) for value in known)).numpy()
    return tf.constant(constant)
