"""Bytes resampled by TensorFlow's own kernels, within a grey level of `cv2.resize`.

Images have shape (B, H, W, C); sizes need not be known while tracing, and nothing is compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.layout._channel_order import turned
from pipeport.kernels.layout._decoded import is_decoded
from pipeport.kernels.opencv._resize_axis import Axis
from pipeport.kernels.xla._by_xla import where_compiled
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

# OpenCV adds two rows, each times its weight and cut off to a quarter of a level. Where the weights
# have many digits, that cuts off a whole quarter more or less often; on average it rounds up from 5/8.
_FROM_FIVE_EIGHTHS, _FROM_HALF = 0.375, 0.5
# Pixels before for each one after up to which bytes are cast first. The kernel reads floats in half the time,
# and gives the same values: to 224 x 224 pixels, cast included, from 400 x 400 0.28 ms of CPU time for 0.48,
# from 600 x 600 0.46 for 0.50, from 800 x 800 0.75 for 0.50.
_CAST = 4


def _sizes(rows: Axis, columns: Axis) -> Any:
    return tf.stack([rows.out, columns.out])


def linear(x: Any, rows: Axis, columns: Axis, turn: bool) -> Any:
    """Return bytes resampled as by INTER_LINEAR, at most one level off; `turn` turns their channels round."""
    out = [tf.convert_to_tensor(axis.out, tf.int32) for axis in (rows, columns)]
    # What a decoder gave is never compiled by a user.
    found = stored(_sampler, not (tf.executing_eagerly() or is_decoded(x)))(x, *out)
    sides = [None if tf.is_tensor(axis.out) else axis.out for axis in (rows, columns)]
    found = tf.ensure_shape(found, [x.shape[0], *sides, x.shape[3]])
    return turned(found) if turn else found


@stored_as("cv2_resize_stock-sampler")
def _sampler(compilable: bool) -> Callable[..., Any]:
    """Return a function that resamples bytes to rows and columns; `compilable`: in every engine."""

    def run(x: Any, rows: Any, columns: Any) -> Any:
        sizes = tf.shape(x, out_type=tf.int64)
        outs = tf.cast(tf.stack([rows, columns]), tf.int64)

        def own() -> Any:
            few = tf.reduce_prod(sizes[1:3]) <= _CAST * tf.reduce_prod(outs)
            return tf.cond(
                few, lambda: _own(tf.cast(x, tf.float32), rows, columns), lambda: _own(x, rows, columns)
            )

        by_xla = functools.partial(_by_whole_numbers, x, sizes, rows, columns)
        mixed = where_compiled(x, by_xla, own) if compilable else own()
        return tf.cast(mixed + _rounding(sizes, outs), tf.uint8)

    return run


def _own(x: Any, rows: Any, columns: Any) -> Any:
    return tf.raw_ops.ResizeBilinear(images=x, size=tf.stack([rows, columns]), half_pixel_centers=True)


def _rounding(sizes: Any, outs: Any) -> Any:
    """Return what is added before fractions are cut off."""
    # Centres of rows halfway between two, or all centres on pixels, have weights without further digits.
    divisors, rest = tf.concat([outs, 2 * outs[:1]], 0), tf.concat([tf.zeros_like(outs), outs[:1]], 0)
    met = tf.equal(tf.gather(sizes, [1, 2, 1]) % divisors, rest)
    either = tf.reduce_any(tf.reduce_all(met | [[False, False, True], [True, True, False]], 1))
    return tf.where(either, _FROM_HALF, _FROM_FIVE_EIGHTHS)


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


def area(x: Any, rows: Axis, columns: Axis) -> Any:
    """Return bytes resampled as by INTER_AREA where no side grows, at most one level off."""
    mean = tf.raw_ops.ResizeArea(images=x, size=_sizes(rows, columns))
    # OpenCV rounds a half to even, but up in the mean of 2 x 2 pixels, which is a multiple of a quarter.
    halved = (rows.size == 2 * rows.out) & (columns.size == 2 * columns.out)
    return tf.cast(tf.round(mean + tf.where(halved, 0.125, 0.0)), tf.uint8)
