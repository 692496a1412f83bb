"""Windows cut out of images at drawn corners."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def cut(x: Any, top: Any, left: Any, size: tuple[int, int], batch_axes: int = 0) -> Any:
    """Return a window of images.

    `x`: shape (H, W, ...), with `batch_axes` axes before. `top`, `left`: scalar int32 or int64; where the
    window begins; it lies inside.
    """
    height, width = size
    # Not tf.slice, which XLA compiles anew for every corner. A roll copies whole rows, a second
    # tf.gather pixel by pixel.
    rows = tf.gather(x, top + tf.range(height, dtype=top.dtype), axis=batch_axes)
    window = tf.roll(rows, -left, batch_axes + 1)[(*[slice(None)] * (batch_axes + 1), slice(width))]
    return tf.ensure_shape(window, [*x.shape[:batch_axes], height, width, *x.shape[batch_axes + 2 :]])
