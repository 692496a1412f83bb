"""Sampling as OpenCV's warps do it: nearest, linear, and weighted squares of 4 or 8 pixels a side."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels import _cv2_warp_words as words
from pipeport.kernels._cv2_warp_apart import apart
from pipeport.kernels._cv2_warp_maps import STEP_BITS
from pipeport.kernels._cv2_warp_tables import STEPS, byte_weights, cubic_weights, weights
from pipeport.kernels._ranges import saturated

TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "lanczos4": 8}


def margin(method: str, border: str) -> int:
    """Return how many pixels of fill stand around the image in the table.

    As many as are read along an axis: a sample beyond the margin reads fill alone, and is brought
    to its edge. Nearest needs none, for it takes the fill or a pixel.
    """
    return TAPS[method] if border == "constant" and method != "nearest" else 0


class Place(NamedTuple):
    """The pixel at or before a sample, before border rules, and how far beyond it the sample lies.

    `column` and `row` are int32; `right` and `down` parts of a pixel in float32, or int32
    steps, or () for nearest.
    """

    column: Any
    row: Any
    right: Any = ()
    down: Any = ()


class Reads(NamedTuple):
    """Flat table indices of what is read, and how far beyond the pixel before it a sample lies.

    One index per tap along each axis, to be added. Without columns, `rows` is the one index of the
    first pixel, beside which the others stand in the table; for nearest it is negative where there is
    fill.
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


