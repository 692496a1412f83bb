"""Sampling as OpenCV's warps do it: nearest, linear, and weighted squares of 4 or 8 pixels a side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels.inputs._ranges import saturated
from pipeport.kernels.opencv._warp_maps import STEP_BITS
from pipeport.kernels.opencv._warp_tables import STEPS, byte_weights, cubic_weights, weights
from pipeport.kernels.sampling._coordinates import split
from pipeport.kernels.xla._materialize import or_filled

# Fill stands around the image in mode 'constant': one pixel catches all that is outside, and
# a second one lets the neighbour at + 1 be read without looking.
MARGIN = 2
TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "lanczos4": 8}


class SamplePoint(NamedTuple):
    """The pixel at or before a sample, before border rules, and how far beyond it the sample lies.

    `column` and `row` are int32; `right` and `down` parts of a pixel in float32, or int32
    steps, or () for nearest.
    """

    column: Any
    row: Any
    right: Any = ()
    down: Any = ()


class Reads(NamedTuple):
    """Flat table indices of what is read, one part per axis, and the weights.

    `rows` and `columns` have a last axis of taps, and are added. Without columns, `rows` is the
    index of the first pixel, and the others stand beside it in the table.
    """

    rows: Any
    columns: Any = ()
    right: Any = ()
    down: Any = ()


def _replicate(index: Any, size: Any) -> Any:
    return tf.clip_by_value(index, 0, size - 1)


def _reflect(index: Any, size: Any) -> Any:
    folded = tf.math.floormod(index, 2 * size)
    return tf.minimum(folded, 2 * size - 1 - folded)


def _reflect_101(index: Any, size: Any) -> Any:
    period = tf.maximum(2 * size - 2, 1)  # 1 for one-pixel axes
    folded = tf.math.floormod(index, period)
    return tf.minimum(folded, period - folded)


def _wrap(index: Any, size: Any) -> Any:
    return tf.math.floormod(index, size)


def _constant(index: Any, size: Any) -> Any:
    return tf.clip_by_value(index, -1, size) + MARGIN


# Each rule brings whole pixels into the table: the image, or the image with fill around it.
BORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "constant": _constant,
    "replicate": _replicate,
    "reflect": _reflect,
    "wrap": _wrap,
    "reflect_101": _reflect_101,
}


def _span(method: str, border: str, size: Any) -> tuple[Any, Any]:
    """Return the coordinates beyond which nothing changes, or OpenCV looks no further."""
    length = tf.cast(size, tf.float32)
    if method == "cubic":
        length = tf.maximum(length, 16.0)
        return -length, 2 * length
    if border == "constant":
        return tf.constant(-float(MARGIN)), length
    if border == "replicate":
        return tf.constant(-1.0), length
    return tf.constant(-(2.0**30)), tf.constant(2.0**30)


def from_coordinates(columns: Any, rows: Any, method: str, border: str, size: tuple[Any, Any]) -> SamplePoint:
    """Split float32 coordinates into whole pixels and parts."""
    parts = []
    for coordinate, side in ((columns, size[1]), (rows, size[0])):
        low, high = _span(method, border, side)
        if method == "nearest":
            coordinate = tf.round(coordinate)
        # The comparison is false for NaN, which so becomes the lowest coordinate.
        kept = tf.where(coordinate > low, tf.minimum(coordinate, high), low)
        first, part = split(kept)
        parts.append((tf.cast(first, tf.int32), part))
    (column, right), (row, down) = parts
    return SamplePoint(column, row) if method == "nearest" else SamplePoint(column, row, right, down)


def from_steps(columns: Any, rows: Any, method: str) -> SamplePoint:
    """Split int32 steps of 1/32 pixel, whole pixels for nearest; pixels are kept to 16 bits."""

    def short(value: Any) -> Any:
        return tf.clip_by_value(value, -(2**15), 2**15 - 1)

    if method == "nearest":
        return SamplePoint(short(columns), short(rows))
    column, row = (short(tf.bitwise.right_shift(value, STEP_BITS)) for value in (columns, rows))
    right, down = (tf.bitwise.bitwise_and(value, STEPS - 1) for value in (columns, rows))
    return SamplePoint(column, row, right, down)


def reads(
    point: SamplePoint, method: str, border: str, exact: bool, size: tuple[Any, Any], stride: Any
) -> Reads:
    """Apply the border rule, and weigh; `stride` is the number of pixels in a row of the table."""
    taps, rule = TAPS[method], BORDERS[border]
    if method == "linear" and border == "constant" and exact:
        # The coordinates were brought within the margin: one index will do for four pixels.
        row, column = (value + MARGIN for value in (point.row, point.column))
        return Reads(row * stride + column, (), point.right, point.down)
    before = max(taps // 2 - 1, 0)
    around = tf.range(-before, taps - before)
    rows = rule(point.row[..., tf.newaxis] + around, size[0]) * stride
    columns = rule(point.column[..., tf.newaxis] + around, size[1])
    if taps <= 2:
        return Reads(rows, columns, point.right, point.down)
    if exact:
        return Reads(rows, columns, cubic_weights(point.right), cubic_weights(point.down))
    return Reads(rows, columns, point.right, point.down)


def corners(found: Reads, stride: Any) -> list[Any]:
    """Return the flat indices of the four pixels around each sample."""
    if isinstance(found.columns, tuple):
        first = found.rows
        return [first, first + 1, first + stride, first + stride + 1]
    rows, columns = tf.unstack(found.rows, axis=-1), tf.unstack(found.columns, axis=-1)
    return [row + column for row in rows for column in columns]


def _linear(pixels: Any, corners: list[Any], found: Reads, exact: bool, compute: Any) -> Any:
    a, b, c, d = (tf.cast(tf.gather(pixels, corner), compute) for corner in corners)
    right, down = found.right[..., tf.newaxis], found.down[..., tf.newaxis]
    if exact:
        # As the reference adds: an infinite pixel beside a hit one gives NaN there too.
        top, bottom = a + right * (b - a), c + right * (d - c)
        return top + down * (bottom - top)
    right, down = (tf.cast(value, compute) / STEPS for value in (right, down))
    left, up = 1 - right, 1 - down
    return a * (up * left) + b * (up * right) + c * (down * left) + d * (down * right)


def _square(pixels: Any, found: Reads, taps: int, exact: bool, compute: Any, whole: bool) -> Any:
    """Sum weighted squares of pixels; with `whole`, by the integer weights of bytes."""
    if whole:
        entry = found.down * STEPS + found.right
        table = tf.constant(byte_weights(taps))
        both = tf.gather(table, entry)
    else:
        along, across = found.right, found.down
        if not exact:
            line = tf.constant(weights(taps))
            along, across = tf.gather(line, along), tf.gather(line, across)
        both = tf.cast(across[..., :, tf.newaxis] * along[..., tf.newaxis, :], compute)
    index = found.rows[..., :, tf.newaxis] + found.columns[..., tf.newaxis, :]
    # Row by row: a whole square at a time would take 64 times the memory of the result.
    total: Any = 0
    for row in range(taps):
        values = tf.cast(tf.gather(pixels, index[..., row, :]), compute)
        total += tf.reduce_sum(values * both[..., row, :, tf.newaxis], axis=-2)
    return total


def sample(pixels: Any, found: Reads, method: str, exact: bool, stride: Any, isolate: bool) -> Any:
    """Return the result in the dtype of `pixels` (N, C), with one more axis than the places."""
    dtype, taps = pixels.dtype, TAPS[method]

    def apart(compute: Callable[[], Any]) -> Any:
        # Indices are never negative, but XLA cannot know: see `_warp`.
        holds = tf.reduce_all(tf.reshape(found.rows, [-1])[:1] >= 0)
        return or_filled(holds, compute, tf.zeros)

    if taps == 1:

        def read() -> Any:
            return tf.gather(pixels, tf.squeeze(found.rows + found.columns, -1))

        # Apart from the fill around the table, which else is looked for at every read: 0.64
        # against 1.05 ms of processor time for bytes at 256x256x3, 0.88 against 1.30 for float32.
        return apart(read) if isolate else read()
    whole = dtype == tf.uint8 and not exact and taps > 2
    compute = tf.float64 if dtype == tf.float64 else tf.int32 if whole else tf.float32
    if taps == 2:
        values = _linear(pixels, corners(found, stride), found, exact, compute)
        if dtype == tf.uint8 and not exact:
            return tf.cast(tf.floor(values + 0.5), dtype)  # a whole number of 1/1024: exact
        if exact and dtype.is_integer:
            return tf.cast(tf.round(values), dtype)  # between pixels: nothing to saturate
    else:
        values = _square(pixels, found, taps, exact, compute, whole)
        if whole:
            rounded = tf.bitwise.right_shift(values + 2**14, 15)
            return tf.cast(tf.clip_by_value(rounded, 0, 255), dtype)
    return saturated(values, dtype)
