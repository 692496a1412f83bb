"""What the filters of `scipy.ndimage` have in common: axes, one value per axis, border modes, dtypes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, OneOf, Within
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.axes import axis_tuple, one_axis
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._correlation import Window
from pipeport.kernels.sampling._neighbours import Box
from pipeport.kernels.sampling._smoothing import FILTER_RULES
from pipeport.kernels.sampling._smoothing import rule_of as rule_of
from pipeport.scipy.ndimage import _arguments as arguments

MODES = OneOf(*FILTER_RULES, typical="reflect")
NUMBERS = Array(
    dtypes=("bool", "uint8", "int16", "uint16", "int32", "float32", "float64"),
    ranks=(1, 2, 3),
    sides=(0, 9),
    values=(-1.0, 1.0),
)
OUTPUTS = OneOf(None, "float32", "float64", "uint8", "int16")
DTYPES = ("uint8", "int16", "uint16", "int32", "float32", "float64")
AXES = OneOf(None, None, 0, (0, 1), (1,))

# Of filters that select.
EQUAL = Within(
    1.2e-38,
    "equal; which zero is smaller SciPy does not say, and subnormal numbers become zero in TensorFlow",
)

# An array without elements is padded with one, and TensorFlow pads six axes at most: a batch counts.
_MOST_AXES = 5

# Each is an operation of a program.
MOST_PLACES = 255


def array_of(x: Any, least: int, batch_axes: int, name: str = "input") -> Any:
    """Return the array argument as a tensor of known rank and a dtype that SciPy takes."""
    return arguments.array_of(x, name, least, batch_axes, _MOST_AXES)


def axis_of(axis: Any, rank: int) -> int:
    """Return one axis counted from 0."""
    if isinstance(axis, (tuple, list)):
        raise WrongType(explain("axis", repr(axis), "one whole number", "Filter axis by axis."))
    return one_axis(axis, rank)


def axes_of(axes: Any, rank: int) -> tuple[int, ...]:
    """Return the axes of a filter counted from 0; None stands for all."""
    return tuple(range(rank)) if axes is None else axis_tuple(axes, rank, "axes")


def per_axis(value: Any, count: int, name: str) -> list[Any]:
    """Return one value per axis, of one for all or of a sequence."""
    if isinstance(value, str) or not isinstance(value, Iterable) or tf.is_tensor(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        advice = "Give one value for all axes, or one per axis that is filtered."
        raise OutsideDomain(explain(name, f"{len(values)} values", f"one, or {count}", advice))
    return values


def origin_of(origin: Any, count: int) -> int:
    """Return an origin, checked against the number of weights of its axis."""
    wanted = whole_number(origin, "origin")
    if not 0 <= count // 2 + wanted < count:
        low, high = -(count // 2), (count - 1) // 2
        advice = "0 puts the middle of the weights on the element."
        raise OutsideDomain(explain("origin", str(wanted), f"{low} to {high} for {count} weights", advice))
    return wanted


def dtype_of_result(output: Any, own: Any) -> Any:
    """Return the dtype of the result of a linear filter."""
    dtype = arguments.output_dtype(output, own)
    if dtype.is_bool:
        advice = "Give another `output`, for instance float, and compare the result with a level."
        raise UnsupportedArgument(explain("output", "bool", "integers or floats", advice))
    return dtype


def is_valid(call: Mapping[str, Any], weights: float = 1.0) -> bool:
    """Say whether the call is vouched for, with weights of this absolute sum.

    What has no number becomes no integer, and what becomes of sums that have no int32 is left open by C.
    """
    image = np.asarray(call["input"])
    output = call.get("output")
    if (image.dtype if output is None else np.dtype(output)).kind == "f":
        return True
    values = np.append(image.astype(np.float64), call.get("cval", 0.0))
    return bool(np.isfinite(values).all() and weights * np.abs(values).max() < 2**31)


def _is_bool(call: Mapping[str, Any]) -> bool:
    image, output = np.asarray(call["input"]), call.get("output")
    return (image.dtype if output is None else np.dtype(output)).kind == "b"


def differences(others: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the differences that all linear filters have; the witness needs the `others` too."""
    return (
        Difference(
            "A bool result is refused; the reference cuts fractions off, and where a sum should be 1 "
            "rounding decides.",
            witness=lambda: {"input": np.ones((3, 4), bool), **others},
            applies=_is_bool,
        ),
    )


