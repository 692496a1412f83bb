"""Elements of Python sequences, taken at symbolic places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays._accepts_ndarray import accepts_ndarray
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import Operand, fitted
from pipeport.arrays._random import python_number
from pipeport.errors import UnsupportedArgument, explain

_ALLOWED = "numbers of one type, or arrays of one shape and dtype, in tuples too"
_ADVICE = "Draw an index, and in the branches of an `if` call what takes the element."


def _refuse(parameter: str, given: str) -> UnsupportedArgument:
    return UnsupportedArgument(explain(parameter, given, _ALLOWED, _ADVICE))


def elements_at(values: Sequence[Any], places: Sequence[Any], parameter: str = "x") -> list[Any]:
    """Return elements of a sequence.

    `values`: at least one. Python numbers of one type, arrays of one shape and dtype, or tuples and lists of
    such. Returns: one element per place; a Python number is noted as one. UnsupportedArgument where the
    elements have no common type: a graph has one dtype and shape for all.
    """
    first = values[0]
    if isinstance(first, (list, tuple)):
        kind = type(first)
        if any(type(one) is not kind or len(one) != len(first) for one in values):
            raise _refuse(parameter, "elements of several forms")
        parts = [elements_at(part, places, parameter) for part in zip(*values, strict=True)]
        return [kind(part[at] for part in parts) for at in range(len(places))]
    found = [_operand(one, parameter) for one in values]
    kinds = {(one.dtype, one.weak) for one in found}
    if len(kinds) > 1:
        named = ", ".join(sorted({f"{one.dtype}{' (a Python number)' * one.weak}" for one in found}))
        raise _refuse(parameter, f"elements of {named}")
    tensors = [fitted(one, one.dtype) for one in found]
    if any(one.shape != tensors[0].shape or not one.shape.is_fully_defined() for one in tensors):
        named = ", ".join(sorted({str(one.shape) for one in tensors}))
        raise _refuse(parameter, f"elements of shapes {named}")
    stacked = tf.stack(tensors)
    taken = [tf.gather(stacked, place) for place in places]
    return [python_number(one) for one in taken] if found[0].weak else taken


def _operand(value: Any, parameter: str) -> Operand:
    if isinstance(value, (str, bytes)) or callable(value):
        raise _refuse(parameter, f"an element {value!r}, which no tensor holds")
    found = operand(value, parameter)
    if found is None:
        raise _refuse(parameter, f"an element of type {type(value).__name__}")
    return found


@accepts_ndarray
def shuffled(seed: Any, x: list[Any]) -> list[Any]:
    """Return the elements of a list in another order."""
    return elements_at(x, tf.unstack(seeds.permutation(seed, len(x)))) if x else []
