"""Bringing images, masks and boxes to one size, as people write it by hand, without the usual bugs."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def _plane(array: Any, name: str) -> Array:
    array = np.asarray(array)
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise ValueError(f"{name} must be (H, W) or (H, W, C), and not empty")
    checked: Array = array
    return checked


def _pair(image: Any, mask: Any) -> tuple[Array, Array]:
    image, mask = _plane(image, "image"), _plane(mask, "mask")
    if image.shape[:2] != mask.shape[:2]:
        raise ValueError("image and mask must have one height and width")
    return image, mask


def _size(size: Any) -> tuple[int, int]:
    height, width = (int(side) for side in size)
    if height < 1 or width < 1:
        raise ValueError("size must be positive")
    return height, width


def _linear(image: Array, size: tuple[int, int]) -> Array:
    """Resize between pixel centres; integers in whole numbers, rounded half up."""
    whole = image.dtype.kind in "iu"
    if image.dtype.kind not in "iuf" or (whole and image.dtype.itemsize > 4):
        raise ValueError("linear interpolation needs real numbers of 32 bits, or floats")
    values = image.astype(np.int64 if whole else np.float64)
    total = 1
    for axis, new in enumerate(size):
        old = image.shape[axis]
        unit = 2 * new
        # In halves of an output pixel, so that every position is a whole number.
        place = (2 * np.arange(new) + 1) * old - new
        low, part = place // unit, place % unit
        first = values.take(np.clip(low, 0, old - 1), axis)
        second = values.take(np.clip(low + 1, 0, old - 1), axis)
        part = part.reshape([-1 if a == axis else 1 for a in range(image.ndim)])
        if whole:
            values, total = first * (unit - part) + second * part, total * unit
        else:
            values = first * (1 - part / unit) + second * (part / unit)
    return ((values + total // 2) // total if whole else values).astype(image.dtype)


def _nearest(mask: Array, size: tuple[int, int]) -> Array:
    for axis, new in enumerate(size):
        old = mask.shape[axis]
        mask = mask.take((2 * np.arange(new) + 1) * old // (2 * new), axis)
    return mask


def resize_pair(image: Any, mask: Any, size: Any) -> tuple[Array, Array]:
    """Resize an image linearly and its mask to the nearest pixel, by one geometry.

    Parameters
    ----------
    image, mask : array_like
        Of one height and width.
    size : (int, int)
        Height and width wanted.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray)
        Of their own dtypes.

    Raises
    ------
    ValueError
        Sizes or dtypes do not fit.
    """
    image, mask = _pair(image, mask)
    return _linear(image, _size(size)), _nearest(mask, _size(size))


def _fill(shape: tuple[int, ...], fill: Any, dtype: Any) -> Array:
    return np.full(shape, np.asarray(fill).astype(dtype), dtype)


def letterbox(image: Any, size: Any, boxes: Any = None, fill: Any = 0) -> tuple[Array, Array, Array, Array]:
    """Resize an image as a whole into a frame, centred, and map its boxes along.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    size : (int, int)
        Height and width of the frame.
    boxes : array_like or None, default None
        (N, 4): x1, y1, x2, y2 in pixels.
    fill : number, default 0
        Value of the border.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray)
        Image, boxes, scale (rows, columns), offset (rows, columns).

    Raises
    ------
    ValueError
        Sizes or dtypes do not fit.
    """
    image = _plane(image, "image")
    (height, width), (tall, wide) = image.shape[:2], _size(size)
    if tall * width <= wide * height:
        new = (tall, max(1, (2 * width * tall + height) // (2 * height)))
    else:
        new = (max(1, (2 * height * wide + width) // (2 * width)), wide)
    top, left = (tall - new[0]) // 2, (wide - new[1]) // 2
    framed = _fill((tall, wide, *image.shape[2:]), fill, image.dtype)
    framed[top : top + new[0], left : left + new[1]] = _linear(image, new)
    scale = np.array([new[0] / height, new[1] / width])
    offset = np.array([top, left])
    boxes = np.zeros((0, 4), np.float32) if boxes is None else np.asarray(boxes)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError("boxes must be (N, 4)")
    moved = boxes.astype(np.float64) * scale[[1, 0, 1, 0]] + offset[[1, 0, 1, 0]]
    return framed, moved.astype(boxes.dtype), scale, offset


def _centred(array: Array, size: tuple[int, int], fill: Any) -> Array:
    framed = _fill((*size, *array.shape[2:]), fill, array.dtype)
    source, target = [], []
    for old, new in zip(array.shape[:2], size, strict=True):
        kept = min(old, new)
        source.append(slice(max(old - new, 0) // 2, max(old - new, 0) // 2 + kept))
        target.append(slice(max(new - old, 0) // 2, max(new - old, 0) // 2 + kept))
    framed[tuple(target)] = array[tuple(source)]
    return framed


def crop_or_pad(image: Any, size: Any, mask: Any = None, fill: Any = 0, mask_fill: Any = 0) -> Any:
    """Cut or extend an image about its middle, and its mask with it.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    size : (int, int)
        Height and width wanted.
    mask : array_like or None, default None
        Of the image's height and width.
    fill, mask_fill : number, default 0
        Values of the border.

    Returns
    -------
    numpy.ndarray, or (numpy.ndarray, numpy.ndarray)
        The image, and the mask if there is one.

    Raises
    ------
    ValueError
        Sizes do not fit.
    """
    if mask is None:
        return _centred(_plane(image, "image"), _size(size), fill)
    image, mask = _pair(image, mask)
    return _centred(image, _size(size), fill), _centred(mask, _size(size), mask_fill)


def crop_at(image: Any, offset: Any, size: Any, mask: Any = None) -> Any:
    """Cut a window out of an image, and of its mask.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    offset : (int, int)
        First row and column.
    size : (int, int)
        Height and width wanted.
    mask : array_like or None, default None
        Of the image's height and width.

    Returns
    -------
    numpy.ndarray, or (numpy.ndarray, numpy.ndarray)
        The window, and that of the mask if there is one.

    Raises
    ------
    ValueError
        The window does not lie inside.
    """
    image = _plane(image, "image")
    arrays = (image,) if mask is None else _pair(image, mask)
    (row, column), (height, width) = (int(first) for first in offset), _size(size)
    if row < 0 or column < 0 or row + height > image.shape[0] or column + width > image.shape[1]:
        raise ValueError("the window must lie inside the image")
    cut = tuple(array[row : row + height, column : column + width] for array in arrays)
    return cut[0] if mask is None else cut
