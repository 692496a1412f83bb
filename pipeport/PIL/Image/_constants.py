"""Pillow's constants."""

from __future__ import annotations

from enum import IntEnum


class Resampling(IntEnum):
    """Resampling filters."""

    NEAREST = 0
    BOX = 4
    BILINEAR = 2
    HAMMING = 5
    BICUBIC = 3
    LANCZOS = 1
    MKS2013 = 6
    MKS2021 = 7


class Transpose(IntEnum):
    """Flips and quarter turns."""

    FLIP_LEFT_RIGHT = 0
    FLIP_TOP_BOTTOM = 1
    ROTATE_90 = 2
    ROTATE_180 = 3
    ROTATE_270 = 4
    TRANSPOSE = 5
    TRANSVERSE = 6


class Transform(IntEnum):
    """Methods of `transform`."""

    AFFINE = 0
    EXTENT = 1
    PERSPECTIVE = 2
    QUAD = 3
    MESH = 4
