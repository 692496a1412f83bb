"""Requirements on a user's own reference: one answer to one input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.errors import OutsideDomain, explain
from pipeport.verify._elements import eps, floating, largest
from pipeport.verify._example import Example, is_data
from pipeport.verify._outcome import Outcome, run_reference, run_watched
from pipeport.verify._pair import Pair

# Sums may be taken in another order the second time: so many roundings are the same answer.
ROUNDINGS = 4


class UnfitReference(OutsideDomain):
    """A function that cannot say what is right: equal inputs give different answers."""


def changed_arguments(pair: Pair, call: Example) -> set[str]:
    """Call the reference twice on each element of an example.

    Returns: the arguments that the reference changes in place.
    """
    changed: set[str] = set()
    for element in call.elements:
        arguments = pair.of_reference(element)
        first = run_reference(pair.reference, arguments)
        second, touched = run_watched(pair.reference, arguments)
        if not same_answer(first, second):
            raise UnfitReference(
                explain(
                    pair.reference_name,
                    f"two different answers to one input ({_told(arguments)})",
                    "a function of its inputs alone",
                    "Make what it draws a parameter: draw outside, give it to both functions, and name it "
                    "in the inputs.",
                )
            )
        changed |= touched
    return changed


def same_answer(first: Outcome, second: Outcome) -> bool:
    """Return whether two outcomes are one answer: bit for bit, or floats a few roundings apart."""
    if (first.error is None) != (second.error is None):
        return False
    if first.error is not None and second.error is not None:
        return first.error.kinds == second.error.kinds
    same_form = first.structure == second.structure and len(first.leaves) == len(second.leaves)
    return same_form and all(map(_same_array, first.leaves, second.leaves))


def _same_array(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.tobytes() == other.tobytes():
        return True
    if not floating(one):
        return bool(np.array_equal(one, other))
    apart = ROUNDINGS * eps(one.dtype) * largest(one)
    return bool(np.allclose(one, other, rtol=0, atol=apart, equal_nan=True))


def _told(arguments: Mapping[str, Any]) -> str:
    """Return the arguments in a few words: dtype and shape of arrays, all else as it is."""
    parts = (f"{name}: {_form(value)}" for name, value in arguments.items())
    return ", ".join(parts)


def _form(value: Any) -> str:
    if is_data(value):
        first = value if isinstance(value, np.ndarray) else value[0]
        return f"{first.dtype}{list(first.shape)}"
    return repr(value)
