"""Arrays that XLA shall keep in memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf


def materialize(holds: Any, make: Callable[[], Any]) -> Any:
    """Return `make()` as arrays in memory, which XLA does not compute again where they are read.

    XLA for the CPU fuses a producer into the scalar loop of the gather that reads it, and computes
    it there once per channel and tap. What leaves a conditional is materialised; but one of
    element-wise branches becomes a selection, so the other branch, which is never taken, holds
    running sums: of numbers that differ, because XLA of 2026 knows those of equal ones.

    `holds`: True wherever the result matters, which XLA must not know. `make`: without parameters; gives
    tensors, in a structure or alone. Returns: what `make` gives; zeros of its shapes where `holds` is false.
    """
    # Once for all parts, in the branch that is never taken.
    total = functools.cache(lambda: tf.unstack(tf.cumsum(tf.range(3) + tf.cast(holds, tf.int32)))[2])
    zero = functools.cache(lambda dtype: tf.cast(total(), dtype))
    return or_filled(holds, make, lambda shape, dtype: tf.raw_ops.Fill(dims=shape, value=zero(dtype)))


def or_filled(holds: Any, make: Callable[[], Any], fill: Callable[[Any, Any], Any]) -> Any:
    """Return `make()` where a condition holds, else other tensors of its shapes.

    Where all shapes are known, `make` is not traced a second time for them: a third of the operations of a
    warp, and of its time to the first batch, would be in branches that are never taken.

    `make`: without parameters; gives tensors, in a structure or alone. `fill`: takes the shape and the dtype
    of a tensor of `make()`; gives the other one. Returns: what `make` gives, or its structure with what
    `fill` gives.
    """
    made: list[Any] = []

    def first() -> Any:
        made.append(make())
        return made[0]

    def other() -> Any:
        if made and all(part.shape.is_fully_defined() for part in tf.nest.flatten(made[0])):
            once = functools.cache(fill)
            return tf.nest.map_structure(lambda part: once(tuple(part.shape), part.dtype), made[0])
        return tf.nest.map_structure(lambda part: fill(tf.shape(part), part.dtype), make())

    return tf.cond(holds, first, other)


def opaque_true(tensor: Any) -> Any:
    """Return a condition that is always true, which XLA cannot simplify."""
    # A number of a float type, because XLA knows that an integer equals itself; and a sum, because
    # an empty batch has no first element.
    first = tf.reduce_sum(tf.cast(tf.reshape(tensor, [-1])[:1], tf.float32))
    return tf.equal(first, first) | tf.not_equal(first, first)


def keeping(images: Any) -> Callable[[Callable[[], Any]], Any]:
    """Return a function that calls another, without parameters, and gives its results as arrays in memory.

    The images are those before padding: the compiler may know what they are padded with.
    """
    if tf.executing_eagerly():
        return lambda make: make()
    return functools.partial(materialize, opaque_true(images))
