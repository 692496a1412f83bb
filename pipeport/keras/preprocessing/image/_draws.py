"""Drawn parameters of Keras' random functions: uniform numbers between two that are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.seeds._elements import for_each

Range = tuple[float, float]


def known(value: Any, name: str) -> float:
    """Return a finite Python number."""
    found = _checks.finite_scalar(value, name)
    if tf.is_tensor(found):
        advice = "It says what is drawn from: give a Python number."
        raise UnsupportedArgument(explain(name, "a tensor", "a Python number", advice))
    return float(found)


def about_zero(value: Any, name: str) -> Range:
    """Return the range that one number gives on both sides of zero."""
    far = known(value, name)
    return -far, far


def pair(value: Any, name: str) -> Range:
    """Return a range of two numbers."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise OutsideDomain(explain(name, repr(value), "two numbers", "Give a tuple of two."))
    return known(value[0], name), known(value[1], name)


def _numbers(seed: Any, ranges: Sequence[Range]) -> Any:
    parts = tf.unstack(seeds.split(seed, len(ranges))) if len(ranges) > 1 else [seed]
    drawn = [
        low + (high - low) * seeds.uniform(part, [], "float64")
        for part, (low, high) in zip(parts, ranges, strict=True)
    ]
    return tf.stack(drawn)


def drawn(seed: Any, ranges: Sequence[Range], first: Any = None) -> list[Any]:
    """Draw a number from each range, or for every element of a batch.

    `ranges`: what is drawn from, as NumPy's `uniform` does. `first`: an array of the batch; None draws once.
    Returns: list of tf.Tensor, float64; for each range (1,), or (B,).
    """
    found = for_each(partial(_numbers, ranges=ranges), seed, first, batch=first is not None)
    return list(tf.unstack(found, len(ranges), axis=1))
