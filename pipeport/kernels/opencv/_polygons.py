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
from pipeport.kernels.opencv import _polygon_runs as lines
from pipeport.kernels.opencv._polygon_runs import ONE, cut_at

# Pixels of a word.
_BITS = 32
# How many sides operations of their own join; more are joined by a loop. A thick one has eleven runs.
_SIDES = 16
_THICK_SIDES = 2
# Where sides are that are not drawn, also fine ones.
_NOWHERE = -1
_FAR = -(1 << 40)


def covered(filled: bool, ends: Any, height: Any, width: Any, fine: int = 0) -> Any:
    """Return where the sides of polygons are, of one pixel, or also what lies inside of them.

    `filled`: whether what lies behind an odd number of sides belongs to it. `ends`: shape (b, n, 4), int64;
    column and row of both ends of each side. `fine`: if not 0, ends are fine, and this is how thick sides
    are. Returns: shape (b, H, W), bool.
    """
    size = tf.stack([tf.cast(side, tf.int64) for side in (height, width)])
    sides = ends
    if ends.shape[1] is None:
        count = tf.shape(ends)[1]
        sides = _with_more(ends, tf.where(count <= _SIDES, _SIDES, xla.bucket(count)) - count, fine)

    def pixels(program: Callable[..., Any], rows: Any, words: Any) -> Any:
        # Two programs: of one XLA would join the sides again for each pixel of a word.
        bits = program(_bits)(program(_words, filled, fine)(rows, words, size, sides))
        batch, tall, _, _ = sizes_of(bits)
        return tf.reshape(bits, [batch, tall, -1])[:, :height, :width]

    def of_all_sizes() -> Any:
        counts = height, (width + _BITS - 1) // _BITS
        return pixels(xla.run, *(tf.range(count) for count in counts))

    def in_buckets() -> Any:
        tall, wide = tf.unstack(xla.bucket(tf.cast(size, tf.int32)))
        return pixels(xla.compiled, *(tf.range(side) for side in (tall, wide // _BITS)))

    known = all(isinstance(side, int) for side in (height, width)) and sides.shape.is_fully_defined()
    # Programs of thick lines take seconds to compile: images of like sizes share them.
    known = known and fine <= 1
    found = xla.choose(known, program=of_all_sizes, otherwise=of_all_sizes, in_buckets=in_buckets)()
    return tf.ensure_shape(
        found, [ends.shape[0], *(side if isinstance(side, int) else None for side in (height, width))]
    )


def thick(ends: Any, height: Any, width: Any, thickness: int, cut: bool) -> Any:
    """Return where thick lines are, as `covered` does.

    `ends`: whole pixels. `cut`: whether lines end where they leave the image, widened by their thickness:
    what is seen of them has another slope then, by rounding.
    """
    if cut:
        size = tf.stack([tf.cast(side, tf.int64) for side in (height, width)])
        near = cut_at(ends + thickness, size + 2 * thickness)
        ends = tf.where(near[..., 4:] > 0, near[..., :4] - thickness, tf.constant(_FAR // ONE, ends.dtype))
    return covered(False, ends * ONE, height, width, thickness)


def _words(filled: bool, fine: int) -> Callable[[Any, Any, Any, Any], Any]:
    each_round = _THICK_SIDES if fine > 1 else _SIDES

    def covering(rows: Any, words: Any, size: Any, sides: Any) -> Any:
        """Return the words (b, K, H), given the rows (H,) and the numbers of words (K,)."""
        batch, count, _ = sizes_of(sides)
        first = (words * _BITS)[:, tf.newaxis]
        hows = [tf.bitwise.bitwise_or, tf.bitwise.bitwise_xor][: 1 + filled]

        def joined(some: Any) -> list[Any]:
            """Return what sides cover, and with their insides what lies behind an odd number of them."""
            if fine:
                return [_covering(lines.fine_runs(some, tf.cast(rows, tf.int64), size, fine), first)]
            cut = cut_at(some, size)
            runs = [lines.runs_of(cut, rows)]
            if not filled:
                return [_covering(runs, first)]
            on_them, last = lines.behind(some, cut, rows, size)
            beyond = tf.unstack(~_before(last + 1, first), axis=1)
            return [_covering([*runs, on_them], first), functools.reduce(tf.bitwise.bitwise_xor, beyond)]

        if isinstance(count, int) and 0 < count <= each_round:
            found = joined(sides)
        else:
            # XLA compiles a round for no sides, too, and looks for as many as a round takes.
            least = max(count, 1) if isinstance(count, int) else tf.maximum(count, 1)
            many = _with_more(sides, least + -least % each_round - count, fine)

            def further(at: Any, *before: Any) -> tuple[Any, ...]:
                part = tf.slice(many, [0, at * each_round, 0], [-1, each_round, -1])
                part = tf.ensure_shape(part, [sides.shape[0], each_round, 4])
                return at + 1, *(how(*both) for how, *both in zip(hows, before, joined(part), strict=True))

            nothing = tf.zeros(tf.stack([batch, sizes_of(words)[0], sizes_of(rows)[0]]), tf.int32)
            start = (tf.constant(0), *[nothing] * len(hows))
            _, *found = tf.while_loop(lambda at, *_: at * each_round < count, further, start)
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


def _with_more(ends: Any, more: Any, fine: int) -> Any:
    """Return sides (b, n, 4), and more that are not drawn."""
    nowhere = tf.constant(_FAR if fine else _NOWHERE, ends.dtype)
    return tf.pad(ends, [[0, 0], [0, more], [0, 0]], constant_values=nowhere)


def between(points: Any, height: Any, width: Any) -> Any:
    """Return where OpenCV fills polygons that it takes for convex, beside their sides.

    `points`: shape (b, n, 2), int64 and fine; column and row of the corners. Returns: shape (b, H, W), bool.
    """
    places = (tf.range(side, dtype=tf.int64) for side in (height, width))
    known = all(isinstance(side, int) for side in (height, width)) and points.shape.is_fully_defined()
    return xla.run(_between, known=known)(points, *places)


def _between() -> Callable[[Any, Any, Any], Any]:
    def filled(points: Any, rows: Any, columns: Any) -> Any:
        first, last = (one[..., tf.newaxis] for one in lines.inside_of(points, rows))
        return (columns >= first) & (columns <= last)

    return filled
