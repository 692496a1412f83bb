"""What the interpolating functions of `scipy.ndimage` have in common: checks, dtypes, domain."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Boolean, Difference, OneOf
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor, known_rank, limit_rank, static_value
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.kernels.sampling import _ndimage_borders as borders

# What TensorFlow has kernels for, less an axis of images and one of channels: of results computed in
# place, and of arrays that are only reshaped and read.
MOST_AXES, MOST_READ = 6, 8

INTEGERS = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")
DTYPES = ("bool", *INTEGERS, "float32", "float64")
DRAWN = ("bool", "uint8", "int16", "uint16", "int32", "float32", "float64")

ORDERS = OneOf(0, 1, 2, 3, 4, 5)
MODE_SPEC = OneOf(*borders.MODES)
CVALS = OneOf(0.0, 1.0, -0.5, 2.25)
OUTPUTS = OneOf(None, "float32", "float64", "uint8", "int16")
SAMPLED = {"output": OUTPUTS, "order": ORDERS, "mode": MODE_SPEC, "cval": CVALS, "prefilter": Boolean()}

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Common:
    """The checked arguments that all of these functions share.

    `compute`, `dtype`: of weights and sums, and of the result. `cval`: float64.
    """

    order: int
    mode: str
    prefilter: bool
    compute: Any
    dtype: Any
    cval: Any


def agreement(name: str) -> AsReference:
    """Return the agreement of a native of that name that samples at coordinates."""
    return AsReference(
        coordinates_of="input", discontinuities=f"pipeport.references.discontinuities_ndimage.{name}"
    )


def array_of(
    value: Any, name: str = "input", least: int = 1, batch_axes: int = 0, most: int = MOST_AXES
) -> Any:
    """Return the array argument as a tensor of known rank and a dtype SciPy takes.

    `least`: how many axes an array must have. `batch_axes`: 1 where arrays come as a batch, with an axis
    more. `most`: how many axes an array may have.
    """
    tensor = as_tensor(value, name)
    rank = known_rank(tensor, name)
    if rank < least + batch_axes:
        axes = "one axis" if least + batch_axes == 1 else f"{least + batch_axes} axes"
        raise OutsideDomain(explain(name, f"rank {rank}", f"at least {axes}", "Add axes with tf.newaxis."))
    if tensor.dtype.is_complex:
        advice = "Treat tf.math.real and tf.math.imag apart."
        raise UnsupportedArgument(explain(name, f"dtype {tensor.dtype.name}", ", ".join(DTYPES), advice))
    _checks.dtype_among(tensor, DTYPES, name)
    limit_rank(tensor, name, most + batch_axes)
    return tensor


def common(image: Any, output: Any, order: Any, mode: Any, cval: Any, prefilter: Any) -> Common:
    """Check the arguments that all of these functions share."""
    order = order_of(order)
    _checks.word(
        mode,
        borders.MODES,
        "mode",
        "'reflect' repeats the edge pixel, 'mirror' does not.",
        error=UnsupportedArgument,
    )
    dtype = output_dtype(output, image.dtype)
    if order and dtype.is_bool:
        advice = "Give another `output`, for instance float, and compare the result with 0.5."
        raise UnsupportedArgument(explain("order", f"{order} for a bool result", "0", advice))
    fill = fill_of(cval, dtype)
    narrow = image.dtype == dtype == tf.float32 and order <= 1
    compute = tf.float32 if narrow else tf.float64
    return Common(order, mode, _checks.flag(prefilter, "prefilter"), compute, dtype, fill)


def order_of(order: Any, least: int = 0) -> int:
    """Return a spline order, checked."""
    if isinstance(order, (bool, np.bool_)) or not isinstance(order, (numbers.Integral, np.integer)):
        raise WrongType(
            explain("order", repr(order), f"an integer from {least} to 5", "It shapes the graph.")
        )
    wanted = int(order)
    if not least <= wanted <= 5:
        raise UnsupportedArgument(
            explain("order", str(order), f"{least} to 5", "3 is cubic, 1 linear, 0 the nearest pixel.")
        )
    return wanted


def fill_of(cval: Any, dtype: Any) -> Any:
    if tf.is_tensor(cval):
        if cval.shape.rank not in (0, None):
            raise OutsideDomain(explain("cval", f"shape {cval.shape}", "a scalar", "Give one number."))
        return tf.cast(cval, tf.float64)
    if isinstance(cval, (str, bytes)) or not isinstance(cval, numbers.Real):
        raise WrongType(explain("cval", repr(cval), "a real number", "Give one number."))
    if not math.isfinite(cval) and not dtype.is_floating:
        raise OutsideDomain(
            explain(
                "cval", str(cval), f"a finite number for {dtype.name} output", "Choose one of its levels."
            )
        )
    return tf.constant(float(cval), tf.float64)


def output_dtype(output: Any, own: Any) -> Any:
    """Return the dtype of the result; an array to write into is refused."""
    if output is None:
        return own
    if isinstance(output, (np.ndarray, np.generic)) or tf.is_tensor(output):
        advice = "A graph returns its result; give a dtype, or None for the input's."
        raise UnsupportedArgument(explain("output", "an array", "None or a dtype", advice))
    return dtype_of(output, "output", DTYPES, "Cast the result instead.")


def numbers_per_axis(value: Any, rank: int, name: str, *, batched: bool = False) -> Any:
    """Return one float64 number per axis: a NumPy array, or a tensor (rank,), or with a batch (B, rank).

    A single number stands for all axes.
    """
    value = static_value(value, name)
    if tf.is_tensor(value):
        if value.dtype.is_bool or value.dtype.is_complex or value.dtype == tf.string:
            raise WrongType(explain(name, f"dtype {value.dtype.name}", "real numbers", "Cast it first."))
        allowed = (0, 1, 2) if batched else (0, 1)
        if value.shape.rank not in allowed:
            raise OutsideDomain(
                explain(name, f"shape {value.shape}", f"a number or {rank} of them", "One per axis of input.")
            )
        length = value.shape[-1] if value.shape.rank else rank
        if length is not None and length != rank:
            raise _wrong_length(name, length, rank)
        tensor = tf.cast(value, tf.float64)
        return tensor if tensor.shape.rank else tf.fill([rank], tensor)
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain(name, repr(value), f"a number or {rank} of them", "One per axis of input.")
        ) from error
    if array.ndim == 0:
        return np.full(rank, float(array))
    if array.ndim > (2 if batched else 1):
        raise OutsideDomain(
            explain(name, f"shape {array.shape}", f"a number or {rank} of them", "One per axis of input.")
        )
    if array.shape[-1] != rank:
        raise _wrong_length(name, array.shape[-1], rank)
    return array


def _wrong_length(name: str, given: int, rank: int) -> OutsideDomain:
    return OutsideDomain(
        explain(
            name,
            f"{given} numbers",
            f"one number, or one for each of the {rank} axes",
            "Count the axes of input.",
        )
    )


def shape_of_output(value: Any, name: str = "output_shape") -> tuple[int, ...]:
    """Return an output shape as Python integers."""
    value = static_value(value, name)
    if tf.is_tensor(value):
        advice = "Its rank and sizes shape the graph: give Python integers."
        raise UnsupportedArgument(explain(name, "a tensor", "a tuple of integers", advice))
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, np.ndarray)):
        raise WrongType(explain(name, repr(value), "a tuple of integers", "One size per axis."))
    sides = []
    for side in value:
        if isinstance(side, (bool, np.bool_)) or not isinstance(side, (numbers.Integral, np.integer)):
            raise WrongType(
                explain(name, repr(tuple(value)), "a tuple of integers", "Round the sizes first.")
            )
        sides.append(int(side))
    if not sides or any(side < 0 for side in sides):
        advice = "One size per axis, none negative."
        raise OutsideDomain(explain(name, repr(tuple(sides)), "at least one size, none negative", advice))
    if len(sides) > MOST_AXES:
        advice = "Reshape the result instead."
        raise UnsupportedArgument(explain(name, f"{len(sides)} sizes", f"{MOST_AXES} at most", advice))
    if math.prod(sides) > 2**31 - 1:
        advice = "Work on smaller pieces."
        raise OutsideDomain(explain(name, repr(tuple(sides)), f"at most {2**31 - 1} elements", advice))
    return tuple(sides)


def plane_axes(axes: Any, rank: int) -> tuple[int, int]:
    """Return the two axes of a plane, sorted and counted from zero."""
    if holds_tensor(axes):
        raise UnsupportedArgument(explain("axes", "a tensor", "two integers", "They shape the graph."))
    try:
        pair = [float(axis) for axis in axes]
    except (TypeError, ValueError) as error:
        raise WrongType(explain("axes", repr(axes), "two integers", "For instance (1, 0).")) from error
    if len(pair) != 2 or not all(axis.is_integer() for axis in pair):
        raise OutsideDomain(explain("axes", repr(tuple(axes)), "two integers", "For instance (1, 0)."))
    found = [int(axis) + (rank if axis < 0 else 0) for axis in pair]
    if not all(0 <= axis < rank for axis in found):
        raise BadAxis(explain("axes", repr(tuple(axes)), f"axes of rank {rank}", "Count from 0 or from -1."))
    if found[0] == found[1]:
        raise OutsideDomain(explain("axes", repr(tuple(axes)), "two different axes", "They span the plane."))
    return min(found), max(found)


def _order(arguments: Arguments) -> int:
    return int(arguments.get("order", 3))


def is_finite_or_nan(arguments: Arguments) -> bool:
    """Say whether no element is infinite."""
    image = np.asarray(arguments["input"])
    return image.dtype.kind != "f" or not bool(np.isinf(image).any())


def is_valid(arguments: Arguments) -> bool:
    """Say whether the call is vouched for.

    NaN has no integer, what a recursion makes of infinities is nobody's promise, and what becomes of a
    number as a truth value is the machine's choice where it is none.
    """
    image = np.asarray(arguments["input"])
    kind = _kind_of_result(arguments)
    if image.dtype.kind == "f" and kind in "biu" and not np.isfinite(image).all():
        return False
    if _order(arguments) > 1 and arguments.get("prefilter", True) and not is_finite_or_nan(arguments):
        return False
    return kind != "b" or max(abs(arguments.get("cval", 0.0)), np.abs(image.astype(float)).max(initial=0)) < 2


def _kind_of_result(arguments: Arguments) -> str:
    output = arguments.get("output")
    return (np.asarray(arguments["input"]).dtype if output is None else np.dtype(output)).kind


def _mixes_truth(arguments: Arguments) -> bool:
    return _order(arguments) > 0 and _kind_of_result(arguments) == "b"


def _empty(arguments: Arguments) -> bool:
    return np.asarray(arguments["input"]).size == 0


def differences(others: Arguments) -> tuple[Difference, ...]:
    """Return the differences that all of these functions have; witnesses need the `others` too."""
    return (
        Difference(
            "An empty `input` is refused; the reference returns an array of its fill value, or garbage.",
            witness=lambda: {"input": np.zeros((0, 3), np.float32), **others},
            applies=_empty,
        ),
        Difference(
            "A bool result of order 1 or more is refused; the reference cuts interpolated numbers off, "
            "and where they should be 1 rounding decides.",
            witness=lambda: {"input": np.eye(3, dtype=bool), "order": 1, **others},
            applies=_mixes_truth,
        ),
    )
