"""Squared distances to the nearest zero, one axis after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla


def squared_distances(inside: Any, steps: Sequence[float], dtype: Any, batch_axes: int = 0) -> Any:
    """Return the square of each element's distance to the nearest that is False; infinite where none is.

    `inside`: bool, of known rank; its axes from `batch_axes` on are measured, one for each of `steps`, the
    distances of neighbours. `dtype`: a float that holds the squares of the sizes.
    """
    return xla.run(_squares, tuple(steps), dtype, batch_axes)(inside)


def _squares(steps: tuple[float, ...], dtype: Any, batch_axes: int) -> Callable[[Any], Any]:
    def run(inside: Any) -> Any:
        found = tf.where(inside, tf.constant(np.inf, dtype), tf.zeros([], dtype))
        for axis, step in enumerate(steps, start=batch_axes):
            first = axis == batch_axes
            found = _counted(found, axis, step) if first else _lowered(found, axis, step)
        return tf.ensure_shape(found, inside.shape)

    return run


def _moved(x: Any, axis: int) -> tuple[Any, Callable[[Any, Any], Any]]:
    """Return the size of an axis, and a function that gives the lesser of both neighbours so far away."""
    sizes = tf.shape(x)
    size = sizes[axis]
    place = tf.one_hot(axis, x.shape.rank, dtype=tf.int32)
    margin = tf.stack([place * size] * 2, 1)

    def nearest(values: Any, by: Any) -> Any:
        wide = tf.pad(values, margin, constant_values=tf.constant(np.inf, x.dtype))
        before, behind = (tf.slice(wide, place * start, sizes) for start in (size - by, size + by))
        return tf.ensure_shape(tf.minimum(before, behind), x.shape)

    return size, nearest


def _counted(x: Any, axis: int, step: float) -> Any:
    """Return squares along the first axis: counts of elements, in steps of one, two, four and so on."""
    size, nearest = _moved(x, axis)

    def body(values: Any, by: Any) -> tuple[Any, Any]:
        return tf.minimum(values, nearest(values, by) + tf.cast(by, x.dtype)), 2 * by

    found, _ = tf.while_loop(lambda _, by: by < size, body, (x, tf.constant(1)))
    return tf.square(found * tf.constant(step, x.dtype))


def _lowered(x: Any, axis: int, step: float) -> Any:
    """Return squares along another axis: parabolas on all elements, as long as one may be the lowest."""
    size, nearest = _moved(x, axis)

    def rise(by: Any) -> Any:
        return tf.square(tf.cast(by, x.dtype) * tf.constant(step, x.dtype))

    def goes_on(values: Any, by: Any) -> Any:
        return (by < size) & (rise(by) < tf.reduce_max(values))

    def body(values: Any, by: Any) -> tuple[Any, Any]:
        return tf.minimum(values, nearest(x, by) + rise(by)), by + 1

    found, _ = tf.while_loop(goes_on, body, (x, tf.constant(1)))
    return found
