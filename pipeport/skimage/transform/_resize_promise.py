"""The domain that `resize` and `rescale` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import OneOf

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
        # What a number that fits into no byte becomes as a truth value is the machine's choice.
        return order in (None, 0) and not arguments.get("anti_aliasing") and abs(arguments.get("cval", 0)) < 2
    return True
