"""Seeds as the key and counter that TensorFlow's kernel takes: made once, shared by all draws from a seed.

A small operation costs a graph as much as a draw. Seeds that differ from another by constants alone, as those
of named places do, are its key and counter with other constants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._notes import notes_on

_NAMED, _BITS, _MADE = "named", "bits", "made"


def named(seed: Any, digest: bytes) -> Any:
    """Return a seed changed by constants.

    `seed`: shape (2,), int64. `digest`: 16 bytes. Returns: shape (2,), int64.
    """
    mask = np.frombuffer(digest, "<i8")
    found = tf.bitwise.bitwise_xor(seed, tf.constant(mask, tf.int64))
    if graph_of(seed) is not None:  # few draws need more than this
        notes_on(found)[_NAMED] = (seed, mask)
    return found


def key_and_counter(seed: Any, start: Any, purpose: int) -> tuple[Any, Any]:
    """Return key and counter for a draw from a seed.

    `seed`: shape (2,), int64. `start`: lower half of the counter. Returns: (tf.Tensor, tf.Tensor), shapes
    (1,) and (2,), uint64.
    """
    source, mask = notes_on(seed).get(_NAMED, (seed, (0, 0)))
    key, high = int(mask[0]) ^ purpose, int(mask[1])
    if isinstance(start, (int, np.integer)):
        found = _changed(_made(source, "wide", _widened), [key, int(start), high])
        return tuple(tf.split(found, [1, 2]))
    # In a loop the number alone is another in every round.
    halves = _made(source, ("halves", key, high), lambda given: _halves(given, [key, high]))
    low = tf.bitcast(tf.cast(start, tf.int64), tf.uint64)
    return halves[0], tf.stack([low if low.shape.rank == 0 else tf.reshape(low, []), halves[1]])


def seed_of_bits(bits: Any) -> Any:
    """Return bits as a seed.

    `bits`: shape (2,), uint64. Returns: shape (2,), int64.
    """
    seed = tf.bitcast(bits, tf.int64)
    if graph_of(seed) is not None:
        notes_on(seed)[_BITS] = bits
    return seed


def _made(seed: Any, name: Any, make: Callable[[Any], Any]) -> Any:
    """Derive a value from a seed, once per graph."""
    graph = graph_of(seed)
    if graph is None:
        return make(seed)
    made = notes_on(seed).setdefault(_MADE, {})
    if name not in made:
        with graph.as_default(), tf.control_dependencies(None):
            made[name] = make(seed)
    return made[name]


def _bits(seed: Any) -> Any:
    bits = notes_on(seed).get(_BITS)
    return tf.bitcast(seed, tf.uint64) if bits is None else bits


def _widened(seed: Any) -> Any:
    """Return the bits of a seed with a zero between its halves."""
    key, high = tf.unstack(_bits(seed))
    return tf.stack([key, tf.zeros([], tf.uint64), high])


def _halves(seed: Any, changes: list[int]) -> tuple[Any, Any]:
    """Return key and upper half of the counter; constants, where the seed is known."""
    known = tf.get_static_value(seed)
    if known is not None:
        key, high = (known ^ np.array(changes, np.int64)).view(np.uint64)
        return tf.constant([key], tf.uint64), tf.constant(high, tf.uint64)
    key, high = tf.unstack(_changed(_bits(seed), changes))
    return tf.stack([key]), high


def _changed(bits: Any, changes: list[int]) -> Any:
    mask = tf.constant(np.array(changes, np.int64).view(np.uint64))
    return tf.bitwise.bitwise_xor(bits, mask) if any(changes) else bits


def graph_of(tensor: Any) -> Any:
    """Return the graph of a tensor.

    Returns: None of a tensor that has a value.
    """
    return None if tf.executing_eagerly() else getattr(tensor, "graph", None)
