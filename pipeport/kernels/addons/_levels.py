"""Mixtures of images, and the smoother image that a sharper one is mixed from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.addons._windows import summed
from pipeport.kernels.xla._rounding import plus_product


def blended(first: Any, second: Any, factor: Any) -> Any:
    """Return first + factor * (second - first) in float32, rounded; beyond [0, 1] within 0 to 255.

    `first`, `second`: shapes that broadcast, real numbers. `factor`: a number, or a float32 tensor.
    """
    between = None if tf.is_tensor(factor) else 0 < factor < 1
    return xla.run(_mixed, between)(first, second, tf.cast(factor, tf.float32))


def sharpened(images: Any, factor: Any) -> Any:
    """Return mixtures of images (B, H, W, C) with smoothed ones: 0 is these, 1 the images.

    `factor`: float32 tensor that broadcasts.
    """
    return xla.run(_sharper)(images, factor)


def _mixed(between: bool | None) -> Callable[[Any, Any, Any], Any]:
    def run(first: Any, second: Any, factor: Any) -> Any:
        low, high = tf.cast(first, tf.float32), tf.cast(second, tf.float32)
        some = tf.reduce_max(tf.reshape(high, [-1])[:1])
        mixed = plus_product(low, factor * (high - low), some)
        if between:
            return tf.round(mixed)
        limited = tf.where(tf.equal(mixed, mixed), tf.clip_by_value(mixed, 0.0, 255.0), mixed)
        if between is None:
            limited = tf.where((factor > 0) & (factor < 1), mixed, limited)
        return tf.round(limited)

    return run


def _sharper() -> Callable[[Any, Any], Any]:
    mix = _mixed(None)

    def run(images: Any, factor: Any) -> Any:
        plain = _smooth(images)
        mixed = tf.cast(mix(plain, images, factor), images.dtype)
        return tf.where(tf.equal(factor, 0), plain, tf.where(tf.equal(factor, 1), images, mixed))

    return run


def _smooth(images: Any) -> Any:
    """Return images (B, H, W, C) smoothed as by Pillow's filter SMOOTH; their borders stay."""
    floats, ones = tf.cast(images, tf.float32), tf.ones([3])
    # The middle has five parts of thirteen, the others one.
    total = summed(3, 3)(floats, ones, ones) + 4.0 * floats[:, 1:-1, 1:-1]
    inner = tf.cast(total / 13.0, images.dtype)
    lines = images[:, 1:-1]
    middle = tf.concat([lines[:, :, :1], inner, lines[:, :, -1:]], 2)
    return tf.concat([images[:, :1], middle, images[:, -1:]], 1)
