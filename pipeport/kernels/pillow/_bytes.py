"""Pillow's resampling of bytes whose sizes are known when the graph runs.

A pass turns (lines, size, channels) round to (size, lines, channels), and adds up whole rows: neighbours in
memory then take the same coefficients. Each of the two is a program, compiled once for every pair of padded
sizes; both passes of most images are of the same ones. The sums are Pillow's, in whole numbers, and the
results equal bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.pillow._filters import BICUBIC, LANCZOS, Table, graph_table
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

FRACTION_BITS = 22  # of the fixed-point coefficients
# Sides are padded to these, then to twice as many, and so on.
_SIDES = (144, 576)
_TAPS = (6, 12)
# Six coefficients are enough for these where the image hardly shrinks or grows: no program of its own.
_WIDE = (BICUBIC, LANCZOS)
_UNROLLED = _TAPS[-1]  # coefficients that are added up in one loop over the pixels


def fixed_point(weights: Any) -> Any:
    """Return float64 coefficients as int32, as Pillow does for bytes."""
    fixed = weights * float(1 << FRACTION_BITS)
    return tf.cast(fixed + tf.sign(fixed) * 0.5, tf.int32)


def bytes_of(total: Any) -> Any:
    """Return sums that start at half a grey level as bytes."""
    return tf.cast(tf.clip_by_value(tf.bitwise.right_shift(total, FRACTION_BITS), 0, 255), tf.uint8)


def vertical_first(height: Any, width: Any, out_height: Any, out_width: Any) -> Any:
    """Whether Pillow resamples rows first: when they shrink by more than twice as many as columns."""
    return (out_height < height) & (height - out_height > 2 * (width - out_width))


def resampled_bytes(pixels: Any, size: tuple[Any, Any], number: int, box: tuple[Any, ...] | None) -> Any:
    """Resample bytes of unknown sizes by compiled passes.

    `pixels`: shape (B, H, W, C), uint8. `size`: integers or scalar int32 tensors. `box`: scalar float32
    tensors; None for all of the image. Returns: shape (B, height, width, C), uint8.
    """
    known = all(isinstance(side, int) for side in size)
    most = max(size) if known else _stepped(_SIDES, tf.reduce_max(tf.stack(size)))
    width, height, most = (tf.convert_to_tensor(one, tf.int32) for one in (*size, most))
    if box is None:
        x = stored(_resampler, number)(pixels, width, height, most)
    else:
        x = _resampled(pixels, width, height, most, number, box)
    shape = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(x, [pixels.shape[0], *shape, pixels.shape[3]])


@stored_as("pil_bytes-resampler")
def _resampler(number: int) -> Callable[[Any, Any, Any, Any], Any]:
    def run(pixels: Any, width: Any, height: Any, most: Any) -> Any:
        return _resampled(pixels, width, height, most, number, None)

    return run


def _resampled(
    pixels: Any, width: Any, height: Any, most: Any, number: int, box: tuple[Any, ...] | None
) -> Any:
    """Compute `resampled_bytes` by passes of `most` lines: as many as asked, or more."""
    _, rows, columns, _ = tf.unstack(tf.shape(pixels))
    swap = vertical_first(rows, columns, height, width)
    turn = tf.where(swap, [0, 2, 1, 3], [0, 1, 2, 3])
    x = tf.transpose(pixels, turn)  # the axis of the first pass is the third, of the second pass the second
    batch, rows, columns, channels = tf.unstack(tf.shape(x))
    batch, channels = pixels.shape[0] or batch, pixels.shape[3] or channels
    outs = tf.where(swap, [height, width], [width, height])
    found = _both_axes(tf.stack([columns, rows]), outs, most, number, box, swap)
    first = found.first
    if box is not None:
        low, high = (tf.unstack(end) for end in (first[:, 0], tf.reduce_max(first + found.count, axis=1)))
        x = x[:, low[1] : high[1], low[0] : high[0]]
        first -= tf.expand_dims(low, 1)
        rows, columns = high[1] - low[1], high[0] - low[0]
    firsts = tf.unstack(first)
    weights = tf.unstack(tf.transpose(fixed_point(found.weights), [1, 2, 0]))
    # As many lines as before make the second pass the same program.
    tall, wide, lines = tf.unstack(_stepped(_SIDES, tf.stack([rows, columns, most])))
    x = _padded(x, 2, [batch, rows, wide - columns, channels])
    x = _padded(x, 1, [batch, tall - rows, wide, channels])
    x = _pass(x, [batch * tall, wide, channels], firsts[0], weights[0])
    x = _padded(x, 0, [lines - most, batch * tall * channels])
    x = _pass(x, [lines * batch, tall, channels], firsts[1], weights[1])
    across, down = tf.unstack(outs)
    x = tf.reshape(x, [most, lines, batch, channels])[:down, :across]
    return tf.transpose(tf.transpose(x, [2, 0, 1, 3]), turn)


def _both_axes(
    lengths: Any, outs: Any, most: Any, number: int, box: tuple[Any, ...] | None, swap: Any
) -> Table:
    """Return the coefficients of both passes."""
    before, out = tf.expand_dims(lengths, 1), tf.expand_dims(outs, 1)
    stop = tf.cast(before, tf.float32)
    kept = tf.equal(before, out)
    start: Any = tf.zeros([], tf.float32)
    if box is not None:
        ends = (tf.where(swap, [box[i + 1], box[i]], [box[i], box[i + 1]]) for i in (0, 2))
        whole = stop
        start, stop = (tf.expand_dims(end, 1) for end in ends)
        kept &= tf.equal(start, 0) & tf.equal(stop, whole)
    taps = functools.partial(_stepped, _TAPS[1:] if number in _WIDE else _TAPS)
    return graph_table(before, start, stop, out, number, kept, tf.range(most), taps)


def _stepped(steps: tuple[int, ...], sizes: Any) -> Any:
    """Return for each size the first of the steps, going on in powers of two, that holds it."""
    all_steps = [*steps, *(steps[-1] << k for k in range(1, 31 - steps[-1].bit_length()))]
    index = tf.raw_ops.Bucketize(input=sizes, boundaries=[step + 1.0 for step in all_steps[:-1]])
    return tf.gather(all_steps, index)


def _padded(x: Any, axis: int, more: list[Any]) -> Any:
    """Pad an axis at its end, which by joining takes a third of the time of tf.pad."""
    return tf.concat([x, tf.zeros(tf.stack(more), x.dtype)], axis)


def _pass(x: Any, sides: list[Any], first: Any, weights: Any) -> Any:
    """Resample the second of three sides, (lines, size, channels), to (out, lines * channels)."""
    # As one program XLA keeps the turned pixels as they were, or divides to find each of them.
    # 576 x 576 to 224 pixels, 12 coefficients, CPU time: apart 1.1 ms, as one 2.5; column by column 3.6.
    x = xla.compiled(_turned)(tf.reshape(x, sides))
    return xla.compiled(_added)(tf.reshape(x, [sides[1], -1]), first, weights)


def _turned() -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        return tf.transpose(x, [1, 0, 2])

    return run


def _added() -> Callable[[Any, Any, Any], Any]:
    """Return a function that sums rows: bytes (size, values) to (out, values)."""

    def run(x: Any, first: Any, weights: Any) -> Any:
        out, taps = tf.unstack(tf.shape(weights))
        step = tf.minimum(taps, _UNROLLED)

        def some(tap: Any, total: Any) -> tuple[Any, Any]:
            index = tf.range(step) + tap
            # Beyond the last row XLA takes that one, here with a coefficient of zero.
            rows = tf.gather(x, tf.expand_dims(first, 1) + index)
            terms = tf.cast(rows, tf.int32) * tf.expand_dims(tf.gather(weights, index, axis=1), 2)
            return tap + step, total + tf.reduce_sum(terms, axis=1)

        total = tf.fill([out, tf.shape(x)[1]], 1 << (FRACTION_BITS - 1))
        return bytes_of(tf.while_loop(lambda tap, _: tap < taps, some, (0, total))[1])

    return run
