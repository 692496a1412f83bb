"""Pillow's resize to the nearest pixel: one index per row and per column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.pillow._resample import running
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import plus_product


def _positions(start: Any, stop: Any, out: Any, stepwise: bool) -> Any:
    """Return the index of each output pixel, -1 or the size where it misses the image."""
    dynamic = any(tf.is_tensor(value) for value in (start, stop, out))
    if not dynamic:
        first, last = np.float32(start), np.float32(stop)
        step, low = float(last - first) / out, float(first)
        # 16 bits are sampled point by point, the others in steps that add up.
        places = running(low + step * 0.5, step, out) if stepwise else step * (np.arange(out) + 0.5) + low
        return np.where(places < 0, -1, np.trunc(places)).astype(np.int32)
    start, stop = tf.cast(start, tf.float32), tf.cast(stop, tf.float32)
    step, start = divided(stop - start, out), tf.cast(start, tf.float64)
    if stepwise:
        places = running(start + step * 0.5, step, out)
    else:
        places = plus_product(start, step * (tf.range(out, dtype=tf.float64) + 0.5), start)
    return tf.cast(tf.floor(places), tf.int32)


def _gathered() -> Callable[[Any, Any, Any], Any]:
    def run(pixels: Any, rows: Any, columns: Any) -> Any:
        return tf.gather(tf.gather(pixels, rows, axis=1), columns, axis=2)

    return run


def nearest(pixels: Any, size: tuple[Any, Any], box: tuple[Any, ...]) -> Any:
    """Resize pixels (B, H, W, C) to the nearest.

    `pixels`: shape (B, H, W, C). `size`: integers or scalar int32 tensors. `box`: floats or float32 tensors.
    Returns: shape (B, height, width, C); the nearest pixels; zero where rounding leads out of the image.
    """
    stepwise = pixels.dtype != tf.uint16
    known = pixels.shape[1:3].as_list()
    lengths = [side if side is not None else tf.shape(pixels)[i + 1] for i, side in enumerate(known)]
    found = [_positions(box[1 - i], box[3 - i], size[1 - i], stepwise) for i in (0, 1)]
    valid = [(index >= 0) & (index < length) for index, length in zip(found, lengths, strict=True)]
    clipped = [
        tf.clip_by_value(tf.convert_to_tensor(index), 0, length - 1)
        for index, length in zip(found, lengths, strict=True)
    ]
    static = pixels.shape.is_fully_defined() and all(isinstance(side, int) for side in size)
    result = xla.run(_gathered, known=static)(pixels, *clipped)
    if not all(isinstance(good, np.ndarray) and good.all() for good in valid):
        rows, columns = (tf.convert_to_tensor(good) for good in valid)
        good = (rows[:, tf.newaxis] & columns)[..., tf.newaxis]
        result = tf.where(good, result, tf.zeros([], pixels.dtype))
    sides = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(result, [pixels.shape[0], *sides, pixels.shape[3]])