# Each rule brings whole pixels into the image.
BORDERS: dict[str, Callable[[Any, Any], Any]] = {
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
        return tf.constant(-float(TAPS["linear"])), length
    if border == "replicate":
        return tf.constant(-1.0), length
    return tf.constant(-(2.0**30)), tf.constant(2.0**30)


def from_coordinates(columns: Any, rows: Any, method: str, border: str, size: tuple[Any, Any]) -> Place:
    """Split float32 coordinates into whole pixels and parts."""
    parts = []
    for coordinate, side in ((columns, size[1]), (rows, size[0])):
        low, high = _span(method, border, side)
        if method == "nearest":
            coordinate = tf.round(coordinate)
        # The comparison is false for NaN, which so becomes the lowest coordinate.
        kept = tf.where(coordinate > low, tf.minimum(coordinate, high), low)
        first = tf.floor(kept)
        parts.append((tf.cast(first, tf.int32), kept - first))
    (column, right), (row, down) = parts
    return Place(column, row) if method == "nearest" else Place(column, row, right, down)


def from_steps(columns: Any, rows: Any, method: str) -> Place:
    """Split int32 steps of 1/32 pixel, whole pixels for nearest; pixels are kept to 16 bits."""

    def short(value: Any) -> Any:
        return tf.clip_by_value(value, -(2**15), 2**15 - 1)

    if method == "nearest":
        return Place(short(columns), short(rows))
    column, row = (short(tf.bitwise.right_shift(value, STEP_BITS)) for value in (columns, rows))
    right, down = (tf.bitwise.bitwise_and(value, STEPS - 1) for value in (columns, rows))
    return Place(column, row, right, down)


def reads(place: Place, method: str, border: str, size: tuple[Any, Any], stride: Any, offset: Any) -> Reads:
    """Apply the border rule; `stride` is the length of a table row, `offset` where an image begins."""
    taps = TAPS[method]
    before = max(taps // 2 - 1, 0)
    row, column, (height, width) = place.row, place.column, size
    if border == "constant" and method == "nearest":
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        # Beyond the image an index need not be small, and could be that of a pixel once it overflows.
        row, column = _replicate(row, height), _replicate(column, width)
        return Reads(tf.where(inside, offset + row * stride + column, -1))
    if border == "constant":
        room, beyond = margin(method, border), taps - before
        row = tf.clip_by_value(row, -beyond, height + before) - before + room
        column = tf.clip_by_value(column, -beyond, width + before) - before + room
        return Reads(offset + row * stride + column, (), place.right, place.down)
    rule, around = BORDERS[border], range(-before, taps - before)
    rows = [offset + rule(row + step, height) * stride for step in around]
    columns = [rule(column + step, width) for step in around]
    if method == "nearest":
        return Reads(rows[0] + columns[0])
    return Reads(rows, columns, place.right, place.down)


def _reader(table: Any, found: Reads, taps: int, stride: Any, isolate: bool) -> Callable[[int], list[Any]]:
    """Return a function that reads the pixels of one row of taps."""
    if found.columns:
        return lambda row: [tf.gather(table, found.rows[row] + column) for column in found.columns]
    if not isolate:
        return lambda row: [tf.gather(table, found.rows + (row * stride + tap)) for tap in range(taps)]
    # XLA keeps every index within its table. With one index into tables that begin one pixel later
    # each it does so once per sample: 2.25 against 2.88 ms for 4 x 4 taps, 256x256x3 float32.
    count = tf.shape(table)[0] - (taps - 1) * (stride + 1)

    def read(row: int) -> list[Any]:
        starts = [row * stride + tap for tap in range(taps)]
        return [tf.gather(table[start : start + count], found.rows) for start in starts]

    return read


def _linear(read: Callable[[int], list[Any]], found: Reads, exact: bool, compute: Any) -> Any:
    a, b, c, d = (tf.cast(pixel, compute) for row in (0, 1) for pixel in read(row))
    right, down = found.right[..., tf.newaxis], found.down[..., tf.newaxis]
    if exact:
        # As the reference adds: an infinite pixel beside a hit one gives NaN there too.
        top, bottom = a + right * (b - a), c + right * (d - c)
        return top + down * (bottom - top)
    right, down = (tf.cast(value, compute) / STEPS for value in (right, down))
    left, up = 1 - right, 1 - down
    return a * (up * left) + b * (up * right) + c * (down * left) + d * (down * right)


def _byte_weigher(found: Reads, taps: int) -> Callable[[int], list[Any]]:
    """Return a function that gives the integer weights of one row of taps."""
    table = tf.constant(byte_weights(taps).ravel())
    square = taps * taps
    entry = (found.down * STEPS + found.right) * square
    count = STEPS * STEPS * square - square + 1
    # Tables that begin one weight later each, as in `_reader`.
    return lambda row: [
        tf.gather(table[start : start + count], entry) for start in range(row * taps, (row + 1) * taps)
    ]


def _weigher(found: Reads, taps: int, exact: bool, isolate: bool) -> Callable[[int], list[Any]]:
    """Return a function that gives the weights of one row of taps."""

    def lines() -> tuple[list[Any], list[Any]]:
        if exact:
            return cubic_weights(found.right), cubic_weights(found.down)
        line = weights(taps)
        along, across = (
            [tf.gather(tf.constant(line[:, tap]), part) for tap in range(taps)]
            for part in (found.right, found.down)
        )
        return along, across

    along, across = apart(found.right, lines) if isolate else lines()
    return lambda row: [across[row] * one for one in along]


def _square(
    pixels: Any, found: Reads, taps: int, exact: bool, stride: Any, isolate: bool, compute: Any
) -> Any:
    """Sum weighted squares of pixels, with the integer weights of bytes if `compute` is int32."""
    weigh = _byte_weigher(found, taps) if compute == tf.int32 else _weigher(found, taps, exact, isolate)
    table = apart(found.right, lambda: tf.cast(pixels, compute)) if isolate else tf.cast(pixels, compute)
    read = _reader(table, found, taps, stride, isolate)

    def add(total: Any, row: int) -> Any:
        parts = [
            pixel * tf.cast(weight, compute)[..., tf.newaxis]
            for pixel, weight in zip(read(row), weigh(row), strict=True)
        ]
        return total + functools.reduce(operator.add, parts)

    # Row by row: all pixels of the squares at a time would take 64 times the memory of the result.
    total: Any = tf.zeros([], compute)
    for row in range(taps):
        total = add(total, row)
        if isolate and taps > 4 and row % 2:
            total = apart(found.right, functools.partial(tf.identity, total))
    return total


def sample(
    pixels: Any, found: Reads, method: str, exact: bool, fill: tuple[float, ...], stride: Any, isolate: bool
) -> Any:
    """Return the result in the dtype of `pixels` (N, C), with one more axis than the places."""
    dtype, taps = pixels.dtype, TAPS[method]
    if taps == 1:
        # Fill is looked at here, not stood around the image: 0.50 against 0.67 ms for bytes at
        # 256x256x3, 0.53 against 0.73 for float32.
        index = found.rows
        values = tf.gather(pixels, tf.maximum(index, 0))
        outside = tf.cast(tf.constant(fill, tf.float64), dtype)
        return tf.where((index < 0)[..., tf.newaxis], outside, values)
    if isolate and exact and words.fits(pixels):
        read = _reader(words.packed(pixels), found, taps, stride, True)
        mix = words.linear if taps == 2 else words.cubic
        return mix(read, found.right, found.down, pixels.shape[-1])
    whole = dtype == tf.uint8 and not exact and taps > 2
    compute = tf.float64 if dtype == tf.float64 else tf.int32 if whole else tf.float32
    if taps == 2:
        values = _linear(_reader(pixels, found, taps, stride, isolate), found, exact, compute)
        if dtype == tf.uint8 and not exact:
            return tf.cast(tf.floor(values + 0.5), dtype)  # a whole number of 1/1024: exact
        if exact and dtype.is_integer:
            return tf.cast(tf.round(values), dtype)  # between pixels: nothing to saturate
    else:
        values = _square(pixels, found, taps, exact, stride, isolate, compute)
        if whole:
            rounded = tf.bitwise.right_shift(values + 2**14, 15)
            return tf.cast(tf.clip_by_value(rounded, 0, 255), dtype)
    return saturated(values, dtype)
