"""Affine maps of a native as matrices of the reference, and the values OpenCV may give a pixel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.references.discontinuities_cv2_warp import warp_affine

_NONE = {"x": 0, "y": 0}
_ONE = {"x": 1, "y": 1}


def _matrices(image: Any, translate: Any, shear: Any, scale: Any, rotate: float) -> dict[str, Any]:
    from albumentations.augmentations.geometric import functional

    shape = image.shape[:2]
    centres = {"matrix": functional.center(shape), "bbox_matrix": functional.center_bbox(shape)}
    return {
        name: functional.create_affine_transformation_matrix(translate, shear, scale, rotate, centre)
        for name, centre in centres.items()
    }


def rotation(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the matrices of a turn.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `angle`, in degrees.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    uncropped = dict.fromkeys(("x_min", "x_max", "y_min", "y_max"), -1)
    return {**uncropped, **_matrices(image, _NONE, _NONE, _ONE, float(drawn["angle"]))}


def affine(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the matrices of an affine map, its angle and its scales.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `rotate`, and `scale`, `shear`, `translate` of x and y.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    scale, shear, translate = (
        {axis: float(drawn[f"{name}_{axis}"]) for axis in "xy"} for name in ("scale", "shear", "translate")
    )
    shape = image.shape[:2]
    if native.translate_percent is not None:
        translate = {"x": int(translate["x"] * shape[1]), "y": int(translate["y"] * shape[0])}
    rotate = float(drawn["rotate"])
    found = _matrices(image, translate, shear, scale, rotate)
    return {"rotate": rotate, "scale": scale, "output_shape": shape, **found}


def safe_rotation(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the matrices of a turn after which the whole image is seen, and its scales.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `angle`, in degrees.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    import albumentations
    from albumentations.augmentations.geometric import functional

    shape, angle = image.shape[:2], float(drawn["angle"])
    made = albumentations.SafeRotate()._create_safe_rotate_matrix
    matrix, scale = made(angle, functional.center(shape), shape)
    corners, _ = made(angle, functional.center_bbox(shape), shape)
    return {
        "rotate": angle,
        "scale": scale,
        "matrix": matrix,
        "bbox_matrix": corners,
        "output_shape": shape,
    }


def warped(drawn: Mapping[str, Any], native: Any, image: Any, value: Any, name: str) -> list[Any]:
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
    convert = (
        safe_rotation if type(native).__name__ == "SafeRotate" else rotation if "angle" in drawn else affine
    )
    matrix = convert(drawn, native, image)["matrix"]
    of_image = name == "image"
    found = warp_affine(
        value,
        matrix[:2],
        image.shape[1::-1],
        flags=native.interpolation if of_image else native.mask_interpolation,
        borderMode=native.border_mode,
        borderValue=native.fill if of_image else native.fill_mask,
    )
    return [np.reshape(one, value.shape) for one in found]
