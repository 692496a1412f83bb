"""Where a reference is discontinuous: its results at coordinates moved by their rounding."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_NDIMAGE = {
    "constant": "grid-constant",
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
}


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

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C)
        As the reference takes it; float32 may have been widened to float64.
    angle : float
        Degrees.
    resize : bool
        As the reference takes it.
    center : (float, float) or None
        As the reference takes it.
    order : {None, 0, 1, 2, 3, 4, 5}
        As the reference takes it.
    mode : str
        As the reference takes it.
    cval : float
        As the reference takes it.
    clip : bool
        As the reference takes it.
    preserve_range : bool
        As the reference takes it.

    Returns
    -------
    list of numpy.ndarray
        One result for each pair of moves, the unmoved one first; two where the clipped range
        hangs on rounding.
    """
    image = np.asarray(image)
    if order is None:
        order = 0 if image.dtype == bool else 1
    if order > 1:
        turn, out, _ = _turn(image.shape[:2], float(angle), resize, center)
        return warp(image, turn.params, None, out, order, mode, cval, clip, preserve_range)
    image = image.astype(np.float32) if image.dtype == np.float16 else image
    columns, rows, scale = _coordinates(image.shape[:2], float(angle), resize, center)
    single = order == 1 and _fits_float32(image)
    delta = 16 * float(np.finfo(np.float32 if single else np.float64).eps) * scale
    if order == 1:
        image = _as_float(image, preserve_range)
    sample = _nearest if order == 0 else _linear
    moved = itertools.product(_moved(rows, delta), _moved(columns, delta))
    with np.errstate(invalid="ignore", over="ignore"):
        stack = [sample(image, r, c, mode, cval) for r, c in moved]
        if order == 1:
            stack = _only_jumps(stack, _slope(image, cval) * delta)
        if not clip:
            return stack
        slack = _slope(image, cval) * delta if order == 1 else 0.0
        return [each for one in stack for each in _clipped(image, one, mode, cval, slack)]


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

    Returns
    -------
    list of numpy.ndarray
        One result for each pair of moves, the unmoved one first; two where the clipped range
        hangs on rounding.
    """
    from skimage.transform import warp as reference

    image = np.asarray(image)
    if order is None:
        order = 0 if image.dtype == bool else 1
    matrix = np.asarray(inverse_map, np.float64)
    out = image.shape[:2] if output_shape is None else tuple(output_shape)[:2]
    single = order in (1, 3) and _fits_float32(image)
    eps = float(np.finfo(np.float32 if single else np.float64).eps)
    delta = 16 * eps * _reach(matrix, out, image.shape[:2])
    source = _as_float(image, preserve_range) if order else image
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
            hits = itertools.product(_moved(rows, delta), _moved(columns, delta))
            stack += [_linear(source, r, c, mode, cval) for r, c in hits]
        if order:
            stack = _only_jumps(stack, (_slope(source, cval) + 1) * delta * 8)
        if not clip:
            return stack
        slack = (_slope(source, cval) + 1) * delta * 8 if order else 0.0
        return [each for one in stack for each in _clipped(source, one, mode, cval, slack)]


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
    """Recompute `skimage.transform.resize` with both ranges where clipping hangs on rounding.

    Parameters are the reference's. Sample positions are the same numbers on both sides.

    Returns
    -------
    list of numpy.ndarray
        One result, or two where the clipped range hangs on rounding.
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
        source = _as_float(image, preserve_range) if interpolated else image
        scale = float(np.max(np.abs(source[np.isfinite(source)].astype(np.float64)), initial=abs(cval)))
        slack = 1e-12 * scale if plain.dtype != np.float32 else 1e-6 * scale
        return _clipped(source, plain, mode, cval, slack if interpolated else 0.0)


def rescale(
    image: Any,
    scale: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
    *,
    channel_axis: int | None = None,
) -> list[Array]:
    """Recompute `skimage.transform.rescale` with both ranges where clipping hangs on rounding.

    Parameters are the reference's, without a channel axis.

    Returns
    -------
    list of numpy.ndarray
        One result, or two where the clipped range hangs on rounding.
    """
    del channel_axis
    shape = np.maximum(np.round(np.atleast_1d(scale) * np.asarray(np.shape(image))), 1)
    return resize(image, shape, order, mode, cval, clip, preserve_range, anti_aliasing, anti_aliasing_sigma)


