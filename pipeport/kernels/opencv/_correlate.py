"""Sums of pixels times the weights of a kernel, with OpenCV's borders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._borders import Around, evenly, on_grown
from pipeport.kernels.sampling._box_sums import AT_ONCE, MOST

# Weights, each with the rows and columns of the pixels that it is for.
Groups = tuple[tuple[float, tuple[tuple[int, int], ...]], ...]
# From so many pixels on a kernel of one weight is summed along columns, then along rows.
_BOX = 16


class Correlation(NamedTuple):
    """What is summed.

    `groups`: the weights that are not zero; empty for a kernel that is a tensor. `size`: height and width of
    the kernel. `work`: the dtype of the sums: int32 where weights and pixels are whole numbers, else float32
    or float64. `dtype`: that of the result: whole numbers are rounded, and saturate. `scale`, `delta`: the
    sum is multiplied by the first, and the second is added.
    """

    groups: Groups
    size: tuple[int, int]
    work: str
    dtype: str
    scale: float = 1.0
    delta: float = 0.0


def groups_of(kernel: Any) -> Groups:
    """Return the weights of a kernel (h, w) that are not zero."""
    found: dict[float, list[tuple[int, int]]] = {}
    for row, column in np.argwhere(kernel):
        found.setdefault(float(kernel[row, column]), []).append((int(row), int(column)))
    return tuple((weight, tuple(places)) for weight, places in found.items())


def is_box(groups: Groups, size: tuple[int, int]) -> bool:
    """Say whether all pixels of a large kernel have one weight."""
    return len(groups) == 1 and len(groups[0][1]) == size[0] * size[1] >= _BOX


def correlated(x: Any, how: Correlation, rule: str, anchor: tuple[int, int], *kernel: Any) -> Any:
    """Return the sums around each pixel of images (B, H, W, C).

    `rule`: the border, by its name in `_margins`. `anchor`: row and column of the pixel of the kernel that
    lies on the pixel that is computed. `*kernel`: one that is not known while tracing, or has more than
    `MOST` weights: (B, h, w) or (1, h, w). Returns: (B, H, W, C).
    """
    channels = x.shape[3]
    rows, columns = ((before, side - 1 - before) for side, before in zip(how.size, anchor, strict=True))
    around: Around = (rows, columns)

    def run(program: Callable[..., Any], wide: Any) -> Any:
        if is_box(how.groups, how.size):
            # Two programs: of one XLA would compute the first sums again for every pixel of the second.
            return program(_box_across, how, channels)(program(_box_down, how, channels)(wide))
        if kernel and how.size[0] * how.size[1] > MOST:
            return _by_strips(program, how, wide, kernel[0])
        return program(sums, how, channels)(wide, *kernel)

    return on_grown(x, rule, around, run)


def _by_strips(program: Callable[..., Any], how: Correlation, wide: Any, kernel: Any) -> Any:
    """Return the sums for a large kernel, a few of its rows after the other, all by one program."""
    height, width = how.size
    count = max(AT_ONCE // width, 1)
    rows = sizes_of(wide)[1] - height + 1
    total: list[Any] = []
    for first in range(0, height, count):
        some = min(count, height - first)
        part, weights = wide[:, first : first + rows + some - 1], kernel[:, first : first + some]
        total = [program(_strip, (some, width), how.work)(part, weights, *total)]
    return program(_joined, how, wide.shape[3])(*total)


def _strip(size: tuple[int, int], work: str) -> Callable[..., Any]:
    def strip(part: Any, weights: Any, *total: Any) -> Any:
        rows = _in_rows(part, part.shape[3])
        return tf.add_n([*total, *_products(rows, size, part.shape[3], tf.cast(weights, work))])

    return strip


def _products(rows: Any, size: tuple[int, int], channels: int, kernel: Any) -> list[Any]:
    """Return the pixels (B, H, W * C) at each place of a kernel (B, h, w), or (1, h, w), times its weight."""
    _, height, width = sizes_of(rows)
    whole = (height - size[0] + 1, width - (size[1] - 1) * channels)
    weights = kernel[..., tf.newaxis, tf.newaxis]
    return [
        tf.cast(_part(rows, (row, column * channels), whole), kernel.dtype) * weights[:, row, column]
        for row, column in np.ndindex(*size)
    ]


def correlated_apart(x: Any, how: Correlation, rule: str, pairs: Any) -> Any:
    """Return sums of sums along columns, then along rows, of images (B, H, W, C).

    `how`: without groups; int32 sums wrap around. `pairs`: the weights, along columns and along rows, of each
    of the sums that are added: tuples of odd length, for the pixels around each one. Returns: (B, H, W, C).
    """
    channels = x.shape[3]

    def run(program: Callable[..., Any], wide: Any) -> Any:
        # Programs of their own: of one XLA would compute the first sums again for every pixel of the second.
        parts = []
        for down, across in pairs:
            rows = program(_line_down, down, how.work)(wide)
            parts.append(program(_line_across, across, channels)(rows))
        return program(_joined, how, channels)(*parts)

    return on_grown(x, rule, evenly(*(side // 2 for side in how.size)), run)


def _line_down(weights: tuple[float, ...], work: str) -> Callable[[Any], Any]:
    def down(wide: Any) -> Any:
        batch, height, width, channels = sizes_of(wide)
        rows = tf.reshape(tf.cast(wide, work), [batch, height, width * channels])
        return _line(rows, weights, 1, 1)

    return down


def _line_across(weights: tuple[float, ...], channels: int) -> Callable[[Any], Any]:
    return lambda rows: _line(rows, weights, 2, channels)


def _line(rows: Any, weights: tuple[float, ...], axis: int, step: int) -> Any:
    size = list(sizes_of(rows))
    size[axis] -= (len(weights) - 1) * step
    begins = ([place * step if at == axis else 0 for at in range(3)] for place in range(len(weights)))
    parts = zip(weights, begins, strict=True)
    return tf.add_n([tf.slice(rows, begin, size) * _constant(one, rows) for one, begin in parts if one])


def _joined(how: Correlation, channels: int) -> Callable[..., Any]:
    return lambda *parts: _finished(tf.add_n(parts), how, channels)


def _in_rows(wide: Any, channels: int) -> Any:
    """Return (B, h, w, C) as (B, h, w * C), whole numbers as int32, whose sums are exact."""
    sizes = sizes_of(wide)
    rows = tf.reshape(wide, [*sizes[:2], sizes[2] * channels])
    return rows if rows.dtype.is_floating else tf.cast(rows, tf.int32)


def _part(rows: Any, begin: tuple[int, int], size: tuple[Any, Any]) -> Any:
    return tf.slice(rows, [0, *begin], [-1, *size])


def _box_down(how: Correlation, channels: int) -> Callable[[Any], Any]:
    count = how.size[0]

    def down(wide: Any) -> Any:
        # Of 255 x 255 numbers of 16 bits the sum is not an int32.
        rows = _in_rows(tf.cast(wide, tf.float64) if wide.dtype.size == 2 else wide, channels)
        _, height, width = sizes_of(rows)
        return tf.add_n([_part(rows, (tap, 0), (height - count + 1, width)) for tap in range(count)])

    return down


def _box_across(how: Correlation, channels: int) -> Callable[[Any], Any]:
    count = how.size[1]

    def across(rows: Any) -> Any:
        _, height, width = sizes_of(rows)
        size = (height, width - (count - 1) * channels)
        total = tf.add_n([_part(rows, (0, tap * channels), size) for tap in range(count)])
        return _finished(_weighted(total, how.groups[0][0], how), how, channels)

    return across


def sums(how: Correlation, channels: int) -> Callable[..., Any]:
    """Return what sums around each pixel of images with their borders, and takes a kernel if one is given."""

    def summed(wide: Any, *kernel: Any) -> Any:
        rows = _in_rows(wide, channels)
        _, height, width = sizes_of(rows)
        size = (height - how.size[0] + 1, width - (how.size[1] - 1) * channels)

        def at(row: int, column: int) -> Any:
            return _part(rows, (row, column * channels), size)

        if kernel:
            parts = _products(rows, how.size, channels, tf.cast(kernel[0], how.work))
        else:
            parts = [
                _weighted(tf.add_n([at(*place) for place in places]), weight, how)
                for weight, places in how.groups
            ]
        total = tf.add_n(parts) if parts else tf.cast(at(0, 0) * 0, how.work)
        return _finished(total, how, channels)

    return summed


def _weighted(total: Any, weight: float, how: Correlation) -> Any:
    total = tf.cast(total, how.work)
    return total if weight == 1 else total * _constant(weight, total)


def _constant(value: float, like: Any) -> Any:
    return tf.constant(np.asarray(value, like.dtype.as_numpy_dtype))


def _finished(total: Any, how: Correlation, channels: int) -> Any:
    """Return the result (B, H, W, C) of sums (B, H, W * C)."""
    if how.scale != 1:
        total = total * _constant(how.scale, total)
    if how.delta != 0:
        total = total + _constant(how.delta, total)
    found = saturated(total, tf.as_dtype(how.dtype))
    sizes = sizes_of(found)
    return tf.reshape(found, [*sizes[:2], sizes[2] // channels, channels])


def saturated(x: Any, dtype: Any) -> Any:
    """Return numbers in another dtype; to whole numbers they are rounded and clipped."""
    if dtype.is_floating:
        return tf.cast(x, dtype)
    whole = tf.round(x) if x.dtype.is_floating else x
    return tf.cast(tf.clip_by_value(whole, int(dtype.min), int(dtype.max)), dtype)
