"""Weights of the taps around a coordinate: B-splines of order 0 to 5, and cubic convolution."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import split

# scikit-image's own order 3: cubic convolution with a = -1/2, without a prefilter.
CONVOLUTION = "convolution"


def taps_of(order: int | str) -> int:
    """Return how many pixels an axis contributes."""
    return 4 if order == CONVOLUTION else int(order) + 1


def reach(order: int | str) -> int:
    """Return how far before the pixel of `first_tap` the taps begin."""
    return 1 if order == CONVOLUTION else int(order) // 2


def first_tap(coordinate: Any, order: int | str) -> tuple[Any, Any]:
    """Return the pixel the taps are counted from, as a float, and the distance to it."""
    odd = order == CONVOLUTION or int(order) % 2 == 1
    return split(coordinate, nearest=not odd)


def weights(x: Any, order: int | str) -> list[Any]:
    """Return the weights of the taps at distance `x` from the first, in order.

    `x`: in [0, 1) for odd orders, [-1/2, 1/2) for even ones. Returns: `taps_of(order)` weights; they add up
    to one.
    """
    if order == CONVOLUTION:
        return _convolution(x)
    first = _SPLINES[int(order)](x)
    if order == 0:
        return first
    last = 1.0 - first[0]
    for weight in first[1:]:
        last = last - weight
    return [*first, last]


def _quadratic(x: Any) -> list[Any]:
    y = 0.5 - x
    return [0.5 * y * y, 0.75 - x * x]


def _cubic(x: Any) -> list[Any]:
    z = 1.0 - x
    return [z * z * z / 6.0, 2.0 / 3.0 + x * x * (0.5 * x - 1.0), 2.0 / 3.0 + z * z * (0.5 * z - 1.0)]


def _quartic_side(y: Any) -> Any:
    return 55.0 / 96.0 + y * (5.0 / 24.0 + y * (-1.25 + y * (5.0 - y) / 6.0))


def _quartic(x: Any) -> list[Any]:
    square, near = x * x, 0.5 - x
    middle = 115.0 / 192.0 + square * (0.25 * square - 0.625)
    return [near * near * near * near / 24.0, _quartic_side(1.0 + x), middle, _quartic_side(1.0 - x)]


def _quintic_inner(y: Any) -> Any:
    square = y * y
    return 0.55 + square * (-0.5 + square * (0.25 - y / 12.0))


def _quintic_outer(y: Any) -> Any:
    return 0.425 + y * (0.625 + y * (-1.75 + y * (1.25 + y * (-0.375 + y / 24.0))))


def _quintic(x: Any) -> list[Any]:
    z = 1.0 - x
    square = z * z
    return [
        z * square * square / 120.0,
        _quintic_outer(1.0 + x),
        _quintic_inner(x),
        _quintic_inner(z),
        _quintic_outer(1.0 + z),
    ]


def _convolution(x: Any) -> list[Any]:
    return [
        x * (-0.5 + x * (1.0 - 0.5 * x)),
        1.0 + x * x * (-2.5 + 1.5 * x),
        x * (0.5 + x * (2.0 - 1.5 * x)),
        x * x * (-0.5 + 0.5 * x),
    ]


_SPLINES = {
    0: lambda x: [tf.ones_like(x)],
    1: lambda x: [1.0 - x],
    2: _quadratic,
    3: _cubic,
    4: _quartic,
    5: _quintic,
}
