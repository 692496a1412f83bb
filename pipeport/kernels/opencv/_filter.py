"""Filters of images along columns and rows, with OpenCV's borders, weights and rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.sampling._margins import extended, fold_taps

# Kernels that OpenCV keeps in a table, for sizes without a sigma; in parts of 256.
_TABLE = {
    1: (256,),
    3: (64, 128, 64),
    5: (16, 64, 96, 64, 16),
    7: (8, 28, 56, 72, 56, 28, 8),
    9: (4, 13, 30, 51, 60, 51, 30, 13, 4),
}
_BITS = 8
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

    Attributes
    ----------
    down, across : tuple of int or float
        The weights along columns and along rows, the same from both ends; integers for bytes.
    rule : str
        The border, by its name in `_margins`.
    area : int
        Of a mean the number of pixels, else 0: then the weights of bytes are parts of 256.
    """

    down: tuple[Any, ...]
    across: tuple[Any, ...]
    rule: str
    area: int = 0


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


def in_parts(weights: Any) -> tuple[int, ...]:
    """Return weights in parts of 256 with that sum: what rounding leaves over goes to the next one."""
    half, left = [], 0.0
    for weight in weights[: len(weights) // 2].tolist():
        exact = weight * 2**_BITS + left
        half.append(round(exact))
        left = exact - half[-1]
    return (*half, 2**_BITS - 2 * sum(half), *half[::-1])


def in_floats(weights: Any) -> tuple[float, ...]:
    """Return weights rounded to float32.

    The smallest become normal numbers, because TensorFlow takes others for zero: times infinity, NaN.
    """
    small = weights.astype(np.float32)
    least = np.finfo(np.float32).tiny
    return tuple(np.where(small > 0, np.maximum(small, least), small).tolist())


def filtered(x: Any, how: Filter) -> Any:
    """Return filtered images (B, H, W, C), uint8 or float32.

    Each of the two passes is a program of its own: of one program XLA would compute the first pass again
    for every weight of the second. Images of unknown sizes are padded to few sizes.
    """
    if len(how.down) == len(how.across) == 1:
        return tf.identity(x)
    known = x.shape.is_fully_defined()
    return xla.choose(known, program=_of_all_sizes, otherwise=_of_all_sizes, in_buckets=_in_buckets)(x, how)


def _of_all_sizes(x: Any, how: Filter) -> Any:
    known = x.shape.is_fully_defined()
    down, across = xla.run(_down, how, known=known), xla.run(_across, how, x.shape[3], known=known)
    return across(down(grown(x, how.rule, _reach(how))), *_own_ends(x, how))


def _in_buckets(x: Any, how: Filter) -> Any:
    down, across = xla.compiled(_down, how), xla.compiled(_across, how, x.shape[3])
    height, width = tf.unstack(tf.shape(x)[1:3])
    blurred = across(down(grown_to_bucket(x, how.rule, _reach(how))), *_own_ends(x, how))
    return tf.ensure_shape(blurred[:, :height, :width], x.shape)


def _reach(how: Filter) -> tuple[int, int]:
    return len(how.down) // 2, len(how.across) // 2


def _own_ends(x: Any, how: Filter) -> tuple[Any, ...]:
    return (_ends(x, how.area),) if _ends_differ(how) and x.dtype == tf.uint8 else ()


def grown(x: Any, rule: str, sides: tuple[int, int]) -> Any:
    """Return images with their borders, of which alone the pixels are gathered."""
    if rule == "grid-constant":
        return tf.pad(x, [[0, 0], *([count, count] for count in sides), [0, 0]])
    for axis, count in enumerate(sides, start=1):
        size = x.shape[axis]
        if count and size is not None and size > count and rule != "nearest":
            x = extended(x, [axis], rule, count, 0)
        elif count:
            size = size or tf.shape(x)[axis]
            around = (tf.range(-count, 0), tf.range(size, size + count))
            before, after = (tf.gather(x, fold_taps(at, size, rule), axis=axis) for at in around)
            x = tf.concat([before, x, after], axis)
    return x


def grown_to_bucket(x: Any, rule: str, sides: tuple[int, int]) -> Any:
    """Return images with their borders, and behind those anything up to the next bucket of sizes."""
    batch, *sizes = tf.unstack(tf.shape(x)[:3])
    whole = [xla.bucket(size + 2 * count) for size, count in zip(sizes, sides, strict=True)]
    after = [large - size - count for large, size, count in zip(whole, sizes, sides, strict=True)]
    shape = [x.shape[0], None, None, x.shape[3]]
    if rule == "grid-constant":
        added = [[0, 0], *([count, end] for count, end in zip(sides, after, strict=True)), [0, 0]]
        return tf.ensure_shape(tf.pad(x, tf.stack(added)), shape)
    rows = fold_taps(tf.range(-sides[0], sizes[0] + after[0]), sizes[0], rule)
    parts = [tf.gather(x, rows, axis=1)]  # whole rows are copied fast, single pixels are not
    if count := sides[1]:
        around = (tf.range(-count, 0), tf.range(sizes[1], sizes[1] + count))
        before, behind = (tf.gather(parts[0], fold_taps(at, sizes[1], rule), axis=2) for at in around)
        parts = [before, *parts, behind]
    rest = tf.zeros(tf.stack([batch, whole[0], after[1] - count, x.shape[3]]), x.dtype)
    return tf.ensure_shape(tf.concat([*parts, rest], 2), shape)


def _ends(x: Any, area: int) -> Any:
    """Return where in a row of (B, H, W, C) the values begin that make no eight, or of two no sixteen."""
    values = tf.shape(x)[2] * x.shape[3]
    return values - values % (_AT_ONCE if area > _FEW else 2 * _AT_ONCE)


def _added(x: Any, axis: int, step: int, weights: tuple[Any, ...]) -> Any:
    """Return the weighted sums along one axis, whose neighbours are `step` elements apart.

    On both sides there is a border of half the weights; of an even number the last pixel is not used.
    """
    count = len(weights)
    size = (x.shape[axis] or tf.shape(x)[axis]) - 2 * (count // 2) * step

    def part(tap: int) -> Any:
        begin, length = [0] * x.shape.rank, [-1] * x.shape.rank
        begin[axis], length[axis] = tap * step, size
        return tf.slice(x, begin, length)

    def times(values: Any, weight: Any) -> Any:
        return values if weight == 1 else values * tf.constant(weight, x.dtype)

    total = times(part(count // 2), weights[count // 2]) if count % 2 else None
    for tap in reversed(range(count // 2)):
        pair = times(part(tap) + part(count - 1 - tap), weights[tap])
        total = pair if total is None else total + pair
    return total


def _down(how: Filter) -> Callable[[Any], Any]:
    """Return what sums along columns: (B, h, w, C) to (B, H, w * C), in a dtype that holds the sums."""

    def down(wide: Any) -> Any:
        sizes = _sizes(wide)
        rows = tf.reshape(wide, [*sizes[:2], sizes[2] * sizes[3]])
        if not rows.dtype.is_floating:
            rows = tf.cast(rows, tf.uint16 if _BYTE * sum(how.down) <= _SHORT else tf.int32)
        return _added(rows, 1, 1, how.down)

    return down


def _across(how: Filter, channels: int) -> Callable[..., Any]:
    """Return what sums along rows: (B, H, w * C) to the result (B, H, W, C).

    It is given where the values begin that make no eight, for means of bytes that differ there.
    """

    def across(rows: Any, *ends: Any) -> Any:
        if not rows.dtype.is_floating and not 0 < how.area <= _FEW:
            rows = tf.cast(rows, tf.int32)
        total = _added(rows, 2, channels, how.across)
        sizes = _sizes(total)
        return tf.reshape(_finished(total, how.area, *ends), [*sizes[:2], sizes[2] // channels, channels])

    return across


def _finished(total: Any, area: int, *ends: Any) -> Any:
    """Return the result of sums (B, H, W * C)."""
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
    return how.area == _TWO or (how.area > _FEW and (how.area % 2 == 0 or how.area >= _MANY))


def _sizes(x: Any) -> list[Any]:
    return [tf.shape(x)[axis] if side is None else side for axis, side in enumerate(x.shape)]
