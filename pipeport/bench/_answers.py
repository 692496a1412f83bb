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


def largest_difference(ours: list[Any], theirs: list[Any]) -> float | None:
    """Return the largest absolute difference, as float64; None for unlike shapes or NaN everywhere."""
    if [o.shape for o in ours] != [t.shape for t in theirs]:
        return None
    gaps = [np.abs(o.astype(np.float64) - t.astype(np.float64)) for o, t in zip(ours, theirs, strict=True)]
    largest = [float(np.nanmax(gap)) for gap in gaps if gap.size and not np.isnan(gap).all()]
    return max(largest, default=None)
