"""Sampling at coordinates that may be moved, and clipping: plain NumPy and SciPy, step by step."""

from __future__ import annotations

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


def to_sides(coordinates: Array, delta: float) -> list[Array]:
    """Return the coordinates as they are, on both sides, and on the pixel where they nearly hit it.

    Exactly on a pixel its neighbours do not count, on either side an infinite one does.
    """
    whole = np.around(coordinates)
    hit = np.where(np.abs(coordinates - whole) <= delta, whole, coordinates)
    return [coordinates, coordinates - delta, coordinates + delta, hit]


def fits_float32(image: Array) -> bool:
    """Whether the reference may have computed in float32: verify hands float32 over as float64."""
    if image.dtype.kind != "f":
        return False
    with np.errstate(over="ignore"):
        return bool(np.array_equal(image.astype(np.float32).astype(image.dtype), image, equal_nan=True))


def as_float(image: Array, preserve_range: bool) -> Array:
    """Return the image as scikit-image interpolates it, in float64."""
    if image.dtype.kind == "f" or preserve_range:
        return image.astype(np.float64)
    from skimage.util import img_as_float64

    return np.asarray(img_as_float64(image))


def _per_channel(image: Array, sample: Any) -> Array:
    if image.ndim == 2:
        return np.asarray(sample(image))
    return np.stack([sample(image[..., channel]) for channel in range(image.shape[2])], axis=-1)


def nearest(image: Array, rows: Array, columns: Array, mode: str, cval: float) -> Array:
    """Read the nearest pixels."""
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


def linear(image: Array, rows: Array, columns: Array, mode: str, cval: float) -> Array:
    """Interpolate linearly, channel by channel."""
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


def slope(image: Array, cval: float) -> float:
    """Bound how fast a linear interpolation changes per pixel of movement along both axes."""
    finite = image[np.isfinite(image)].astype(np.float64)
    low, high = np.min(finite, initial=float(cval)), np.max(finite, initial=float(cval))
    return 4.0 * float(high - low)


def only_discontinuities(stack: list[Array], most: float) -> list[Array]:
    """Put the unmoved value where moving changes it no more than a continuous function may."""
    still = stack[0]
    return [still, *(np.where(np.abs(one - still) <= most, still, one) for one in stack[1:])]


def clipped(image: Array, result: Array, mode: str, cval: float, slack: float) -> list[Array]:
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
