"""Bytes resampled by TensorFlow's own kernels, within a grey level of `cv2.resize`.

Images have shape (B, H, W, C); sizes need not be known while tracing, and nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.layout._channel_order import turned
from pipeport.kernels.opencv._resize_axis import Axis
from pipeport.kernels.xla._by_xla import where_compiled
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

# OpenCV adds two rows, each times its weight and cut off to a quarter of a level. Where the weights
# have many digits, that cuts off a whole quarter more or less often; on average it rounds up from 5/8.
_FROM_FIVE_EIGHTHS, _FROM_HALF = 0.375, 0.5


def _sizes(rows: Axis, columns: Axis) -> Any:
    return tf.stack([rows.out, columns.out])


def linear(x: Any, rows: Axis, columns: Axis, turn: bool) -> Any:
    """Return bytes resampled as by INTER_LINEAR, at most one level off; `turn` turns their channels round."""
    out = [tf.convert_to_tensor(axis.out, tf.int32) for axis in (rows, columns)]
    # What a decoder gave is never compiled by a user.
    mixed = _own(x, *out) if turn or tf.executing_eagerly() else stored(_mixer)(x, *out)
    sides = [None if tf.is_tensor(axis.out) else axis.out for axis in (rows, columns)]
    mixed = tf.ensure_shape(mixed, [x.shape[0], *sides, x.shape[3]])
    known = turn and mixed.shape.is_fully_defined()
    return xla.choose(known, program=_by_program, otherwise=_by_operations)(mixed, rows, columns, turn)


def _by_program(mixed: Any, rows: Axis, columns: Axis, _turn: bool) -> Any:
    """Return rounded bytes with their channels turned: one program instead of sixteen operations and one."""
    before = (tf.convert_to_tensor(axis.size) for axis in (rows, columns))
    return xla.compiled(_rounded_and_turned, rows.out, columns.out)(mixed, *before)


def _by_operations(mixed: Any, rows: Axis, columns: Axis, turn: bool) -> Any:
    found = _rounded(mixed, rows.size, rows.out, columns.size, columns.out)
    return turned(found) if turn else found


def _own(x: Any, rows: Any, columns: Any) -> Any:
    return tf.raw_ops.ResizeBilinear(images=x, size=tf.stack([rows, columns]), half_pixel_centers=True)


@stored_as("cv2_resize_stock-mixer")
def _mixer() -> Callable[..., Any]:
    """Return a function that resamples bytes to floats in rows and columns, in every engine."""

    def run(x: Any, rows: Any, columns: Any) -> Any:
        sizes = tf.shape(x, out_type=tf.int64)
        return where_compiled(
            x, lambda: _by_whole_numbers(x, sizes, rows, columns), lambda: _own(x, rows, columns)
        )

    return run


def _by_whole_numbers(x: Any, sizes: Any, rows: Any, columns: Any) -> Any:
    """Compute ResizeBilinear in a form for XLA.

    Its own form of that operation reads a pixel beside the one that it weighs, wherever a centre falls on a
    pixel but for rounding: of 100 to 300 pixels each twentieth is wrong, by up to 254 levels. Here whole
    numbers say which pixels are read. `sizes` are those of `x`, which XLA forgets in a call where they are
    computed: of a drawn crop.
    """
    taken = tf.cast(x, tf.float32)
    for place, side in ((1, rows), (2, columns)):
        size, out = sizes[place], tf.cast(side, tf.int64)
        centres = (2 * tf.range(out) + 1) * size - out
        pixel = tf.math.floordiv(centres, 2 * out)
        part = tf.cast(centres - pixel * 2 * out, tf.float32) / tf.cast(2 * out, tf.float32)
        first, second = (
            tf.gather(taken, tf.clip_by_value(pixel + step, 0, size - 1), axis=place) for step in (0, 1)
        )
        taken = first + (second - first) * tf.reshape(part, [-1] + [1] * (3 - place))
    return taken


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
