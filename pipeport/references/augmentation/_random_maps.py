"""Maps of pixels: what references make of the numbers that their natives drew, and what OpenCV may read."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.references.augmentation._random_kernels import Told, made_of
from pipeport.references.discontinuities_cv2_warp import remap, warp_perspective

# By how much a coordinate may be rounded otherwise, as a part of what is added up for it.
_UNSURE = 5e-7


def grid_distortion(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the maps of a stretched grid.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `longer`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told(drawn["longer"].ravel().tolist()), image)


def elastic(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the maps of blurred noise.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `noise`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told([np.array(native.noise(drawn, image.shape[:2]))]), image)


def optical_distortion(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the maps of a lens.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `k`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told([float(drawn["k"])]), image)


def perspective(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the projective map of four points.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `jitter`, already multiplied by the scale.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told([1.0, np.array(drawn["jitter"])]), image)


def _interpolated(native: Any, name: str) -> tuple[Any, Any, Any]:
    """Return interpolation, border and what lies outside, of images or masks."""
    of_image = name == "image"
    how = native.interpolation if of_image else native.mask_interpolation
    return how, native.border_mode, native.fill if of_image else native.fill_mask


def distorted(drawn: Mapping[str, Any], native: Any, image: Any, value: Any, name: str) -> list[Any]:
    """Return an image or a mask read by maps, once for each rounding that may be chosen.

    Sums of noise and sines of float32 round otherwise from machine to machine: a map of them is taken a
    little to all sides, too.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        What the native drew.
    native : object
        The transform that drew.
    image, value : numpy.ndarray
        The image, and the target.
    name : {'image', 'mask'}
        The target's name.

    Returns
    -------
    list of numpy.ndarray
        Of the shape of `value`.
    """
    makers = {"longer": grid_distortion, "noise": elastic, "k": optical_distortion}
    maps = next(make for key, make in makers.items() if key in drawn)(drawn, native, image)
    how, border, fill = _interpolated(native, name)
    columns, rows = (np.asarray(maps[key], np.float32) for key in ("map_x", "map_y"))
    apart = np.float32(_UNSURE * max(np.abs(columns).max(), np.abs(rows).max()))
    if "noise" in drawn:
        apart += np.float32(_UNSURE * native.alpha)
    sure = "noise" not in drawn and getattr(native, "mode", "") != "fisheye"
    steps = [np.float32(0)] if sure else [np.float32(0), apart, -apart]
    return [
        np.reshape(one, value.shape)
        for right, down in itertools.product(steps, steps)
        for one in remap(value, columns + right, rows + down, how, borderMode=border, borderValue=fill)
    ]


def projected(drawn: Mapping[str, Any], native: Any, image: Any, value: Any, name: str) -> list[Any]:
    """Return an image or a mask warped, once for each rounding that OpenCV may choose.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        What the native drew.
    native : object
        The transform that drew.
    image, value : numpy.ndarray
        The image, and the target.
    name : {'image', 'mask'}
        The target's name.

    Returns
    -------
    list of numpy.ndarray
        Of the shape of `value`.
    """
    params = perspective(drawn, native, image)
    height, width = image.shape[:2]
    scale = np.diag([width / params["max_width"], height / params["max_height"], 1.0])
    how, border, fill = _interpolated(native, name)
    matrix = np.dot(scale, params["matrix"])
    found = warp_perspective(value, matrix, (width, height), None, how, border, fill)
    return [np.reshape(one, value.shape) for one in found]
