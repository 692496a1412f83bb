"""Coordinate maps that Callback specs name: operators alone, so that arrays and tensors serve."""

from __future__ import annotations

from typing import Any


def shifted(xy: Any) -> Any:
    """Return coordinates moved by a pixel and a quarter; by a whole one if they are integers.

    `xy`: array or tensor, shape (P, 2). Returns: array or tensor, shape (P, 2).
    """
    return xy + (1 if "int" in str(xy.dtype) else 1.25)


def magnified(xy: Any) -> Any:
    """Return coordinates of an image twice as large.

    `xy`: array or tensor, shape (P, 2). Returns: array or tensor, shape (P, 2); the coordinates times two,
    less one.
    """
    return xy * 2 - 1


def squared(xy: Any) -> Any:
    """Return coordinates bent by a map that is not linear, in other places for columns and rows.

    `xy`: array or tensor, shape (P, 2). Returns: array or tensor, shape (P, 2); the squares and the swapped
    coordinates added.
    """
    return xy * xy + xy[:, ::-1]
