"""OpenCV's warps in NumPy, with every rounding a compiler may choose: where a pixel may take either side.

Coordinates are float32 (OpenCV 5) or whole steps of 1/32 pixel, and a machine may fuse a product with the
sum it goes into. Each function returns one result per choice; the choices agree almost everywhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from pipeport import config

Array = np.ndarray[Any, Any]
_TAPS = {0: 1, 1: 2, 2: 4, 4: 8}


def warp_affine(
    src: Any,
    M: Any,
    dsize: Any,
    dst: Any = None,
    flags: int = 1,
    borderMode: int = 0,
    borderValue: Any = 0,
    hint: int = 0,
) -> list[Array]:
    """Recompute `cv2.warpAffine`; parameters are the reference's."""
    del dst, hint
    matrix = np.asarray(M, np.float64)
    if not flags & 16:
        matrix = _inverse_affine(matrix)
    matrix = np.vstack([matrix, [0.0, 0.0, 1.0]])
    return _by_matrix(src, matrix, dsize, flags, borderMode, borderValue)


def warp_perspective(
    src: Any,
    M: Any,
    dsize: Any,
    dst: Any = None,
    flags: int = 1,
    borderMode: int = 0,
    borderValue: Any = 0,
    hint: int = 0,
) -> list[Array]:
    """Recompute `cv2.warpPerspective`; parameters are the reference's."""
    del dst, hint
    matrix: Array = np.asarray(M, np.float64)
    if not flags & 16:
        determinant = np.linalg.det(matrix)
        matrix = np.linalg.inv(matrix) if determinant else np.zeros((3, 3))
    return _by_matrix(src, matrix, dsize, flags, borderMode, borderValue, projective=True)


def remap(
    src: Any,
    map1: Any,
    map2: Any,
    interpolation: int,
    dst: Any = None,
    borderMode: int = 0,
    borderValue: Any = 0,
    hint: int = 0,
) -> list[Array]:
    """Recompute `cv2.remap` through float32 maps; parameters are the reference's."""
    del dst, hint
    image, method = _image(src), _method(interpolation)
    if map2 is None:
        columns, rows = np.moveaxis(np.asarray(map1), -1, 0)
    else:
        columns, rows = np.asarray(map1), np.asarray(map2)
    y, x = np.mgrid[: rows.shape[0], : rows.shape[1]].astype(np.float32)
    exact, relative = _exact(image, method), bool(interpolation & 32)
    where: tuple[Array, ...]
    if exact:
        where = (columns + x, rows + y) if relative else (columns, rows)
    else:
        scale = np.float32(1 if method == 0 else 32)
        where = tuple(_to_int(value * scale) for value in (columns, rows))
        if relative:
            limit = 2**15 * int(scale)
            where = tuple(
                np.clip(value, -limit, limit - 1) + (at * scale).astype(np.int64)
                for value, at in zip(where, (x, y), strict=True)
            )
    return list(_sampled(image, where[0], where[1], method, exact, borderMode, borderValue))


def _method(flags: int) -> int:
    return 1 if flags & 7 == 3 else flags & 7


def _image(src: Any) -> Array:
    image = np.asarray(src)
    return image if image.ndim == 3 else image[..., np.newaxis]


def _exact(image: Array, method: int) -> bool:
    if config.opencv() < 5 or method == 4:
        return False
    plain = image.dtype in (np.uint8, np.uint16, np.float32) and image.shape[-1] in (1, 3, 4)
    return method == 2 or plain


def _inverse_affine(matrix: Array) -> Array:
    a, b, c, d, e, f = matrix.ravel()
    determinant = a * e - b * d
    scale = 1 / determinant if determinant else 0.0
    a, b, d, e = e * scale, -b * scale, -d * scale, a * scale
    return np.array([[a, b, -a * c - b * f], [d, e, -d * c - e * f]])


