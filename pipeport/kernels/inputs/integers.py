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

    Parameters
    ----------
    value : object
        A tensor, nested lists and tuples that may hold tensors, or anything else.
    parameter : str
        Name for messages.

    Returns
    -------
    object
        The value, without tensors.

    Raises
    ------
    UnsupportedArgument
        A tensor whose value is not known while tracing.
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
    return known[()] if isinstance(known, np.ndarray) else known  # a scalar is no array


def whole_number(value: Any, parameter: str, least: int | None = None, most: int | None = None) -> int:
    """Return one whole number as a Python integer.

    Parameters
    ----------
    value : object
        An integer, a NumPy integer or a static scalar tensor.
    parameter : str
        Name for messages.
    least, most : int, optional
        The range allowed, both ends included.

    Returns
    -------
    int
        The number.

    Raises
    ------
    WrongType
        It is no whole number.
    OutsideDomain
        It is out of range.
    UnsupportedArgument
        It is a tensor whose value is not known while tracing.
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

    Parameters
    ----------
    value : int or sequence of int
        NumPy integers and static tensors count as integers.
    parameter : str
        Name for messages.

    Returns
    -------
    tuple of int
        One entry for an integer.

    Raises
    ------
    WrongType
        Not integers.
    """
    value = static(value, parameter)
    if getattr(value, "ndim", None) == 0 or not isinstance(value, Iterable):
        return (whole_number(value, parameter),)
    return tuple(whole_number(item, parameter) for item in value)
