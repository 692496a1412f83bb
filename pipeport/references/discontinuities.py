"""Where a reference is discontinuous: its results at coordinates moved by their rounding."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport.references import _moved

Array = np.ndarray[Any, Any]


def rotate(
    image: Any,
    angle: float,
    resize: bool = False,
    center: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
) -> list[Array]:
    """Recompute `skimage.transform.rotate` at coordinates moved by plus and minus delta.

    Two neighbours differ by more than rounding at the ties of order 0, beside pixels that
    are not finite, and everywhere when the range that `clip` keeps depends on whether one
    pixel reaches `cval`. Delta is 16 eps of the coordinates' dtype times the longest side.

    `image`: array_like, shape (H, W) or (H, W, C); as the reference takes it; float32 may have been widened
    to float64. `order`: {None, 0, 1, 2, 3, 4, 5}. Returns: one result for each pair of moves, the unmoved one
    first; two where the clipped range depends on rounding.
    """
    image = np.asarray(image)
    if order is None:
        order = 0 if image.dtype == bool else 1
    if order > 1:
        turn, out, _ = _turn(image.shape[:2], float(angle), resize, center)
        return warp(image, turn.params, None, out, order, mode, cval, clip, preserve_range)
    image = image.astype(np.float32) if image.dtype == np.float16 else image
    columns, rows, scale = _coordinates(image.shape[:2], float(angle), resize, center)
    single = order == 1 and _moved.fits_float32(image)
    delta = 16 * float(np.finfo(np.float32 if single else np.float64).eps) * scale
    if order == 1:
        image = _moved.as_float(image, preserve_range)
    sample = _moved.nearest if order == 0 else _moved.linear
    moved = itertools.product(_moved.to_sides(rows, delta), _moved.to_sides(columns, delta))
    with np.errstate(invalid="ignore", over="ignore"):
        stack = [sample(image, r, c, mode, cval) for r, c in moved]
        if order == 1:
            stack = _moved.only_discontinuities(stack, _moved.slope(image, cval) * delta)
        if not clip:
            return stack
        slack = _moved.slope(image, cval) * delta if order == 1 else 0.0
        return [each for one in stack for each in _moved.clipped(image, one, mode, cval, slack)]


def warp(
    image: Any,
    inverse_map: Any,
    map_args: Any = None,  # noqa: ARG001 - a matrix has none
    output_shape: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0.0,
    clip: bool = True,
    preserve_range: bool = False,
) -> list[Array]:
    """Recompute `skimage.transform.warp` at coordinates moved by plus and minus delta.

    Moving is done by a translation behind the map, so that the reference itself is what is
    recomputed. Parameters are the reference's; `inverse_map` is a matrix.

    Returns: one result for each pair of moves, the unmoved one first; two where the clipped range depends on
    rounding.
    """
    from skimage.transform import warp as reference

    image = np.asarray(image)
    if order is None:
        order = 0 if image.dtype == bool else 1
    matrix = np.asarray(inverse_map, np.float64)
    out = image.shape[:2] if output_shape is None else tuple(output_shape)[:2]
    single = order in (1, 3) and _moved.fits_float32(image)
    eps = float(np.finfo(np.float32 if single else np.float64).eps)
    delta = 16 * eps * _reach(matrix, out, image.shape[:2])
    source = _moved.as_float(image, preserve_range) if order else image
    options = {"output_shape": out, "order": order, "mode": mode, "cval": cval}
    stack = []
    moves = itertools.product((0.0, -delta, delta), repeat=2)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for x, y in moves:
            behind = np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])
            stack.append(reference(source, behind @ matrix, clip=False, preserve_range=True, **options))
        if order == 1:
            rows, columns = _of_matrix(matrix, out)
            hits = itertools.product(_moved.to_sides(rows, delta), _moved.to_sides(columns, delta))
            stack += [_moved.linear(source, r, c, mode, cval) for r, c in hits]
        if order:
            stack = _moved.only_discontinuities(stack, (_moved.slope(source, cval) + 1) * delta * 8)
        if not clip:
            return stack
        slack = (_moved.slope(source, cval) + 1) * delta * 8 if order else 0.0
        return [each for one in stack for each in _moved.clipped(source, one, mode, cval, slack)]


def _of_matrix(matrix: Array, out: Sequence[int]) -> tuple[Array, Array]:
    rows, columns = np.indices(out).astype(np.float64)
    x, y, scale = (m[0] * columns + m[1] * rows + m[2] for m in matrix)
    return y / scale, x / scale


def _reach(matrix: Array, out: Sequence[int], size: Sequence[int]) -> float:
    """Return the magnitude of what is added and divided on the way to a coordinate."""
    with np.errstate(all="ignore"):
        rows, columns = np.indices(out).astype(np.float64)
        terms = np.abs(matrix) @ np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)])
        scale = np.abs(matrix[2] @ np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)]))
        ratio = terms / scale
    return float(max(np.max(ratio[np.isfinite(ratio)], initial=1.0) * (np.max(terms[2]) + 1), *size))


def resize(
    image: Any,
    output_shape: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> list[Array]:
    """Recompute `skimage.transform.resize` with both ranges where clipping depends on rounding.

    Parameters are the reference's. Sample positions are the same numbers on both sides.

    Returns: one result, or two where the clipped range depends on rounding.
    """
    from skimage.transform import resize as reference

    image = np.asarray(image)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = reference(
            image, output_shape, order, mode, cval, False, preserve_range, anti_aliasing, anti_aliasing_sigma
        )
        if not clip:
            return [plain]
        interpolated = order != 0 and image.dtype != bool
        source = _moved.as_float(image, preserve_range) if interpolated else image
        scale = float(np.max(np.abs(source[np.isfinite(source)].astype(np.float64)), initial=abs(cval)))
        slack = 1e-12 * scale if plain.dtype != np.float32 else 1e-6 * scale
        return _moved.clipped(source, plain, mode, cval, slack if interpolated else 0.0)


def rescale(image: Any, scale: Any, *, channel_axis: int | None = None, **how: Any) -> list[Array]:
    """Recompute `skimage.transform.rescale` with both ranges where clipping depends on rounding.

    Parameters are the reference's, without a channel axis.

    Returns: one result, or two where the clipped range depends on rounding.
    """
    del channel_axis
    shape = np.maximum(np.round(np.atleast_1d(scale) * np.asarray(np.shape(image))), 1)
    return resize(image, shape, **how)


def _turn(shape: Sequence[int], angle: float, resize: bool, center: Any) -> tuple[Any, Any, float]:
    """Return the turn as a transform, the output's height and width, and the coordinates' magnitude.

    By scikit-image's own transforms, so that sizes that end in a half round as there.
    """
    from skimage.transform import SimilarityTransform

    height, width = shape
    middle = np.array([width - 1, height - 1]) / 2 if center is None else np.asarray(center, np.float64)
    turn = (
        SimilarityTransform(translation=-middle)
        + SimilarityTransform(rotation=np.deg2rad(angle))
        + SimilarityTransform(translation=middle)
    )
    size = np.array([width, height])
    if resize:
        reach = turn.inverse(np.array(list(itertools.product((0, width - 1), (0, height - 1)))))
        low, high = reach.min(axis=0), reach.max(axis=0)
        size = np.around(high - low + 1).astype(int)
        turn = SimilarityTransform(translation=low) + turn
    scale = float(max(height, width, *size, *np.abs(middle)))
    return turn, (int(size[1]), int(size[0])), scale


def _coordinates(shape: Sequence[int], angle: float, resize: bool, center: Any) -> tuple[Array, Array, float]:
    """Return source columns and rows of every output pixel, and their magnitude."""
    turn, out, scale = _turn(shape, angle, resize, center)
    c, r = np.meshgrid(np.arange(out[1]), np.arange(out[0]))
    columns, rows = turn(np.stack([c.ravel(), r.ravel()], axis=1)).T
    return columns.reshape(c.shape), rows.reshape(c.shape), scale
