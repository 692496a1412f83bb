"""What `resize` and `rescale` promise alike: their domain, and how they differ from scikit-image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, OneOf

DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")
CVALS = OneOf(0, 1, 0.25, -0.5, 2.0)
MODES = OneOf("constant", "edge", "symmetric", "reflect", "wrap")


def fits(arguments: Mapping[str, Any]) -> bool:
    """Whether the reference promises a result."""
    image = np.asarray(arguments["image"])
    if image.dtype.kind == "f" and arguments.get("order") in (2, 3, 4, 5) and np.isinf(image).any():
        return False  # what the spline's recursion makes of infinities is nobody's promise
    order = arguments.get("order")
    if image.dtype == bool:
        return (
            order in (None, 0) and not arguments.get("anti_aliasing") and arguments.get("cval", 0) in (0, 1)
        )
    # Without interpolation the result has the image's dtype, and so has cval.
    return order != 0 or image.dtype.kind == "f" or arguments.get("cval", 0) in (0, 1)


def _integers_smoothed(arguments: Mapping[str, Any]) -> bool:
    return (
        np.asarray(arguments["image"]).dtype.kind in "iu"
        and arguments.get("order") == 0
        and bool(arguments.get("anti_aliasing"))
    )


def differences(others: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the difference both have; its witness needs the `others` too."""
    return (
        Difference(
            "Anti-aliasing an integer image without interpolation (order 0) is refused; the reference "
            "truncates the smoothed values axis by axis.",
            witness=lambda: {"image": np.eye(4, dtype=np.uint8), "order": 0, "anti_aliasing": True, **others},
            applies=_integers_smoothed,
        ),
    )
