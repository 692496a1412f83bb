"""Where each output pixel of an OpenCV warp reads: in float32, or in whole steps of a pixel.

OpenCV 5 computes coordinates in float32 (most images) where OpenCV 4, and the rest of
OpenCV 5, rounds them to 1/32 pixel, or to whole pixels for nearest. Rounding is repeated
operation by operation: many matrices put samples on a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf

STEP_BITS = 5  # 32 positions between two pixels
_FIXED_BITS = 10  # affine maps are added up in 1/1024 pixel
_BLOCK = 1024  # pixels OpenCV maps at a time under a projective matrix, in rows of 16


class Form(NamedTuple):
    """What a map is asked for: float32 coordinates if `exact`, else whole pixels (`nearest`) or steps.

    With `fuses`, the compiler makes one instruction of a product and the sum it goes into.
    """

    exact: bool
    nearest: bool
    fuses: bool


# A map is a module-level function `(parameters, out, form) -> (columns, rows)`, each of shape
# (B or 1, height, width), float32 or int32.
Map = Callable[[tuple[Any, ...], tuple[Any, Any], Form], tuple[Any, Any]]


def alone(product: Any, factor: Any) -> Any:
    """Keep a product from being fused with the sum it goes into, which would round once instead of twice."""
    return tf.where(tf.math.is_finite(factor), product, factor)


def _spread(matrix: Any) -> list[Any]:
    return [value[:, tf.newaxis, tf.newaxis] for value in tf.unstack(matrix, axis=-1)]


def _grid(out: tuple[Any, Any], dtype: Any) -> tuple[Any, Any]:
    x = tf.cast(tf.range(out[1]), dtype)[tf.newaxis, tf.newaxis, :]
    y = tf.cast(tf.range(out[0]), dtype)[tf.newaxis, :, tf.newaxis]
    return x, y


def _fused(factor: Any, x: Any, term: Any, form: Form) -> Any:
    """Return factor * x + term, float32, rounded once as by one machine instruction."""
    if form.fuses:
        return factor * x + term
    return tf.cast(
        tf.cast(factor, tf.float64) * tf.cast(x, tf.float64) + tf.cast(term, tf.float64), tf.float32
    )


def _row_terms(a: Any, y: Any, b: Any) -> Any:
    return alone(a * y, a) + b


def to_int(values: Any) -> Any:
    """Round to int32, halves to even; what does not fit, NaN included, becomes the lowest integer."""
    low = tf.constant(-(2.0**31), values.dtype)
    return tf.cast(tf.where(tf.abs(values) < -low, tf.round(values), low), tf.int32)


def inverted(matrix: Any) -> Any:
    """Invert affine maps (B or 1, 6), float64; a map without an inverse gives zeros."""
    a, b, c, d, e, f = tf.unstack(matrix, axis=-1)
    determinant = alone(a * e, a) - alone(b * d, b)
    regular = tf.not_equal(determinant, 0)
    inverse = 1 / tf.where(regular, determinant, tf.ones_like(determinant))
    scale = tf.where(regular, inverse, tf.zeros_like(inverse))
    ai, bi, di, ei = e * scale, -b * scale, -d * scale, a * scale
    ci = -alone(ai * c, ai) - alone(bi * f, bi)
    fi = -alone(di * c, di) - alone(ei * f, ei)
    return tf.stack([ai, bi, ci, di, ei, fi], axis=-1)


def inverted_projective(matrix: Any) -> Any:
    """Invert projective maps (B or 1, 9), float64; a map without an inverse gives zeros."""
    m = tf.unstack(matrix, axis=-1)

    def minor(first: int, second: int, third: int, fourth: int) -> Any:
        return alone(m[first] * m[fourth], m[first]) - alone(m[second] * m[third], m[second])

    parts = [
        alone(m[k] * minor(*at), m[k]) for k, at in ((0, (4, 5, 7, 8)), (1, (3, 5, 6, 8)), (2, (3, 4, 6, 7)))
    ]
    determinant = parts[0] - parts[1] + parts[2]
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


def affine(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """Map through affine matrices (B or 1, 6), float64, from output to input."""
    (matrix,) = parameters
    if form.exact:
        a, b, c, d, e, f = _spread(tf.cast(matrix, tf.float32))
        x, y = _grid(out, tf.float32)
        return _fused(a, x, _row_terms(b, y, c), form), _fused(d, x, _row_terms(e, y, f), form)
    a, b, c, d, e, f = _spread(matrix)
    x, y = _grid(out, tf.float64)
    scale = 2.0**_FIXED_BITS
    # Halves of a step are added before the bits below it are cut off.
    shift = _FIXED_BITS if form.nearest else _FIXED_BITS - STEP_BITS
    half = 2 ** (shift - 1)

    def steps(along: Any, across: Any, offset: Any) -> Any:
        row = to_int(_row_terms(across, y, offset) * scale) + half
        return tf.bitwise.right_shift(row + to_int(along * x * scale), shift)

    return steps(a, b, c), steps(d, e, f)


def inverse_affine(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """As `affine`, through the inverse of the matrices."""
    return affine((inverted(parameters[0]),), out, form)


def projective(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """Map through projective matrices (B or 1, 9), float64, from output to input."""
    (matrix,) = parameters
    if form.exact:
        m = _spread(tf.cast(matrix, tf.float32))
        x, y = _grid(out, tf.float32)
        columns, rows, depth = (_fused(m[k], x, _row_terms(m[k + 1], y, m[k + 2]), form) for k in (0, 3, 6))
        return columns / depth, rows / depth
    m = _spread(matrix)
    x, y = _grid(out, tf.float64)
    block = tf.cast(tf.minimum(_BLOCK // tf.minimum(16, out[0]), out[1]), tf.float64)
    within = tf.math.floormod(x, block)
    start = x - within
    columns, rows, depth = (m[k] * start + m[k + 1] * y + m[k + 2] + m[k] * within for k in (0, 3, 6))
    known = tf.not_equal(depth, 0)
    scale = 1.0 if form.nearest else 2.0**STEP_BITS
    factor = tf.where(known, scale / tf.where(known, depth, tf.ones_like(depth)), tf.zeros_like(depth))
    limit = tf.constant(2.0**31 - 1, tf.float64)
    return tuple(to_int(tf.clip_by_value(v * factor, -limit - 1, limit)) for v in (columns, rows))


def inverse_projective(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """As `projective`, through the inverse of the matrices."""
    return projective((inverted_projective(parameters[0]),), out, form)


def given(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """Take the coordinates as they are: two float32 tensors (B or 1, height, width)."""
    del out
    if form.exact:
        return parameters[0], parameters[1]
    scale = 1.0 if form.nearest else 2.0**STEP_BITS
    return to_int(parameters[0] * scale), to_int(parameters[1] * scale)


def given_relative(parameters: tuple[Any, ...], out: tuple[Any, Any], form: Form) -> tuple[Any, Any]:
    """As `given`, counted from each output pixel's own place."""
    columns, rows = given(parameters, out, form)
    x, y = _grid(out, columns.dtype)
    if not form.exact:
        # Kept to 16 bits before the place is added, see `_cv2_warp_sample.pixels_and_steps`.
        low, high = (limit if form.nearest else limit * 2**STEP_BITS for limit in (-(2**15), 2**15))
        columns, rows = (tf.clip_by_value(v, low, high - 1) for v in (columns, rows))
        x, y = (v if form.nearest else v * 2**STEP_BITS for v in (x, y))
    return columns + x, rows + y
