"""Bytes of unknown sizes enlarged as by INTER_AREA, bit for bit: what few images need, in few operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.opencv._resize_axis import Axis
from pipeport.kernels.opencv._resize_taps import scaled
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._one_call import shared
from pipeport.kernels.xla._stored import stored_as


def grown(x: Any, rows: Axis, columns: Axis) -> Any:
    """Return bytes (B, H, W, C) resampled as by INTER_AREA where a side grows."""
    along_rows, along_columns = (
        shared(_taps)(tf.convert_to_tensor(axis.size), tf.convert_to_tensor(axis.out), tf.constant(clamped))
        for axis, clamped in ((rows, False), (columns, True))
    )
    shift = tf.bitwise.right_shift
    index, weight = along_columns
    taken = tf.gather(tf.cast(x, tf.int32), index, axis=2) * weight[..., tf.newaxis]
    line = shift(tf.reduce_sum(taken, axis=2), 4)
    index, weight = along_rows
    taken = tf.gather(line, index, axis=1) * weight[..., tf.newaxis, tf.newaxis]
    return tf.cast(shift(tf.reduce_sum(shift(taken, 16), axis=1) + 2, 2), tf.uint8)


@stored_as("cv2_resize_grown-taps")
def _taps() -> Callable[[Any, Any, Any], Any]:
    """Return a function for the two pixels of each output pixel and their 11-bit weights, both (2, out)."""

    def run(size: Any, out: Any, clamped: Any) -> tuple[Any, Any]:
        # As `area_linear`, in two thirds of the operations: each is traced and copied in every process.
        inverse = divided(out, size)
        at = tf.cast(tf.range(out), tf.float64)
        before, one = tf.floor(at * divided(1.0, inverse)), tf.constant(1.0, tf.float64)
        past = tf.maximum(tf.cast(at + one - (before + one) * inverse, tf.float32), 0.0)
        first, last = tf.cast(before, tf.int32), size - 1
        past = tf.where(clamped & (first >= last), 0.0, past - tf.floor(past))
        return tf.minimum(tf.stack([first, first + 1]), last), scaled(tf.stack([1 - past, past]))

    return run
