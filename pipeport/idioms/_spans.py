"""Ranges of continuous draws, and one draw for each element of a batch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain

Span = tuple[float, float]


def number_of(value: Any, name: str, allowed: str) -> float:
    """Return a finite Python number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise WrongType(explain(name, repr(value), allowed, "Give a Python number."))
    if not math.isfinite(value):
        raise OutsideDomain(explain(name, repr(value), allowed, "Give a finite number."))
    return float(value)


def span_of(value: Any, name: str) -> Span:
    """Return the smallest and the largest number of a draw; one number a means -a to a."""
    allowed = "a number from 0, or (smallest, largest)"
    parts = value if isinstance(value, (list, tuple)) else (value, value)
    if len(parts) != 2:
        raise WrongType(explain(name, repr(value), allowed, "Give the smallest and the largest one."))
    low, high = (number_of(one, name, allowed) for one in parts)
    low = low if parts is value else -high
    if low > high:
        raise OutsideDomain(explain(name, repr(value), allowed, "Give the smaller one first."))
    return low, high


def within(seed: Any, span: Span) -> Any:
    """Draw one number from a range, float64."""
    low, high = span
    return tf.minimum(low + (high - low) * seeds.uniform(seed, [], "float64"), high)
