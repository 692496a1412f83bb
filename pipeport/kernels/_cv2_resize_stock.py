"""Bytes resampled by TensorFlow's own kernels, within a grey level of `cv2.resize`.

Images have shape (B, H, W, C); sizes need not be known while tracing, and nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import _xla
from pipeport.kernels._channel_order import turned
from pipeport.kernels._cv2_resize_axis import Axis

# OpenCV adds two rows, each times its weight and cut off to a quarter of a level. Where the weights
# have many digits, that cuts off a whole quarter more or less often; on average it rounds up from 5/8.
_FROM_FIVE_EIGHTHS, _FROM_HALF = 0.375, 0.5


def _sizes(rows: Axis, columns: Axis) -> Any:
    return tf.stack([rows.out, columns.out])


def linear(x: Any, rows: Axis, columns: Axis, turn: bool) -> Any:
    """Return bytes resampled as by INTER_LINEAR, at most one level off; `turn` turns their channels round."""
    mixed = tf.raw_ops.ResizeBilinear(images=x, size=_sizes(rows, columns), half_pixel_centers=True)
    if turn and mixed.shape.is_fully_defined() and _xla.should_compile(gains=True):
        # One program instead of sixteen operations and another one.
        sides = (tf.convert_to_tensor(axis.size) for axis in (rows, columns))
        return _xla.compiled(_rounded_and_turned, rows.out, columns.out)(mixed, *sides)
    found = _rounded(mixed, rows.size, rows.out, columns.size, columns.out)
    return turned(found) if turn else found


def _rounded_and_turned(rows: int, columns: int) -> Callable[..., Any]:
    def run(mixed: Any, height: Any, width: Any) -> Any:
        return tf.reverse(_rounded(mixed, height, rows, width, columns), [-1])

    return run


def _rounded(mixed: Any, height: Any, rows: Any, width: Any, columns: Any) -> Any:
    # Centres on pixels, or halfway between two, have weights without further digits.
    whole = (height % rows == 0) & (width % columns == 0)
    on_rows = height % (2 * rows) == rows
    rounding = tf.where(on_rows | whole, _FROM_HALF, _FROM_FIVE_EIGHTHS)
    return tf.cast(mixed + rounding, tf.uint8)


def area(x: Any, rows: Axis, columns: Axis) -> Any:
    """Return bytes resampled as by INTER_AREA where no side grows, at most one level off."""
    mean = tf.raw_ops.ResizeArea(images=x, size=_sizes(rows, columns))
    # OpenCV rounds a half to even, but up in the mean of 2 x 2 pixels, which is a multiple of a quarter.
    halved = (rows.size == 2 * rows.out) & (columns.size == 2 * columns.out)
    return tf.cast(tf.round(mean + tf.where(halved, 0.125, 0.0)), tf.uint8)
