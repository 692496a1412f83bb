"""Which pixels of each row OpenCV draws of lines and between them: runs, as first and last columns.

Coordinates are whole pixels, or `fine`: in units of 1/65536 of one.
"""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._drawing import clipped
from pipeport.kernels.xla._divide import divided

Run = tuple[Any, Any]
# The unit of coordinates with a fraction.
ONE = 1 << 16
_HALF = ONE // 2


def behind(ends: Any, cut: Any, rows: Any, size: Any) -> tuple[tuple[Any, Any], Any]:
    """Return runs of the pixels exactly on sides, and the last columns that are not behind them."""
    from_x, from_y, to_x, to_y, _ = _each(cut)
    _, top, _, bottom = _each(ends)
    # A side goes through its ends as they are cut at the image, in rows of its own ends.
    apart = from_y != to_y
    first, last = tf.where(apart, from_y, top), tf.where(apart, to_y, bottom)
    rise = last - first
    slope = tf.truncatediv((to_x - from_x) * ONE, tf.where(rise == 0, tf.ones_like(rise), rise))
    down = top < bottom
    start = tf.where(down, from_x * ONE + (top - first) * slope, to_x * ONE + (bottom - last) * slope)
    above, below = tf.minimum(top, bottom), tf.maximum(top, bottom)
    at = start + (tf.cast(rows, tf.int64) - above) * slope
    column = tf.cast(tf.clip_by_value(tf.bitwise.right_shift(at, 16), -1, size[1]), tf.int32)
    above, below = tf.cast(above, tf.int32), tf.cast(below, tf.int32)
    there = (rows >= above) & (rows < below)
    exact = there & ((at & (ONE - 1)) == 0) & (column >= 0)
    nowhere = tf.zeros_like(column)
    on_them = tf.where(exact, column, nowhere), tf.where(exact, column, nowhere - 1)
    return on_them, tf.where(there, column, tf.cast(size[1], tf.int32))


def _each(numbers: Any) -> list[Any]:
    """Return numbers (b, m, n) one by one, (b, m, 1)."""
    return [one[..., tf.newaxis] for one in tf.unstack(numbers, axis=-1)]


def cut_at(ends: Any, size: Any) -> Any:
    """Return sides (b, m, 4) as they are cut at the image, and whether they are seen: (b, m, 5)."""
    batch, count, _ = sizes_of(ends)
    height, width = tf.unstack(size)
    return tf.reshape(clipped(tf.reshape(ends, [batch * count, 4]), height, width), [batch, count, 5])


def runs_of(cut: Any, rows: Any) -> tuple[Any, Any]:
    """Return the first and last column of lines in each row (b, m, H); the last is less where none is."""
    # Inside of an image, whose pixels number less than 2^30, int32 holds every product.
    x, y, to_x, to_y, visible = (tf.cast(one, tf.int32) for one in _each(cut))
    turned = to_x < x  # it is drawn from left to right
    x, to_x = tf.where(turned, to_x, x), tf.where(turned, x, to_x)
    y, to_y = tf.where(turned, to_y, y), tf.where(turned, y, to_y)
    across, down = to_x - x, tf.abs(to_y - y)
    step = (rows - y) * tf.where(to_y < y, -1, 1)
    twice = 2 * tf.maximum(down, 1)

    def begin(row: Any) -> Any:
        """Return the first column in a row of a line that is not steep."""
        return tf.truncatediv(across * (2 * row - 1) + twice, twice)

    steep = down > across
    aside = tf.truncatediv(2 * across * step + down - 1, twice)
    first = tf.where(steep, aside, tf.clip_by_value(begin(step), 0, across))
    last = tf.where(steep, aside, tf.where(step == down, across, begin(step + 1) - 1))
    there = (step >= 0) & (step <= down) & (visible > 0)
    return x + tf.where(there, first, 0), x + tf.where(there, last, -1)


def fine_runs(ends: Any, rows: Any, size: Any, thickness: int) -> list[Run]:
    """Return the runs (b, m, H) of fine lines (b, m, 4), in rows (H,) of int64."""
    return _thin(ends, rows, size) if thickness == 1 else _thick(ends, rows, size, thickness)


def _thin(ends: Any, rows: Any, size: Any) -> list[Run]:
    zero, nowhere = tf.constant(0, tf.int64), tf.constant(-1, tf.int64)
    x, y, to_x, to_y, visible = _each(cut_at(ends, size * ONE))
    flat = tf.abs(to_x - x) > tf.abs(to_y - y)
    turned = tf.where(flat, to_x < x, to_y < y)  # it is drawn from left to right, or downwards
    x, to_x = tf.where(turned, to_x, x), tf.where(turned, x, to_x)
    y, to_y = tf.where(turned, to_y, y), tf.where(turned, y, to_y)
    across, down = to_x - x, to_y - y
    along, aside = tf.where(flat, across, down), tf.where(flat, down, across)
    slope = tf.truncatediv(aside * ONE, tf.bitwise.bitwise_or(along, 1))
    count = tf.bitwise.right_shift(along, 16)
    x, y = x + _HALF, y + _HALF
    # Of a flat line, the steps within a row; of another the one step that is in it.
    begin, end = rows * ONE - y, (rows + 1) * ONE - y
    rise = tf.maximum(tf.abs(slope), 1)
    above, below = tf.math.floordiv(-begin, rise), tf.math.floordiv(-end, rise)
    first, last = tf.where(slope > 0, -above, below + 1), tf.where(slope > 0, -below - 1, above)
    level = tf.where((begin <= 0) & (end > 0), count, nowhere)
    first, last = tf.where(slope == 0, zero, first), tf.where(slope == 0, level, last)
    first, last = tf.maximum(first, 0), tf.minimum(last, count)
    step = rows - tf.bitwise.right_shift(y, 16)
    column = tf.bitwise.right_shift(x + tf.where(flat, zero, step * slope), 16)
    there = (visible > 0) & (flat | ((step >= 0) & (step <= count)))
    line = column + tf.where(flat, first, zero), tf.where(there, column + tf.where(flat, last, zero), nowhere)
    end_x = tf.where((visible > 0) & (rows == whole(to_y)), whole(to_x), nowhere)
    return [_in_image(line, size), _in_image((end_x, end_x), size)]


