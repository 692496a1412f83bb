"""Mixtures of two images, and what Pillow's enhancers mix an image with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.pillow._modes import converted
from pipeport.kernels.xla._rounding import plus_product

# The weights of Pillow's filter SMOOTH: the middle of 3 by 3 has five, the others one, of thirteen.
_MIDDLE, _ALL = 5, 13


def enhanced(plain: str, mode: str) -> Callable[[Any, Any], Any]:
    """Return a function that mixes pixels with plainer ones.

    `plain`: {'black', 'mean_grey', 'grey', 'smooth'}; the plainer ones, as the function of this name gives
    them. `mode`: {'L', 'RGB', 'RGBA'}; of the pixels; alpha stays. Returns: takes pixels (B, H, W, C) and the
    share of these in the mixture, a float32 scalar.
    """
    make = {"black": black, "mean_grey": mean_grey, "grey": grey, "smooth": smooth}[plain]

    def run(pixels: Any, share: Any) -> Any:
        if mode != "RGBA":
            return blended(make(pixels, mode), pixels, share)
        colors = pixels[..., :3]
        return tf.concat([blended(make(colors, "RGB"), colors, share), pixels[..., 3:]], -1)

    return run


def blended(first: Any, second: Any, share: Any) -> Any:
    """Return first + share * (second - first) in float32, truncated to bytes.

    `first`, `second`: shapes that broadcast, uint8. `share`: scalar tensor, float32; of the second image;
    beyond [0, 1] the difference grows, and bytes are saturated. Returns: uint8.
    """
    low, high = tf.cast(first, tf.float32), tf.cast(second, tf.float32)
    product = share * (high - low)
    mixed = plus_product(low, product, tf.reshape(high, [-1])[:1])
    return tf.cast(tf.clip_by_value(mixed, 0.0, 255.0), tf.uint8)


def black(pixels: Any, mode: str) -> Any:
    """Return black pixels."""
    del mode
    return tf.zeros_like(pixels)


def mean_grey(pixels: Any, mode: str) -> Any:
    """Return the mean of the grey levels, rounded, as a pixel."""
    levels = converted(pixels, mode, "L")
    total = tf.reduce_sum(tf.cast(levels, tf.int64), axis=[1, 2, 3], keepdims=True)
    count = tf.size(levels[0], tf.int64)
    return tf.cast((2 * total + count) // (2 * count), tf.uint8)


def grey(pixels: Any, mode: str) -> Any:
    """Return pixels without colour."""
    return converted(converted(pixels, mode, "L"), "L", mode)


def smooth(pixels: Any, mode: str) -> Any:
    """Return means of 3 by 3 pixels; those at the border stay."""
    del mode
    wide = tf.cast(pixels, tf.int32)
    rows = wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]
    total = rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:] + (_MIDDLE - 1) * wide[:, 1:-1, 1:-1]
    # Pillow sums floats; no sum comes near a half, as thirteen is odd.
    inner = tf.cast((2 * total + _ALL) // (2 * _ALL), tf.uint8)
    lines = pixels[:, 1:-1]
    middle = tf.concat([lines[:, :, :1], inner, lines[:, :, 1:][:, :, -1:]], 2)
    return tf.concat([pixels[:, :1], middle, pixels[:, 1:][:, -1:]], 1)
