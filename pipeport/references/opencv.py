"""What is compared of objects of OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np

_SHAPES = ((64, 72), (37, 50), (1, 1), (9, 130))
# So many tables of 65536 levels are made for each image.
_MOST_TILES = 9


def _image(shape: tuple[int, int], dtype: str) -> Any:
    """Return a smooth image with edges and noise."""
    draw = np.random.default_rng(shape[0])
    row, column = np.indices(shape)
    values = 0.5 + 0.3 * np.sin(column / 11.0) * np.cos(row / 7.0) + 0.1 * ((row // 9 + column // 8) % 2)
    values += draw.normal(0, 0.03, shape)
    return (np.clip(values, 0, 1) * np.iinfo(dtype).max).astype(dtype)


def equalized(equaliser: Any) -> dict[str, Any]:
    """Return what is compared of a `CLAHE`: what it makes of fixed images, and what it says of itself."""
    grid = equaliser.getTilesGridSize()
    found = {f"uint8 {shape}": equaliser.apply(_image(shape, "uint8")) for shape in _SHAPES}
    if np.prod(grid) <= _MOST_TILES:
        found["uint16"] = equaliser.apply(_image((21, 30), "uint16"))
    return found | {"grid": np.asarray(grid)}