def _thick(ends: Any, rows: Any, size: Any, thickness: int) -> list[Run]:
    """Return the runs of thick lines: of a box, its four sides, and discs about both ends."""
    batch, count, _ = sizes_of(ends)
    x, y, to_x, to_y = tf.unstack(ends, axis=2)
    across, down = (tf.cast(one, tf.float64) / ONE for one in (x - to_x, to_y - y))
    square = across * across + down * down
    half = (thickness + thickness % 2) * ONE / 2
    share = divided(half, tf.sqrt(tf.where(square > 0, square, tf.ones_like(square))))
    aside, below = (tf.cast(tf.round(one * share), tf.int64) for one in (down, across))
    corners = (x + aside, y + below), (x - aside, y - below), (to_x - aside, to_y - below)
    box = tf.stack([tf.stack(one, 2) for one in (*corners, (to_x + aside, to_y + below))], 2)
    between = [
        tf.reshape(one, [batch, count, -1]) for one in inside_of(tf.reshape(box, [batch * count, 4, 2]), rows)
    ]
    sides = tf.reshape(tf.concat([tf.roll(box, 1, 2), box], 3), [batch, 4 * count, 4])
    discs = (_disc(*one, rows, thickness) for one in ((x, y), (to_x, to_y)))
    inner = [(between[0], between[1]), *discs]
    return [*_thin(sides, rows, size), *(_in_image(one, size) for one in inner)]


def _disc(x: Any, y: Any, rows: Any, thickness: int) -> Run:
    """Return the runs of discs about fine points (b, m)."""
    radius = (thickness + 1) // 2
    away = rows - whole(y)[..., tf.newaxis]
    rest = tf.cast(radius * radius - away * away, tf.float64)
    reach = tf.where(rest < 0, tf.constant(-1, tf.int64), tf.cast(tf.sqrt(tf.maximum(rest, 0)), tf.int64))
    middle = whole(x)[..., tf.newaxis]
    return middle - reach, tf.where(reach < 0, tf.constant(-1, tf.int64), middle + reach)


def whole(fine: Any) -> Any:
    """Return the nearest pixel to a fine coordinate."""
    return tf.bitwise.right_shift(fine + _HALF, 16)


def _in_image(run: Run, size: Any) -> Run:
    """Return runs of int64 as int32, without what lies beside the image."""
    first, last = (tf.clip_by_value(one, least, size[1]) for one, least in zip(run, (0, -1), strict=True))
    return tf.cast(first, tf.int32), tf.cast(last, tf.int32)


def inside_of(points: Any, rows: Any) -> tuple[Any, Any]:
    """Return the first and the last column (m, H) between the sides of polygons that OpenCV takes for convex.

    From the highest point on it follows the sides one way and the other. On either way a side counts where it
    reaches lower than all before it.

    `points`: shape (m, n, 2), int64 and fine; column and row of the corners. `rows`: shape (H,), int64.
    Returns: the last column is before the first where there is nothing between.
    """
    count = sizes_of(points)[1]
    way = tf.range(tf.cast(count, tf.int64) + 1)
    height = points[:, :, 1]
    # The first of several.
    highest = tf.where(height == tf.reduce_min(height, 1, keepdims=True), way[:-1], way[-1])
    highest = tf.reduce_min(highest, 1, keepdims=True)
    found: list[Any] = []
    seen: Any = None
    for places in (highest + way, highest - way):
        corners = tf.gather(points, tf.math.floormod(places, tf.cast(count, tf.int64)), batch_dims=1)
        x, row = corners[..., 0], whole(corners[..., 1])
        others = tf.where(way[:, tf.newaxis] > way, row[:, tf.newaxis], tf.reduce_min(row))
        before = tf.reduce_max(others, axis=2)[:, 1:, tf.newaxis]
        fall = row[:, 1:, tf.newaxis] - before
        from_x, to_x = x[:, :-1, tf.newaxis], x[:, 1:, tf.newaxis]
        slope = tf.truncatediv((to_x - from_x) * 2 + fall, 2 * tf.maximum(fall, 1))
        there = (rows >= before) & (rows < before + fall)
        at = tf.where(there, from_x + (rows - before) * slope, tf.zeros_like(slope))
        found.append(tf.reduce_sum(at, axis=1))
        seen = tf.reduce_any(there, axis=1)
    first, last = whole(tf.minimum(*found)), whole(tf.maximum(*found))
    return tf.where(seen, first, 0), tf.where(seen, last, -1)
