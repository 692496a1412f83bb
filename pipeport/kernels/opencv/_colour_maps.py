"""The colour maps of `cv2.applyColorMap`, which `python tools/colour_maps.py` writes down."""

from __future__ import annotations

import functools
import zlib
from importlib import resources
from typing import Any

import numpy as np

FILE = "colour_maps.zlib"
COUNT, LEVELS, _COLOURS = 22, 256, 3


def packed(maps: Any) -> bytes:
    """Return maps (22, 256, 3) of bytes as they are stored: how much each level differs from the one before.

    In differences they are 1.7 KB instead of 14.
    """
    columns = np.moveaxis(maps, 1, 2)
    return zlib.compress(np.diff(columns, axis=2, prepend=np.uint8(0)).astype(np.uint8).tobytes(), 9)


@functools.cache
def colour_maps() -> Any:
    """Return all maps, by their numbers: an array (22, 256, 3) of uint8; blue, green, red."""
    stored = zlib.decompress((resources.files(__package__) / FILE).read_bytes())
    differences = np.frombuffer(stored, np.uint8).reshape(COUNT, _COLOURS, LEVELS)
    return np.moveaxis(np.cumsum(differences, axis=2, dtype=np.uint8), 2, 1)
