"""The smallest or largest pixel under a kernel, with OpenCV's borders."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.opencv._borders import Around, grown
from pipeport.kernels.sampling._extremes import of_window

# How many windows one program compares.
_AT_ONCE = 128


class Under(NamedTuple):
    """Which pixels are compared.

    `smallest`: whether the smallest is taken, else the largest. `runs`: row, column and length of each run of
    pixels in a row, counted from the first of the kernel; of a full rectangle empty. `size`: height and width
    of the kernel. `anchor`: row and column of the pixel that is replaced.
    """

    smallest: bool
    runs: tuple[tuple[int, int, int], ...]
    size: tuple[int, int]
    anchor: tuple[int, int]
    rule: str


def extremes(x: Any, how: Under) -> Any:
    """Return images (B, H, W, C) with every pixel replaced by an extreme of those under the kernel."""
    # TensorFlow's kernels compare no uint16.
    wide = tf.cast(x, tf.int32) if x.dtype == tf.uint16 else x
    # What changes nothing: OpenCV takes the largest finite number, not infinity.
    wide = grown(wide, how.rule, _around(how), x.dtype.max if how.smallest else x.dtype.min)
    if how.runs:
        found = _of_runs(wide, how)
    else:
        # Two programs: of one XLA would compute the first pass again for every pixel of the second.
        found = xla.run(_of_window, how.smallest, 2, how.size[1])(
            xla.run(_of_window, how.smallest, 1, how.size[0])(wide)
        )
    return tf.ensure_shape(tf.cast(found, x.dtype), x.shape)


def _around(how: Under) -> Around:
    rows, columns = ((before, side - 1 - before) for side, before in zip(how.size, how.anchor, strict=True))
    return rows, columns


def _extreme(smallest: bool) -> Any:
    return tf.minimum if smallest else tf.maximum


def _of_runs(wide: Any, how: Under) -> Any:
    """Return the extremes under a kernel that is no rectangle.

    A run is two windows that overlap, of a length that is a power of two: 62 for the 749 pixels of an ellipse
    of 31. Windows of each length are a program of their own, as are many of those that are compared.
    """
    taps: dict[int, list[tuple[int, int]]] = {}
    for row, column, length in how.runs:
        level = length.bit_length() - 1
        ends = {column, column + length - 2**level}
        taps.setdefault(level, []).extend((row, end) for end in sorted(ends))
    found: list[Any] = []
    for level in range(max(taps) + 1):
        if level:
            wide = xla.run(_of_two, how.smallest, 2 ** (level - 1))(wide)
        here = taps.get(level, [])
        for first in range(0, len(here), _AT_ONCE):
            some = tuple(here[first : first + _AT_ONCE])
            found = [xla.run(_of_taps, how, some, 2**level)(wide, *found)]
    return found[0]


def _of_two(smallest: bool, by: int) -> Callable[[Any], Any]:
    """Return what compares the pixels of rows with those some places on."""
    return lambda x: _extreme(smallest)(x[:, :, :-by], x[:, :, by:])


def _of_taps(how: Under, taps: tuple[tuple[int, int], ...], length: int) -> Callable[..., Any]:
    extreme = _extreme(how.smallest)

    def run(wide: Any, *found: Any) -> Any:
        # A window is as long as `length`: rows have that many less of them.
        height, width = (
            (wide.shape[axis] or tf.shape(wide)[axis]) - side + 1
            for axis, side in zip((1, 2), (how.size[0], how.size[1] - length + 1), strict=True)
        )
        parts = [wide[:, row : row + height, column : column + width] for row, column in taps]
        return functools.reduce(extreme, [*found, *parts])

    return run


def _of_window(smallest: bool, axis: int, count: int) -> Callable[[Any], Any]:
    return lambda x: of_window(x, axis, count, 1, _extreme(smallest))


def runs_of(kernel: Any) -> tuple[tuple[int, int, int], ...]:
    """Return row, column and length of the runs of pixels of a kernel; of a full rectangle none."""
    if np.all(kernel):
        return ()
    edges = np.diff(np.pad(np.asarray(kernel) != 0, ((0, 0), (1, 1))).astype(np.int8))
    begins, ends = np.argwhere(edges > 0).tolist(), np.argwhere(edges < 0).tolist()
    return tuple((row, begin, end - begin) for (row, begin), (_, end) in zip(begins, ends, strict=True))
