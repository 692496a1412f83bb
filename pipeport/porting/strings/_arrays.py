"""Functions of NumPy that join arrays of strings known only at run time, or choose between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import as_array, holds_array, is_array, is_tensor, tensor_of
from pipeport.porting.strings._numbers import holds_text
from pipeport.porting.strings._text import BYTES, STR, Strings, Text, Words


def _tensor(value: Any, kinds: set[type]) -> Any:
    """Return strings as a tensor, and note whether they are str or bytes."""
    if isinstance(value, Strings):
        kinds.add(value.kind)
        return value.tensor
    if is_tensor(value) and value.dtype == tf.string:
        kinds.add(BYTES)
        return value
    if isinstance(value, (list, tuple)) and value:
        return tf.stack([_tensor(one, kinds) for one in value])
    known = None if is_array(value) else np.asarray(value)
    found = (
        set()
        if known is None
        else {STR if isinstance(one, str) else type(one) for one in known.ravel().tolist()}
    )
    if known is None or not found <= {STR, BYTES}:
        given, advice = (
            "numbers beside strings",
            "Make strings of them, or put them into an array of their own.",
        )
        raise PortRefused(explain("arrays", given, "strings alone", advice))
    kinds |= found
    return tf.constant(known.astype(object) if known.size else known, tf.string)


def _concatenated(parts: list[Any], axis: Any = 0) -> Any:
    return tf.concat(parts, axis)


def _stacked(parts: list[Any], axis: Any = 0) -> Any:
    return tf.stack(parts, axis)


def _side_by_side(parts: list[Any]) -> Any:
    rows = [tf.reshape(one, [1]) if one.shape.rank == 0 else one for one in parts]
    return tf.concat(rows, min(rows[0].shape.rank - 1, 1))


def _below_each_other(parts: list[Any]) -> Any:
    return tf.concat([tf.reshape(one, [1, -1]) if one.shape.rank < 2 else one for one in parts], 0)


_JOIN: dict[str, Callable[..., Any]] = {
    "pipeport.numpy.concatenate": _concatenated,
    "pipeport.numpy.stack": _stacked,
    "pipeport.numpy.hstack": _side_by_side,
    "pipeport.numpy.vstack": _below_each_other,
}
_WHERE = "pipeport.numpy.where"
_SERVED = {*_JOIN, _WHERE, "pipeport.numpy.full", "pipeport.numpy.repeat", "pipeport.numpy.tile"}


def _is_of_strings(value: Any) -> bool:
    """Say whether a value is a string or an array of such, or a list with one."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_of_strings, value))
    return isinstance(value, (str, bytes)) or (isinstance(value, np.ndarray) and value.dtype.kind in "SU")


def computed(name: str, function: Any, args: Any, kwargs: Any) -> Any:
    """Return what a function of NumPy makes of arrays of strings; None of others.

    `name`: of its native. `function`: NumPy's, which computes where all is known.
    """
    if name not in _SERVED or not (holds_text(args) or _is_of_strings(args)):
        return None
    if not holds_array([list(args), kwargs]):
        return function(*args, **kwargs)
    kinds: set[type] = set()
    if name in _JOIN and isinstance(args[0], (list, tuple)):
        found = _JOIN[name]([_tensor(one, kinds) for one in args[0]], *args[1:], **kwargs)
    elif name == _WHERE and len(args) == 3 and not kwargs:
        condition = args[0] if as_array(args[0]) is None else tensor_of(as_array(args[0]))
        found = tf.where(tf.cast(condition, tf.bool), *(_tensor(one, kinds) for one in args[1:]))
    else:
        return None
    if len(kinds) > 1:
        advice = "Decode the bytes: `b.decode()`."
        raise PortRefused(explain("arrays", "str and bytes", "strings of one kind", advice))
    (kind,) = kinds or {STR}
    if found.shape.rank == 1:
        return Words(found, kind).as_numpy_has_it()
    return Text(found, kind) if found.shape.rank == 0 else found