def _moved(coordinates: Array, delta: float) -> list[Array]:
    """Return the coordinates as they are, on both sides, and on the pixel where they nearly hit it.

    Exactly on a pixel its neighbours do not count, on either side an infinite one does.
    """
    whole = np.around(coordinates)
    hit = np.where(np.abs(coordinates - whole) <= delta, whole, coordinates)
    return [coordinates, coordinates - delta, coordinates + delta, hit]


def _fits_float32(image: Array) -> bool:
    """Whether the reference may have computed in float32: verify hands float32 over as float64."""
    if image.dtype.kind != "f":
        return False
    with np.errstate(over="ignore"):
        return bool(np.array_equal(image.astype(np.float32).astype(image.dtype), image, equal_nan=True))


def _as_float(image: Array, preserve_range: bool) -> Array:
    if image.dtype.kind == "f" or preserve_range:
        return image.astype(np.float64)
    from skimage.util import img_as_float64

    return np.asarray(img_as_float64(image))


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


def _per_channel(image: Array, sample: Any) -> Array:
    if image.ndim == 2:
        return np.asarray(sample(image))
    return np.stack([sample(image[..., channel]) for channel in range(image.shape[2])], axis=-1)


def _nearest(image: Array, rows: Array, columns: Array, mode: str, cval: float) -> Array:
    from scipy.ndimage import map_coordinates

    def sample(plane: Array) -> Any:
        return map_coordinates(plane, [rows, columns], order=0, mode=_NDIMAGE[mode], cval=cval)

    return _per_channel(image, sample)


def _folded(index: Array, size: int, mode: str) -> Array:
    """Return the pixel that stands at an index, with numpy.pad's meaning of the mode."""
    if mode == "edge":
        return np.asarray(np.clip(index, 0, size - 1))
    if mode == "wrap":
        return np.asarray(index % size)
    turn = size if mode == "symmetric" else size - 1
    period = max(2 * turn, 1)
    index = index % period
    return np.asarray(np.minimum(index, period - index - (1 if mode == "symmetric" else 0)))


def _linear(image: Array, rows: Array, columns: Array, mode: str, cval: float) -> Array:
    height, width = image.shape[:2]
    top, left = np.floor(rows), np.floor(columns)
    # A coordinate on a pixel has no second neighbour: ceil is that pixel again.
    bottom, right = np.ceil(rows), np.ceil(columns)
    down, across = rows - top, columns - left

    def sample(plane: Array) -> Any:
        def read(r: Array, c: Array) -> Array:
            row, column = r.astype(np.int64), c.astype(np.int64)
            if mode != "constant":
                return np.asarray(plane[_folded(row, height, mode), _folded(column, width, mode)])
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            found = plane[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
            return np.where(inside, found, np.float64(cval))

        above = (1 - across) * read(top, left) + across * read(top, right)
        below = (1 - across) * read(bottom, left) + across * read(bottom, right)
        return (1 - down) * above + down * below

    return _per_channel(image, sample)


def _slope(image: Array, cval: float) -> float:
    """Bound how fast a linear interpolation changes per pixel of movement along both axes."""
    finite = image[np.isfinite(image)].astype(np.float64)
    low, high = np.min(finite, initial=float(cval)), np.max(finite, initial=float(cval))
    return 4.0 * float(high - low)


def _only_jumps(stack: list[Array], most: float) -> list[Array]:
    """Put the unmoved value where moving changes it no more than a continuous function may."""
    still = stack[0]
    return [still, *(np.where(np.abs(one - still) <= most, still, one) for one in stack[1:])]


def _clipped(image: Array, result: Array, mode: str, cval: float, slack: float) -> list[Array]:
    """Clip to the image's range; it includes cval if the result reaches it, which may be moot."""
    clean = not np.isnan(image).any()
    lowest, highest = (np.min, np.max) if clean else (np.nanmin, np.nanmax)
    low, high = lowest(image), highest(image)
    plain = np.clip(result, low, high)
    if mode != "constant" or low <= cval <= high:
        return [plain]
    margin = slack + 16 * float(np.finfo(np.float64).eps) * abs(cval)
    if not lowest(result) - margin <= cval <= highest(result) + margin:
        return [plain]
    fill = image.dtype.type(cval)
    wide = np.clip(result, min(low, fill), max(high, fill))
    certain = lowest(result) + margin <= cval <= highest(result) - margin
    return [wide] if certain else [wide, plain]
