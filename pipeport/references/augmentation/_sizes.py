"""Factors and widths of borders that follow from what a native drew and the size of an image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def longest_size(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the factor that gives the longer side a length.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `max_size`, where there are several.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"scale": _scale(drawn, native, image, max, min)}


def smallest_size(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the factor that gives the shorter side a length.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `max_size`, where there are several.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"scale": _scale(drawn, native, image, min, max)}


def _scale(drawn: Mapping[str, Any], native: Any, image: Any, side: Any, of_both: Any) -> float:
    sizes = image.shape[:2]
    if native.max_size_hw is None:
        return float(int(drawn.get("max_size", native.max_size)) / side(sizes))
    asked = (limit / size for limit, size in zip(native.max_size_hw, sizes, strict=True) if limit is not None)
    return float(of_both(asked))


def padding(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the widths of the four borders.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `h_start` and `w_start`, as parts of what is added, where the position is drawn.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    from albumentations.augmentations.geometric import functional

    sizes = native.min_height, native.min_width, native.pad_height_divisor, native.pad_width_divisor
    four = functional.get_padding_params(image.shape[:2], *sizes)
    if native.position == "random":
        down, across = four[0] + four[1], four[2] + four[3]
        top, left = int((down + 1) * float(drawn["h_start"])), int((across + 1) * float(drawn["w_start"]))
        four = top, down - top, left, across - left
    else:
        four = functional.adjust_padding_by_position(*four, native.position, None)
    return dict(zip(("pad_top", "pad_bottom", "pad_left", "pad_right"), four, strict=True))


def coordinates(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return where a crop of known corners begins and ends.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        Nothing.
    native : object
        The transform.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    corners = native.x_min, native.y_min, native.x_max, native.y_max
    return {"crop_coords": corners, "pad_params": None}
