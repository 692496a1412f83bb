"""Keys of caches for numbers that are equal and yet make other programs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable
from typing import Any


def exact_key(value: Any) -> Hashable:
    """Return what equality ignores: the types of numbers, and the sign of a zero.

    A cache finds the program of `np.float16(0.5)` under `np.float32(0.5)`, that of `True` under `1`, and
    that of `0.0` under `-0.0`, unless its key holds this besides the value.

    Parameters
    ----------
    value : hashable
        A number, or a tuple or frozen dataclass of values; of others the type alone counts.

    Returns
    -------
    hashable
        Equal for two equal values only where they may share a program.
    """
    if isinstance(value, tuple):
        return type(value), *map(exact_key, value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value), *(exact_key(getattr(value, one.name)) for one in dataclasses.fields(value))
    # A NumPy float other than float64 is not a Python float, but compares with one.
    if hasattr(value, "is_integer") and value == 0:
        return type(value), math.copysign(1.0, value)
    return (type(value),)
