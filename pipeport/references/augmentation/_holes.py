"""Holes that a native drew, as the reference takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.references.augmentation._random_kernels import made_of


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


class _Told:
    """Stands for a random generator whose numbers are known: of rows, of columns, and of places in cells."""

    def __init__(self, unit: int, sides: list[Any], places: list[Any]) -> None:
        self._unit, self._sides, self._places = unit, sides, places
        self._shape: list[int] = []

    def shuffle(self, lengths: Any) -> None:
        count = len(lengths)
        self._shape.append(count)
        rank = np.argsort(np.argsort(self._sides.pop(0)[:count]))
        lengths[:] = lengths[rank]

    def integers(self, low: Any, high: Any) -> Any:
        if np.ndim(high) == 0:
            return low if high > 2**31 else self._unit
        rows, columns = self._shape
        return np.floor(self._places.pop(0)[:rows, :columns].ravel() * high).astype(int)


def grid_holes(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return where the holes of a grid begin and end.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `rows`, `columns` and `places`, which are seeds, and `unit`, where it is drawn.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    rows, columns, places = (one.numpy() for one in native.numbers(drawn, image.shape[:2]))
    return made_of(native, _Told(int(drawn.get("unit", 0)), [rows, columns], [*places]), image)
