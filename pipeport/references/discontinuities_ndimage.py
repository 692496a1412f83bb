"""Where `scipy.ndimage`'s interpolation is discontinuous: its results at moved coordinates.

Ties of order 0, the border of 'constant', seams of 'wrap', pixels beside one that is not finite;
and, for integer results, values so near a half that rounding decides. `how` is what `_members` takes by name.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_EPS = float(np.finfo(np.float64).eps)


def _moved(coordinate: Array, delta: float) -> list[Array]:
    whole = np.around(coordinate)
    hit = np.where(np.abs(coordinate - whole) <= delta, whole, coordinate)
    return [coordinate, coordinate - delta, coordinate + delta, hit]


def _members(
    image: Array,
    coordinates: Sequence[Array],
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> list[Array]:
    """Return the image at moved coordinates, (rank, ...) of them, in the dtype of the result."""
    from scipy.ndimage import map_coordinates, spline_filter

    dtype = image.dtype if output is None else np.dtype(output)
    coordinates = [np.asarray(c, np.float64) for c in np.broadcast_arrays(*coordinates)]
    largest = max([*image.shape, *(float(np.max(np.abs(c), initial=0.0)) for c in coordinates)])
    delta = 16 * _EPS * largest
    source, filtered = image, prefilter
    if prefilter and order > 1 and mode not in ("nearest", "grid-constant"):
        source, filtered = spline_filter(image, order, mode=mode), False
    stack = []
    for moved in itertools.product(*(_moved(c, delta) for c in coordinates)):
        exact = dtype.kind == "b" or (dtype.kind in "iu" and order == 0)
        values = map_coordinates(
            source,
            np.stack(moved),
            output=dtype if exact else np.float64,
            order=order,
            mode=mode,
            cval=cval,
            prefilter=filtered,
        )
        if exact or dtype.kind == "f":
            stack.append(values)
            continue
        tie = min(1e-9 * max(1.0, float(np.max(np.abs(values), initial=0.0))), 0.25)
        stack += [_stored(values - tie, dtype), _stored(values + tie, dtype)]
    unique = {each.tobytes(): each for each in stack}
    return list(unique.values())


def _stored(values: Array, dtype: Any) -> Array:
    limits = np.iinfo(dtype)
    whole = np.sign(values) * np.floor(np.abs(values) + 0.5)
    return np.asarray(np.clip(whole, limits.min, limits.max).astype(dtype))


def _grid(shape: Sequence[int]) -> list[Array]:
    return list(np.meshgrid(*(np.arange(side, dtype=np.float64) for side in shape), indexing="ij"))


def map_coordinates(input: Any, coordinates: Any, **how: Any) -> list[Array]:
    """Recompute `scipy.ndimage.map_coordinates` at moved coordinates; parameters are the reference's."""
    where = np.asarray(coordinates, np.float64)
    return _members(np.asarray(input), list(where), **how)


def geometric_transform(
    input: Any,
    mapping: Callable[..., Any],
    output_shape: Sequence[int] | None = None,
    extra_arguments: tuple[Any, ...] = (),
    extra_keywords: Mapping[str, Any] | None = None,
    **how: Any,
) -> list[Array]:
    """Recompute `scipy.ndimage.geometric_transform` at moved coordinates; parameters are the reference's."""
    image = np.asarray(input)
    grid = _grid(image.shape if output_shape is None else output_shape)
    where = mapping(tuple(grid), *extra_arguments, **dict(extra_keywords or {}))
    where = [np.broadcast_to(np.asarray(part, np.float64), grid[0].shape) for part in where]
    return _members(image, where, **how)


def affine_transform(
    input: Any, matrix: Any, offset: Any = 0.0, output_shape: Sequence[int] | None = None, **how: Any
) -> list[Array]:
    """Recompute `scipy.ndimage.affine_transform` at moved coordinates; parameters are the reference's."""
    image = np.asarray(input)
    rank = image.ndim
    linear = np.asarray(matrix, np.float64)
    grid = _grid(image.shape if output_shape is None else output_shape)
    shift = np.broadcast_to(np.asarray(offset, np.float64), (rank,))
    if linear.ndim == 1:
        where = [(grid[k] + shift[k] / linear[k]) * linear[k] for k in range(rank)]
    else:
        if linear.shape[1] == rank + 1:
            shift, linear = linear[:rank, rank], linear[:rank, :rank]
        where = [sum(linear[k, n] * axis for n, axis in enumerate(grid)) + shift[k] for k in range(rank)]
    return _members(image, where, **how)


def shift(input: Any, shift: Any, **how: Any) -> list[Array]:
    """Recompute `scipy.ndimage.shift` at moved coordinates; parameters are the reference's."""
    image = np.asarray(input)
    amount = np.broadcast_to(np.asarray(shift, np.float64), (image.ndim,))
    where = [axis - amount[k] for k, axis in enumerate(_grid(image.shape))]
    return _members(image, where, **how)


def zoom(input: Any, zoom: Any, grid_mode: bool = False, **how: Any) -> list[Array]:
    """Recompute `scipy.ndimage.zoom` at moved coordinates; parameters are the reference's."""
    image = np.asarray(input)
    factors = np.broadcast_to(np.asarray(zoom, np.float64), (image.ndim,))
    shape = [round(side * factor) for side, factor in zip(image.shape, factors.tolist(), strict=True)]
    where = []
    for axis, size, length in zip(_grid(shape), image.shape, shape, strict=True):
        if grid_mode:
            where.append((axis + 0.5) * (size / length) - 0.5)
        else:
            where.append(axis * ((size - 1) / (length - 1) if length > 1 else 1.0))
    return _members(image, where, **how)


def rotate(
    input: Any, angle: float, axes: Sequence[int] = (1, 0), reshape: bool = True, **how: Any
) -> list[Array]:
    """Recompute `scipy.ndimage.rotate` at moved coordinates; parameters are the reference's."""
    from scipy.special import cosdg, sindg

    image = np.asarray(input)
    first, second = sorted(int(axis) % image.ndim for axis in axes)
    cosine, sine = cosdg(angle), sindg(angle)
    matrix = np.array([[cosine, sine], [-sine, cosine]])
    size = np.array([image.shape[first], image.shape[second]])
    out = size
    if reshape:
        out = (np.ptp(matrix @ [[0, 0, size[0], size[0]], [0, size[1], 0, size[1]]], axis=1) + 0.5).astype(
            int
        )
    offset = (size - 1) / 2 - matrix @ ((out - 1) / 2)
    planes = np.moveaxis(image, (first, second), (-2, -1))
    turned = [
        affine_transform(plane, matrix, offset, tuple(out), **how) for plane in planes.reshape(-1, *size)
    ]
    count = max(map(len, turned))
    stack = []
    for member in range(count):
        chosen = np.stack([plane[min(member, len(plane) - 1)] for plane in turned])
        whole = chosen.reshape(*planes.shape[:-2], *out)
        stack.append(np.moveaxis(whole, (-2, -1), (first, second)))
    return stack
