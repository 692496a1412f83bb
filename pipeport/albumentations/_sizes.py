"""Heights and widths: Python integers where they are known while tracing, else scalar tensors."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf

Size = tuple[Any, Any]


def size_of(image: Any, batch_axes: int = 0) -> Size:
    """Return height and width of an image (H, W, ...) with `batch_axes` axes before."""
    known = image.shape[batch_axes : batch_axes + 2]
    if known.is_fully_defined():
        return int(known[0]), int(known[1])
    dynamic = tf.shape(image)
    height, width = (
        side if side is not None else dynamic[batch_axes + axis] for axis, side in enumerate(known)
    )
    return height, width


def numbers(size: Size, dtype: Any) -> tuple[Any, Any]:
    """Return height and width as scalar tensors of a dtype."""
    return tf.cast(size[0], dtype), tf.cast(size[1], dtype)
