"""The way back: a switch in the graph, and what is compared before each pass."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.acceleration._effects import Read, can_change, known

# TensorFlow's name for a resource that lives as long as somebody holds it.
_ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"


class Switch:
    """Whether a boundary runs its native form; read by the graph for each element.

    No `tf.Variable`: a distribution strategy would make one for each replica.
    """

    def __init__(self) -> None:
        with tf.init_scope(), tf.device("CPU:0"):
            self._handle = tf.raw_ops.VarHandleOp(dtype=tf.bool, shape=[], shared_name=_ANONYMOUS)
            self._set(True)

    def _set(self, value: bool) -> None:
        tf.raw_ops.AssignVariableOp(resource=self._handle, value=tf.constant(value))

    def off(self) -> None:
        """Run the function itself from the next iterator on."""
        with tf.init_scope(), tf.device("CPU:0"):
            self._set(False)

    def read(self) -> Any:
        """Return the state, in the graph at hand."""
        with tf.device("CPU:0"):
            return tf.raw_ops.ReadVariableOp(resource=self._handle, dtype=tf.bool)


class Watched:
    """What a native form read from outside while it was traced.

    `back`: takes words, turns the boundary back.
    """

    def __init__(
        self, function: Callable[..., Any], found: list[tuple[str, Any]], back: Callable[[str], None]
    ) -> None:
        self._function = function
        self._marks = found
        self._back = back
        self._turned = False

    def compare(self) -> None:
        """Turn the boundary back, if what it read is not what it was."""
        if self._turned:
            return
        now = marks(known(self._function).reads)
        if now != self._marks:
            self._turned = True
            pairs = zip(now, self._marks, strict=False)
            names = [one[0] for one, other in pairs if one != other]
            self._back(
                f"`{names[0]}` was changed after the graph was made" if names else "it reads other values"
            )


def marks(reads: Iterable[Read]) -> list[tuple[str, Any]]:
    """Return names of values that a function reads, each with what is equal as long as the value is.

    Returns: of containers and objects one level is looked at.
    """
    return [(one.name, _mark(one.value)) for one in reads]


def may_change(read: Read) -> bool:
    """Say whether a value that a function reads can be changed; numbers, texts and functions cannot."""
    return read.kind == "attribute" or can_change(read.value)


def _mark(value: Any, *, inside: bool = True) -> Any:
    """Return what is equal for a value that is as it was: of containers and objects one level."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        data = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=16).digest()
        return ("array", value.shape, value.dtype.str, data)
    if isinstance(value, (bool, bytes, complex, float, int, str, np.generic)):
        return (type(value).__name__, repr(value))
    parts: Any = ()
    if inside and isinstance(value, dict):
        parts = [(repr(name), _mark(one, inside=False)) for name, one in value.items()]
    elif inside and isinstance(value, (list, tuple)):
        parts = [_mark(one, inside=False) for one in value]
    elif inside and isinstance(value, (set, frozenset)):
        parts = sorted(map(repr, value))
    elif inside:
        attributes = getattr(value, "__dict__", {})
        parts = [(name, _mark(one, inside=False)) for name, one in attributes.items()]
    return ("object", id(value), parts)
