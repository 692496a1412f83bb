"""scikit-image's clipping of a warped image to the range of its input.

Linear interpolation stays inside the range of what it mixes, so only the fill of mode
'constant' can leave the input's range; and the fill counts as part of that range as soon as
some output pixel equals it, that is, lies wholly outside the image. Then clipping changes
nothing, and the two passes over the pixels that find the range can be left out.
"""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def any_outside(matrix: Any, height: Any, width: Any, out_size: tuple[Any, Any]) -> Any:
    """Say per map, shape (B or 1,), whether some output pixel lies wholly outside the image.

    The points that touch the image form a convex set, so the four corners decide.
    """
    bottom, right = (tf.cast(side, tf.float64) - 1 for side in out_size)
    zero = tf.zeros([], tf.float64)
    x = tf.stack([zero, right, zero, right])
    y = tf.stack([zero, zero, bottom, bottom])
    a, b, c, d, e, f = (value[:, tf.newaxis] for value in tf.unstack(matrix, axis=-1))
    column, row = a * x + (b * y + c), d * x + (e * y + f)
    outside = (column <= -1) | (column >= width) | (row <= -1) | (row >= height)
    return tf.reduce_any(outside, axis=1)


def limits(images: Any, outside: Any) -> tuple[Any, Any]:
    """Return lowest and highest value to clip to, float64, shape (B, 1, 1, 1).

    Parameters
    ----------
    images : tf.Tensor, shape (B, H, W, C)
        The input; NaN does not count.
    outside : tf.Tensor, bool, shape (B or 1,)
        Images that are not clipped: their limits are infinite.

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        Lowest and highest value.
    """
    infinity = tf.constant(float("inf"), tf.float64)
    low, high = (tf.reshape(limit, [-1, 1, 1, 1]) for limit in _range(images))
    free = outside[:, tf.newaxis, tf.newaxis, tf.newaxis]
    return tf.where(free, -infinity, low), tf.where(free, infinity, high)


def clipped(warped: Any, images: Any, mode: str, cval: Any) -> Any:
    """Clip a batch of warped images to the range of their inputs, as scikit-image does.

    Parameters
    ----------
    warped : tf.Tensor, shape (B, ...)
        What interpolation gave.
    images : tf.Tensor, shape (B, ...)
        What it was given, on the same scale; NaN does not count.
    mode : str
        Border rule; in 'constant' the fill widens the range where the output reaches it.
    cval : scalar tensor, float64
        The fill.

    Returns
    -------
    tf.Tensor, shape and dtype of `warped`
        The clipped images.
    """
    low, high = _range(images)
    if mode == "constant":
        bottom, top = _range(warped)
        fill = tf.cast(cval, images.dtype)
        wide = tf.cast(fill, tf.float64)
        exact = tf.cast(cval, tf.float64)
        beyond = ~((low <= exact) & (exact <= high)) & (bottom <= exact) & (exact <= top)
        low = tf.where(beyond, tf.minimum(low, wide), low)
        high = tf.where(beyond, tf.maximum(high, wide), high)
    shape = tf.concat([tf.shape(low), tf.ones([warped.shape.rank - 1], tf.int32)], 0)
    low, high = (tf.cast(tf.reshape(limit, shape), warped.dtype) for limit in (low, high))
    return tf.minimum(tf.maximum(warped, low), high)


def _range(images: Any) -> tuple[Any, Any]:
    axes = list(range(1, images.shape.rank))
    if not images.dtype.is_floating:
        return tuple(tf.cast(f(images, axes), tf.float64) for f in (tf.reduce_min, tf.reduce_max))
    infinity = tf.constant(float("inf"), images.dtype)
    number = ~tf.math.is_nan(images)
    low = tf.reduce_min(tf.where(number, images, infinity), axes)
    high = tf.reduce_max(tf.where(number, images, -infinity), axes)
    return tf.cast(low, tf.float64), tf.cast(high, tf.float64)
