"""Flips and quarter turns of pixels (B, H, W, C), numbered as in Pillow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla

# Number: axes reversed first, and whether rows and columns change places then.
_STEPS: dict[int, tuple[tuple[int, ...], bool]] = {
    0: ((2,), False),  # left to right
    1: ((1,), False),  # top to bottom
    2: ((2,), True),  # 90 degrees counter-clockwise
    3: ((1, 2), False),
    4: ((1,), True),
    5: ((), True),
    6: ((1, 2), True),
}


def _turned(axes: tuple[int, ...], swap: bool) -> Callable[[Any], Any]:
    def run(pixels: Any) -> Any:
        pixels = tf.reverse(pixels, axes) if axes else pixels
        return tf.transpose(pixels, [0, 2, 1, 3]) if swap else pixels

    return run


def transposed(pixels: Any, method: int) -> Any:
    """Flip or turn pixels.

    `pixels`: shape (B, H, W, C). `method`: 0 to 6: left to right, top to bottom, 90, 180, 270 degrees,
    transpose, transverse. Returns: the pixels; a copy of their shape, or with rows and columns exchanged.
    """
    axes, swap = _STEPS[method]
    # The transposition kernel has no fast path for narrow elements; `pipeport.numpy.rot90` has the
    # figures. Flips are plain graph ops.
    if swap and pixels.dtype.size <= 2:
        return xla.run(_turned, axes, swap)(pixels)
    return _turned(axes, swap)(pixels)
