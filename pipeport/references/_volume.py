"""Rotation of volumes as people write it around SciPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def _limited(values: Array, volume: Array, cval: float, limits: Any) -> Array:
    low, high = (min(volume.min(), cval), max(volume.max(), cval)) if limits is None else limits
    values = np.clip(values, low, high)
    return (np.rint(values) if volume.dtype.kind in "iu" else values).astype(volume.dtype)


def rotate_volume(
    volume: Any,
    angle: float,
    axes: Sequence[int] = (0, 1),
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    limits: Any = None,
) -> Array:
    """Rotate in the plane of two axes, and cut off what the spline overshoots.

    Parameters
    ----------
    volume : array_like
        Two axes or more.
    angle : float
        Degrees.
    axes : (int, int), default (0, 1)
        The plane.
    order : int, default 3
        Order of the spline.
    mode : str, default 'constant'
        Border mode.
    cval : float, default 0.0
        Value outside.
    limits : (float, float) or None, default None
        Range of the result; None takes the volume's own and `cval`.

    Returns
    -------
    numpy.ndarray
        Of the volume's shape and dtype.
    """
    from scipy.ndimage import rotate

    volume = np.asarray(volume)
    wide = volume if volume.dtype.kind == "f" else volume.astype(np.float64)
    turned = rotate(wide, angle, axes=tuple(axes), reshape=False, order=order, mode=mode, cval=cval)
    return _limited(turned, volume, cval, limits)


def discontinuities(
    volume: Any,
    angle: float,
    axes: Sequence[int] = (0, 1),
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    limits: Any = None,
) -> list[Array]:
    """Recompute `rotate_volume` at moved coordinates, and with rounding either way.

    Returns: results on either side of every discontinuity.
    """
    from pipeport.references import discontinuities_ndimage

    volume = np.asarray(volume)
    wide = volume.astype(np.float64)
    sides = discontinuities_ndimage.rotate(wide, angle, axes, False, order=order, mode=mode, cval=cval)
    slack = 1e-9 * max(1.0, float(np.abs(wide).max())) if volume.dtype.kind in "iu" else 0.0
    moves = (-slack, slack) if slack else (0.0,)
    return [_limited(side + move, volume, cval, limits) for side in sides for move in moves]
