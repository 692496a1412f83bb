"""Images with the borders that OpenCV's filters read, and what runs on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.sampling._margins import extended, fold_taps

# How many pixels lie before and behind an image, in rows and in columns.
Around = tuple[tuple[int, int], tuple[int, int]]


def evenly(*counts: int) -> Around:
    """Return as many rows and columns on either side."""
    rows, columns = counts
    return (rows, rows), (columns, columns)


def on_grown(x: Any, rule: str, around: Around, run: Callable[[Callable[..., Any], Any], Any]) -> Any:
    """Return what programs make of images (B, H, W, C) with their borders, of the size of the images.

    Images of unknown sizes are padded to few sizes, for which the programs are compiled.

    `rule`: the border, by its name in `_margins`. `run`: takes what makes programs, as `xla.run` does, and
    the larger images; returns (B, H, W, C).
    """

    def of_all_sizes() -> Any:
        return run(xla.run, grown(x, rule, around))

    def in_buckets() -> Any:
        height, width = tf.unstack(tf.shape(x)[1:3])
        return run(xla.compiled, grown_to_bucket(x, rule, around))[:, :height, :width]

    known = x.shape.is_fully_defined()
    found = xla.choose(known, program=of_all_sizes, otherwise=of_all_sizes, in_buckets=in_buckets)()
    return tf.ensure_shape(found, [*x.shape[:3], *found.shape[3:]])


def grown(x: Any, rule: str, around: Around, value: Any = 0) -> Any:
    """Return images with their borders, of which alone the pixels are gathered."""
    if rule == "grid-constant":
        paddings = [[0, 0], *map(list, around), [0, 0]]
        return tf.pad(x, paddings, constant_values=tf.constant(value, x.dtype))
    for axis, (before, after) in enumerate(around, start=1):
        size, most = x.shape[axis], max(before, after)
        if most and size is not None and size > most and rule != "nearest":
            x = extended(x, [axis], rule, most, 0)
            part = [slice(None)] * 4
            part[axis] = slice(most - before, after - most or None)
            x = x if before == after else x[tuple(part)]
        elif most:
            size = size or tf.shape(x)[axis]
            ends = (tf.range(-before, 0), tf.range(size, size + after))
            first, last = (tf.gather(x, fold_taps(at, size, rule), axis=axis) for at in ends)
            x = tf.concat([first, x, last], axis)
    return x


def grown_to_bucket(x: Any, rule: str, around: Around) -> Any:
    """Return images with their borders, and behind those anything up to the next bucket of sizes."""
    batch, *sizes = tf.unstack(tf.shape(x)[:3])
    whole = [xla.bucket(size + sum(counts)) for size, counts in zip(sizes, around, strict=True)]
    after = [large - size - before for large, size, (before, _) in zip(whole, sizes, around, strict=True)]
    (above, _), (before, behind) = around
    shape = [x.shape[0], None, None, x.shape[3]]
    if rule == "grid-constant":
        added = [[0, 0], [above, after[0]], [before, after[1]], [0, 0]]
        return tf.ensure_shape(tf.pad(x, tf.stack(added)), shape)
    rows = fold_taps(tf.range(-above, sizes[0] + after[0]), sizes[0], rule)
    parts = [tf.gather(x, rows, axis=1)]  # whole rows are copied fast, single pixels are not
    if before or behind:
        ends = (tf.range(-before, 0), tf.range(sizes[1], sizes[1] + behind))
        first, last = (tf.gather(parts[0], fold_taps(at, sizes[1], rule), axis=2) for at in ends)
        parts = [first, *parts, last]
    rest = tf.zeros(tf.stack([batch, whole[0], after[1] - behind, x.shape[3]]), x.dtype)
    return tf.ensure_shape(tf.concat([*parts, rest], 2), shape)
