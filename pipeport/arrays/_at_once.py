"""Operations on constants of a graph are computed while it is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

# Elements that a graph holds as a constant of its own.
MOST = 1024


def at_once(compute: Callable[..., Any], *tensors: Any) -> Any:
    """Return what a function gives of tensors: as a constant where they are constants.

    `compute`: operations without state. `*tensors`: tensors; what is none is handed on. Returns: a tensor, or
    a tuple that begins with one.
    """
    found = None
    if not tf.executing_eagerly() and all(map(_is_constant, tensors)):
        found = _outside(compute, tensors)
    if found is None:
        return compute(*tensors)
    first, *rest = found if isinstance(found, tuple) else (found,)
    if first.shape.num_elements() <= MOST:
        first = tf.constant(first.numpy())
    elif not any(hasattr(one, "numpy") for one in tensors):
        return compute(*tensors)  # large ones are computed where they are needed
    return (first, *rest) if isinstance(found, tuple) else first


def _is_constant(value: Any) -> bool:
    """Say whether a value is not a tensor, one outside of the graph, or a constant of the graph."""
    if not tf.is_tensor(value) or hasattr(value, "numpy"):
        return True
    if value.op.type == "Fill":  # zeros or ones
        return (value.shape.num_elements() or 0) <= MOST and tf.get_static_value(value) is not None
    return bool(value.op.type == "Const" and value.dtype != tf.string)


def _outside(compute: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Return what a function gives outside of the graph; None where that cannot be, or raises."""
    with tf.init_scope():
        if not tf.executing_eagerly():
            return None
        given = [
            tf.constant(tf.get_static_value(one)) if tf.is_tensor(one) and not hasattr(one, "numpy") else one
            for one in values
        ]
        try:
            return compute(*given)
        except tf.errors.OpError:  # the graph says it, if it gets there
            return None
