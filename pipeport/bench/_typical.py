"""The value that all elements share: the spec's `typical`, else one of its domain."""

from __future__ import annotations

from typing import Any

from pipeport.contract import (
    Axes,
    Boolean,
    Integer,
    Maybe,
    OneOf,
    PadValues,
    PadWidths,
    PerAxis,
    Permutation,
    Point,
    Real,
    SeedPair,
    Shifts,
    Spec,
)
from pipeport.errors import OutsideDomain, explain


def inner(spec: Spec) -> Spec:
    """Return the spec inside `Maybe`, else the spec itself."""
    return inner(spec.spec) if isinstance(spec, Maybe) else spec


def value(spec: Spec, rank: int) -> Any:
    """Return the typical value of a spec, or some value of one that names none.

    `spec`: of numbers, flags, axes or listed values. Returns: the value, the same on every call.
    """
    if spec.typical is not None:
        return spec.typical
    match spec:
        case Maybe():
            return value(spec.spec, rank)
        case Real() | Integer():
            return type(spec.low)((spec.low + 2 * spec.high) / 3)
        case Boolean():
            return True
        case OneOf():
            return spec.values[-1]
        case Point():
            return (spec.low + (spec.high - spec.low) / 3, spec.low + (spec.high - spec.low) / 2)
        case Axes():
            return 0 if spec.single else tuple(range(spec.count or 1))
        case Permutation():
            return (1, 0, 2)
        case Shifts():
            return 2
        case PadWidths():
            return ((1, 2), (2, 1), (0, 1))
        case PadValues():
            return 1
        case SeedPair():
            return (7, 11)
        case PerAxis():
            return (value(spec.spec, rank),) * (rank if spec.count is None and spec.of else spec.count or 1)
    allowed = "numbers, flags, axes, listed values"
    raise OutsideDomain(explain("spec", type(spec).__name__, allowed, f"Add it to {__name__}."))
