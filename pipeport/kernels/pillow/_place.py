"""Windows of pixels (B, H, W, C): cropping, borders, and where `fit` and `pad` put an image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.xla._divide import divided


def window(pixels: Any, box: tuple[Any, Any, Any, Any], fill: Any) -> Any:
    """Return the part of the plane inside a box, `fill` where there is no image.

    `pixels`: shape (B, H, W, C); the image, whose corner is at (0, 0). `box`: integers or scalar int32
    tensors, not less to the right and below than to the left and above. `fill`: shape (C,); pixel outside, in
    the dtype of the pixels. Returns: shape (B, lower - upper, right - left, C).
    """
    known = pixels.shape[1:3].as_list()
    shape = tf.shape(pixels)
    sizes = [side if side is not None else shape[axis + 1] for axis, side in enumerate(known)]
    cuts, paddings = zip(*(_along(sizes[axis], box[1 - axis], box[3 - axis]) for axis in (0, 1)), strict=True)
    (top, bottom), (left, right) = cuts
    part = pixels[:, top:bottom, left:right]
    if all(isinstance(pad, int) and pad == 0 for pair in paddings for pad in pair):
        return part
    around = [[0, 0], *(list(pair) for pair in paddings), [0, 0]]
    padded = _padded(part, around, fill)
    lengths = [_length(box[1 - axis], box[3 - axis]) for axis in (0, 1)]
    return tf.ensure_shape(padded, [pixels.shape[0], *lengths, pixels.shape[3]])


def _length(low: Any, high: Any) -> int | None:
    return high - low if isinstance(low, int) and isinstance(high, int) else None


def _along(size: Any, low: Any, high: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return the slice of one axis, and the padding before and after it."""
    if any(tf.is_tensor(value) for value in (size, low, high)):
        least, most = tf.minimum, tf.maximum
    else:
        least, most = min, max
    start, stop = least(most(low, 0), size), least(most(high, 0), size)
    stop = most(start, stop)
    before = least(most(-low, 0), high - low)
    return (start, stop), (before, (high - low) - before - (stop - start))


def _padded(part: Any, around: list[list[Any]], fill: Any) -> Any:
    if len(set(fill.tolist())) == 1:
        return tf.pad(part, around, constant_values=tf.constant(fill[0], part.dtype))
    # One value for all channels is what the kernel takes: zero stands for the fill meanwhile.
    color = tf.constant(fill)
    return tf.bitwise.bitwise_xor(tf.pad(tf.bitwise.bitwise_xor(part, color), around), color)


def blank(pixels: Any, size: tuple[Any, Any], fill: Any) -> Any:
    """Return images of one colour, as many as there are pixels' images; `size` is (width, height)."""
    sides = [tf.shape(pixels)[0], size[1], size[0], fill.size]
    known = [side if isinstance(side, int) else None for side in size[::-1]]
    return tf.ensure_shape(tf.broadcast_to(tf.constant(fill), sides), [pixels.shape[0], *known, fill.size])


def contained(height: Any, width: Any, size: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the largest (width, height) inside `size` with the aspect of the image.

    `height`, `width`: int or scalar int32 tensor. `size`: integers or scalar int32 tensors, positive.
    Returns: integers or int32 tensors; one side may be zero.
    """
    if not any(tf.is_tensor(value) for value in (height, width, *size)):
        ratio, wanted = width / height, size[0] / size[1]
        if ratio > wanted:
            return size[0], round(height / width * size[0])
        return (round(width / height * size[1]), size[1]) if ratio < wanted else size
    rows, columns, across, down = (tf.cast(value, tf.float64) for value in (height, width, *size))
    ratio, wanted = divided(columns, rows), divided(across, down)
    # tf.round goes to even, like Python's.
    fewer_rows = tf.where(ratio > wanted, tf.round(divided(rows, columns) * across), down)
    fewer_columns = tf.where(ratio < wanted, tf.round(divided(columns, rows) * down), across)
    return tf.cast(fewer_columns, tf.int32), tf.cast(fewer_rows, tf.int32)


def offset(room: Any, share: float) -> Any:
    """Return how far from the corner an image starts, given the free room and its share before it."""
    share = max(0, min(share, 1))
    if not tf.is_tensor(room):
        return round(room * share)
    return tf.cast(tf.round(tf.cast(room, tf.float64) * share), tf.int32)


def fitting_box(
    height: Any, width: Any, size: tuple[Any, Any], bleed: float, centering: Any
) -> tuple[Any, ...]:
    """Return the box (left, upper, right, lower) that `fit` resizes.

    `height`, `width`: int or scalar int32 tensor. `size`: integers or scalar int32 tensors, positive.
    `bleed`: share of each side that is cut off first. `centering`: shares of what is cut off that lie left
    and above. Returns: floats or float64 tensors.
    """
    across, down = (share if 0.0 <= share <= 1.0 else 0.5 for share in centering)
    bleed = bleed if 0.0 <= bleed < 0.5 else 0.0
    dynamic = any(tf.is_tensor(value) for value in (height, width, *size))
    if dynamic:
        height, width, *size = (tf.cast(value, tf.float64) for value in (height, width, *size))  # type: ignore[assignment]
    margin = (bleed * width, bleed * height)
    live = (width - margin[0] * 2, height - margin[1] * 2)
    ratio, wanted = divided(live[0], live[1]), divided(size[0], size[1])
    if dynamic:
        cut_width = tf.where(ratio > wanted, wanted * live[1], live[0])
        cut_height = tf.where(ratio < wanted, divided(live[0], wanted), live[1])
    else:
        cut_width = wanted * live[1] if ratio > wanted else live[0]
        cut_height = live[0] / wanted if ratio < wanted else live[1]
    left = margin[0] + (live[0] - cut_width) * across
    top = margin[1] + (live[1] - cut_height) * down
    return left, top, left + cut_width, top + cut_height


def single(box: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a box in single precision: Python floats, or float32 tensors for all if one is a tensor."""
    if any(tf.is_tensor(side) for side in box):
        return tuple(tf.cast(side, tf.float32) for side in box)
    with np.errstate(over="ignore"):
        return tuple(float(np.float32(side)) for side in box)


def inside(pixels: Any, box: tuple[Any, ...]) -> Any:
    """Return pixels, checked that a box (from `single`) lies within, now or when the graph runs."""
    left, upper, right, lower = box
    known = pixels.shape[1:3].as_list()
    allowed, advice = "a box (left, upper, right, lower) within the image", "Clip it to the image first."
    if not any(tf.is_tensor(side) for side in box):
        height, width = (side if side is not None else math.inf for side in known)
        good = left >= 0 and upper >= 0 and right <= width and lower <= height
        if not (good and right - left >= 0 and lower - upper >= 0):
            raise OutsideDomain(explain("box", str(box), allowed, advice))
        if None not in known:
            return pixels
    message = explain("box", "a box that does not lie within", allowed, advice)
    ends = tf.stack([tf.convert_to_tensor(side, tf.float32) for side in (right, lower)])
    starts = tf.stack([tf.convert_to_tensor(side, tf.float32) for side in (left, upper)])
    sizes = tf.cast(tf.shape(pixels)[2:0:-1], tf.float32)
    good = tf.reduce_all((starts >= 0) & (ends <= sizes) & (ends >= starts))
    with tf.control_dependencies([tf.debugging.Assert(good, [message])]):
        return tf.identity(pixels)
