"""Per-image standardisation as people write it in NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def standardize(image: Any, axis: Any = None, epsilon: float = 0.0) -> Any:
    """Subtract the mean and divide by the standard deviation.

    Parameters
    ----------
    image : array_like
        Integers and bool give float64, floating dtypes stay.
    axis : None, int or tuple of int, default None
        Axes of one mean; None takes the whole image, (0, 1) each channel by itself.
    epsilon : float, default 0.0
        Added to the standard deviation.

    Returns
    -------
    numpy.ndarray
        Of mean 0 and standard deviation 1; NaN where a constant image is divided by 0.
    """
    image = np.asarray(image)
    mean = image.mean(axis=axis, keepdims=True)
    std = image.std(axis=axis, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (image - mean) / (std + epsilon)


def discontinuities(image: Any, axis: Any = None, epsilon: float = 0.0) -> list[Any]:
    """Return the reference without rounding in its sums, and as it is.

    Where pixels are equal, or nearly, the rounding of the mean decides what is left of their
    differences, down to NaN or any number for equal ones: the function is discontinuous there.
    """
    image = np.asarray(image)
    axes = tuple(range(image.ndim)) if axis is None else tuple(np.atleast_1d(axis).astype(int) % image.ndim)
    kept = tuple(a for a in range(image.ndim) if a not in axes)
    # Groups of one mean become rows.
    groups = np.transpose(image, kept + axes)
    rows = groups.reshape(math.prod(groups.shape[: len(kept)]), math.prod(groups.shape[len(kept) :]))
    exact = np.array([_exact(row, epsilon) for row in rows]).reshape(groups.shape)
    return [np.transpose(exact, np.argsort(kept + axes)), standardize(image, axis, epsilon)]


def _exact(row: Any, epsilon: float) -> Any:
    row = row.astype(np.float64)
    if not np.isfinite(row).all():
        return np.full(row.shape, np.nan)
    if not len(row):
        return row
    shifted = row - row[0]
    centred = shifted - math.fsum(shifted) / len(row)
    std = math.sqrt(math.fsum(centred * centred) / len(row))
    with np.errstate(divide="ignore", invalid="ignore"):
        return centred / (std + np.float64(epsilon))
