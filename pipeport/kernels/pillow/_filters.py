"""Pillow's resampling filters and the coefficient tables they give.

Written once for NumPy and TensorFlow: `xp` is the module `numpy` where sizes are known while
tracing, else TensorFlow.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla._divide import divided

NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING, MKS2013, MKS2021 = range(8)

# The constants of this window are single precision in Pillow.
_HAMMING = (float(np.float32(0.54)), float(np.float32(0.46)))


def _box(x: Any, xp: Any) -> Any:
    return xp.where((x > -0.5) & (x <= 0.5), xp.ones_like(x), xp.zeros_like(x))


def _bilinear(x: Any, xp: Any) -> Any:
    return xp.maximum(1.0 - xp.abs(x), xp.zeros_like(x))


def _sinc(x: Any, xp: Any) -> Any:
    angle = xp.where(x == 0, xp.ones_like(x), x * math.pi)
    return xp.where(x == 0, xp.ones_like(x), xp.sin(angle) / angle)


def _hamming(x: Any, xp: Any) -> Any:
    x = xp.abs(x)
    window = _HAMMING[0] + _HAMMING[1] * xp.cos(x * math.pi)
    return xp.where(x == 0, xp.ones_like(x), xp.where(x >= 1, xp.zeros_like(x), _sinc(x, xp) * window))


def _bicubic(x: Any, xp: Any) -> Any:
    x, a = xp.abs(x), -0.5
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return xp.where(x < 1, near, xp.where(x < 2, far, xp.zeros_like(x)))


def _lanczos(x: Any, xp: Any) -> Any:
    inside = (x >= -3.0) & (x < 3.0)
    return xp.where(inside, _sinc(x, xp) * _sinc(divided(x, 3.0), xp), xp.zeros_like(x))


def _piecewise(x: Any, xp: Any, pieces: tuple[Callable[[Any], Any], ...]) -> Any:
    """Pieces of one pixel about whole distances; the first is half a piece, zero comes last."""
    value = xp.zeros_like(x)
    for index in reversed(range(len(pieces))):
        value = xp.where(x <= index + 0.5, pieces[index](x), value)
    return value


def _mks2013(x: Any, xp: Any) -> Any:
    return _piecewise(
        xp.abs(x),
        xp,
        (
            lambda x: 17 / 16 - 7 / 4 * x * x,
            lambda x: (1 - x) * (7 / 4 - x),
            lambda x: -1 / 8 * (x - 2.5) * (x - 2.5),
        ),
    )


def _mks2021(x: Any, xp: Any) -> Any:
    return _piecewise(
        xp.abs(x),
        xp,
        (
            lambda x: 577 / 576 - 239 / 144 * x * x,
            lambda x: 35 / 36 * (x - 1) * (x - 239 / 140),
            lambda x: 1 / 6 * (x - 2) * (65 / 24 - x),
            lambda x: 1 / 36 * (x - 3) * (x - 15 / 4),
            lambda x: -1 / 288 * (x - 4.5) * (x - 4.5),
        ),
    )


_FILTERS: dict[int, tuple[Callable[[Any, Any], Any], float]] = {
    BOX: (_box, 0.5),
    BILINEAR: (_bilinear, 1.0),
    HAMMING: (_hamming, 1.0),
    BICUBIC: (_bicubic, 2.0),
    LANCZOS: (_lanczos, 3.0),
    MKS2013: (_mks2013, 2.5),
    MKS2021: (_mks2021, 4.5),
}


@dataclass(frozen=True, eq=False)
class Table:
    """Coefficients of one axis.

    `first`: int32, shape (out,); first pixel read by each output pixel. `count`: int32, shape (out,).
    `weights`: float64, shape (taps, out); their weights, zero from `count` on.
    """

    first: Any
    count: Any
    weights: Any


@functools.lru_cache(maxsize=256)
def table(size: int, start: float, stop: float, out: int, number: int) -> Table:
    """Return the coefficients for sizes known while tracing; see `graph_table`."""
    center, support, step = _centers(
        np.float32(start), np.float32(stop), np.arange(out, dtype=np.float64), out, number, np
    )
    first = np.maximum(np.trunc(center - support + 0.5), 0).astype(np.int32)
    count = np.minimum(np.trunc(center + support + 0.5), size).astype(np.int32) - first
    taps = np.arange(max(1, int(count.max())), dtype=np.int32)[:, np.newaxis]
    weights = _FILTERS[number][0]((taps + first - center + 0.5) * step, np)
    weights = np.where(taps < count, weights, 0.0)
    total = functools.reduce(np.add, weights)  # one by one, as Pillow adds them up
    weights = np.where(total != 0, weights / np.where(total == 0, 1.0, total), weights)
    return Table(first, count, weights)


def graph_table(
    size: Any,
    start: Any,
    stop: Any,
    out: Any,
    number: int,
    kept: Any,
    pixels: Any = None,
    rounded: Callable[[Any], Any] | None = None,
) -> Table:
    """Return the coefficients for sizes known when the graph runs.

    `size`: int or int32 tensor; size of the input axis; of several axes, shape (axes, 1). `start`, `stop`:
    float32 tensor; the part of the axis to resample. `out`: int or int32 tensor; size of the output axis.
    `kept`: whether the axis is copied from `start` on, as it is. `pixels`: int32 tensor, shape (n,); the
    output pixels, all by default. `rounded`: gives how many coefficients there shall be at least, from how
    many are needed. Returns: of tensors; `axes` comes before `out`, where there are several.
    """
    pixels = tf.range(out) if pixels is None else pixels
    center, support, step = _centers(
        start, stop, tf.cast(pixels, tf.float64), tf.cast(out, tf.float64), number, tf
    )
    # Casts truncate.
    first = tf.maximum(tf.cast(center - support + 0.5, tf.int32), 0)
    count = tf.minimum(tf.cast(center + support + 0.5, tf.int32), size) - first
    first = tf.where(kept, pixels + tf.cast(start, tf.int32), first)
    count = tf.where(kept, 1, count)
    most = tf.maximum(tf.reduce_max(count), 1)
    taps = tf.reshape(tf.range(rounded(most) if rounded else most), [-1] + [1] * first.shape.rank)
    # Not known to be 0.5: Grappler would add a constant to the whole number first, and round otherwise.
    half = 0.5 + tf.cast(tf.math.is_nan(center), tf.float64)
    offset = tf.cast(taps + first, tf.float64) - center + half
    weights = _FILTERS[number][0](offset * step, tf)
    weights = tf.where(taps < count, weights, tf.zeros_like(weights))
    # One by one, as Pillow adds them up; `reduce_sum` adds in another order.
    total = tf.cumsum(weights)[-1]
    total = tf.where(tf.equal(total, 0), tf.ones_like(total), total)
    return Table(first, count, tf.where(kept, tf.cast(taps < count, tf.float64), weights / total))


def _centers(start: Any, stop: Any, pixels: Any, out: Any, number: int, xp: Any) -> tuple[Any, Any, Any]:
    """Return the centre of each output pixel, how far the filter reaches, and 1 / its stretch."""
    cast = tf.cast if xp is tf else np.asarray
    scale = divided(cast(stop - start, xp.float64), out)  # the difference is single precision in Pillow
    stretch = xp.maximum(scale, cast(1.0, xp.float64))
    center = cast(start, xp.float64) + (pixels + 0.5) * scale
    return center, _FILTERS[number][1] * stretch, divided(1.0, stretch)
