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
    a, b, c, d, e, f = (tf.reshape(value, [-1, 1]) for value in tf.unstack(matrix, axis=-1))
    column, row = a * x + (b * y + c), d * x + (e * y + f)
    outside = (column <= -1) | (column >= width) | (row <= -1) | (row >= height)
    return tf.reduce_any(outside, axis=1)


def limits(images: Any, outside: Any) -> tuple[Any, Any]:
    """Return lowest and highest value to clip to, float64, shape (B, 1, 1, 1).

    `images`: shape (B, H, W, C); the input; NaN does not count. `outside`: bool, shape (B or 1,); images that
    are not clipped: their limits are infinite.
    """
    infinity = tf.constant(float("inf"), tf.float64)
    low, high = (tf.cast(tf.reshape(limit, [-1, 1, 1, 1]), tf.float64) for limit in _range(images))
    free = outside[:, tf.newaxis, tf.newaxis, tf.newaxis]
    return tf.where(free, -infinity, low), tf.where(free, infinity, high)


def may_leave(dtype: Any, order: int, mode: str, cval: Any) -> bool:
    """Say whether a warp by a spline of that order may leave the range of the image.

    Splines overshoot, and the fill of mode 'constant' may lie outside. Of order 0 the fill counts as
    part of the range, unless it is not a level of the image's dtype and had to be rounded.
    """
    if order != 0 or mode != "constant":
        return order >= 2 or mode == "constant"
    if dtype.is_floating:
        return False
    if tf.is_tensor(cval) or cval != round(cval):
        return True
    least, most = (0, 1) if dtype.is_bool else (dtype.min, dtype.max)
    return not least <= cval <= most


def clipped(warped: Any, images: Any, mode: str, cval: Any) -> Any:
    """Clip a batch of warped images to the range of their inputs, as scikit-image does.

    `warped`: shape (B, ...). `images`: shape (B, ...); what it was given, on the same scale; NaN does not
    count. `mode`: border rule; in 'constant' the fill widens the range where the output reaches it. `cval`:
    scalar tensor, float64. Returns: shape and dtype of `warped`.
    """
    if images.dtype.is_bool:
        levels = _clipped(tf.cast(warped, tf.uint8), tf.cast(images, tf.uint8), mode, cval, tf.bool)
        return tf.cast(levels, tf.bool)
    return _clipped(warped, images, mode, cval, images.dtype)


def _clipped(warped: Any, images: Any, mode: str, cval: Any, dtype: Any) -> Any:
    """Clip; the fill counts as what it becomes in `dtype`."""
    low, high = _range(images)
    if mode == "constant":
        bottom, top = (tf.cast(limit, tf.float64) for limit in _range(warped))
        fill = tf.cast(cval, dtype)
        # NumPy compares integers with the fill itself, floats with the fill in their own precision.
        exact = tf.cast(fill if dtype.is_floating else cval, tf.float64)
        inside = (tf.cast(low, tf.float64) <= exact) & (exact <= tf.cast(high, tf.float64))
        beyond = ~inside & (bottom <= exact) & (exact <= top)
        fill = tf.cast(fill, low.dtype)
        low = tf.where(beyond, tf.minimum(low, fill), low)
        high = tf.where(beyond, tf.maximum(high, fill), high)
    shape = tf.concat([tf.shape(low), tf.ones([warped.shape.rank - 1], tf.int32)], 0)
    low, high = (tf.cast(tf.reshape(limit, shape), warped.dtype) for limit in (low, high))
    return tf.minimum(tf.maximum(warped, low), high)


def _range(images: Any) -> tuple[Any, Any]:
    """Return lowest and highest value per image, in the images' dtype; NaN does not count."""
    axes = list(range(1, images.shape.rank))

    def of_all() -> tuple[Any, Any]:
        return tf.reduce_min(images, axes), tf.reduce_max(images, axes)

    def of_numbers() -> tuple[Any, Any]:
        infinity = tf.constant(float("inf"), images.dtype)
        number = ~tf.math.is_nan(images)
        low = tf.reduce_min(tf.where(number, images, infinity), axes)
        return low, tf.reduce_max(tf.where(number, images, -infinity), axes)

    if not images.dtype.is_floating:
        return of_all()
    # At 256x256x3 in float64 to look for NaN in every value takes 1.6 ms, and 0.25 ms without: a sum
    # says whether there may be any. (Opposite infinities say so too.) Whether a minimum is NaN says
    # nothing: without XLA it may pass over one.
    return tuple(tf.cond(tf.reduce_any(tf.math.is_nan(tf.reduce_sum(images, axes))), of_numbers, of_all))
