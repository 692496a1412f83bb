"""Numbers between limits, all of a transform drawn at once: each draw of its own costs as much as all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf


def between(seed: Any, limits: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return a number between each two limits, in float64 and by the names of the limits."""
    shares = tf.unstack(seeds.uniform(seed, [len(limits)], "float64"), len(limits))
    return {
        name: low + (high - low) * share
        for (name, (low, high)), share in zip(limits.items(), shares, strict=True)
    }
