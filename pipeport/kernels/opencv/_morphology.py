"""The smallest or largest pixel under a kernel, with OpenCV's borders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.opencv._borders import Around, grown
from pipeport.kernels.sampling._extremes import of_window


class Under(NamedTuple):
    """Which pixels are compared.

    `smallest`: whether the smallest is taken, else the largest. `taps`: row and column of each pixel, counted
    from the first of the kernel; of a full rectangle empty. `size`: height and width of the kernel. `anchor`:
    row and column of the pixel that is replaced.
    """

    smallest: bool
    taps: tuple[tuple[int, int], ...]
    size: tuple[int, int]
    anchor: tuple[int, int]
    rule: str


def extremes(x: Any, how: Under) -> Any:
    """Return images (B, H, W, C) with every pixel replaced by an extreme of those under the kernel."""
    # TensorFlow's kernels compare no uint16.
    wide = tf.cast(x, tf.int32) if x.dtype == tf.uint16 else x
    # What changes nothing: OpenCV takes the largest finite number, not infinity.
    wide = grown(wide, how.rule, _around(how), x.dtype.max if how.smallest else x.dtype.min)
    if how.taps:
        found = xla.run(_of_taps, how)(wide)
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


def _of_taps(how: Under) -> Callable[[Any], Any]:
    extreme = _extreme(how.smallest)

    def run(wide: Any) -> Any:
        height, width = (
            (wide.shape[axis] or tf.shape(wide)[axis]) - side + 1
            for axis, side in zip((1, 2), how.size, strict=True)
        )
        found = None
        for row, column in how.taps:
            part = wide[:, row : row + height, column : column + width]
            found = part if found is None else extreme(found, part)
        return found

    return run


def _of_window(smallest: bool, axis: int, count: int) -> Callable[[Any], Any]:
    return lambda x: of_window(x, axis, count, 1, _extreme(smallest))


def taps_of(kernel: Any) -> tuple[tuple[int, int], ...]:
    """Return the rows and columns of the pixels of a kernel; of a full rectangle none."""
    if np.all(kernel):
        return ()
    return tuple((int(row), int(column)) for row, column in np.argwhere(kernel))
