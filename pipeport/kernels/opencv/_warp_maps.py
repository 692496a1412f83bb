"""Where each output pixel of an OpenCV warp reads: in float32, or in whole steps of a pixel.

OpenCV 5 computes coordinates in float32 (most images) where OpenCV 4, and the rest of
OpenCV 5, rounds them to 1/32 pixel, or to whole pixels for nearest. Rounding is repeated
operation by operation: many matrices put samples on a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import LOADED, Coordinates, added, in_memory, loaded, sums, whole
from pipeport.kernels.sampling._maps import PaddedSide, formula
from pipeport.kernels.xla._materialize import materialize
from pipeport.kernels.xla._rounding import minus, plus

STEP_BITS = 5  # 32 positions between two pixels
_FIXED_BITS = 10  # affine maps are added up in 1/1024 pixel
_BLOCK = 1024  # pixels OpenCV maps at a time under a projective matrix, in rows of 16


class Form(NamedTuple):
    """The form of a map: float32 coordinates if `exact`, else whole pixels (`nearest`) or steps."""

    exact: bool
    nearest: bool


# A map is a module-level function `(parameters, out, form) -> Coordinates` of (columns, rows), each
# of shape (B or 1, height, width), float32 or int32. Sides of `out` may be `PaddedSide`.
Map = Callable[[tuple[Any, ...], tuple[Any, Any], Form], Coordinates]


def stored_coordinates(which: Map, parameters: tuple[Any, ...], out: Any, form: Form, sure: Any) -> Any:
    """Return columns and rows as arrays in memory; `sure` is `opaque_true` of the image.

    XLA would add them up once for each of the things that are made of them: indices and parts of a
    pixel took 0.10 ms for 256x256 instead of 0.05.
    """
    already = which in LOADED
    where = in_memory(lambda: which(parameters, out, form), sure, already=already)
    return where() if already else materialize(sure, lambda: tuple(where()))


def _spread(matrix: Any) -> list[Any]:
    return [tf.reshape(value, [-1, 1, 1]) for value in tf.unstack(matrix, axis=-1)]


def _grid(out: tuple[Any, Any], dtype: Any) -> tuple[Any, Any]:
    height, width = (side.room if isinstance(side, PaddedSide) else side for side in out)
    x = tf.reshape(tf.cast(tf.range(width), dtype), [1, 1, -1])
    y = tf.reshape(tf.cast(tf.range(height), dtype), [1, -1, 1])
    return x, y


def _wide(value: Any) -> Any:
    return tf.cast(value, tf.float64)


def to_int(values: Any) -> Any:
    """Round to int32, halves to even; what does not fit, NaN included, becomes the lowest integer."""
    low = tf.constant(-(2.0**31), values.dtype)
    return tf.cast(tf.where(tf.abs(values) < -low, tf.round(values), low), tf.int32)


def inverted(matrix: Any) -> Any:
    """Invert affine maps (B or 1, 6), float64; a map without an inverse gives zeros."""
    a, b, c, d, e, f = tf.unstack(matrix, axis=-1)
    determinant = minus(a * e, b * d)
    regular = tf.not_equal(determinant, 0)
    inverse = 1 / tf.where(regular, determinant, tf.ones_like(determinant))
    scale = tf.where(regular, inverse, tf.zeros_like(inverse))
    ai, bi, di, ei = e * scale, -b * scale, -d * scale, a * scale
    return tf.stack([ai, bi, minus(-(ai * c), bi * f), di, ei, minus(-(di * c), ei * f)], axis=-1)


def inverted_projective(matrix: Any) -> Any:
    """Invert projective maps (B or 1, 9), float64; a map without an inverse gives zeros."""
    m = tf.unstack(matrix, axis=-1)

    def minor(first: int, second: int, third: int, fourth: int) -> Any:
        return minus(m[first] * m[fourth], m[second] * m[third])

    parts = [m[k] * minor(*at) for k, at in ((0, (4, 5, 7, 8)), (1, (3, 5, 6, 8)), (2, (3, 4, 6, 7)))]
    determinant = plus(minus(parts[0], parts[1]), parts[2])
    regular = tf.not_equal(determinant, 0)
    inverse = 1 / tf.where(regular, determinant, tf.ones_like(determinant))
    scale = tf.where(regular, inverse, tf.zeros_like(inverse))
    cofactors = [
        minor(4, 5, 7, 8),
        minor(2, 1, 8, 7),
        minor(1, 2, 4, 5),
        minor(5, 3, 8, 6),
        minor(0, 2, 6, 8),
        minor(2, 0, 5, 3),
        minor(3, 4, 6, 7),
        minor(1, 0, 7, 6),
        minor(0, 1, 3, 4),
    ]
    return tf.stack([cofactor * scale for cofactor in cofactors], axis=-1)


@formula
def affine(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """Map through affine matrices (B or 1, 6), float64, from output to input."""
    (matrix,) = parameters
    if form.exact:
        return Coordinates(_float32_lines(matrix, out), _float32_sums)
    a, b, c, d, e, f = _spread(matrix)
    x, y = _grid(out, tf.float64)
    scale = 2.0**_FIXED_BITS
    lines = [
        (to_int(along * x * scale), across * y, offset) for along, across, offset in ((a, b, c), (d, e, f))
    ]
    return Coordinates(lines, _nearest_steps if form.nearest else _steps)


def _float32_lines(matrix: Any, out: tuple[Any, Any]) -> list[Any]:
    """Return per row of a matrix its product with columns, in float64, that with rows, and the rest."""
    entries = _spread(tf.cast(matrix, tf.float32))
    x, y = _grid(out, tf.float32)
    return [
        # In float64 the product of two float32 is exact.
        (_wide(entries[k]) * _wide(x), entries[k + 1] * y, entries[k + 2])
        for k in range(0, len(entries), 3)
    ]


def _float32_sums(lines: Any) -> list[Any]:
    """Add as OpenCV does: a product rounded to float32 and the offset, then a fused multiply-add."""
    return [tf.cast(along + _wide(across + offset), tf.float32) for along, across, offset in lines]


def _float32_quotients(lines: Any) -> list[Any]:
    columns, rows, depth = _float32_sums(lines)
    return [columns / depth, rows / depth]


def _nearest_steps(lines: Any) -> list[Any]:
    return [_fixed_sum(line, _FIXED_BITS) for line in lines]


def _steps(lines: Any) -> list[Any]:
    return [_fixed_sum(line, _FIXED_BITS - STEP_BITS) for line in lines]


def _fixed_sum(line: Any, shift: int) -> Any:
    along, across, offset = line
    # Halves of a step are added before the bits below it are cut off.
    row = to_int((across + offset) * 2.0**_FIXED_BITS) + 2 ** (shift - 1)
    return tf.bitwise.right_shift(row + along, shift)


@formula
def inverse_affine(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """As `affine`, through the inverse of the matrices."""
    return affine((inverted(parameters[0]),), out, form)


@formula
def projective(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """Map through projective matrices (B or 1, 9), float64, from output to input."""
    (matrix,) = parameters
    if form.exact:
        return Coordinates(_float32_lines(matrix, out), _float32_quotients)
    m = _spread(matrix)
    x, y = _grid(out, tf.float64)
    height, width = (side.size if isinstance(side, PaddedSide) else side for side in out)
    block = tf.cast(tf.minimum(_BLOCK // tf.minimum(16, height), width), tf.float64)
    within = tf.math.floormod(x, block)
    start = x - within
    lines = [[m[k] * start, m[k + 1] * y, m[k + 2], m[k] * within] for k in (0, 3, 6)]
    return Coordinates(lines, _nearest_quotients if form.nearest else _step_quotients)


def _nearest_quotients(lines: Any) -> list[Any]:
    return _whole_quotients(lines, 1.0)


def _step_quotients(lines: Any) -> list[Any]:
    return _whole_quotients(lines, 2.0**STEP_BITS)


def _whole_quotients(lines: Any, scale: float) -> list[Any]:
    columns, rows, depth = (added(line) for line in lines)
    known = tf.not_equal(depth, 0)
    factor = tf.where(known, scale / tf.where(known, depth, tf.ones_like(depth)), tf.zeros_like(depth))
    limit = tf.constant(2.0**31 - 1, tf.float64)
    return [to_int(tf.clip_by_value(v * factor, -limit - 1, limit)) for v in (columns, rows)]


@formula
def inverse_projective(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """As `projective`, through the inverse of the matrices."""
    return projective((inverted_projective(parameters[0]),), out, form)


@loaded
def given(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """Take the coordinates as they are: two float32 tensors (B or 1, height, width)."""
    del out
    if form.exact:
        return whole(parameters[:2])
    scale = 1.0 if form.nearest else 2.0**STEP_BITS
    return whole([to_int(values * scale) for values in parameters[:2]])


def given_relative(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> Coordinates:
    """As `given`, counted from each output pixel's own place."""
    columns, rows = given(parameters, out, form).stored
    x, y = _grid(out, columns.dtype)
    if not form.exact:
        # Kept to 16 bits before the place is added, see `_warp_sample.from_steps`.
        low, high = (limit if form.nearest else limit * 2**STEP_BITS for limit in (-(2**15), 2**15))
        columns, rows = (tf.clip_by_value(v, low, high - 1) for v in (columns, rows))
        x, y = (v if form.nearest else v * 2**STEP_BITS for v in (x, y))
    return sums([[columns, x], [rows, y]])
