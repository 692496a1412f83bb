"""Maps for `_projective`: the input coordinates of every output pixel.

As `_coordinates` says, what depends on the row or the column alone is kept in memory, every product with
it, and per pixel remain additions and one division, which nothing can contract.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import added, each_rounded

# A map is a module-level function (parameters, (height, width) of the output, size of the images,
# keep) -> (rows, columns, nowhere): the input coordinates of every output pixel, each (B or 1,
# height or 1, width or 1), and where there are none, or None. It is compiled with the rest: as graph
# nodes its few operations would cost as much as many rows of pixels. `keep` calls a function of
# no parameters and returns its result as arrays in memory.
Places = tuple[Any, Any, Any]
Keep = Callable[[Callable[[], Any]], Any]
Map = Callable[[tuple[Any, ...], tuple[Any, Any], Any, Keep], Places]


def _stored(make: Callable[[], Any], keep: Keep) -> Any:
    """Return products as arrays in memory, each rounded by itself."""
    return keep(lambda: each_rounded(make()))


def _ramp(count: Any) -> Any:
    return tf.cast(tf.range(count), tf.float32)


def _grid(out: tuple[Any, Any]) -> tuple[Any, Any]:
    return _ramp(out[0])[tf.newaxis, :, tf.newaxis], _ramp(out[1])[tf.newaxis, tf.newaxis, :]


def _column(values: Any) -> Any:
    return values[:, tf.newaxis, tf.newaxis]


def projective(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any, keep: Keep) -> Places:
    """Parameters are (maps,), float32 (B or 1, 8).

    (a, b, c, d, e, f, g, h) sends the output pixel (column x, row y) to the input point
    ((a x + b y + c) / k, (d x + e y + f) / k) with k = g x + h y + 1.
    """
    del size
    y, x = _grid(out)

    def lines() -> Any:
        a, b, c, d, e, f, g, h = (_column(entry) for entry in tf.unstack(parameters[0], axis=-1))
        return a * x, b * y, c, d * x, e * y, f, g * x, h * y

    ax, by, c, dx, ey, f, gx, hy = _stored(lines, keep)
    k = added([gx, hy, 1.0])
    nowhere = tf.equal(k, 0.0)
    k = tf.where(nowhere, tf.ones_like(k), k)
    return added([dx, ey, f]) / k, added([ax, by, c]) / k, nowhere


def by_offset(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any, keep: Keep) -> Places:
    """Parameters are (offsets,), float32 (B or 1, 2): columns and rows to move by."""
    del size
    y, x = _grid(out)

    def lines() -> Any:
        right, down = (_column(entry) for entry in tf.unstack(parameters[0], axis=-1))
        return y - down, x - right

    return *_stored(lines, keep), None


def along_columns(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any, keep: Keep) -> Places:
    """Parameters are (levels,), float32 (B or 1,): columns to move by per row."""
    del size
    y, x = _grid(out)
    return y, x + _stored(lambda: _column(parameters[0]) * y, keep), None


def along_rows(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any, keep: Keep) -> Places:
    """Parameters are (levels,), float32 (B or 1,): rows to move by per column."""
    del size
    y, x = _grid(out)
    return _stored(lambda: _column(parameters[0]) * x, keep) + y, x, None


def about_middle(parameters: tuple[Any, ...], out: tuple[Any, Any], size: Any, keep: Keep) -> Places:
    """Parameters are (cosines, sines), float32 (B or 1,): of angles to turn by, counter-clockwise.

    The sums are those of `projective` for the map of `angles_to_projective_transforms`, of which
    k is 1. Sines are parameters because XLA may have others than TensorFlow.
    """
    cosine, sine = (_column(value) for value in parameters)
    bottom, right = tf.unstack(tf.cast(size, tf.float32) - 1)
    y, x = _grid(out)

    def corner() -> Any:
        return cosine * right, sine * bottom, sine * right, cosine * bottom

    def lines() -> Any:
        across, down = (right - (one - two)) / 2, (bottom - (three + four)) / 2
        return cosine * x, -sine * y, across, sine * x, cosine * y, down

    one, two, three, four = _stored(corner, keep)
    ax, by, c, dx, ey, f = _stored(lines, keep)
    return added([dx, ey, f]), added([ax, by, c]), None
