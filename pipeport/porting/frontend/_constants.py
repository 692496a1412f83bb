"""Evaluate natives of NumPy on constants while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._at_once import MOST
from pipeport.arrays._making import fresh
from pipeport.contract import contract_of
from pipeport.porting._values import is_array, is_tensor, known

_PLAIN = (int, float, complex, str, bytes, type, type(...), np.generic, np.ndarray, np.dtype)
# They read files, or the bytes of others.
_NOT = frozenset({"load", "frombuffer"})


def folded(name: str, run: Callable[..., Any], result: Any, args: Any, kwargs: Any) -> Any:
    """Return the result of a native as constants, where it follows from constants.

    `name`: dotted name of the native. `run`: the native. `result`: what it gave. `args`, `kwargs`: what it
    was given. Returns: the result itself where the graph knows its values, where something it was given is
    not known, or where it is large.
    """
    module, _, last = name.rpartition(".")
    if module != "pipeport.numpy" or last in _NOT or tf.executing_eagerly():
        return result
    promise = contract_of(run)
    if promise is not None and promise.view_of:
        return result
    arrays = [one for one in tf.nest.flatten(result) if is_array(one)]
    if not arrays or all(known(one) is not None for one in arrays):
        return result
    given = tf.nest.flatten((args, kwargs))
    values = [known(one) if is_array(one) or is_tensor(one) else one for one in given]
    if any(value is None and one is not None for one, value in zip(given, values, strict=True)):
        return result
    if not all(map(_is_plain, values)) or any(map(_is_large, values)):
        return result
    with tf.init_scope():
        if not tf.executing_eagerly():
            return result
        eager = [
            fresh(tf.constant(value), weak=one.weak) if is_array(one) else value
            for one, value in zip(given, values, strict=True)
        ]
        args, kwargs = tf.nest.pack_sequence_as((args, kwargs), eager)
        try:
            found = run(*args, **kwargs)
        except Exception:  # the graph says it, if it gets there
            return result
    if max(one._values.shape.num_elements() for one in tf.nest.flatten(found) if is_array(one)) > MOST:
        return result

    def constant(one: Any) -> Any:
        return fresh(tf.constant(one._values.numpy()), weak=one.weak) if is_array(one) else one

    return tf.nest.map_structure(constant, found)


def _is_plain(value: Any) -> bool:
    """Say whether a value is a constant of Python's or NumPy's, not an object that may hold a tensor."""
    if isinstance(value, slice):
        return all(map(_is_plain, (value.start, value.stop, value.step)))
    return value is None or isinstance(value, _PLAIN)


def _is_large(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.size > MOST
