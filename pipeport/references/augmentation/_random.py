"""What a native drew, as the parameters its reference takes, where those are not the same numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from pipeport.references.augmentation._sizes import padding

# As in albumentations.core.type_definitions, in this order.
_ELEMENTS = ("e", "r90", "r180", "r270", "v", "hvt", "h", "t")


def group_element(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the name of the symmetry for its number.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `group_element`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"group_element": _ELEMENTS[int(drawn["group_element"])]}


def brightness_contrast(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the factor, and what is added to every value.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `alpha` and `beta`, the latter as a part of the largest value or of the mean.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    largest = 255 if image.dtype == np.uint8 else 1.0
    unit = largest if native.brightness_by_max else np.mean(image)
    return {"alpha": float(drawn["alpha"]), "beta": float(drawn["beta"]) * unit}


def crop(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return where a crop begins and ends.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `h_start` and `w_start`, as fractions of the room for the crop; none of one that is
        in the middle. `pad_h_start` and `pad_w_start` likewise, of what is added where it is drawn.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    borders = None
    height, width = image.shape[:2]
    if native.pad_if_needed and (height < native.height or width < native.width):
        lacking = SimpleNamespace(
            min_height=native.height,
            min_width=native.width,
            pad_height_divisor=None,
            pad_width_divisor=None,
            position=native.pad_position,
        )
        starts = {
            name.removeprefix("pad_"): value for name, value in drawn.items() if name.startswith("pad_")
        }
        borders = padding(starts, lacking, image)
        height += borders["pad_top"] + borders["pad_bottom"]
        width += borders["pad_left"] + borders["pad_right"]
    top, left = (
        int((side - wanted + 1) * float(drawn[name])) if name in drawn else (side - wanted) // 2
        for name, side, wanted in (("h_start", height, native.height), ("w_start", width, native.width))
    )
    ends = left + native.width, top + native.height
    return {"crop_coords": (left, top, *ends), "pad_params": borders}


def resized_crop(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return where a crop of drawn area and ratio begins and ends.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `area` and `ratio`, ten each, and `h_start` and `w_start`.
    native : object
        The transform that drew; its `ratio` counts where no window fits.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    height, width = image.shape[:2]
    starts = float(drawn["h_start"]), float(drawn["w_start"])
    sizes = [
        (round(math.sqrt(area * height * width / ratio)), round(math.sqrt(area * height * width * ratio)))
        for area, ratio in zip(drawn["area"].tolist(), drawn["ratio"].tolist(), strict=True)
    ]
    fitting = [(down, across) for down, across in sizes if 0 < down <= height and 0 < across <= width]
    if fitting:
        down, across = fitting[0]
        top, left = int((height - down + 1) * starts[0]), int((width - across + 1) * starts[1])
    else:
        down = round(width / native.ratio[0]) if width / height < native.ratio[0] else height
        across = round(height * native.ratio[1]) if width / height > native.ratio[1] else width
        top, left = (height - down) // 2, (width - across) // 2
    return {"crop_coords": (left, top, left + across, top + down)}


def sized_crop(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return where a crop of drawn height begins and ends.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `height`, `h_start` and `w_start`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    from albumentations.augmentations.crops import functional

    size = int(drawn["height"]), int(int(drawn["height"]) * native.w2h_ratio)
    starts = float(drawn["h_start"]), float(drawn["w_start"])
    return {"crop_coords": functional.get_crop_coords(image.shape[:2], size, *starts)}


def shuffled_tiles(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the tiles of an image, and where each goes.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `rows` and `columns`, seeds, and `order`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    found = native.geometry(drawn, image.shape[:2])
    top, left, height, width = (one.numpy() for one in found[:4])
    tiles = np.stack([top, left, top + height, left + width], 1).astype(np.int16)
    return {"tiles": tiles, "mapping": found.target.numpy().tolist()}
