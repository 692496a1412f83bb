"""Maps for `_tfa_projective`: the input coordinates of every output pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels._apart import apart

# A map is a module-level function (parameters, (height, width) of the output, size of the images)
# -> (rows, columns, nowhere): the input coordinates of every output pixel, each (B or 1, height
# or 1, width or 1), and where there are none, or None. It is compiled with the rest: as graph
# nodes its few operations would cost as much as many rows of pixels.
Places = tuple[Any, Any, Any]
Map = Callable[[tuple[Any, ...], tuple[Any, Any], Any], Places]


def _ramp(count: Any) -> Any:
    return tf.cast(tf.range(count), tf.float32)


def _column(values: Any) -> Any:
    return values[:, tf.newaxis, tf.newaxis]


def projective(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any) -> Places:
    """Parameters are (maps,), float32 (B or 1, 8).

    (a, b, c, d, e, f, g, h) sends the output pixel (column x, row y) to the input point
    ((a x + b y + c) / k, (d x + e y + f) / k) with k = g x + h y + 1.
    """
    del size
    maps = parameters[0]
    a, b, c, d, e, f, g, h = (_column(entry) for entry in tf.unstack(maps, axis=-1))
    x, y = _ramp(out[1])[tf.newaxis, tf.newaxis, :], _ramp(out[0])[tf.newaxis, :, tf.newaxis]
    # Apart from the sums below: LLVM would contract both to fused multiply-adds, which round
    # once where the kernel rounds twice.
    ax, by, dx, ey, gx, hy = apart(all_finite(maps), lambda: (a * x, b * y, d * x, e * y, g * x, h * y))
    k = _sum(gx, hy) + 1.0
    nowhere = tf.equal(k, 0.0)
    k = tf.where(nowhere, tf.ones_like(k), k)
    return (_sum(dx, ey) + f) / k, (_sum(ax, by) + c) / k, nowhere


def _sum(one: Any, other: Any) -> Any:
    """Add two terms of three: TensorFlow's optimiser would add them in an order of its own."""
    both = one + other
    return tf.ensure_shape(both, both.shape)


def by_offset(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any) -> Places:
    """Parameters are (offsets,), float32 (B or 1, 2): columns and rows to move by."""
    del size
    right, down = (_column(entry) for entry in tf.unstack(parameters[0], axis=-1))
    return _ramp(out[0])[:, tf.newaxis] - down, _ramp(out[1]) - right, None


def along_columns(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any) -> Places:
    """Parameters are (levels,), float32 (B or 1,): columns to move by per row."""
    del size
    y = _ramp(out[0])[tf.newaxis, :, tf.newaxis]
    moved = apart(all_finite(parameters[0]), lambda: _column(parameters[0]) * y)
    return y, _ramp(out[1]) + moved, None


def along_rows(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any) -> Places:
    """Parameters are (levels,), float32 (B or 1,): rows to move by per column."""
    del size
    x = _ramp(out[1])[tf.newaxis, tf.newaxis, :]
    moved = apart(all_finite(parameters[0]), lambda: _column(parameters[0]) * x)
    return moved + _ramp(out[0])[:, tf.newaxis], x, None


def about_middle(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any) -> Places:
    """Parameters are (radians,), float64 (B or 1,): angles to turn by, counter-clockwise.

    Coordinates are float64: float32 sines already differ between TensorFlow's ops and XLA.
    """
    cosine, sine = (_column(value) for value in (tf.cos(parameters[0]), tf.sin(parameters[0])))
    middle_row, middle_column = tf.unstack(tf.cast(size - 1, tf.float64) / 2)
    x = tf.cast(_ramp(out[1]), tf.float64) - middle_column
    y = tf.cast(_ramp(out[0]), tf.float64)[:, tf.newaxis] - middle_row
    return sine * x + (cosine * y + middle_row), cosine * x + (middle_column - sine * y), None


def all_finite(parameter: Any) -> Any:
    """Return whether every entry is finite: a condition for `apart`."""
    return tf.reduce_all(tf.math.is_finite(parameter))
