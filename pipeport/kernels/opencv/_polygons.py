"""Which pixels OpenCV draws of polygons: what their sides and insides cover of each row.

A row is a few words of 32 pixels, in which what a side covers is a run of ones. So a side costs a few
operations for each word, not for each pixel.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._drawing import clipped

# Pixels of a word.
_BITS = 32
# How many sides operations of their own join; more are joined by a loop.
_SIDES = 16
# The unit of coordinates with a fraction.
_ONE = 1 << 16
# Where sides are that are not drawn.
_NOWHERE = -1


def covered(filled: bool, ends: Any, height: Any, width: Any) -> Any:
    """Return where the sides of polygons are, of one pixel, or also what lies inside of them.

    `filled`: whether what lies behind an odd number of sides belongs to it. `ends`: shape (b, n, 4), int64;
    column and row of both ends of each side. Returns: shape (b, H, W), bool.
    """
    size = tf.stack([tf.cast(side, tf.int64) for side in (height, width)])
    sides = ends
    if ends.shape[1] is None:
        count = tf.shape(ends)[1]
        sides = _with_more(ends, tf.where(count <= _SIDES, _SIDES, xla.bucket(count)) - count)

    def pixels(program: Callable[..., Any], rows: Any, words: Any) -> Any:
        # Two programs: of one XLA would join the sides again for each pixel of a word.
        bits = program(_bits)(program(_words, filled)(rows, words, size, sides))
        batch, tall, _, _ = sizes_of(bits)
        return tf.reshape(bits, [batch, tall, -1])[:, :height, :width]

    def of_all_sizes() -> Any:
        counts = height, (width + _BITS - 1) // _BITS
        return pixels(xla.run, *(tf.range(count) for count in counts))

    def in_buckets() -> Any:
        tall, wide = tf.unstack(xla.bucket(tf.cast(size, tf.int32)))
        return pixels(xla.compiled, *(tf.range(side) for side in (tall, wide // _BITS)))

    known = all(isinstance(side, int) for side in (height, width)) and sides.shape.is_fully_defined()
    found = xla.choose(known, program=of_all_sizes, otherwise=of_all_sizes, in_buckets=in_buckets)()
    return tf.ensure_shape(
        found, [ends.shape[0], *(side if isinstance(side, int) else None for side in (height, width))]
    )


def _words(filled: bool) -> Callable[[Any, Any, Any, Any], Any]:
    def covering(rows: Any, words: Any, size: Any, sides: Any) -> Any:
        """Return the words (b, K, H), given the rows (H,) and the numbers of words (K,)."""
        batch, count, _ = sizes_of(sides)
        first = (words * _BITS)[:, tf.newaxis]
        hows = [tf.bitwise.bitwise_or, tf.bitwise.bitwise_xor][: 1 + filled]

        def joined(some: Any) -> list[Any]:
            """Return what sides cover, and with their insides what lies behind an odd number of them."""
            cut = _cut(some, size)
            runs = [_runs_of(cut, rows)]
            if not filled:
                return [_covering(runs, first)]
            on_them, behind = _behind(some, cut, rows, size)
            beyond = tf.unstack(~_before(behind + 1, first), axis=1)
            return [_covering([*runs, on_them], first), functools.reduce(tf.bitwise.bitwise_xor, beyond)]

        if isinstance(count, int) and 0 < count <= _SIDES:
            found = joined(sides)
        else:
            # XLA compiles a round for no sides, too, and looks for as many as a round takes.
            least = max(count, 1) if isinstance(count, int) else tf.maximum(count, 1)
            many = _with_more(sides, least + -least % _SIDES - count)

            def further(at: Any, *before: Any) -> tuple[Any, ...]:
                part = tf.slice(many, [0, at * _SIDES, 0], [-1, _SIDES, -1])
                part = tf.ensure_shape(part, [sides.shape[0], _SIDES, 4])
                return at + 1, *(how(*both) for how, *both in zip(hows, before, joined(part), strict=True))

            nothing = tf.zeros(tf.stack([batch, sizes_of(words)[0], sizes_of(rows)[0]]), tf.int32)
            start = (tf.constant(0), *[nothing] * len(hows))
            _, *found = tf.while_loop(lambda at, *_: at * _SIDES < count, further, start)
        return functools.reduce(tf.bitwise.bitwise_or, found)

    return covering


def _bits() -> Callable[[Any], Any]:
    def bits(words: Any) -> Any:
        """Return the pixels (b, H, K, 32) of words (b, K, H)."""
        each = tf.transpose(words, [0, 2, 1])[..., tf.newaxis]
        return tf.cast(tf.bitwise.right_shift(each, tf.range(_BITS)) & 1, tf.bool)

    return bits


def _covering(runs: Sequence[tuple[Any, Any]], first: Any) -> Any:
    """Return the words (b, K, H) with ones in runs (b, m, H), for words with their first columns (K, 1)."""
    ones = [_before(last + 1, first) & ~_before(begin, first) for begin, last in runs]
    return functools.reduce(tf.bitwise.bitwise_or, [one for part in ones for one in tf.unstack(part, axis=1)])


def _before(end: Any, first: Any) -> Any:
    """Return words with ones up to a column (b, m, H), for words with their first columns (K, 1)."""
    count = tf.clip_by_value(end[:, :, tf.newaxis] - first, 0, _BITS)
    half = tf.bitwise.right_shift(count, 1)
    # In two steps: a shift by all bits is not defined.
    return tf.bitwise.left_shift(tf.bitwise.left_shift(tf.ones_like(count), half), count - half) - 1


def _with_more(ends: Any, more: Any) -> Any:
    """Return sides (b, n, 4), and more that are not drawn."""
    return tf.pad(ends, [[0, 0], [0, more], [0, 0]], constant_values=tf.constant(_NOWHERE, ends.dtype))


def _behind(ends: Any, cut: Any, rows: Any, size: Any) -> tuple[tuple[Any, Any], Any]:
    """Return runs of the pixels exactly on sides, and the last columns that are not behind them."""
    from_x, from_y, to_x, to_y, _ = _each(cut)
    _, top, _, bottom = _each(ends)
    # A side goes through its ends as they are cut at the image, in rows of its own ends.
    apart = from_y != to_y
    first, last = tf.where(apart, from_y, top), tf.where(apart, to_y, bottom)
    rise = last - first
    slope = tf.truncatediv((to_x - from_x) * _ONE, tf.where(rise == 0, tf.ones_like(rise), rise))
    down = top < bottom
    start = tf.where(down, from_x * _ONE + (top - first) * slope, to_x * _ONE + (bottom - last) * slope)
    above, below = tf.minimum(top, bottom), tf.maximum(top, bottom)
    at = start + (tf.cast(rows, tf.int64) - above) * slope
    column = tf.cast(tf.clip_by_value(tf.bitwise.right_shift(at, 16), -1, size[1]), tf.int32)
    above, below = tf.cast(above, tf.int32), tf.cast(below, tf.int32)
    there = (rows >= above) & (rows < below)
    exact = there & ((at & (_ONE - 1)) == 0) & (column >= 0)
    nowhere = tf.zeros_like(column)
    on_them = tf.where(exact, column, nowhere), tf.where(exact, column, nowhere - 1)
    return on_them, tf.where(there, column, tf.cast(size[1], tf.int32))


def _each(numbers: Any) -> list[Any]:
    """Return numbers (b, m, n) one by one, (b, m, 1)."""
    return [one[..., tf.newaxis] for one in tf.unstack(numbers, axis=-1)]


def _cut(ends: Any, size: Any) -> Any:
    """Return sides (b, m, 4) as they are cut at the image, and whether they are seen: (b, m, 5)."""
    batch, count, _ = sizes_of(ends)
    height, width = tf.unstack(size)
    return tf.reshape(clipped(tf.reshape(ends, [batch * count, 4]), height, width), [batch, count, 5])


def _runs_of(cut: Any, rows: Any) -> tuple[Any, Any]:
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


def between(points: Any, height: Any, width: Any) -> Any:
    """Return where OpenCV fills polygons that it takes for convex, beside their sides.

    `points`: shape (b, n, 2), int64; column and row of the corners. Returns: shape (b, H, W), bool.
    """
    places = (tf.range(side, dtype=tf.int64) for side in (height, width))
    known = all(isinstance(side, int) for side in (height, width)) and points.shape.is_fully_defined()
    return xla.run(_between, known=known)(points, *places)


def _between() -> Callable[[Any, Any, Any], Any]:
    def filled(points: Any, rows: Any, columns: Any) -> Any:
        first, last = (one[..., tf.newaxis] for one in _inside_of(points, rows))
        return (columns >= first) & (columns <= last)

    return filled


def _inside_of(points: Any, rows: Any) -> tuple[Any, Any]:
    """Return the first and the last column (m, H) between the sides of polygons that OpenCV takes for convex.

    From the highest point on it follows the sides one way and the other. On either way a side counts where it
    reaches lower than all before it.

    `points`: shape (m, n, 2), int64; column and row of the corners. `rows`: shape (H,), int64. Returns: the
    last column is before the first where there is nothing between.
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
        x, row = corners[..., 0] * _ONE, corners[..., 1]
        others = tf.where(way[:, tf.newaxis] > way, row[:, tf.newaxis], tf.reduce_min(row))
        before = tf.reduce_max(others, axis=2)[:, 1:, tf.newaxis]
        fall = row[:, 1:, tf.newaxis] - before
        from_x, to_x = x[:, :-1, tf.newaxis], x[:, 1:, tf.newaxis]
        slope = tf.truncatediv((to_x - from_x) * 2 + fall, 2 * tf.maximum(fall, 1))
        there = (rows >= before) & (rows < before + fall)
        at = tf.where(there, from_x + (rows - before) * slope, 0)
        found.append(tf.reduce_sum(at, axis=1))
        seen = tf.reduce_any(there, axis=1)
    first, last = (
        tf.bitwise.right_shift(ends + _ONE // 2, 16) for ends in (tf.minimum(*found), tf.maximum(*found))
    )
    return tf.where(seen, first, 0), tf.where(seen, last, -1)
