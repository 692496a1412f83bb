"""Histograms as `skimage.exposure.histogram` has them: one bin per whole number, or bins of one width.

Arrays are rows, one per image: (B, N), of one number or more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import plus

# Whole numbers of as many levels are counted in a table.
WHOLE = ("uint8", "uint16", "int16")


class Bins(NamedTuple):
    """The bins of numbers that are not whole.

    `counts`: shape (B, n), int32; how many numbers lie in each. `edges`: shape (B, n + 1), dtype of the
    numbers; where they begin, and where the last one ends. `place`: shape (B, N), int32.
    """

    counts: Any
    edges: Any
    place: Any


def rows_of(x: Any, batch_axes: int) -> Any:
    """Return images, or one image, as rows."""
    return tf.reshape(x, [sizes_of(x)[0] if batch_axes else 1, x.shape[batch_axes:].num_elements() or -1])


def levels_of(rows: Any) -> Any:
    """Return whole numbers counted from the least of their dtype."""
    return tf.cast(rows, tf.int32) - rows.dtype.min


def counted(place: Any, number: int, weights: Any = None) -> Any:
    """Return how often each of the numbers from 0 comes in each row: (B, number), int32."""
    batch, length = sizes_of(place)
    ones = tf.ones_like(place) if weights is None else tf.cast(weights, tf.int32)
    starts = tf.range(batch)[:, tf.newaxis] * number
    flat = tf.reshape(place + starts, [batch * length])
    counts = tf.math.unsorted_segment_sum(tf.reshape(ones, [batch * length]), flat, batch * number)
    return tf.reshape(counts, [batch, number])


def binned(rows: Any, number: int, mask: Any = None) -> Bins:
    """Return bins of one width from the smallest to the largest of finite numbers, as NumPy has them."""
    dtype, one = rows.dtype, tf.ones([], rows.dtype)
    far = tf.constant(np.inf, dtype)
    low = tf.reduce_min(rows if mask is None else tf.where(mask, rows, far), 1, keepdims=True)
    high = tf.reduce_max(rows if mask is None else tf.where(mask, rows, -far), 1, keepdims=True)
    flat = tf.equal(low, high)
    low, high = tf.where(flat, low - one / 2, low), tf.where(flat, high + one / 2, high)
    step = tf.cast(divided(high - low, float(number)), dtype)
    inner = plus(tf.constant(np.arange(number), dtype) * step, low)
    edges = tf.concat([inner, high], 1)
    guess = tf.clip_by_value((rows - low) * (number / (high - low)), 0, tf.constant(number - 1.0, dtype))
    place = tf.cast(guess, tf.int32)
    place -= tf.cast((rows < tf.gather(edges, place, batch_dims=1)) & (place > 0), tf.int32)
    beyond = rows >= tf.gather(edges, place + 1, batch_dims=1)
    place += tf.cast(beyond & (place < number - 1), tf.int32)
    return Bins(counted(place, number, mask), edges, place)


def centres_of(edges: Any) -> Any:
    """Return the middle of each bin."""
    return (edges[:, :-1] + edges[:, 1:]) / 2
