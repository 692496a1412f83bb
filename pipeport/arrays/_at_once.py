"""Operations on constants of a graph are computed while it is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

# Elements that a graph holds as a constant of its own.
_MOST = 1024


def at_once(compute: Callable[..., Any], *tensors: Any) -> Any:
    """Return what a function gives of tensors: as a constant where they are constants.

    Parameters
    ----------
    compute : callable
        Operations without state.
    *tensors : object
        Tensors; what is none is handed on.

    Returns
    -------
    object
        A tensor, or a tuple that begins with one.
    """
    known = None if tf.executing_eagerly() else _constants(tensors)
    if known is None:
        return compute(*tensors)
    try:
        with tf.init_scope():
            if not tf.executing_eagerly():
                known = None
            else:
                found = compute(*known)
    except tf.errors.OpError:  # the graph says it, if it gets there
        known = None
    if known is None:
        return compute(*tensors)
    first, *rest = found if isinstance(found, tuple) else (found,)
    if first.shape.num_elements() <= _MOST:
        first = tf.constant(first.numpy())
    elif not any(hasattr(one, "numpy") for one in tensors):
        return compute(*tensors)  # large ones are computed where they are needed
    return (first, *rest) if isinstance(found, tuple) else first


def _constants(values: tuple[Any, ...]) -> list[Any] | None:
    """Return tensors outside of the graph in the place of its constants; None where one is no constant."""
    found = []
    for value in values:
        if tf.is_tensor(value) and not hasattr(value, "numpy"):
            if value.op.type != "Const" or value.dtype == tf.string:
                return None
            with tf.init_scope():
                value = tf.constant(tf.get_static_value(value))
        found.append(value)
    return found
