"""Where functions of `tensorflow_addons.image` are discontinuous: their kernel, a rounding apart."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from pipeport._lazy import tf

Array = np.ndarray[Any, Any]


def rotate(
    images: Any,
    angles: float,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    name: str | None = None,
    fill_value: float = 0.0,
) -> list[Array]:
    """Recompute the rotation of one image at coordinates moved by float32 rounding.

    Parameters
    ----------
    images : array_like, shape (H, W) or (H, W, C)
        One image.
    angles : float
        Radians.
    interpolation : {'nearest', 'bilinear'}
        As the reference takes it.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}
        As the reference takes it.
    name : str or None
        Without effect on values.
    fill_value : float
        As the reference takes it.

    Returns
    -------
    list of numpy.ndarray
        The unmoved result first.
    """
    del name
    image = np.asarray(images)
    height, width = image.shape[:2]
    angle = float(np.float32(angles))
    y, x = np.mgrid[:height, :width].astype(np.float64)
    middle_x, middle_y = (width - 1) / 2, (height - 1) / 2
    cosine, sine = np.cos(angle), np.sin(angle)
    columns = cosine * (x - middle_x) - sine * (y - middle_y) + middle_x
    rows = sine * (x - middle_x) + cosine * (y - middle_y) + middle_y
    delta = 16 * float(np.finfo(np.float32).eps) * max(height, width)
    mode = fill_mode.lower()
    moved = [
        (_mapped(r, height, mode), _mapped(c, width, mode))
        for r, c in itertools.product(_moved(rows, delta), _moved(columns, delta))
    ]
    if interpolation.lower() == "nearest":
        return [_nearest(image, r, c, fill_value) for r, c in moved]
    sums = [_bilinear(image, r, c, fill_value) for r, c in moved]
    if image.dtype.kind not in "iu":
        return sums
    # Truncation jumps at every whole number, and the sums are float32.
    rounding = 16 * float(np.finfo(np.float32).eps) * max(1.0, float(np.abs(sums).max()))
    return [np.trunc(one + move).astype(image.dtype) for one in sums for move in (0, -rounding, rounding)]


def _moved(coordinate: Array, delta: float) -> list[Array]:
    """Return coordinates as they are, on both sides, and on the pixel where they nearly hit it.

    On it the next pixel has weight zero, which turns an infinity into NaN.
    """
    whole = np.around(coordinate)
    hit = np.where(np.abs(coordinate - whole) <= delta, whole, coordinate)
    return [coordinate, coordinate - delta, coordinate + delta, hit]


def _mapped(coordinate: Array, size: int, mode: str) -> Array:
    if mode == "constant":
        return coordinate
    if mode == "reflect":
        folded = np.mod(coordinate, 2 * size)
        folded = np.where(folded >= size, 2 * size - folded - 1, folded)
        near = (coordinate < 0) & (coordinate >= -1)
        coordinate = np.where(near, -coordinate - 1, folded)
    elif mode == "wrap" and size > 1:
        low = coordinate + size * (np.floor(-coordinate / (size - 1)) + 1)
        high = coordinate - size * np.floor(coordinate / (size - 1))
        coordinate = np.where(coordinate < 0, low, np.where(coordinate > size - 1, high, coordinate))
    return np.clip(coordinate, 0, size - 1)


def _read(image: Array, rows: Array, columns: Array, fill: float) -> Array:
    height, width = image.shape[:2]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    pixels = image[np.clip(rows, 0, height - 1).astype(int), np.clip(columns, 0, width - 1).astype(int)]
    return np.where(inside.reshape(inside.shape + (1,) * (image.ndim - 2)), pixels, fill)


def _nearest(image: Array, rows: Array, columns: Array, fill: float) -> Array:
    found = _read(image, np.floor(rows + 0.5), np.floor(columns + 0.5), fill)
    return np.asarray(found).astype(image.dtype)


def _bilinear(image: Array, rows: Array, columns: Array, fill: float) -> Array:
    shape = rows.shape + (1,) * (image.ndim - 2)
    top, left = np.floor(rows), np.floor(columns)
    down, right = (rows - top).reshape(shape), (columns - left).reshape(shape)
    values: Array = (1 - down) * (
        (1 - right) * _read(image, top, left, fill) + right * _read(image, top, left + 1, fill)
    ) + down * (
        (1 - right) * _read(image, top + 1, left, fill) + right * _read(image, top + 1, left + 1, fill)
    )
    return values


def transform(
    images: Any,
    transforms: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    output_shape: Any = None,
    name: str | None = None,
    fill_value: float = 0.0,
) -> list[Array]:
    """Run the projective kernel on floats, and truncate its sums after a rounding up and one down.

    Parameters
    ----------
    images : array_like, shape (H, W) or (H, W, C)
        One image.
    transforms : array_like, shape (8,)
        As the reference takes it.
    interpolation : {'nearest', 'bilinear'}
        As the reference takes it.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}
        As the reference takes it.
    output_shape : (int, int) or None
        As the reference takes it.
    name : str or None
        Without effect on values.
    fill_value : float
        As the reference takes it.

    Returns
    -------
    list of numpy.ndarray
        For integer images, where truncation jumps at every whole number, the unmoved result first;
        else nothing: coordinates are the reference's own, so there is no other side.
    """
    del name
    image = np.asarray(images)
    if image.dtype.kind == "f" or interpolation.lower() == "nearest":
        return []
    batch = image.reshape(1, *image.shape[:2], -1).astype(np.float32)
    sums = tf.raw_ops.ImageProjectiveTransformV3(
        images=batch,
        transforms=np.asarray(transforms, np.float32).reshape(1, 8),
        output_shape=image.shape[:2] if output_shape is None else output_shape,
        fill_value=np.trunc(fill_value),
        interpolation=interpolation.upper(),
        fill_mode=fill_mode.upper(),
    ).numpy()
    values = sums[0].reshape(sums.shape[1:3] + image.shape[2:]).astype(np.float64)
    rounding = 8 * float(np.finfo(np.float32).eps) * max(1.0, float(np.abs(values).max(initial=0)))
    return [np.trunc(values + move).astype(image.dtype) for move in (0, -rounding, rounding)]


def translate(
    images: Any,
    translations: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    name: str | None = None,
    fill_value: float = 0.0,
) -> list[Array]:
    """Run the projective kernel for a translation, as `transform` does for any map.

    Parameters
    ----------
    images : array_like, shape (H, W) or (H, W, C)
        One image.
    translations : (float, float)
        As the reference takes it.
    interpolation : {'nearest', 'bilinear'}
        As the reference takes it.
    fill_mode : {'constant', 'reflect', 'wrap', 'nearest'}
        As the reference takes it.
    name : str or None
        Without effect on values.
    fill_value : float
        As the reference takes it.

    Returns
    -------
    list of numpy.ndarray
        As `transform` returns it.
    """
    right, down = np.asarray(translations, np.float32)
    matrix = (1, 0, -right, 0, 1, -down, 0, 0)
    return transform(images, matrix, interpolation, fill_mode, None, name, fill_value)
