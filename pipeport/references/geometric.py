"""Comparable values of a transform: its matrix, images of fixed points, inverse, properties."""

from __future__ import annotations

from typing import Any

import numpy as np

# Off the axes and off any lattice, so that no coordinate hides behind another.
_POINTS = np.array(
    [[0.0, 0.0, 0.0], [1.0, 2.0, -3.0], [-7.5, 3.25, 0.5], [12.0, 0.125, 6.0], [3.0, -4.0, 9.0]]
)
_PROPERTIES = ("scale", "rotation", "shear", "translation")


def _read(transform: Any) -> dict[str, Any]:
    size = int(np.shape(transform.params)[0]) - 1
    points = np.resize(_POINTS, (5, 3)) if size == 3 else np.resize(_POINTS, (5, size))
    twice = transform + transform
    found = {
        "params": transform.params,
        "moved": transform(points),
        "twice": twice.params,
        "residuals": transform.residuals(points, points[::-1].copy()),
        "back": transform.inverse.params,
        "same_class": type(twice) is type(transform) and type(transform.inverse) is type(transform),
    }
    for name in _PROPERTIES:
        if hasattr(type(transform), name) and size == 2:
            found[name] = getattr(transform, name)
    if size == 3 and hasattr(type(transform), "translation"):
        found["translation"] = transform.translation
    # A graph would make float32 of a Python number, which is float64 to NumPy.
    return {name: np.float64(value) if isinstance(value, float) else value for name, value in found.items()}


def read_native(transform: Any) -> dict[str, Any]:
    """Return the comparable values of a native transform.

    Returns: matrix, moved points, composition, residuals, inverse, properties.
    """
    return _read(transform)


def read_reference(transform: Any) -> dict[str, Any]:
    """Return the comparable values of scikit-image's transform."""
    return _read(transform)