def mirrored_origin(origin: Any, count: int) -> int:
    """Return the origin that `count` weights in reverse order have."""
    return -whole_number(origin, "origin") - (count % 2 == 0)


def box_of(
    sides: Sequence[int],
    axes: Sequence[int],
    rank: int,
    origin: Any,
    rule: str,
    batch_axes: int,
    mirrored: bool = False,
) -> Box:
    """Return the box of weights or of a footprint, whose axes lie along the filtered ones in rising order.

    SciPy takes origins in the order of `axes` where these are not all, else in that of the array.
    """
    rising = sorted(axes)
    sizes, origins = [1] * rank, [0] * rank
    for axis, side in zip(rising, sides, strict=True):
        sizes[axis] = side
    moved = per_axis(origin, len(rising), "origin")
    for axis, one in zip(axes if len(rising) < rank else rising, moved, strict=True):
        wanted = mirrored_origin(one, sizes[axis]) if mirrored else one
        origins[axis] = origin_of(wanted, sizes[axis])
    return Box((1,) * batch_axes + tuple(sizes), (0,) * batch_axes + tuple(origins), rule)


def footprint_of(footprint: Any, count: int, name: str = "footprint", some: bool = True) -> Any:
    """Return which neighbours along `count` axes are read, `some` of them, as bool known while tracing."""
    value = static_value(footprint, name)
    if tf.is_tensor(value):
        advice = "It shapes the graph: give an array of NumPy."
        raise UnsupportedArgument(explain(name, "a tensor", "values known while tracing", advice))
    found = np.asarray(value, bool)
    if found.ndim != count:
        given, wanted = f"shape {found.shape}", f"an axis for each of the {count} that are filtered"
        raise OutsideDomain(explain(name, given, wanted, "Add axes of size 1, or give `axes`."))
    if not found.size or (some and not found.any()):
        advice = "Mark neighbours by ones."
        raise OutsideDomain(explain(name, f"none in shape {found.shape}", "at least one neighbour", advice))
    return found


def footprint_beside(size: Any, footprint: Any, count: int) -> Any:
    """Return a footprint, or None where a size is given instead."""
    if (size is None) == (footprint is None):
        given = "neither" if size is None else "both"
        error = OutsideDomain if size is None else UnsupportedArgument
        advice = "For instance size=3." if size is None else "SciPy would not read `size` beside a footprint."
        raise error(explain("size, footprint", given, "one of them", advice))
    return None if footprint is None else footprint_of(footprint, count)


def limited(count: int, name: str) -> None:
    """Refuse what would become too many operations of a program."""
    if count > MOST_PLACES:
        advice = "Filter axis by axis, or shrink the array first."
        raise UnsupportedArgument(explain(name, f"{count} neighbours", f"at most {MOST_PLACES}", advice))


def windows_of(size: Any, axes: Sequence[int], mode: Any, origin: Any, batch_axes: int) -> list[Window]:
    """Return the windows of a box along the axes that it has more than one element of."""
    values = (
        per_axis(value, len(axes), name)
        for value, name in ((size, "size"), (mode, "mode"), (origin, "origin"))
    )
    windows = []
    for axis, side, rule, moved in zip(axes, *values, strict=True):
        count = whole_part(side)
        if count > 1:
            windows.append(Window(axis + batch_axes, rule_of(rule), count, origin_of(moved, count)))
    return windows


def whole_part(size: Any) -> int:
    """Return a size without its fraction, which the reference cuts off."""
    value = static_value(size, "size")
    if not tf.is_tensor(value) and isinstance(value, float) and math.isfinite(value):
        value = int(value)
    return whole_number(value, "size")
