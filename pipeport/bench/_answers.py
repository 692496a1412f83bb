"""How far the sides' answers lie apart in this very run: a quicker wrong answer must be seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport.bench._sides import outputs_of


def first_batch(dataset: Any) -> list[Any]:
    """Return the outputs of a pipeline's first batch; order is the same on every side."""
    return outputs_of(next(iter(dataset)))


def described(outputs: list[Any]) -> str:
    """Return dtypes and shapes, as 'float32 [32, 256, 256, 3]'."""
    return "; ".join(f"{o.dtype} {list(o.shape)}" for o in outputs)


def _wide(output: Any) -> Any:
    return output.astype(np.complex128 if output.dtype.kind == "c" else np.float64)


def largest_difference(ours: list[Any], theirs: list[Any]) -> float | None:
    """Return the largest absolute difference, as float64; None for unlike shapes or NaN everywhere."""
    if [o.shape for o in ours] != [t.shape for t in theirs]:
        return None
    gaps = [np.abs(_wide(o) - _wide(t)) for o, t in zip(ours, theirs, strict=True)]
    largest = [float(np.nanmax(gap)) for gap in gaps if gap.size and not np.isnan(gap).all()]
    return max(largest, default=None)


def beyond(ours: Any, theirs: Any, allowed: float) -> str:
    """Return how an output departs from that of the reference by more than is allowed; empty if it does not.

    `ours`, `theirs`: of one dtype and shape. NaN and infinities must stand at the same places; texts must be
    equal. Returns: for instance 'a difference of 3'.
    """
    if ours.dtype.kind in "OSU":
        apart = int(np.sum(ours != theirs))
        return f"{apart} of {ours.size} texts that differ" if apart else ""
    left, right = _wide(ours), _wide(theirs)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    with np.errstate(invalid="ignore"):
        gap = np.where(same, 0.0, np.abs(left - right))
    strange = int(np.sum(~np.isfinite(gap)))
    if strange:
        return f"{strange} of {gap.size} values that are NaN or infinite on one side alone"
    largest = float(gap.max(initial=0.0))
    return f"a difference of {largest:.3g}" if largest > allowed else ""
