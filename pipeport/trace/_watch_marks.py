"""Detect that the content of a value changed, without a copy of it."""

from __future__ import annotations

import random
import types
import zlib
from typing import Any

import numpy as np

from pipeport._lazy import tf

GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)
_LARGEST_HASHED = 2**24
_MOST_ITEMS = 1000


def mark_of(value: Any) -> Any:
    """Return a mark that changes with the content of a value; None for other values."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float, complex, str, bytes)):
        return ("value", value)
    if isinstance(value, dict):
        return ("dict", {key: _part(part) for key, part in list(value.items())})
    if isinstance(value, (list, set, frozenset, bytearray)) or type(value).__name__ == "deque":
        return ("items", len(value), tuple(_part(part) for part in list(value)[:_MOST_ITEMS]))
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.dtype.name, _content(value))
    if isinstance(value, np.random.Generator):
        return ("draws", repr(value.bit_generator.state))
    if isinstance(value, np.random.RandomState):
        kept: Any = value.get_state(legacy=False)
        # The position in the block of numbers, and the ends of the block.
        return ("draws", repr(kept["state"]))
    if isinstance(value, random.Random):
        return ("draws", hash(value.getstate()))
    return ("tensor", id(value)) if is_symbolic(value) else _position(value)


def _content(array: Any) -> int | None:
    small = array.nbytes <= _LARGEST_HASHED and not array.dtype.hasobject
    return zlib.crc32(np.ascontiguousarray(array).tobytes()) if small else None


def _part(value: Any) -> Any:
    return value if isinstance(value, (int, float, complex, str, bytes)) else id(value)


def _position(value: Any) -> Any:
    """Return how far a generator or an iterator got."""
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        return ("position", None if frame is None else (frame.f_lasti, _locals(frame.f_locals)))
    if type(value).__module__ == "itertools" and type(value).__name__ == "count":
        return ("position", repr(value))
    hint = getattr(value, "__length_hint__", None)
    return ("position", hint()) if hint is not None and hasattr(value, "__next__") else None


def _locals(values: dict[str, Any]) -> dict[str, Any]:
    """Return a mark that differs between passes of a generator's loop."""
    return {
        name: mark_of(value) if hasattr(value, "__next__") else _part(value) for name, value in values.items()
    }


def is_symbolic(value: Any) -> bool:
    """Say whether a value is a tensor of a graph, which nothing outside of that can use."""
    return bool(tf.is_symbolic_tensor(value))
