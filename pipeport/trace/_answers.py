"""Whether the modes of one function give one answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf

# Plain Python counts in 64 bits, and compiled sums are taken in another order.
_TOLERANCE = 1e-3


def difference(answer: Any, other: Any) -> str:
    """Say how an answer differs from another one.

    `answer`, `other`: what two modes returned: tensors, arrays and numbers, also nested. Returns: empty where
    they agree to a thousandth, or where they cannot be compared.
    """
    ours, theirs = _arrays(answer), _arrays(other)
    if ours is None or theirs is None:
        return ""
    if len(ours) != len(theirs):
        return f"{len(ours)} values instead of {len(theirs)}"
    for mine, its in zip(ours, theirs, strict=True):
        if mine.shape != its.shape:
            return f"shape {list(mine.shape)} instead of {list(its.shape)}"
        if not _numeric(mine) or not _numeric(its):
            if not np.array_equal(mine, its):
                return "other values"
            continue
        scale = np.abs(its[np.isfinite(its)]).max(initial=0.0) if its.size else 0.0
        if not np.allclose(mine, its, rtol=_TOLERANCE, atol=_TOLERANCE * float(scale), equal_nan=True):
            with np.errstate(all="ignore"):
                apart = np.nanmax(np.abs(mine.astype(np.complex128) - its.astype(np.complex128)))
            return f"values up to {apart:.3g} apart"
    return ""


def _arrays(answer: Any) -> list[Any] | None:
    try:
        return [np.asarray(leaf) for leaf in tf.nest.flatten(answer)]
    except (NotImplementedError, TypeError, ValueError):  # ragged, sparse, resources
        return None


def _numeric(array: Any) -> bool:
    return array.dtype.kind in "biufc"