def _by_matrix(
    src: Any, matrix: Array, dsize: Any, flags: int, border: int, value: Any, projective: bool = False
) -> list[Array]:
    image, method = _image(src), _method(flags)
    height, width = image.shape[:2]
    if dsize is not None and min(dsize) > 0:
        width, height = dsize
    exact = _exact(image, method)
    places = _float32_places if exact else _projective_steps if projective else _affine_steps
    found = places(matrix, height, width, method == 0)
    return [one for at in found for one in _sampled(image, *at, method, exact, border, value)]


def _product_sum(a: Any, x: Array, b: Any, fused: bool) -> Array:
    if fused:
        return np.asarray(np.float64(a) * x.astype(np.float64) + b, np.float32)
    return np.asarray(np.float32(a) * x.astype(np.float32) + np.asarray(b, np.float32), np.float32)


def _float32_places(matrix: Array, height: int, width: int, nearest: bool) -> Iterator[tuple[Array, Array]]:
    del nearest
    m = matrix.astype(np.float32)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    for inner, outer, swapped in itertools.product((False, True), (False, True), (False, True)):
        sums = []
        for a, b, c in m:
            if swapped:  # the last columns of a row, which no vector fills, are added in another order
                sums.append(_product_sum(a, x, np.float32(b) * y, outer) + c)
            else:
                row = _product_sum(b, y, c, inner)
                sums.append(_product_sum(a, x, row, outer))
        columns, rows, depth = sums
        with np.errstate(all="ignore"):
            yield (columns / depth, rows / depth) if (m[2] != (0, 0, 1)).any() else (columns, rows)


def _to_int(values: Array) -> Array:
    rounded = np.rint(values.astype(np.float64))
    return np.where(np.abs(rounded) < 2**31, rounded, -(2**31)).astype(np.int64)


def _affine_steps(matrix: Array, height: int, width: int, nearest: bool) -> Iterator[tuple[Array, Array]]:
    x, y = np.arange(width)[np.newaxis, :], np.arange(height)[:, np.newaxis]
    shift = 10 if nearest else 5
    for move in itertools.product((0.0, -1e-6, 1e-6), repeat=2):
        at = []
        for (a, b, c), extra in zip(matrix[:2], move, strict=True):
            row = _to_int((b * y + c) * 1024 + extra) + (1 << (shift - 1))
            total = row + _to_int(a * x * 1024 + extra)
            at.append(((total + 2**31) % 2**32 - 2**31) >> shift)
        yield at[0], at[1]


def _projective_steps(matrix: Array, height: int, width: int, nearest: bool) -> Iterator[tuple[Array, Array]]:
    y, x = np.mgrid[:height, :width].astype(np.float64)
    columns, rows, depth = (a * x + (b * y + c) for a, b, c in matrix)
    known = depth != 0
    factor = np.where(known, (1.0 if nearest else 32.0) / np.where(known, depth, 1.0), 0.0)
    limit = 2.0**31 - 1
    for move in itertools.product((0.0, -1e-6, 1e-6), repeat=2):
        moved = [
            np.clip(v * factor, -limit - 1, limit) + m for v, m in zip((columns, rows), move, strict=True)
        ]
        yield _to_int(moved[0]), _to_int(moved[1])


def _fold(index: Array, size: int, border: int) -> Array:
    if border == 1:
        return np.clip(index, 0, size - 1)
    if border == 3:
        return np.asarray(index % size)
    period = 2 * size if border == 2 else max(2 * size - 2, 1)
    folded = index % period
    return np.asarray(np.minimum(folded, period - folded - (border == 2)))


def _read(image: Array, rows: Array, columns: Array, border: int, fill: Array) -> Array:
    height, width = image.shape[:2]
    if border:
        return np.asarray(image[_fold(rows, height, border), _fold(columns, width, border)])
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    return np.where(inside[..., np.newaxis], found, fill)


