"""Axis arguments: NumPy's rules for integers, tuples, negatives and repeats."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import BadAxis, UnsupportedArgument, WrongType, explain
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


def _index(value: Any, parameter: str) -> int:
    try:
        return operator.index(static(value, parameter))
    except TypeError as error:
        advice = "Axes count from 0, negative ones from the end."
        raise WrongType(explain(parameter, repr(value), "whole numbers", advice)) from error


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
        return (_index(value, parameter),)
    return tuple(_index(item, parameter) for item in value)


def canonical(axis: int, rank: int | None, parameter: str) -> int:
    """Return an axis counted from 0; an unknown rank leaves it as it is.

    Parameters
    ----------
    axis : int
        The axis.
    rank : int or None
        Rank of the array, where known.
    parameter : str
        Name for messages.

    Returns
    -------
    int
        The axis.

    Raises
    ------
    BadAxis
        The array has no such axis.
    """
    if rank is None:
        return axis
    if not -rank <= axis < rank:
        allowed = f"{-rank} to {rank - 1}" if rank else "no axis, as the array has rank 0"
        advice = f"The array has rank {rank}: name one of its axes."
        raise BadAxis(explain(parameter, axis, allowed, advice))
    return axis % rank


def one_axis(axis: Any, rank: int | None, parameter: str = "axis") -> int:
    """Return a single axis counted from 0.

    Parameters
    ----------
    axis : int
        The axis.
    rank : int or None
        Rank of the array, where known.
    parameter : str
        Name for messages.

    Returns
    -------
    int
        The axis.

    Raises
    ------
    BadAxis
        The array has no such axis.
    WrongType
        Not one integer.
    """
    axes = whole_numbers(axis, parameter)
    if len(axes) != 1:
        raise WrongType(explain(parameter, repr(axis), "one whole number", "Name a single axis."))
    return canonical(axes[0], rank, parameter)


def axis_tuple(
    axis: Any, rank: int | None, parameter: str = "axis", *, repeats: bool = False
) -> tuple[int, ...]:
    """Return axes counted from 0.

    Parameters
    ----------
    axis : int or sequence of int
        As NumPy takes it; None is the caller's affair.
    rank : int or None
        Rank of the array, where known; else negative axes stay negative.
    parameter : str
        Name for messages.
    repeats : bool
        Whether an axis may come twice.

    Returns
    -------
    tuple of int
        In the given order.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        Not integers.
    """
    axes = tuple(canonical(one, rank, parameter) for one in whole_numbers(axis, parameter))
    if not repeats and len(set(axes)) != len(axes):
        advice = "Name each axis once."
        raise UnsupportedArgument(explain(parameter, repr(axis), "distinct axes", advice))
    return axes


def shifted(axes: Iterable[int], by: int) -> tuple[int, ...]:
    """Return axes of an element as axes of a tensor with `by` more axes in front.

    Parameters
    ----------
    axes : iterable of int
        From `axis_tuple`; negative axes count from the end and stay.
    by : int
        Number of axes in front, 1 for a batch.

    Returns
    -------
    tuple of int
        In the same order.
    """
    return tuple(axis + by if axis >= 0 else axis for axis in axes)
