"""Filters of images along columns and rows, with OpenCV's borders, weights and rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._borders import evenly, on_grown

# Kernels that OpenCV keeps in a table, for sizes without a sigma; in parts of 256.
_TABLE = {
    1: (256,),
    3: (64, 128, 64),
    5: (16, 64, 96, 64, 16),
    7: (8, 28, 56, 72, 56, 28, 8),
    9: (4, 13, 30, 51, 60, 51, 30, 13, 4),
}
_BITS = 8
# Into how many parts, as a power of two, weights of whole numbers are divided.
_PARTS = {"uint8": _BITS, "uint16": 2 * _BITS}
# Where a box has at most so many pixels, the mean of bytes is a product of integers of 23 + 8 bits.
_FEW, _FEW_BITS = 256, 23
# From this many on, not even the mean of an odd number of bytes is the same in float32 and float64.
_MANY = 2**14
# OpenCV rounds eight means at a time, in float32; those at the end of a row that make no eight in float64.
_AT_ONCE = 8
# The product of this mean has 32 bits.
_TWO = 2
_BYTE, _SHORT = 2**8 - 1, 2**16 - 1


class Filter(NamedTuple):
    """What is done to an image.

    `down`, `across`: the weights along columns and along rows, the same from both ends; integers for bytes.
    Of weights that are tensors their number. `rule`: the border, by its name in `_margins`. `area`: of a mean
    the number of pixels, else 0: then weights of whole numbers are parts of a power of two.
    """

    down: Any
    across: Any
    rule: str
    area: int = 0
    dtype: str = "uint8"


def gaussian_weights(size: int, sigma: float) -> Any:
    """Return the weights of a Gaussian as OpenCV computes them, as an array (size,) of float64."""
    if sigma <= 0 and size in _TABLE:
        return np.asarray(_TABLE[size], np.float64) / 2**_BITS
    sigma = sigma if sigma > 0 else size * 0.15 + 0.35
    with np.errstate(divide="ignore", under="ignore"):
        scale = -0.125 / np.square(np.float64(sigma))
        half = np.exp(np.arange(1 - size, 0, 2, dtype=np.float64) ** 2 * scale)
    whole = np.concatenate([half, [1.0], half[::-1]])
    return whole / (2 * math.fsum(half) + 1)


def weights_of(dtype: str, weights: Any) -> tuple[Any, ...]:
    """Return weights, an array of float64, as images of a dtype are multiplied by them."""
    if dtype in _PARTS:
        return in_parts(weights, _PARTS[dtype])
    return in_floats(weights) if dtype == "float32" else tuple(weights.tolist())


def in_parts(weights: Any, bits: int = _BITS) -> tuple[int, ...]:
    """Return weights in parts of 2**bits with that sum: what rounding leaves over goes to the next one."""
    half, left = [], 0.0
    for weight in weights[: len(weights) // 2].tolist():
        exact = weight * 2**bits + left
        half.append(round(exact))
        left = exact - half[-1]
    return (*half, 2**bits - 2 * sum(half), *half[::-1])


def in_floats(weights: Any) -> tuple[float, ...]:
    """Return weights rounded to float32.

    The smallest become normal numbers, because TensorFlow takes others for zero: times infinity, NaN.
    """
    small = weights.astype(np.float32)
    least = np.finfo(np.float32).tiny
    return tuple(np.where(small > 0, np.maximum(small, least), small).tolist())


def drawn_weights(dtype: str, size: Any, sigma: Any, most: int) -> Any:
    """Return what `gaussian_weights` and `weights_of` do, in the graph.

    `size`, `sigma`: shape (b,), int32 and float64; odd, up to `most`; where sigma is not positive it follows
    from the size. Returns: shape (b, most); beyond the size zeros, for floats -1: not even an infinity counts
    there.
    """
    half = (size // 2)[:, tf.newaxis]
    distances = tf.range(most // 2 + 1)
    wide = tf.cast(distances, tf.float64)
    of_size = tf.cast(size, tf.float64) * 0.15 + 0.35
    width = tf.where(sigma > 0, sigma, of_size)[:, tf.newaxis]
    heights = tf.where(distances == 0, tf.ones([], tf.float64), tf.exp(-0.5 * wide * wide / (width * width)))
    heights = tf.where(distances <= half, heights, tf.zeros([], tf.float64))
    weights = heights / (2 * tf.reduce_sum(heights[:, 1:], 1, keepdims=True) + 1)
    rows = [[*row[len(row) // 2 :], *[0] * (most // 2 + 1)][: most // 2 + 1] for row in _TABLE.values()]
    known = tf.gather(tf.constant(rows, tf.float64) / 2**_BITS, tf.minimum(half[:, 0], len(rows) - 1))
    weights = tf.where((sigma[:, tf.newaxis] <= 0) & (half < len(rows)), known, weights)
    bits = _PARTS.get(dtype)
    if bits:
        sums = tf.round(tf.cumsum(weights[:, 1:] * 2**bits, 1, reverse=True))
        sums = tf.pad(sums, [[0, 0], [0, 1]])
        weights = tf.concat([2**bits - 2 * sums[:, :1], sums[:, :-1] - sums[:, 1:]], 1)
    elif dtype == "float32":
        least = np.finfo(np.float32).tiny.astype(np.float64)
        # Half of the smallest number is rounded to zero.
        small = tf.maximum(weights, tf.constant(least, tf.float64))
        weights = tf.where(weights > 2.0**-150, small, tf.zeros([], tf.float64))
    if not bits:
        weights = tf.where(distances <= half, weights, -tf.ones([], tf.float64))
    return tf.concat([tf.reverse(weights[:, 1:], [1]), weights], 1)


def filtered(x: Any, how: Filter, *weights: Any) -> Any:
    """Return filtered images (B, H, W, C), of a dtype that OpenCV filters.

    Each of the two passes is a program of its own: of one program XLA would compute the first pass again
    for every weight of the second. Weights that are tensors, along columns and along rows, are (B, N) or
    (1, N).
    """
    counts = [one if isinstance(one, int) else len(one) for one in (how.down, how.across)]
    if counts == [1, 1]:
        return tf.identity(x)
    ends = (_ends(x, how.area),) if _ends_differ(how) else ()

    def run(program: Callable[..., Any], wide: Any) -> Any:
        rows = program(_down, how)(wide, *weights[:1])
        return program(_across, how, x.shape[3])(rows, *weights[1:], *ends)

    return on_grown(x, how.rule, evenly(*(count // 2 for count in counts)), run)


def _ends(x: Any, area: int) -> Any:
    """Return where in a row of (B, H, W, C) the values begin that make no eight, or of two no sixteen."""
    values = tf.shape(x)[2] * x.shape[3]
    return values - values % (_AT_ONCE if area > _FEW else 2 * _AT_ONCE)


def _added(x: Any, axis: int, step: int, weights: Any) -> Any:
    """Return the weighted sums along one axis of three, whose neighbours are `step` elements apart.

    On both sides there is a border of half the weights; of an even number the last pixel is not used.
    """
    drawn = tf.is_tensor(weights)
    count = weights.shape[1] if drawn else len(weights)
    size = (x.shape[axis] or tf.shape(x)[axis]) - 2 * (count // 2) * step

    def part(tap: int) -> Any:
        begin, length = [0] * x.shape.rank, [-1] * x.shape.rank
        begin[axis], length[axis] = tap * step, size
        return tf.slice(x, begin, length)

    def times(values: Any, tap: int) -> Any:
        if not drawn:
            return values if weights[tap] == 1 else values * tf.constant(weights[tap], x.dtype)
        weight = tf.cast(weights[:, tap, tf.newaxis, tf.newaxis], x.dtype)
        if not x.dtype.is_floating:
            return values * weight
        return tf.where(weight < 0, tf.zeros([], x.dtype), values * weight)

    total = times(part(count // 2), count // 2) if count % 2 else None
    for tap in reversed(range(count // 2)):
        pair = times(part(tap) + part(count - 1 - tap), tap)
        total = pair if total is None else total + pair
    return total


def _down(how: Filter) -> Callable[..., Any]:
    """Return what sums along columns: (B, h, w, C) to (B, H, w * C), in a dtype that holds the sums."""

    def down(wide: Any, *weights: Any) -> Any:
        sizes = sizes_of(wide)
        rows = tf.reshape(wide, [*sizes[:2], sizes[2] * sizes[3]])
        if rows.dtype == tf.uint8:
            short = bool(weights) or _BYTE * sum(how.down) <= _SHORT
            rows = tf.cast(rows, tf.uint16 if short else tf.int32)
        elif rows.dtype == tf.uint16:
            rows = tf.cast(rows, tf.float64)  # which holds products of 48 bits
        return _added(rows, 1, 1, *weights or [how.down])

    return down


def _across(how: Filter, channels: int) -> Callable[..., Any]:
    """Return what sums along rows: (B, H, w * C) to the result (B, H, W, C).

    It is given weights that are tensors, or where the values begin that make no eight, for means of bytes
    that differ there.
    """

    def across(rows: Any, *given: Any) -> Any:
        if not rows.dtype.is_floating and not 0 < how.area <= _FEW:
            rows = tf.cast(rows, tf.int32)
        drawn = isinstance(how.across, int)
        total = _added(rows, 2, channels, given[0] if drawn else how.across)
        sizes = sizes_of(total)
        found = _finished(total, how, *given[int(drawn) :])
        return tf.reshape(found, [*sizes[:2], sizes[2] // channels, channels])

    return across


def _finished(total: Any, how: Filter, *ends: Any) -> Any:
    """Return the result of sums (B, H, W * C)."""
    area = how.area
    if how.dtype == "uint16":
        whole = 2.0 ** (2 * _PARTS["uint16"])
        return tf.cast(tf.floor((total + whole / 2) * (1 / whole)), tf.uint16)
    if total.dtype.is_floating:
        return total * tf.constant(1 / area, total.dtype) if area else total
    if not area:
        return tf.cast(tf.bitwise.right_shift(total + 2 ** (2 * _BITS - 1), 2 * _BITS), tf.uint8)
    if area <= _FEW:
        total = tf.cast(total, tf.int32)
        return tf.cast(_of_two(total, *ends) if area == _TWO else _divided(total, area), tf.uint8)
    mean = tf.round(tf.cast(total, tf.float32) * tf.constant(1 / area, tf.float32))
    if ends:
        last = tf.round(tf.cast(total, tf.float64) * tf.constant(1 / area, tf.float64))
        mean = tf.where(tf.range(tf.shape(total)[2]) < ends[0], mean, tf.cast(last, tf.float32))
    return tf.cast(mean, tf.uint8)


def _divided(total: Any, area: int) -> Any:
    """Return the mean of few bytes, by a rounded inverse; one more is added where that is too small."""
    inverse, rest = divmod(2**_FEW_BITS, area)
    more = 2 * rest < area
    total = (total + (area // 2 + more)) * (inverse + (not more))
    return tf.bitwise.right_shift(total, _FEW_BITS)


def _of_two(total: Any, ends: Any) -> Any:
    """Return the mean of two bytes, rounded up: of two 255 it is 256, which OpenCV limits in sixteens."""
    mean = tf.bitwise.right_shift(total + 2, 1)
    sixteens = tf.range(tf.shape(total)[2]) < ends
    return tf.where(sixteens, tf.minimum(mean, _BYTE), tf.bitwise.bitwise_and(mean, _BYTE))


def _ends_differ(how: Filter) -> bool:
    """Say whether the means of bytes that make no eight are computed otherwise."""
    if how.dtype != "uint8":
        return False
    return how.area == _TWO or (how.area > _FEW and (how.area % 2 == 0 or how.area >= _MANY))
