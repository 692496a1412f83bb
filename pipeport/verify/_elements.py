"""Arrays element by element: how far apart they are, how large, and where they fail."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport.errors import NotEquivalent

Array = np.ndarray[Any, Any]


def fail(name: str, bad: Array, right: Array, got: Array, reason: str) -> None:
    """Raise when any element is bad, naming the first."""
    if not bad.any():
        return
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    count = int(bad.sum())
    at = f" at {where}" if where else ""
    raise NotEquivalent(
        f"{name} values: {reason}; {count} of {bad.size} elements, first{at}: "
        f"reference {right[where].item()!r}, native {got[where].item()!r}"
    )


def difference(right: Array, got: Array, where: Array) -> Array:
    """Return |right - got| in float64, zero outside `where`; int64 differences stay exact."""
    if right.dtype.kind in "iu" and right.dtype.itemsize == 8:
        exact = [abs(int(a) - int(b)) for a, b in zip(right.ravel(), got.ravel(), strict=True)]
        return np.array(exact, float).reshape(right.shape)
    a, b = (np.where(where, v, 0).astype(np.float64) for v in (right, got))
    return np.abs(a - b)


def eps(dtype: Any) -> float:
    return float(np.finfo(dtype).eps) if np.dtype(dtype).kind == "f" else 0.0


def largest(array: Array) -> float:
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    return float(np.max(np.abs(finite.astype(np.float64)), initial=0.0))
