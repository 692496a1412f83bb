"""How references of NumPy are called where keywords alone would not do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Call = tuple[tuple[Any, ...], dict[str, Any]]


def concatenate(arguments: Mapping[str, Any]) -> Call:
    """Give the arrays by position, the only way `numpy.concatenate` takes them."""
    rest = dict(arguments)
    return (rest.pop("arrays"),), rest


def pad(arguments: Mapping[str, Any]) -> Call:
    """Fill with zeros where `numpy.pad` leaves the border as it finds the memory.

    In mode 'empty' any border is right, so ours is fixed to be zero and compared with the mode
    'constant'; the inside, the shape, the dtype and the errors are the same in both.
    """
    if arguments.get("mode") == "empty":
        return (), {**arguments, "mode": "constant"}
    return (), dict(arguments)
