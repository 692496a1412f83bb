"""scikit-image's clipping of a warped image to the range of its input."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def limits(images: Any, matrix: Any, size: Any, out_size: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return what mode 'constant', order 1, clips to: lowest and highest value per image.

    Linear interpolation stays inside the range of what it mixes, so only the fill can leave
    the input's range; and the fill counts as part of that range as soon as some output pixel
    equals it, that is, lies wholly outside the image. Then clipping changes nothing and the
    limits are infinite. The two passes over the pixels are left for batches in which every
    output pixel of some image touches the input. NaN does not count.

    Parameters
    ----------
    images : tf.Tensor, shape (B, H, W, C)
        The input; padding beyond `size` does not count.
    matrix : tf.Tensor, float64, shape (B or 1, 6)
        The maps, see `_affine`.
    size : tf.Tensor, int32, shape (2,)
        True height and width of the input.
    out_size : (height, width)
        Size of the output.

    Returns
    -------
    (tf.Tensor, tf.Tensor), float64, shape (B or 1, 1, 1, 1)
        Lowest and highest value.
    """
    outside = _any_outside(matrix, tf.cast(size, tf.float64), out_size)[:, tf.newaxis, tf.newaxis, tf.newaxis]
    infinity = tf.constant(float("inf"), tf.float64)

    def of_input() -> tuple[Any, Any]:
        pixels = tf.cast(images, tf.float64)
        true_rows = tf.range(tf.shape(images)[1]) < size[0]
        true_columns = tf.range(tf.shape(images)[2]) < size[1]
        true = (true_rows[:, tf.newaxis] & true_columns)[tf.newaxis, :, :, tf.newaxis]
        number = true & ~tf.math.is_nan(pixels)
        low = tf.reduce_min(tf.where(number, pixels, infinity), [1, 2, 3], keepdims=True)
        high = tf.reduce_max(tf.where(number, pixels, -infinity), [1, 2, 3], keepdims=True)
        return tf.where(outside, -infinity, low), tf.where(outside, infinity, high)

    def without() -> tuple[Any, Any]:
        one = tf.zeros([tf.shape(images)[0], 1, 1, 1], tf.float64)
        return one - infinity, one + infinity

    low, high = tf.cond(tf.reduce_all(outside), without, of_input)
    return low, high


def _any_outside(matrix: Any, size: Any, out_size: tuple[Any, Any]) -> Any:
    """Say per map whether some output pixel lies wholly outside the image.

    The points that touch the image form a convex set, so the four corners decide.
    """
    height, width = size[0], size[1]
    bottom, right = (tf.cast(side, tf.float64) - 1 for side in out_size)
    zero = tf.zeros([], tf.float64)
    x = tf.stack([zero, right, zero, right])
    y = tf.stack([zero, zero, bottom, bottom])
    a, b, c, d, e, f = (value[:, tf.newaxis] for value in tf.unstack(matrix, axis=-1))
    column, row = a * x + (b * y + c), d * x + (e * y + f)
    outside = (column <= -1) | (column >= width) | (row <= -1) | (row >= height)
    return tf.reduce_any(outside, axis=1)
