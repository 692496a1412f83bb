"""B-spline coefficients of an image: the prefilter of orders 2 to 5, and the margin taps read.

Each pole of the spline's inverse filter is one tridiagonal system along the axis, which
TensorFlow solves with one kernel: 1.2 ms an axis for 256x256x3 in float64, where the same
recursion as XLA shifts took 7 ms, as a dense product 7 ms and as a convolution 4 ms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling import _ndimage_borders as borders

# Roots inside the unit circle of the sampled B-spline's z-transform. For order 4 they are
# sqrt(664 - sqrt(438976)) + sqrt(304) - 19 and sqrt(664 + sqrt(438976)) - sqrt(304) - 19, which
# floats would cancel to 13 digits; correctly rounded here.
POLES: dict[int, tuple[float, ...]] = {
    2: (-0.1715728752538099,),
    3: (-0.2679491924311227,),
    4: (-0.36134122590022016, -0.013725429297339121),
    5: (-0.4305753470999738, -0.04309628820326465),
}

# Lines longer than this show nothing of how their recursion began: 0.44**50 < 2e-18.
SHORT = 24

# Extension of a periodic axis, whose system is not tridiagonal: 0.44**48 < 1e-17.
_PERIODS = 48

# Longer lines do not put their diagonals into the graph.
_LONG = 4096


def filter_axis(lines: Any, order: int, boundary: str) -> Any:
    """Return spline coefficients along the last but one axis.

    `lines`: shape (..., N, K), float64. `order`: {2, 3, 4, 5}. `boundary`: {'mirror', 'reflect',
    'grid-wrap'}; how the lines go on beyond their ends. Returns: shape (..., N, K), float64.
    """
    if boundary == "grid-wrap":
        size = tf.shape(lines)[-2]
        index = tf.math.floormod(tf.range(-_PERIODS, size + _PERIODS), size)
        wide = _solved(tf.gather(lines, index, axis=-2), order, "reflect", inexact=False)
        return tf.ensure_shape(wide[..., _PERIODS : _PERIODS + size, :], lines.shape)
    return _solved(lines, order, boundary, is_inexact(boundary, lines.shape[-2]))


def is_inexact(boundary: str, size: int | None) -> bool:
    """Say whether the filter of SciPy that is followed may be inexact for a line.

    `boundary`: {'mirror', 'reflect', 'grid-wrap'}; how the line goes on beyond its ends. `size`: its length;
    None where it is unknown. Returns: only before SciPy 1.18, for short lines that are reflected.
    """
    return boundary == "reflect" and (size is None or size <= SHORT) and config.scipy() == "1.17"


def _solved(lines: Any, order: int, boundary: str, inexact: bool) -> Any:
    for pole in POLES[order]:
        solved = tf.linalg.tridiagonal_solve(
            _system(lines, pole, boundary), lines, diagonals_format="compact", partial_pivoting=False
        )
        lines = solved + _as_scipy_began(lines, pole) if inexact else solved
    return lines


def _as_scipy_began(lines: Any, z: float) -> Any:
    """Return the error of SciPy's 'reflect' filter before 1.18 on a short line.

    Its causal recursion started from a sum whose last term read the sum itself in place of the
    first pixel. That is z^(2N) of a pixel: 2e-4 for five pixels at order 5, nothing for twenty-five.
    With w the weights of the surplus and q its way through both recursions, it is q (w . line).
    """
    size = tf.cast(tf.shape(lines)[-2], tf.float64)
    at = tf.range(size, dtype=tf.float64)

    def power(exponent: Any) -> Any:
        # z is negative: its sign alternates.
        return tf.exp(exponent * math.log(-z)) * (1 - 2 * tf.math.floormod(exponent, 2))

    inner = power(at) + power(2 * size - 1 - at)
    weight = tf.where(at == 0, tf.zeros_like(at), tf.where(at == size - 1, power(size), inner))
    start = power(2 * size) / (1 - power(2 * size)) * (2 - z - 1 / z)
    way = (power(at + 1) + power(2 * size - at)) / (z * z - 1)
    surplus = tf.reduce_sum(weight[:, tf.newaxis] * lines, axis=-2, keepdims=True)
    only = tf.cast(size > 1, tf.float64)
    return only * start * way[:, tf.newaxis] * surplus


def _system(lines: Any, pole: float, boundary: str) -> Any:
    """Return the three diagonals of the system whose solution undoes one pole."""
    size = lines.shape[-2]
    if size is not None and size <= _LONG:
        system = tf.constant(_static_system(size, pole, boundary))
    else:
        system = _dynamic_system(tf.shape(lines)[-2], pole, boundary)
    batch = tf.shape(lines)[:-2]
    return (
        tf.broadcast_to(system, tf.concat([batch, tf.shape(system)], 0)) if lines.shape.rank > 2 else system
    )


def _static_system(size: int, pole: float, boundary: str) -> Any:
    gain = 2 - pole - 1 / pole
    middle = -(pole + 1 / pole)
    above, diagonal, below = np.ones(size), np.full(size, middle), np.ones(size)
    if size == 1:
        diagonal[:] = gain  # one pixel is its own coefficient
    elif boundary == "mirror":
        above[0] = below[-1] = 2
    else:
        diagonal[0] += 1
        diagonal[-1] += 1
    return np.stack([above, diagonal, below]) / gain


def _dynamic_system(size: Any, pole: float, boundary: str) -> Any:
    gain = 2 - pole - 1 / pole
    first = tf.one_hot(0, size, dtype=tf.float64)
    last = tf.one_hot(size - 1, size, dtype=tf.float64)
    ones = tf.ones([size], tf.float64)
    middle = -(pole + 1 / pole) * ones
    alone = tf.equal(size, 1)
    if boundary == "mirror":
        diagonal = tf.where(alone, gain * ones, middle)
        return tf.stack([ones + first, diagonal, ones + last]) / gain
    diagonal = tf.where(alone, gain * ones, middle + first + last)
    return tf.stack([ones, diagonal, ones]) / gain


def coefficients(image: Any, order: int, mode: str, axes: Sequence[int]) -> Any:
    """Return spline coefficients of an array along some axes.

    `image`: any shape, float64. `order`: {2, 3, 4, 5}. `mode`: a mode of `scipy.ndimage`; its filter boundary
    is used. Returns: shape of `image`, float64.
    """
    boundary = borders.filter_boundary(mode)
    for axis in axes:
        image = _along(image, axis, order, boundary)
    return image


def _product(sizes: list[Any]) -> Any:
    known = all(isinstance(one, int) for one in sizes)
    return math.prod(sizes) if known else tf.reduce_prod(tf.stack(sizes))


def _along(image: Any, axis: int, order: int, boundary: str) -> Any:
    rank, sizes, static = image.shape.rank, sizes_of(image), image.shape
    lead, width = _product(sizes[:axis]), _product(sizes[axis + 1 :])
    # The solver is fast along a leading axis with many lines beside it, not on many small systems.
    many = isinstance(lead, int) and lead <= 4 and isinstance(width, int) and width >= 64
    if axis == 0 or many:
        flat = tf.reshape(image, [sizes[0], width] if axis == 0 else [lead, sizes[axis], width])
        return tf.ensure_shape(tf.reshape(filter_axis(flat, order, boundary), sizes), static)
    order_of = [axis, *(a for a in range(rank) if a != axis)]
    back = [order_of.index(a) for a in range(rank)]
    return tf.transpose(_along(tf.transpose(image, order_of), 0, order, boundary), back)
