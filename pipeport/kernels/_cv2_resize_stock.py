"""Bytes resampled by TensorFlow's own kernels, within a grey level of `cv2.resize`.

Images have shape (B, H, W, C); sizes need not be known while tracing, and nothing is compiled.
"""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels._cv2_resize_axis import Axis

# OpenCV adds two rows, each times its weight and cut off to a quarter of a level. Where the weights
# have many digits, that cuts off a whole quarter more or less often; on average it rounds up from 5/8.
_FROM_FIVE_EIGHTHS, _FROM_HALF = 0.375, 0.5


def _sizes(rows: Axis, columns: Axis) -> Any:
    return tf.stack([rows.out, columns.out])


def linear(x: Any, rows: Axis, columns: Axis) -> Any:
    """Return bytes resampled as by INTER_LINEAR, at most one level off."""
    mixed = tf.raw_ops.ResizeBilinear(images=x, size=_sizes(rows, columns), half_pixel_centers=True)
    # Centres on pixels, or halfway between two, have weights without further digits.
    whole = [axis.size % axis.out == 0 for axis in (rows, columns)]
    on_rows = rows.size % (2 * rows.out) == rows.out
    rounding = tf.where(on_rows | (whole[0] & whole[1]), _FROM_HALF, _FROM_FIVE_EIGHTHS)
    return tf.cast(mixed + rounding, tf.uint8)


def area(x: Any, rows: Axis, columns: Axis) -> Any:
    """Return bytes resampled as by INTER_AREA where no side grows, at most one level off."""
    mean = tf.raw_ops.ResizeArea(images=x, size=_sizes(rows, columns))
    # OpenCV rounds a half to even, but up in the mean of 2 x 2 pixels, which is a multiple of a quarter.
    halved = (rows.size == 2 * rows.out) & (columns.size == 2 * columns.out)
    return tf.cast(tf.round(mean + tf.where(halved, 0.125, 0.0)), tf.uint8)
