"""Coordinate maps for `geometric_transform`, written with operators alone."""

from __future__ import annotations

from typing import Any

import numpy as np


def shifted(at: tuple[Any, ...]) -> tuple[Any, ...]:
    """Look half a pixel up and a third to the right."""
    return (at[0] - 0.5, at[1] + 0.3125)


def sheared(at: tuple[Any, ...]) -> tuple[Any, ...]:
    """Shear and turn the axes round."""
    return (at[1] * 0.75 + at[0] * 0.25, at[0] * 1.5 - 1.0)


def bent(at: tuple[Any, ...]) -> tuple[Any, ...]:
    """Bend rows into parabolas."""
    return (at[0] + at[1] * at[1] * 0.03125 - 0.625, at[1] * 0.96875 + 0.25)


def elastic(shape: tuple[int, ...], index: int) -> Any:
    """Return coordinates of every pixel, rows and columns moved by waves of up to three pixels.

    `shape`: of the array that is sampled. Returns: shape (len(shape), *shape), float64.
    """
    grid = np.indices(shape).astype(np.float64)
    moved = grid.copy()
    for axis in range(min(2, len(shape))):
        moved[axis] += 3 * np.sin(grid[1 - axis if len(shape) > 1 else 0] / 20 + axis + index)
    return moved


def constant(at: tuple[Any, ...]) -> tuple[Any, ...]:
    """Look at one column of the input."""
    return (at[0], 1.25)
