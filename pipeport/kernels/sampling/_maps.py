"""Coordinate maps: where in the image each output pixel looks, one coordinate per image axis.

All are module-level functions `(parameters, sizes, out)`, as `_interpolate.Map` asks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import Coordinates, loaded, quotients, sums, whole

_Map = TypeVar("_Map", bound=Callable[..., Any])


class PaddedSide(NamedTuple):
    """A side of the output for which more is computed than is kept: both scalar int32 tensors."""

    size: Any
    room: Any


# Maps that compute coordinates from the output's own alone, so that more of them can be asked for.
FORMULAS: set[Callable[..., Any]] = set()


def formula(function: _Map) -> _Map:
    """Register a map that takes `PaddedSide` sides."""
    FORMULAS.add(function)
    return function


def grid(out: Sequence[Any], axis: int) -> Any:
    """Return the output's own coordinates along one axis: float64, (1, 1, .., size, .., 1)."""
    shape = [1] * (len(out) + 1)
    shape[axis + 1] = -1
    side = out[axis].room if isinstance(out[axis], PaddedSide) else out[axis]
    return tf.reshape(tf.range(tf.cast(side, tf.float64), dtype=tf.float64), shape)


def middle(side: Any) -> Any:
    """Return the middle of a side: a number if that is known, else float64."""
    size = side.size if isinstance(side, PaddedSide) else side
    return ((size if isinstance(size, int) else tf.cast(size, tf.float64)) - 1) / 2


def _spread(value: Any, axes: int) -> Any:
    return tf.reshape(value, [-1] + [1] * axes)


@formula
def affine(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return matrix @ output + offset; parameters (B or 1, D, K) and (B or 1, D)."""
    matrix, offset = parameters
    return lines(_entries(matrix, len(sizes), len(out)), tf.unstack(offset, len(sizes), axis=1), out)


def lines(rows: Sequence[Sequence[Any]], offsets: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return matrix @ output + offset, of the entries of both, (B or 1,)."""
    axes = len(out)
    along = [grid(out, column) for column in range(axes)]

    def terms(row: Sequence[Any], offset: Any) -> list[Any]:
        products = [_spread(entry, axes) * places for entry, places in zip(row, along, strict=True)]
        return [*products, _spread(offset, axes)]

    return sums([terms(row, offset) for row, offset in zip(rows, offsets, strict=True)])


def _entries(matrix: Any, rows: int, columns: int) -> list[list[Any]]:
    """Return the entries of matrices: one operation a row, where a slice for each costs more to trace."""
    return [tf.unstack(row, columns, axis=1) for row in tf.unstack(matrix, rows, axis=1)]


@loaded
def separable(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return coordinates given per axis; parameters: D tensors (B or 1, size of that output axis)."""
    coordinates = []
    for axis, along in enumerate(parameters):
        shape = [1] * len(sizes)
        shape[axis] = -1
        coordinates.append(tf.reshape(along, [along.shape[0] or tf.shape(along)[0], *shape]))
    del out
    return whole(coordinates)


@loaded
def given(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return coordinates as they are; parameters: one tensor (B or 1, D, *out)."""
    del out
    (coordinates,) = parameters
    return whole([coordinates[:, axis] for axis in range(len(sizes))])


@formula
def plane_projective(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return (row, column) under homogeneous matrices of (x, y, 1); one parameter (B or 1, 3, 3)."""
    del sizes
    (matrix,) = parameters
    y, x = grid(out, 0), grid(out, 1)
    rows = [[_spread(entry, 2) for entry in row] for row in _entries(matrix, 3, 3)]
    return quotients([[rows[k][0] * x, rows[k][1] * y, rows[k][2]] for k in (1, 0, 2)])


@formula
def scaled(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return factor * (output + offset / factor); parameters (B or 1, D) and (B or 1, D)."""
    factor, offset = parameters
    axes = len(sizes)
    return whole(
        [
            (grid(out, axis) + _spread(offset[:, axis] / factor[:, axis], axes))
            * _spread(factor[:, axis], axes)
            for axis in range(axes)
        ]
    )


@formula
def shifted(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return output - shift; one parameter (B or 1, D)."""
    (amount,) = parameters
    return whole([grid(out, axis) - _spread(amount[:, axis], len(sizes)) for axis in range(len(sizes))])


@functools.cache
def plane_of(matrix_of: Callable[..., Any]) -> Callable[..., Coordinates]:
    """Return the map of (row, column) under matrices of `_affine_maps`: one object per matrix function."""

    @formula
    def plane(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
        height, width = (tf.cast(side, tf.float64) for side in sizes)
        matrix = matrix_of(parameters, height, width)
        entries = tf.unstack(matrix, axis=-1)
        a, b, c, d, e, f = (_spread(entry, 2) for entry in entries)
        y, x = grid(out, 0), grid(out, 1)
        return sums([[e * y, f, d * x], [b * y, c, a * x]])

    return plane
