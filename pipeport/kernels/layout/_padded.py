"""Borders of one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of


def padded(x: Any, widths: Sequence[Sequence[Any]], fill: Any) -> Any:
    """Pad with one value, as `tf.pad`, which copies a pixel of three channels number by number.

    256x256x3 bytes to 1024x1024x3: 4.5 ms, with columns and channels as one axis 0.3.

    `widths`: how many elements are added before and after, by axis.
    """
    widened = [axis for axis, pair in enumerate(widths) if any(tf.is_tensor(one) or one for one in pair)]
    if not widened:
        return tf.identity(x)
    last = max(widened)
    inner = x.shape[last + 1 :].num_elements()
    if inner in (0, 1, None):
        return tf.pad(x, _table(widths), constant_values=fill)
    sizes, (before, after) = sizes_of(x), widths[last]
    rows = tf.reshape(x, [*sizes[:last], sizes[last] * inner])
    table = _table([*widths[:last], (before * inner, after * inner)])
    grown = [size + first + second for size, (first, second) in zip(sizes, widths, strict=True)]
    return tf.reshape(tf.pad(rows, table, constant_values=fill), grown)


def _table(widths: Sequence[Sequence[Any]]) -> Any:
    known = not any(tf.is_tensor(one) for pair in widths for one in pair)
    return widths if known else tf.stack([tf.stack(pair) for pair in widths])
