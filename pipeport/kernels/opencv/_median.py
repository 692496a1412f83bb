"""The median of the pixels in a square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.opencv._borders import evenly, on_grown
from pipeport.kernels.sampling._selection import median, sorted_values

_SMALL = 3


def medians(x: Any, side: int) -> Any:
    """Return images (B, H, W, C) with the median of the square around each pixel, edges repeated.

    Columns are sorted, then rows; then only pixels near the other diagonal can be the median. Neighbours
    share columns, so sorting these is a program of its own: in one program XLA would sort each column for
    every pixel, by which only squares of three gain (256x256x3, milliseconds: 0.15 instead of 0.29; of five
    1.27 instead of 0.95).
    """
    if side == 1:
        return tf.identity(x)
    # TensorFlow's kernels compare no uint16.
    wide = tf.cast(x, tf.int32) if x.dtype == tf.uint16 else x
    around = evenly(side // 2, side // 2)
    found = on_grown(wide, "nearest", around, lambda program, grown: _found(program, grown, side))
    return tf.ensure_shape(tf.cast(found, x.dtype), x.shape)


def _found(program: Callable[..., Any], wide: Any, side: int) -> Any:
    if side == _SMALL:
        return program(_of_square, side)(wide)
    return program(_of_columns, side)(*program(_columns, side)(wide))


def _shifted(x: Any, axis: int, side: int) -> list[Any]:
    """Return the `side` neighbours along an axis of each element that has all of them."""
    size = (x.shape[axis] or tf.shape(x)[axis]) - side + 1
    before = (slice(None),) * axis
    return [x[(*before, slice(step, step + size))] for step in range(side)]


def _of_square(side: int) -> Callable[[Any], Any]:
    return lambda wide: median([part for row in _shifted(wide, 1, side) for part in _shifted(row, 2, side)])


def _columns(side: int) -> Callable[[Any], tuple[Any, ...]]:
    return lambda wide: tuple(sorted_values(_shifted(wide, 1, side)))


def _of_columns(side: int) -> Callable[..., Any]:
    half = side * side // 2 + 1

    def run(*columns: Any) -> Any:
        rows = [sorted_values(_shifted(one, 2, side)) for one in columns]
        # All pixels above and to the left are not larger, all below and to the right no smaller.
        return median(
            [
                rows[row][column]
                for row in range(side)
                for column in range(side)
                if (row + 1) * (column + 1) <= half and (side - row) * (side - column) <= half
            ]
        )

    return run
