"""Sampling through a map of the plane as Pillow does: fixed point for the nearest pixel, else float64.

An affine map (a, b, c, d, e, f) sends the corner-based output point (x, y) to the input point
(a x + b y + c, d x + e y + f); pixels are one unit wide and their middles are at halves. A perspective map
(a, ..., f, g, h) divides both by g x + h y + 1, and a quadrilateral (a, ..., h) sends the point to
(a + b x + c y + d x y, e + f x + g y + h x y).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.pillow._filters import BICUBIC, NEAREST
from pipeport.kernels.pillow._resample import truncated
from pipeport.kernels.sampling._coordinates import Coordinates, added, in_memory, quotients, split, sums
from pipeport.kernels.xla._materialize import opaque_true
from pipeport.kernels.xla._rounding import alone, plus

AFFINE, EXTENT, PERSPECTIVE, QUAD = range(4)

FIXED = 32768.0  # coordinates up to here fit in 16.16 bits
_MOST = 2**31 - 1  # flat pixel indices are int32

# Gives the matrices, (B or 1, 6 or 8) float64, from parameters and (width, height); module-level, so
# that scalar arithmetic is compiled with the rest.
Build = Callable[[Any, tuple[Any, Any]], Any]


@dataclass(frozen=True)
class Plan:
    """All that is static about a warp.

    `small`: whether no coordinate can leave the range of fixed point. `form`: what the matrices mean.
    `placed`: whether points are given for all pixels; they are for the nearest pixel alone.
    """

    build: Build
    resample: int
    small: bool
    form: int = AFFINE
    placed: bool = False


def given(parameters: Any, size: tuple[Any, Any]) -> Any:
    """Return parameters that are the matrix already."""
    del size
    return parameters


def stacked(entries: list[Any]) -> Any:
    """Return the numbers of a map, floats or tensors with up to one axis, as (B or 1, numbers)."""
    if not any(tf.is_tensor(entry) for entry in entries):
        return tf.constant([entries], tf.float64)
    columns = [tf.reshape(tf.convert_to_tensor(entry, tf.float64), [-1]) for entry in entries]
    zero = sum(tf.zeros_like(column) for column in columns)
    return tf.stack([column + zero for column in columns], axis=-1)


def _entries(matrix: Any) -> list[Any]:
    return [entry[:, tf.newaxis, tf.newaxis] for entry in tf.unstack(matrix, axis=-1)]


def _grid(out: tuple[Any, Any], dtype: Any) -> tuple[Any, Any]:
    return tf.range(out[1], dtype=dtype)[tf.newaxis, tf.newaxis, :], tf.range(out[0], dtype=dtype)[
        tf.newaxis, :, tf.newaxis
    ]


def _points(form: int, matrix: Any, out: tuple[Any, Any]) -> Coordinates:
    """Return the input points (x, y) of the middles of all output pixels."""
    a, b, c, d, e, f, *rest = _entries(matrix)
    x, y = (index + 0.5 for index in _grid(out, tf.float64))
    if form == PERSPECTIVE:
        g, h = rest
        return quotients([[a * x, b * y, c], [d * x, e * y, f], [g * x, h * y, tf.ones_like(g)]])
    if form == QUAD:
        g, h = rest
        return sums([[a, b * x, c * y, alone(d * x) * y], [e, f * x, g * y, alone(h * x) * y]])
    return sums([[a * x, b * y, c], [d * x, e * y, f]])


def _floor(values: Any) -> Any:
    return tf.cast(tf.floor(values), tf.int32)


def _pixel(points: Any) -> Any:
    """Return the whole pixels of points; -1 below the image, and where no integer holds them."""
    return tf.cast(tf.where((points >= 0) & (points < 2.0**31), points, -tf.ones_like(points)), tf.int32)


def _nearest(
    plan: Plan, matrix: Any, points: Callable[[], Any], out: tuple[Any, Any], dtype: Any, places: Any
) -> tuple[Any, Any]:
    """Return the columns and rows of the nearest pixels."""
    # Pillow samples 16 bits point by point.
    if dtype == tf.uint16 or plan.form != AFFINE or plan.placed:
        column, row = (_pixel(point) for point in (places if plan.placed else points()))
        return column, row
    a, b, c, d, e, f = _entries(matrix)
    x, y = _grid(out, tf.int32)

    def fixed(value: Any) -> Any:
        return _floor(value * 65536.0 + 0.5)

    def along(start: Any, right: Any, down: Any) -> Any:
        first = fixed(added([start, right * 0.5, down * 0.5]))
        return tf.bitwise.right_shift(first + fixed(down) * y + fixed(right) * x, 16)

    columns, rows = along(c, a, b), along(f, d, e)
    if places:
        stepped = added_up(matrix, out)
        across, down = (_pixel(place) for place in places)
        return tf.where(stepped, across, columns), tf.where(stepped, down, rows)
    if not plan.small:
        far = _far(matrix, out)
        wide = tuple(_floor(point) for point in points())
        columns, rows = tf.where(far, wide[0], columns), tf.where(far, wide[1], rows)
    # Without a turn Pillow adds steps of one pixel up in float64.
    straight = tf.equal(b, 0) & tf.equal(d, 0)
    across = _floor(plus(c + a * 0.5, a * tf.cast(x, tf.float64)))
    down = _floor(plus(f + e * 0.5, e * tf.cast(y, tf.float64)))
    return tf.where(straight, across, columns), tf.where(straight, down, rows)


def added_up(matrix: Any, out: tuple[Any, Any]) -> Any:
    """Whether Pillow adds steps up in float64 for the nearest pixels of an affine map: (B, 1, 1)."""
    _, b, _, d, _, _ = _entries(matrix)
    return (tf.equal(b, 0) & tf.equal(d, 0)) | _far(matrix, out)


def _far(matrix: Any, out: tuple[Any, Any]) -> Any:
    """Whether a corner of the output lies beyond the range of fixed point: (B, 1, 1)."""
    a, b, c, d, e, f = _entries(matrix)
    height, width = (tf.cast(side, tf.float64) for side in out)
    corners = [
        tf.abs(value)
        for x, y in ((0.0, 0.0), (width, height), (0.0, height), (width, 0.0))
        for value in (plus(a * x, b * y) + c, plus(d * x, e * y) + f)
    ]
    return ~tf.reduce_all(tf.stack(corners) < FIXED, axis=0)  # NaN is far, too


def _linear(a: Any, b: Any, weight: Any) -> Any:
    return _guarded(_wide(a), _wide(b - a) * weight)


def _guarded(total: Any, product: Any) -> Any:
    return tf.where(tf.math.is_nan(product), product, total + product)


def _wide(value: Any) -> Any:
    return value if value.dtype == tf.float64 else tf.cast(value, tf.float64)


def _cubic(v1: Any, v2: Any, v3: Any, v4: Any, weight: Any) -> Any:
    p2, p3, p4 = -v1 + v3, 2 * (v1 - v2) + v3 - v4, -v1 + v2 - v3 + v4
    inner = _guarded(_wide(p3), weight * _wide(p4))
    inner = _guarded(_wide(p2), weight * inner)
    return _guarded(_wide(v2), weight * inner)


def _interpolated(plan: Plan, read: Callable[[Any, Any], Any], point: tuple[Any, Any], dtype: Any) -> Any:
    x, y = (value - 0.5 for value in point)
    (left, across), (top, down) = split(x), split(y)
    across, down = across[..., tf.newaxis], down[..., tf.newaxis]
    left, top = tf.cast(left, tf.int32), tf.cast(top, tf.int32)
    # Differences of neighbours are taken in the pixels' own dtype: bytes as int32.
    own = tf.int32 if dtype == tf.uint8 else dtype

    def row(offset: int) -> Any:
        reach = (-1, 0, 1, 2) if plan.resample == BICUBIC else (0, 1)
        values = [tf.cast(read(left + step, top + offset), own) for step in reach]
        mix: Any = _cubic if plan.resample == BICUBIC else _linear
        return mix(*values, across)

    if plan.resample == BICUBIC:
        value = _cubic(row(-1), row(0), row(1), row(2), down)
    else:
        value = _linear(row(0), row(1), down)
    if dtype == tf.uint8:
        return tf.cast(tf.clip_by_value(value, 0.0, 255.0), dtype)  # the cast truncates
    return truncated(value) if dtype == tf.int32 else tf.cast(value, dtype)


def _body(
    plan: Plan, pixels: Any, parameters: Any, fill: Any, out: tuple[Any, Any], places: tuple[Any, ...]
) -> Any:
    batch, height, width, channels = tf.unstack(tf.shape(pixels))
    matrix = plan.build(parameters, (tf.cast(width, tf.float64), tf.cast(height, tf.float64)))
    static = pixels.shape
    flat = tf.reshape(pixels, [-1, channels if static[3] is None else static[3]])

    def read(column: Any, line: Any) -> Any:
        index = tf.clip_by_value(line, 0, height - 1) * width + tf.clip_by_value(column, 0, width - 1)
        if static[0] != 1:
            index += (tf.range(batch) * (height * width))[:, tf.newaxis, tf.newaxis]
        return tf.gather(flat, index)

    points = in_memory(lambda: _points(plan.form, matrix, out), opaque_true(pixels))
    if plan.resample == NEAREST:
        column, line = _nearest(plan, matrix, points, out, pixels.dtype, places)
        inside = (column >= 0) & (column < width) & (line >= 0) & (line < height)
        found = read(column, line)
    else:
        x, y = points()
        right, bottom = tf.cast(width, tf.float64), tf.cast(height, tf.float64)
        inside = (x >= 0) & (x < right) & (y >= 0) & (y < bottom)
        # A point outside is not read; its coordinates may not fit an integer.
        point = (tf.where(inside, x, tf.zeros_like(x)), tf.where(inside, y, tf.zeros_like(y)))
        found = _interpolated(plan, read, point, pixels.dtype)
        if plan.form != AFFINE or not plan.small:
            # To Pillow a point that is no number lies inside.
            no_number = (tf.math.is_nan(x) | tf.math.is_nan(y))[..., tf.newaxis]
            found = tf.where(no_number, _of_no_number(pixels.dtype), found)
            inside = ~((x < 0) | (x >= right) | (y < 0) | (y >= bottom))
    return tf.where(inside[..., tf.newaxis], found, fill)


def _of_no_number(dtype: Any) -> Any:
    if dtype.is_floating:
        return tf.constant(float("nan"), dtype)
    return tf.constant(dtype.min, dtype)  # what the processor's cast of NaN gives


def _static_body(plan: Plan, out: tuple[int, int]) -> Callable[..., Any]:
    def run(pixels: Any, parameters: Any, fill: Any, *places: Any) -> Any:
        return _body(plan, pixels, parameters, fill, out, places)

    return run


def warped(
    plan: Plan, pixels: Any, parameters: Any, fill: Any, out: tuple[Any, Any], places: tuple[Any, ...] = ()
) -> Any:
    """Sample pixels through maps of one form.

    `pixels`: shape (B, H, W, C); bool, uint8 (no alpha, or premultiplied), uint16, int32 or float32; no
    others than uint8, int32 and float32 when interpolated. `parameters`: what the plan's map takes; its first
    axis has one entry, or one per image. `fill`: shape (C,); pixel outside the image, in the dtype of the
    pixels. `out`: integers, or scalar int32 tensors. `places`: x and y of the nearest pixels, where steps are
    added up; shapes that broadcast to (B, height, width). Returns: shape (B, height, width, C).
    """
    known = pixels.shape
    if known[:3].is_fully_defined() and known[:3].num_elements() > _MOST:
        advice = "Work on smaller batches."
        raise OutsideDomain(
            explain("image", f"{known[:3].num_elements()} pixels", f"at most {_MOST}", advice)
        )
    static = all(isinstance(side, int) for side in out)
    result = xla.run(_static_body, plan, out, known=known.is_fully_defined() and static)(
        pixels, parameters, fill, *places
    )
    sides = [side if isinstance(side, int) else None for side in out]
    return tf.ensure_shape(result, [known[0], *sides, known[3]])