def _fill(value: Any, image: Array) -> Array:
    numbers = (np.atleast_1d(np.asarray(0 if value is None else value, np.float64)).tolist() + [0.0] * 4)[:4]
    channels = np.array([numbers[k % 4] for k in range(image.shape[-1])])
    if image.dtype.kind in "iu":
        limits = np.iinfo(image.dtype)
        channels = np.clip(np.rint(channels), limits.min, limits.max)
    return channels.astype(image.dtype)


def _weights(part: Array, taps: int) -> Array:
    """Return weights in float64 for parts of a pixel in float32: linear, cubic of slope -3/4, Lanczos."""
    t = part.astype(np.float64)[..., np.newaxis]
    distance = np.abs(t - np.arange(1 - taps // 2, taps // 2 + 1))
    if taps == 2:
        return np.concatenate([1 - t, t], axis=-1)
    if taps == 4:
        near = (1.25 * distance - 2.25) * distance**2 + 1
        far = -0.75 * (((distance - 5) * distance + 8) * distance - 4)
        return np.where(distance <= 1, near, far)
    lobes = np.asarray(np.sinc(distance) * np.sinc(distance / 4))
    return np.asarray(lobes / lobes.sum(axis=-1, keepdims=True))


def _sampled(
    image: Array, columns: Array, rows: Array, method: int, exact: bool, border: int, value: Any
) -> Iterator[Array]:
    taps, fill = _TAPS[method], _fill(value, image)
    height, width = image.shape[:2]
    if method == 0:
        limit = 2**30 if exact else 2**15
        at = [np.clip(np.nan_to_num(np.rint(v), nan=-limit), -limit, limit - 1) for v in (rows, columns)]
        yield _shaped(_read(image, at[0].astype(np.int64), at[1].astype(np.int64), border, fill))
        return
    parts, firsts = [], []
    for coordinate, side in ((rows, height), (columns, width)):
        if exact:
            span = (-max(side, 16), 2 * max(side, 16)) if taps == 4 else (-(2.0**30), 2.0**30)
            kept = np.clip(np.nan_to_num(coordinate, nan=span[0]), *span).astype(np.float32)
            firsts.append(np.floor(kept).astype(np.int64))
            parts.append(kept - np.floor(kept))
        else:
            firsts.append(np.clip(coordinate >> 5, -(2**15), 2**15 - 1))
            parts.append((coordinate & 31).astype(np.float32) / np.float32(32))
    down, right = (_weights(part, taps) for part in parts)
    total: Any = 0.0
    with np.errstate(all="ignore"):
        for j, i in itertools.product(range(taps), repeat=2):
            pixels = _read(image, firsts[0] + j - taps // 2 + 1, firsts[1] + i - taps // 2 + 1, border, fill)
            total = total + pixels.astype(np.float64) * (down[..., j] * right[..., i])[..., np.newaxis]
    farthest = max(float(np.abs(first).max()) for first in firsts) if exact else 0.0
    yield from _rounded(total, image.dtype, taps, exact, 4 + farthest)


def _rounded(total: Array, dtype: Any, taps: int, exact: bool, length: float) -> Iterator[Array]:
    if dtype.kind == "f":
        yield _shaped(total.astype(dtype))
        return
    limits = np.iinfo(dtype)
    # Rounding of float32: of a coordinate of that length, and of sums of pixels.
    spread = 4 * float(np.finfo(np.float32).eps) * length * (int(limits.max) - int(limits.min))
    if dtype == np.uint8 and taps > 2 and not exact:
        spread = taps * taps * 255 / 2**16  # the integer weights of bytes are off by half of 1/32768
    # Steps of at most a half, so that no whole number in between is passed over.
    for move in np.linspace(-spread, spread, 2 * math.ceil(2 * spread) + 1):
        yield _shaped(np.clip(np.rint(total + move), limits.min, limits.max).astype(dtype))


def _shaped(result: Array) -> Array:
    return result[..., 0] if result.shape[-1] == 1 else result
