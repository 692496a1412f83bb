"""Tables of levels: pixels through them, and the tables of Pillow's `ImageOps`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.xla._rounding import plus


def counted(levels: Any, bins: int = 256) -> Any:
    """Return how often each level comes in each channel: (B, H, W, C) of int32 to (B, C, bins)."""
    sizes = tf.shape(levels)
    flat = tf.reshape(levels + _rows(sizes, bins), [-1])
    found = tf.math.unsorted_segment_sum(tf.ones_like(flat), flat, bins * sizes[0] * sizes[3])
    return tf.reshape(found, [sizes[0], sizes[3], bins])


def through(levels: Any, table: Any, bins: int = 256) -> Any:
    """Return what tables have for levels (B, H, W, C): (B, C, bins), or what broadcasts to that."""
    sizes = tf.shape(levels)
    whole = tf.broadcast_to(table, [sizes[0], sizes[3], bins])
    found = tf.gather(tf.reshape(whole, [-1]), levels + _rows(sizes, bins))
    return tf.ensure_shape(found, levels.shape)


def _rows(sizes: Any, bins: int) -> Any:
    """Return where the table of each channel of each image begins."""
    return bins * tf.reshape(tf.range(sizes[0] * sizes[3]), [sizes[0], 1, 1, sizes[3]])


def evening(found: Any) -> Any:
    """Return the tables that make histograms (..., bins) even; one with few levels below its last stays."""
    bins = found.shape[-1]
    numbers = tf.range(bins)
    last = tf.reduce_max(tf.where(found > 0, numbers, -1), -1, keepdims=True)
    of_last = tf.reduce_sum(tf.where(numbers == last, found, 0), -1, keepdims=True)
    step = (tf.reduce_sum(found, -1, keepdims=True) - of_last) // (bins - 1)
    table = (tf.cumsum(found, -1, exclusive=True) + step // 2) // tf.maximum(step, 1)
    return tf.where(step == 0, numbers, tf.minimum(table, bins - 1))


def stretching(found: Any, cutoff: tuple[Any, Any], ignore: list[int]) -> Any:
    """Return the tables that stretch histograms (..., 256) from 0 to 255.

    `cutoff`: how many of a hundred pixels do not count at the dark and at the bright end. `ignore`: levels
    that do not count.
    """
    numbers = tf.range(256)
    if ignore:
        found = tf.where(tf.reduce_any(numbers[:, tf.newaxis] == tf.constant(ignore), -1), 0, found)
    total = tf.reduce_sum(found, -1, keepdims=True)
    for percent, backwards in ((cutoff[0], False), (cutoff[1], True)):
        below = tf.cumsum(found, -1, reverse=backwards)
        found = tf.clip_by_value(below - _part(total, percent), 0, found)
    low = tf.reduce_min(tf.where(found > 0, numbers, 255), -1, keepdims=True)
    high = tf.reduce_max(tf.where(found > 0, numbers, 0), -1, keepdims=True)
    scale = 255.0 / tf.cast(tf.maximum(high - low, 1), tf.float64)
    levels = plus(tf.cast(numbers, tf.float64) * scale, tf.cast(-low, tf.float64) * scale)
    table = tf.clip_by_value(tf.cast(levels, tf.int32), 0, 255)
    return tf.where(high <= low, numbers, table)


def _part(total: Any, percent: Any) -> Any:
    """Return so many hundredths of whole numbers, rounded down as Python does."""
    if isinstance(percent, int):
        return tf.cast(tf.cast(total, tf.int64) * percent // 100, tf.int32)
    product = tf.cast(total, tf.float64) * percent
    return tf.cast(tf.round((product - tf.math.floormod(product, 100.0)) / 100.0), tf.int32)
