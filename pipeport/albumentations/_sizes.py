"""Heights and widths: Python integers where they are known while tracing, else scalar tensors."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain

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


def large_enough(size: Size, least: tuple[int, int], advice: str) -> Size:
    """Return the size of an image, found now or when the graph runs to be `least` at least."""
    message = explain("image", "a smaller image", f"at least {least[0]} x {least[1]}", advice)
    if any(isinstance(side, int) and side < one for side, one in zip(size, least, strict=True)):
        raise OutsideDomain(message)
    if all(isinstance(side, int) for side in size):
        return size
    large = tf.reduce_all([side >= one for side, one in zip(size, least, strict=True)])
    with tf.control_dependencies([tf.debugging.Assert(large, [message])]):
        height, width = (side if isinstance(side, int) else tf.identity(side) for side in size)
        return height, width


def part_of(value: Any, corner: tuple[Any, Any], size: Size, batch_axes: int) -> Any:
    """Return the part of images, with `batch_axes` axes before, that begins at a row and a column."""
    static = [side if isinstance(side, int) else None for side in size]
    begin = tf.stack([*[0] * batch_axes, *corner, *[0] * (value.shape.rank - batch_axes - 2)])
    sizes = tf.shape(value)
    wanted = tf.concat([sizes[:batch_axes], [*size], sizes[batch_axes + 2 :]], 0)
    return tf.ensure_shape(
        tf.slice(value, begin, wanted), [*value.shape[:batch_axes], *static, *value.shape[batch_axes + 2 :]]
    )
