"""Whole numbers that are known while tracing."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import holds_tensor


def static(value: Any, parameter: str) -> Any:
    """Return a tensor's value as NumPy where tracing knows it; other values as they are.

    `value`: a tensor, nested lists and tuples that may hold tensors, or anything else.
    """
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        parts = [static(part, parameter) for part in value]
        return tuple(parts) if isinstance(value, tuple) else parts
    if not tf.is_tensor(value):
        return value
    known = tf.get_static_value(value)
    if known is None:
        advice = "Pass a Python value: it decides the shape of the graph."
        raise UnsupportedArgument(
            explain(parameter, "a tensor not known while tracing", "a static value", advice)
        )
    return known[()] if isinstance(known, np.ndarray) else known  # a scalar is not an array


def whole_number(value: Any, parameter: str, least: int | None = None, most: int | None = None) -> int:
    """Return one whole number as a Python integer.

    `value`: an integer, a NumPy integer or a static scalar tensor. `least`, `most`: the range allowed, both
    ends included.
    """
    try:
        number = operator.index(static(value, parameter))
    except TypeError as error:
        allowed, advice = "one whole number", "Round it, and cast it with int."
        raise WrongType(explain(parameter, repr(value), allowed, advice)) from error
    if (least is not None and number < least) or (most is not None and number > most):
        allowed = f"{least} or more" if most is None else f"{least} to {most}"
        raise OutsideDomain(explain(parameter, str(number), allowed, "Choose one in this range."))
    return number


def whole_numbers(value: Any, parameter: str) -> tuple[int, ...]:
    """Return an integer or a sequence of integers as a tuple.

    `value`: NumPy integers and static tensors count as integers.
    """
    value = static(value, parameter)
    if getattr(value, "ndim", None) == 0 or not isinstance(value, Iterable):
        return (whole_number(value, parameter),)
    return tuple(whole_number(item, parameter) for item in value)
