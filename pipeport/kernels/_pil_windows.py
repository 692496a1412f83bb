"""Pillow's resampling of bytes whose sizes are known when the graph runs.

A pass works on (rows, size, channels), every row by itself, and gives (out, rows, channels): with its
result turned, so that the second pass is the first one again and turns it back. Images are padded to a few
sizes, each compiled once; loops of as many turns as an image needs leave the padding alone. The
sums are Pillow's, in whole numbers, and the results equal bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import _xla
from pipeport.kernels._pil_filters import Table, graph_table

FRACTION_BITS = 22  # of the fixed-point coefficients
# Sides are padded to these, then to twice as many: common sizes are powers of two, and a window of
# coefficients reaches beyond them.
_SIDES = (144, 576)
_TAPS = 6  # and twice as many, and so on
_CHUNKS = 8  # of the rows of a padded image; those without a row of the image are left out


def fixed_point(weights: Any) -> Any:
    """Return float64 coefficients as int32, as Pillow does for bytes."""
    fixed = weights * float(1 << FRACTION_BITS)
    return tf.cast(fixed + tf.where(fixed < 0, *(tf.constant(s, tf.float64) for s in (-0.5, 0.5))), tf.int32)


def bytes_of(total: Any) -> Any:
    """Return sums that start at half a grey level as bytes."""
    return tf.cast(tf.clip_by_value(tf.bitwise.right_shift(total, FRACTION_BITS), 0, 255), tf.uint8)


def resampled_bytes(
    pixels: Any, size: tuple[Any, Any], number: int, box: tuple[Any, ...], vertical_first: Any
) -> Any:
    """Resample bytes of unknown sizes by compiled passes.

    Parameters
    ----------
    pixels : tf.Tensor, shape (B, H, W, C), uint8
        The images.
    size : (width, height)
        Integers or scalar int32 tensors.
    number : int
        The filter.
    box : (left, upper, right, lower)
        Scalar float32 tensors.
    vertical_first : scalar bool tensor
        Whether the columns are resampled before the rows.

    Returns
    -------
    tf.Tensor, shape (B, height, width, C), uint8
        The resampled pixels.
    """
    order = tf.where(vertical_first, [0, 1], [1, 0])  # the axis of the first pass, then of the second
    turn = tf.where(vertical_first, [0, 2, 1, 3], [0, 1, 2, 3])
    lengths = tf.gather(tf.shape(pixels)[1:3], order)
    outs = tf.gather(tf.stack([size[1], size[0]]), order)
    start, stop = (tf.gather(tf.stack([box[i + 1], box[i]]), order) for i in (0, 2))
    found = _both_axes(lengths, start, stop, outs, number)
    # Only the rows that the second pass reads.
    low, high = found.first[outs[0]], found.first[-1] + found.count[-1]
    fixed = tf.transpose(fixed_point(found.weights))
    weights = _padded(fixed, 1, _doubled((_TAPS,), tf.shape(fixed)[1]))
    x = tf.transpose(pixels, turn)[:, low:high]
    for axis, length in ((1, high - low), (2, lengths[0])):
        x = _padded(x, axis, _doubled(_SIDES, length + tf.shape(weights)[1]))
    known = isinstance(size[0], int) and size[0] == size[1]
    sides = [size[0]] * 2 if known else [_doubled(_SIDES, outs[i]) for i in (0, 1)]
    batch, channels = pixels.shape[0] or tf.shape(pixels)[0], pixels.shape[3]
    rows = tf.shape(x)[1]
    run = _xla.compiled(_windows, channels, _CHUNKS)
    first = _padded(found.first[: outs[0]], 0, sides[0]), _padded(weights[: outs[0]], 0, sides[0])
    count = high - low if batch == 1 else batch * rows
    x = run(tf.reshape(x, [batch * rows, -1]), *first, outs[0], count)
    run = _xla.compiled(_windows, channels, 1 if known else _CHUNKS)
    second = _padded(found.first[outs[0] :] - low, 0, sides[1]), _padded(weights[outs[0] :], 0, sides[1])
    x = run(tf.reshape(x, [sides[0] * batch, rows * channels]), *second, outs[1], outs[0] * batch)
    x = tf.reshape(x, [sides[1], sides[0], batch, channels])[: outs[1], : outs[0]]
    x = tf.reshape(x, [1, outs[1], outs[0], channels]) if batch == 1 else tf.transpose(x, [2, 0, 1, 3])
    shape = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(tf.transpose(x, turn), [pixels.shape[0], *shape, channels])


def _both_axes(lengths: Any, start: Any, stop: Any, outs: Any, number: int) -> Table:
    """Return the coefficients of two axes, one after the other."""
    index = tf.range(outs[0] + outs[1])
    axis = tf.cast(index >= outs[0], tf.int32)
    kept = tf.equal(lengths, outs) & tf.equal(start, 0) & tf.equal(stop, tf.cast(lengths, tf.float32))
    size, start, stop, out, kept = (tf.gather(value, axis) for value in (lengths, start, stop, outs, kept))
    return graph_table(size, start, stop, out, number, kept, index - axis * outs[0])


def _doubled(steps: tuple[int, ...], size: Any) -> Any:
    """Return the first of the steps, going on in powers of two, that holds a size."""
    all_steps = [*steps, *(steps[-1] << k for k in range(1, 31 - steps[-1].bit_length()))]
    return tf.gather(all_steps, tf.reduce_sum(tf.cast(size > tf.constant(all_steps), tf.int32)))


def _padded(x: Any, axis: int, size: Any) -> Any:
    """Pad an axis at its end, which by joining takes a third of the time of tf.pad."""
    shape = tf.shape(x)
    parts = [shape[:axis], [size - shape[axis]], shape[axis + 1 :]]
    return tf.concat([x, tf.zeros(tf.concat(parts, 0), x.dtype)], axis)


def _windows(channels: int, chunks: int) -> Callable[..., Any]:
    """Return the pass: bytes (rows, size * channels), of which some rows and outputs count."""

    def run(x: Any, first: Any, weights: Any, outs: Any, rows: Any) -> Any:
        def one(i: Any, j: Any, begin: Any, result: Any) -> Any:
            # Sizes of a slice are known while compiling, though not while tracing.
            chunk, taps = tf.shape(x)[0] // chunks, tf.shape(weights)[1]
            window = tf.slice(x, [i * chunk, begin * channels], [chunk, taps * channels])
            terms = tf.cast(tf.reshape(window, [chunk, taps, channels]), tf.int32) * weights[j][:, tf.newaxis]
            pixels = bytes_of(tf.reduce_sum(terms, axis=1) + (1 << (FRACTION_BITS - 1)))
            return tf.tensor_scatter_nd_update(result, [[j, i]], pixels[tf.newaxis])

        def some(i: Any, first: Any, result: Any) -> tuple[Any, Any, Any]:
            def body(j: Any, result: Any) -> tuple[Any, Any]:
                return j + 1, one(i, j, first[j], result)

            result = tf.while_loop(lambda j, _: j < outs, body, (0, result))[1]
            # Where a slice begins would be compiled in, and every image anew, but for what a loop changes.
            return i + 1, first + tf.minimum(i, 0), result

        chunk = tf.shape(x)[0] // chunks
        result = tf.zeros([tf.shape(weights)[0], chunks, chunk, channels], tf.uint8)
        count = (rows + chunk - 1) // chunk
        result = tf.while_loop(lambda i, *_: i < count, some, (0, first, result))[2]
        return tf.reshape(result, [tf.shape(weights)[0], -1, channels])

    return run
