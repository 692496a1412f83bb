"""Axis arguments: NumPy's rules for integers, tuples, negatives and repeats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipeport.errors import BadAxis, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.integers import whole_numbers


def canonical(axis: int, rank: int | None, parameter: str) -> int:
    """Return an axis counted from 0; an unknown rank leaves it as it is.

    `rank`: rank of the array, where known.
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

    `rank`: rank of the array, where known.
    """
    axes = whole_numbers(axis, parameter)
    if len(axes) != 1:
        raise WrongType(explain(parameter, repr(axis), "one whole number", "Name a single axis."))
    return canonical(axes[0], rank, parameter)


def axis_tuple(
    axis: Any, rank: int | None, parameter: str = "axis", *, repeats: bool = False
) -> tuple[int, ...]:
    """Return axes counted from 0.

    `axis`: as NumPy takes it; None is the caller's affair. `rank`: rank of the array, where known; else
    negative axes stay negative. `repeats`: whether an axis may come twice.
    """
    axes = tuple(canonical(one, rank, parameter) for one in whole_numbers(axis, parameter))
    if not repeats and len(set(axes)) != len(axes):
        advice = "Name each axis once."
        raise UnsupportedArgument(explain(parameter, repr(axis), "distinct axes", advice))
    return axes


def shifted(axes: Iterable[int], by: int) -> tuple[int, ...]:
    """Return axes of an element as axes of a tensor with `by` more axes in front.

    `axes`: from `axis_tuple`; negative axes count from the end and stay. `by`: number of axes in front, 1 for
    a batch.
    """
    return tuple(axis + by if axis >= 0 else axis for axis in axes)
