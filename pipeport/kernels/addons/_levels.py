"""Mixtures of images, and the smoother image that a sharper one is mixed from."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.addons._windows import weighed
from pipeport.kernels.xla._rounding import plus_product


def blended(first: Any, second: Any, factor: Any) -> Any:
    """Return first + factor * (second - first), rounded; beyond [0, 1] within 0 to 255. All are float32."""
    some = tf.reduce_max(tf.reshape(second, [-1])[:1])
    mixed = plus_product(first, factor * (second - first), some)
    between = (factor > 0) & (factor < 1)
    limited = tf.where(tf.equal(mixed, mixed), tf.clip_by_value(mixed, 0.0, 255.0), mixed)
    return tf.round(tf.where(between, mixed, limited))


def smooth(images: Any) -> Any:
    """Return images (B, H, W, C) smoothed as by Pillow's filter SMOOTH; their borders stay."""
    floats, ones = tf.cast(images, tf.float32), tf.ones([3])
    # The middle has five parts of thirteen, the others one.
    total = weighed(floats, ones, ones) + 4.0 * floats[:, 1:-1, 1:-1]
    inner = tf.cast(total / 13.0, images.dtype)
    lines = images[:, 1:-1]
    middle = tf.concat([lines[:, :, :1], inner, lines[:, :, -1:]], 2)
    return tf.concat([images[:, :1], middle, images[:, -1:]], 1)
