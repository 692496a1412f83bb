"""What the filters of `scipy.ndimage` have in common: axes, one value per axis, border modes, dtypes."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.axes import axis_tuple, canonical, whole_numbers
from pipeport.kernels.sampling._smoothing import FILTER_RULES
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

# An array without elements is padded with one, and TensorFlow pads six axes at most: a batch counts.
_MOST_AXES = 5


def array_of(x: Any, least: int, batch_axes: int) -> Any:
    """Return the array argument as a tensor of known rank and a dtype that SciPy takes."""
    return arguments.array_of(x, least=least, batch_axes=batch_axes, most=_MOST_AXES)


def rule_of(mode: Any) -> str:
    """Return the border rule of a mode."""
    if not isinstance(mode, str):
        raise WrongType(explain("mode", repr(mode), ", ".join(FILTER_RULES), "Name one border mode."))
    if mode not in FILTER_RULES:
        advice = "'reflect' repeats the edge pixel, 'mirror' does not."
        raise UnsupportedArgument(explain("mode", repr(mode), ", ".join(FILTER_RULES), advice))
    return FILTER_RULES[mode]


def axis_of(axis: Any, rank: int) -> int:
    """Return one axis counted from 0."""
    numbers_given = whole_numbers(axis, "axis")
    if len(numbers_given) != 1 or isinstance(axis, (tuple, list)):
        raise WrongType(explain("axis", repr(axis), "one whole number", "Filter axis by axis."))
    return canonical(numbers_given[0], rank, "axis")


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


def whole(value: Any, name: str, least: int | None = None) -> int:
    """Return a whole number known while tracing."""
    value = static_value(value, name)
    if tf.is_tensor(value):
        advice = "It shapes the graph: give a Python integer."
        raise UnsupportedArgument(explain(name, "a tensor", "a whole number", advice))
    value = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise WrongType(explain(name, repr(value), "a whole number", "Round it first."))
    if least is not None and value < least:
        raise OutsideDomain(explain(name, str(value), f"{least} or more", "Choose a larger one."))
    return int(value)


def origin_of(origin: Any, count: int) -> int:
    """Return an origin, checked against the number of weights of its axis."""
    wanted = whole(origin, "origin")
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
