"""Shapes: elements stay in order, axes change."""

from __future__ import annotations

import math
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._broadcast import broadcast_to as broadcast_to
from pipeport.arrays._repeat import repeat as repeat
from pipeport.arrays._sizes import dimensions, is_known, stacked
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import exact_rank, known_rank
from pipeport.kernels.inputs.axes import axis_tuple, canonical
from pipeport.kernels.inputs.integers import whole_number, whole_numbers
from pipeport.kernels.layout._transposed import transposed


def reshape(x: Any, shape: Any, order: Any = "C") -> Any:
    """Give an array another shape, as `numpy.reshape`.

    `shape`: the sizes, tensors among them too; one may be -1 and is what remains. `order`: {'C', 'F', 'A'};
    in which order elements are taken and put; 'A' is 'C', the order of tensors.
    """
    sizes = dimensions(shape, "shape")
    if is_fortran(order, "CFA"):
        return transpose(reshape(transpose(x), sizes[::-1]))
    if not is_known(sizes):
        return tf.reshape(x, stacked(sizes))
    sizes = [max(size, -1) for size in sizes]  # NumPy takes every negative size for an open one
    given, advice = f"{tuple(sizes)} for shape {x.shape}", "Give one size as -1, to have it computed."
    if sizes.count(-1) > 1:
        raise OutsideDomain(explain("shape", given, "one -1", advice))
    room, number = math.prod(size for size in sizes if size >= 0), x.shape.num_elements()
    if number is not None:
        rest = number - room if -1 not in sizes else number % room if room else -1
        if rest:
            raise OutsideDomain(explain("shape", given, f"shapes of {number} elements", advice))
    return tf.reshape(x, stacked(sizes))


def ravel(x: Any, order: Any = "C") -> Any:
    """Return the elements as one axis, as `numpy.ravel`.

    `order`: {'C', 'F', 'A', 'K'}; in which order elements are taken; 'A' and 'K' are 'C', the order of
    tensors. Returns: rank 1.
    """
    x = transpose(x) if is_fortran(order, "CFAK") else x
    return x if x.shape.rank == 1 else tf.reshape(x, [-1])


def flatten(x: Any, order: Any = "C") -> Any:
    """Return the elements as one axis, as `numpy.ndarray.flatten`.

    `order`: {'C', 'F', 'A', 'K'}; in which order elements are taken; 'A' and 'K' are 'C', the order of
    tensors. Returns: rank 1.
    """
    return ravel(x, order)


def is_fortran(order: Any, letters: str) -> bool:
    """Say whether elements are taken along the first axis first.

    `order`: None is 'C'.
    """
    letter = order.upper() if isinstance(order, str) else order
    if tf.is_tensor(letter) or letter not in (*letters, None):
        allowed = ", ".join(map(repr, letters))
        raise UnsupportedArgument(explain("order", repr(order), allowed, "Name one of these."))
    return bool(letter == "F")


def transpose(x: Any, axes: Any = None) -> Any:
    """Permute the axes, as `numpy.transpose`.

    `axes`: axis i of the result is axis ``axes[i]`` of the array; None reverses their order. Returns: the
    array with its axes in that order.
    """
    rank = x.shape.rank
    if axes is None:
        return tf.transpose(x) if rank is None else transposed(x, list(reversed(range(rank))))
    given = whole_numbers(axes, "axes")
    allowed, advice = "every axis once", "Name each axis of the array."
    if rank not in (None, len(given)):
        raise UnsupportedArgument(explain("axes", f"{axes!r} for rank {rank}", allowed, advice))
    order = axis_tuple(given, len(given), "axes")
    if rank is None:
        x = exact_rank(x, len(order), explain("axes", repr(axes), allowed, advice))
    return transposed(x, list(order))


def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Interchange two axes, as `numpy.swapaxes`.

    Returns: the array with the axes interchanged.
    """
    rank = known_rank(x)
    first = canonical(whole_number(axis1, "axis1"), rank, "axis1")
    second = canonical(whole_number(axis2, "axis2"), rank, "axis2")
    order = list(range(rank))
    order[first], order[second] = second, first
    return transposed(x, order)


def squeeze(x: Any, axis: Any = None) -> Any:
    """Remove axes of size one, as `numpy.squeeze`.

    `axis`: which; None removes all there are, which leaves the rank unknown where a size is.
    """
    if axis is None:
        known = x.shape.is_fully_defined()
        ones = [place for place, size in enumerate(x.shape) if size == 1] if known else None
        return x if known and not ones else tf.squeeze(x, ones)
    rank = known_rank(x)
    if not isinstance(axis, tuple):
        axis = whole_number(axis, "axis")
        if rank == 0 and axis in (0, -1):  # NumPy takes a scalar for an axis of one element here
            return x
    axes = axis_tuple(axis, rank)
    for one in axes:
        if x.shape[one] not in (None, 1):
            given, advice = f"axis {one} of size {x.shape[one]}", "Leave `axis` out, or index the array."
            raise OutsideDomain(explain("axis", given, "axes of size 1", advice))
    return tf.squeeze(x, axes) if axes else x


def expand_dims(x: Any, axis: Any) -> Any:
    """Add axes of size one, as `numpy.expand_dims`.

    `axis`: where they are in the result.
    """
    axes = whole_numbers(axis, "axis") if isinstance(axis, (tuple, list)) else (whole_number(axis, "axis"),)
    if x.shape.rank is None and len(axes) == 1:
        return tf.expand_dims(x, axes[0])
    for one in sorted(axis_tuple(axes, known_rank(x) + len(axes))):
        x = tf.expand_dims(x, one)
    return x
