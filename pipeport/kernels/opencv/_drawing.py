"""Which pixels OpenCV draws: rectangles, circles and lines with coordinates that may be tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.xla._divide import divided


def rasterised(shape: str, thickness: int) -> Callable[..., Any]:
    """Return what draws a shape on images (B, H, W, C).

    `shape`: {'rectangle', 'circle', 'line'}. `thickness`: of its outline; negative for a filled one. Returns:
    takes the images, a colour (b, C) of their dtype, and the numbers of the shape, (b, n) of int64; b is the
    number of images, or 1.
    """
    covers = {"rectangle": _rectangle, "circle": _circle, "line": _line}[shape]

    def run(x: Any, colour: Any, numbers: Any) -> Any:
        height, width = (x.shape[axis] or tf.shape(x)[axis] for axis in (1, 2))
        rows, columns = (tf.range(tf.cast(side, tf.int64), dtype=tf.int64) for side in (height, width))
        given = [one[:, tf.newaxis, tf.newaxis] for one in tf.unstack(numbers, axis=1)]
        mask = covers(rows[:, tf.newaxis], columns, given, thickness)
        return tf.where(mask[..., tf.newaxis], colour[:, tf.newaxis, tf.newaxis], x)

    return run


def painted() -> Callable[[Any, Any, Any], Any]:
    """Return what gives pixels (..., C) a colour (1, C) where a mask (..., 1) is."""

    def run(x: Any, mask: Any, colour: Any) -> Any:
        return tf.where(mask, colour, x)

    return run


def _rectangle(row: Any, column: Any, numbers: list[Any], thickness: int) -> Any:
    """Say where a rectangle of two opposite corners is; a thick outline has round ones."""
    one, first, other, second = numbers
    left, right = tf.minimum(one, other), tf.maximum(one, other)
    top, bottom = tf.minimum(first, second), tf.maximum(first, second)
    across, down = (column >= left) & (column <= right), (row >= top) & (row <= bottom)
    if thickness < 0:
        return across & down
    if thickness <= 1:
        return across & down & ((column == left) | (column == right) | (row == top) | (row == bottom))
    reach = (thickness + 1) // 2
    beside = [tf.abs(column - end) <= reach for end in (left, right)]
    above = [tf.abs(row - end) <= reach for end in (top, bottom)]
    # A side without a length is not drawn, but its round ends are.
    lying = across & (above[0] | above[1]) & (left < right)
    standing = down & (beside[0] | beside[1]) & (top < bottom)
    ends = [
        (row - y) * (row - y) + (column - x) * (column - x) <= reach * reach
        for x in (left, right)
        for y in (top, bottom)
    ]
    return lying | standing | ends[0] | ends[1] | ends[2] | ends[3]


def _circle(row: Any, column: Any, numbers: list[Any], thickness: int) -> Any:
    """Say where a circle is, of centre and radius, or its outline of one pixel."""
    x, y, radius = numbers
    across, down = tf.abs(column - x), tf.abs(row - y)
    if thickness < 0:
        return across * across + down * down <= radius * radius
    near, far = tf.minimum(across, down), tf.maximum(across, down)
    rest = radius * radius - near * near
    return (far * far <= rest) & (rest < (far + 1) * (far + 1))


def _line(row: Any, column: Any, numbers: list[Any], _thickness: int) -> Any:
    """Say where a line of one pixel is, of two ends inside of the image; nowhere if the fifth number is 0."""
    x, y, to_x, to_y, visible = numbers
    turned = to_x < x  # it is drawn from left to right
    x, to_x = tf.where(turned, to_x, x), tf.where(turned, x, to_x)
    y, to_y = tf.where(turned, to_y, y), tf.where(turned, y, to_y)
    across, down = to_x - x, tf.abs(to_y - y)
    beside, below = column - x, (row - y) * tf.where(to_y < y, tf.constant(-1, tf.int64), 1)
    steep = down > across
    along, aside = tf.where(steep, below, beside), tf.where(steep, beside, below)
    length, width = tf.maximum(across, down), tf.minimum(across, down)
    # aside == (2 width along + length - 1) // (2 length), without the division.
    rest = 2 * width * along + length - 1 - 2 * length * aside
    single = (length == 0) & (aside == 0)
    on = single | ((rest >= 0) & (rest < 2 * length))
    return on & (along >= 0) & (along <= length) & (visible > 0)


def clipped(ends: Any, height: Any, width: Any) -> Any:
    """Return the part of lines (b, 4) inside of an image, as OpenCV cuts them, and whether there is any.

    `ends`: column and row of both ends, int64. Returns: (b, 5); the last number is 1 where a part is inside.
    """
    right, bottom = (tf.cast(side, tf.int64) - 1 for side in (width, height))
    zero = tf.zeros([], tf.int64)
    x1, y1, x2, y2 = tf.unstack(ends, axis=1)

    def outside(x: Any, y: Any) -> Any:
        return [x < 0, x > right, y < 0, y > bottom]

    def both(first: Any, second: Any) -> Any:
        """Return whether both ends lie on one outer side, and whether one end is outside."""
        apart = tf.reduce_any([a & b for a, b in zip(first, second, strict=True)], axis=0)
        return apart, tf.reduce_any([*first, *second], axis=0)

    def moved(at: Any, near: Any, along: Any, to_near: Any, to_along: Any) -> Any:
        """Return the coordinate of a line where the other one is `at`; the step is cut to a whole number."""
        step = tf.cast(at - near, tf.float64) * tf.cast(to_along - along, tf.float64)
        span = tf.cast(to_near - near, tf.float64)
        return along + tf.cast(divided(step, tf.where(span == 0, tf.ones_like(span), span)), tf.int64)

    def cut(x1: Any, y1: Any, x2: Any, y2: Any, open_: Any) -> Any:
        """Cut both ends at the rows of the image, one after the other."""
        for _ in range(2):
            at, out = tf.where(y1 < 0, zero, bottom), open_ & ((y1 < 0) | (y1 > bottom))
            x1, y1 = tf.where(out, moved(at, y1, x1, y2, x2), x1), tf.where(out, at, y1)
            x1, y1, x2, y2 = x2, y2, x1, y1
        return x1, y1, x2, y2

    apart, some = both(outside(x1, y1), outside(x2, y2))
    x1, y1, x2, y2 = cut(x1, y1, x2, y2, some & ~apart)
    sides = [x1 < 0, x1 > right], [x2 < 0, x2 > right]
    beyond, some_beyond = both(*sides)
    open_ = some & ~apart & some_beyond & ~beyond
    for _ in range(2):
        at, out = tf.where(x1 < 0, zero, right), open_ & ((x1 < 0) | (x1 > right))
        y1, x1 = tf.where(out, moved(at, x1, y1, x2, y2), y1), tf.where(out, at, x1)
        x1, y1, x2, y2 = x2, y2, x1, y1
    visible = ~(apart | beyond)
    return tf.stack([x1, y1, x2, y2, tf.cast(visible, tf.int64)], 1)
