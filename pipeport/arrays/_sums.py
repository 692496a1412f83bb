"""Sums, in the dtype in which TensorFlow adds without loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import count, truth
from pipeport.arrays._cast import cast

_INT32_MAX = 2**31 - 1
# In which dtype many elements are added, and from how many on; NumPy adds so many in eight rows. XLA for the
# CPU adds in one: 256x256x3 of 1e4 and noise are 4,384 units in the last place off in float32, in NumPy 0.1.
# In a graph the mean of 128x160x3 takes 12 microseconds more, that of 520x520x3 120 (compiled 18 and 350).
WIDER, _MANY = {"float32": "float64", "complex64": "complex128"}, 128


def summed(x: Any, axes: Any, wanted: np.dtype[Any], keep: bool) -> Any:
    """Add elements up in a dtype.

    `axes`: axes counted as TensorFlow counts them; None for all. `wanted`: of the result; each element is
    cast to it before. `keep`: whether the axes stay, with size one.
    """
    if wanted == np.bool_:
        return tf.reduce_any(truth(x), axes, keep)
    if wanted == np.float16:
        # TensorFlow rounds partial sums of float16, and so does NumPy except along the last axis, where it
        # adds in float32 as we do along any.
        wide = tf.cast(cast(x, wanted), tf.float32)
        return tf.cast(added(wide, axes, keep), tf.float16)
    if wanted.itemsize == 8 and wanted.kind in "iuf" and _fits(x, axes):
        # 256x256x3 of uint8 along axis 0: in uint64 335 microseconds, in int32 68; to float64 112 and 69.
        return tf.cast(tf.reduce_sum(tf.cast(x, tf.int32), axes, keep), wanted)
    return added(cast(x, wanted), axes, keep)


def added(x: Any, axes: Any, keep: bool) -> Any:
    """Add elements up, as accurately as NumPy where it adds them in pairs.

    `axes`: axes counted as TensorFlow counts them; None for all. `keep`: whether the axes stay, with size
    one.
    """
    wider = WIDER.get(x.dtype.name)
    if wider is None or not _runs_long(x, axes):
        return tf.reduce_sum(x, axes, keep)
    return tf.cast(tf.reduce_sum(tf.cast(x, wider), axes, keep), x.dtype)


def _runs_long(x: Any, axes: Any) -> bool:
    """Say whether many elements that lie side by side may be added; NumPy adds others row by row."""
    number = count(x, axes)
    if not tf.is_tensor(number) and number < _MANY:
        return False
    if axes is None or x.shape.rank is None:
        return True
    last = max(axis for axis in axes if x.shape[axis] != 1)
    return all(size in (1, None) for size in x.shape[last + 1 :])


def _fits(x: Any, axes: Any) -> bool:
    """Say whether every sum is known to fit into int32, and is not negative where it would wrap."""
    if x.dtype.is_bool:
        most = 1
    elif x.dtype.is_integer and x.dtype.size <= 2:
        most = max(x.dtype.max, -x.dtype.min)
    else:
        return False
    number = count(x, axes)
    return not tf.is_tensor(number) and number * most <= _INT32_MAX
