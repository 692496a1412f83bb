"""Where encoded bytes come from: a path in any of its forms, or a buffer."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain

_PATHS = "a path: str, bytes, os.PathLike or a scalar string tensor"
_BUFFERS = "a one-axis uint8 array of the file's bytes, or a scalar string tensor"


def python_path(value: Any) -> str | bytes | None:
    """Return the path as Python knows it while tracing; None for a tensor or any other value."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, np.bytes_):
        return bytes(value)
    return os.fspath(value) if isinstance(value, (str, bytes, os.PathLike)) else None


def path_of(value: Any, name: str) -> Any:
    """Return a path as a scalar string tensor.

    `name`: name of the parameter, for messages. Returns: shape (), string. OutsideDomain where a tensor has
    another rank: one path for each image is `pipeport.batched`.
    """
    known = python_path(value)
    if known is not None:
        return tf.constant(known)
    if not tf.is_tensor(value) or value.dtype != tf.string:
        given = f"dtype {value.dtype.name}" if tf.is_tensor(value) else type(value).__name__
        raise WrongType(explain(name, given, _PATHS, "Give the path of one file."))
    return _scalar(value, name, "one path")


def contents(value: Any, name: str) -> Any:
    """Return the contents of a file, read when the graph runs."""
    return tf.io.read_file(path_of(value, name))


def buffer_of(value: Any, name: str) -> Any:
    """Return encoded bytes as a scalar string tensor.

    `value`: array_like of uint8 with one axis (or a second of size 1), or scalar string tensor; the bytes of
    a file; `bytes` is taken for such a tensor. `name`: name of the parameter, for messages. Returns: shape
    (), string.
    """
    if isinstance(value, bytes):
        return tf.constant(value)
    if not tf.is_tensor(value):
        if not isinstance(value, np.ndarray):
            advice = "Read the file with tf.io.read_file, or its bytes with np.fromfile."
            raise WrongType(explain(name, type(value).__name__, _BUFFERS, advice))
        value = tf.convert_to_tensor(value)
    if value.dtype == tf.string:
        return _scalar(value, name, "the bytes of one file")
    if value.dtype not in (tf.uint8, tf.int8):
        advice = "Give the bytes as they are in the file."
        raise WrongType(explain(name, f"dtype {value.dtype.name}", _BUFFERS, advice))
    rank = value.shape.rank
    sides = value.shape.as_list() if rank == 2 else []
    if rank not in (None, 1) and not (rank == 2 and (1 in sides or None in sides)):
        raise OutsideDomain(explain(name, f"shape {value.shape}", _BUFFERS, "Flatten it."))
    if rank != 1:
        most = tf.reduce_max(tf.shape(value, tf.int64)) if rank == 2 else tf.size(value, tf.int64)
        message = explain(name, "several rows at run time", _BUFFERS, "Flatten it.")
        check = tf.debugging.Assert(tf.equal(most, tf.size(value, tf.int64)), [message])
        with tf.control_dependencies([] if check is None else [check]):
            value = tf.reshape(value, [-1])
    # A serialised tensor ends with its content: no op turns numbers into a string of bytes directly.
    size = tf.size(value)
    whole = tf.io.serialize_tensor(value)
    return tf.strings.substr(whole, tf.strings.length(whole) - size, size)


def _scalar(value: Any, name: str, what: str) -> Any:
    if value.shape.rank not in (None, 0):
        advice = "For one per element of a batch use pipeport.batched or Dataset.map."
        raise OutsideDomain(explain(name, f"shape {value.shape}", f"a scalar: {what}", advice))
    return value
