"""OpenCV's interpolation weights for the 32 positions between two pixels that its warps tell apart."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from pipeport._lazy import tf

Array = np.ndarray[Any, Any]

STEPS = 32
# Weights of bytes are whole numbers of this scale.
SCALE = 1 << 15
_SLOPE = -0.75  # of the cubic, one pixel from its middle


def _cubic(x: Any) -> list[Any]:
    """Return the four weights for the part `x` of a pixel, a NumPy value or a tensor."""
    a = _SLOPE
    back = 1 - x
    first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    second, third = (((a + 2) * d - (a + 3)) * d * d + 1 for d in (x, back))
    return [first, second, third, 1 - first - second - third]


def cubic_weights(part: Any) -> Any:
    """Return the cubic's weights for float32 parts of a pixel; the last axis is that of the taps."""
    return tf.stack(_cubic(part), axis=-1)


def _lanczos4(x: np.float32) -> list[np.float32]:
    if x < np.finfo(np.float32).eps:
        return [np.float32(tap == 3) for tap in range(8)]
    # sin(pi d) sin(pi d / 4) / d^2 over the taps, for which sin(pi d) only changes sign; the
    # common factor goes when the weights are made to sum to one.
    quarter = math.pi / 4
    angles = [-(float(x) + 3 - tap) * quarter for tap in range(8)]
    raw = [np.float32((-1) ** tap * math.sin(angle) / angle**2) for tap, angle in enumerate(angles)]
    scale = np.float32(1) / functools.reduce(lambda total, value: np.float32(total + value), raw)
    return [np.float32(value * scale) for value in raw]


@functools.cache
def weights(taps: int) -> Array:
    """Return the weights along one axis: float32, (32, taps), for 4 (cubic) or 8 taps (Lanczos)."""
    rule = {4: _cubic, 8: _lanczos4}[taps]
    return np.array([rule(np.float32(step) / np.float32(STEPS)) for step in range(STEPS)], np.float32)


@functools.cache
def byte_weights(taps: int) -> Array:
    """Return the weights of both axes for bytes: int32, (1024, taps, taps), each summing to 32768.

    What rounding leaves over goes to the largest or comes from the smallest of the middle four.
    """
    line = weights(taps)
    both = line[:, np.newaxis, :, np.newaxis] * line[np.newaxis, :, np.newaxis, :]
    whole = np.clip(np.rint(both * np.float32(SCALE)), -SCALE, SCALE - 1).astype(np.int32)
    table = whole.reshape(STEPS * STEPS, taps, taps)
    first = taps // 2
    for entry in table:
        excess = int(entry.sum()) - SCALE
        middle = entry[first : first + 2, first : first + 2]
        if excess:
            pick = middle.argmax() if excess < 0 else middle.argmin()
            middle[np.unravel_index(pick, middle.shape)] -= excess
    return np.asarray(table)
