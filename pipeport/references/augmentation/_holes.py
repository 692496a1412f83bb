"""Holes that a native drew, as the reference takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def holes(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return where holes begin and end.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `holes`, and `height`, `width`, `top`, `left` as parts of what is possible.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    height, width = image.shape[:2]
    whole = native.hole_height_range[1] >= 1
    found = []
    for index in range(int(drawn["holes"])):
        tall, wide = (
            _length(ends, side, float(drawn[name][index]), whole)
            for name, ends, side in (
                ("height", native.hole_height_range, height),
                ("width", native.hole_width_range, width),
            )
        )
        top = int(float(drawn["top"][index]) * (height - tall + 1))
        left = int(float(drawn["left"][index]) * (width - wide + 1))
        found.append((left, top, left + wide, top + tall))
    return {"holes": np.array(found), "seed": 0}


def _length(ends: tuple[float, float], side: int, part: float, whole: bool) -> int:
    low, high = ends
    if not whole:
        return int(side * (low + (high - low) * part))
    return int(low) + int((int(min(high, side) + 1) - int(low)) * part)
