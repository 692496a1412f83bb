"""The forms in which numpy.pad takes widths and values, as one (before, after) pair per axis."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType, explain

_WIDTHS = "whole numbers from 0: one, (before, after), a pair per axis, or {axis: (before, after)}"
_PAIR = "Give one entry for every axis of `array`."


@dataclass(frozen=True)
class _Leaf:
    """Keeps a scalar tensor whole inside an object array."""

    tensor: Any


def _wrapped(value: Any) -> Any:
    """Replace tensors in nested lists by leaves that NumPy does not look into."""
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        if known is not None:
            return known
        if not value.dtype.is_integer or value.dtype.is_unsigned:
            advice = "Cast it with tf.cast(..., tf.int32)."
            raise WrongType(
                explain("pad_width", f"dtype {value.dtype.name}", "a signed integer dtype", advice)
            )
        if value.shape.rank == 0:
            return _Leaf(value)
        if not value.shape.is_fully_defined():
            advice = "Its shape must be known while tracing; use tf.ensure_shape."
            raise UnsupportedArgument(explain("pad_width", f"shape {value.shape}", _WIDTHS, advice))
        return [_wrapped(part) for part in tf.unstack(value)]
    if isinstance(value, (list, tuple)):
        return [_wrapped(part) for part in value]
    return value


def _holds_leaf(value: Any) -> bool:
    if isinstance(value, list):
        return any(_holds_leaf(part) for part in value)
    return isinstance(value, _Leaf)


def _by_axis(widths: Mapping[Any, Any], rank: int) -> list[Any]:
    """Spell out the dictionary form; axes it does not name get no padding."""
    table: list[Any] = [(0, 0)] * rank
    for axis, width in widths.items():
        pair = width if isinstance(width, tuple) and len(width) == 2 else (width, width)
        if not all(isinstance(one, int) or tf.is_tensor(one) for one in pair):
            allowed = "an integer or a tuple (before, after)"
            raise WrongType(explain(f"pad_width[{axis!r}]", repr(width), allowed, "Count elements."))
        if not isinstance(axis, (int, np.integer)):
            raise WrongType(explain("pad_width", f"key {axis!r}", "axes", "Name axes by number."))
        if not -rank <= axis < rank:
            allowed = f"axes {-rank} to {rank - 1}"
            raise BadAxis(explain("pad_width", f"axis {axis}", allowed, "Name an axis of `array`."))
        table[axis] = pair
    return table


def _pairs(values: Any, rank: int, parameter: str) -> list[tuple[Any, Any]]:
    """Broadcast to (rank, 2) as numpy.pad does.

    One value serves all; two values are (before, after), unless they stand in a column.
    """
    if values.ndim < 3 and values.size == 1:
        one = values.ravel()[0]
        return [(one, one)] * rank
    if values.ndim < 3 and values.size == 2 and values.shape != (2, 1):
        before, after = values.ravel()
        return [(before, after)] * rank
    try:
        # tolist: beyond two values numpy.pad assigns Python numbers, which it checks for overflow.
        table = np.broadcast_to(values, (rank, 2)).tolist()
    except ValueError as error:
        allowed = f"a shape that broadcasts to ({rank}, 2)"
        raise UnsupportedArgument(explain(parameter, f"shape {values.shape}", allowed, _PAIR)) from error
    return [(before, after) for before, after in table]


def implied_rank(pad_width: Any) -> int | None:
    """Return the rank that widths of shape (n, 1) or (n, 2) with n above 1 stand for."""
    shape = tuple(pad_width.shape) if tf.is_tensor(pad_width) else np.shape(_placeholders(pad_width))
    return shape[0] if len(shape) == 2 and isinstance(shape[0], int) and shape[0] > 1 else None


def _placeholders(value: Any) -> Any:
    if isinstance(value, Mapping):
        return 0
    if tf.is_tensor(value):
        return np.zeros([size or 0 for size in value.shape])
    return [_placeholders(part) for part in value] if isinstance(value, (list, tuple)) else value


def widths(pad_width: Any, rank: int) -> list[tuple[Any, Any]]:
    """Return (before, after) per axis.

    `pad_width`: as `numpy.pad` takes it. Returns: integers where tracing knows them.
    """
    if isinstance(pad_width, Mapping):
        pad_width = _by_axis(pad_width, rank)
    value = _wrapped(pad_width)
    try:
        table = np.asarray(value, dtype=object if _holds_leaf(value) else None)
    except ValueError as error:
        raise UnsupportedArgument(explain("pad_width", repr(pad_width), _WIDTHS, _PAIR)) from error
    if table.dtype != object and table.dtype.kind != "i":
        given = f"{pad_width!r} of dtype {table.dtype}"
        raise WrongType(explain("pad_width", given, _WIDTHS, "Count elements with signed integers."))
    if not all(isinstance(one, (int, np.integer, _Leaf)) for one in table.ravel().tolist()):
        raise WrongType(explain("pad_width", repr(pad_width), _WIDTHS, "Count elements."))
    known = [one for one in table.ravel().tolist() if not isinstance(one, _Leaf)]
    if table.size == 0 or min(known, default=0) < 0:
        advice = "To remove elements, slice the array."
        raise UnsupportedArgument(explain("pad_width", repr(pad_width), _WIDTHS, advice))
    return [(_width(before), _width(after)) for before, after in _pairs(table, rank, "pad_width")]


def _width(one: Any) -> Any:
    if not isinstance(one, _Leaf):
        return int(one)
    message = explain("pad_width", "a negative number at run time", _WIDTHS, "To remove elements, slice.")
    with tf.control_dependencies([tf.debugging.assert_non_negative(one.tensor, message)]):
        # A cast to the dtype it has would be no op, and carry no check.
        return tf.identity(tf.cast(one.tensor, tf.int32))


def lengths(stat_length: Any, rank: int) -> list[tuple[Any, Any]]:
    """Return how many elements from either end of each axis a statistic takes into account.

    `stat_length`: as `numpy.pad` takes it: fractions are rounded. Returns: one pair per axis; None takes all.
    """
    allowed = "None, or numbers from 0: one, (before, after), or a pair per axis"
    given = _static_values(stat_length, "stat_length")
    if given is None:
        return [(None, None)] * rank
    try:
        table = np.round(np.array(given)).astype(np.intp)
    except TypeError as error:
        raise WrongType(explain("stat_length", repr(stat_length), allowed, "Count elements.")) from error
    except ValueError as error:
        raise UnsupportedArgument(explain("stat_length", repr(stat_length), allowed, _PAIR)) from error
    if table.size == 0 or table.min() < 0:
        raise UnsupportedArgument(explain("stat_length", repr(stat_length), allowed, "Count elements."))
    return [(int(before), int(after)) for before, after in _pairs(table, rank, "stat_length")]


def end_values(values: Any, rank: int) -> list[tuple[Any, Any]]:
    """Return the values at the far ends of the ramps, per axis and side.

    `values`: as `numpy.pad` takes it. Returns: one pair per axis.
    """
    allowed = "one number, (before, after), or a pair per axis"
    try:
        table = np.array(_static_values(values, "end_values"))
    except ValueError as error:
        raise UnsupportedArgument(explain("end_values", repr(values), allowed, _PAIR)) from error
    if table.dtype.kind not in "biufc":
        raise WrongType(explain("end_values", repr(values), allowed, "Pass numbers."))
    return _pairs(table, rank, "end_values")


def values(constant_values: Any, rank: int, dtype: Any) -> list[tuple[Any, Any]]:
    """Return (before, after) fill values per axis, cast to the array's dtype as NumPy assigns them.

    `constant_values`: as `numpy.pad` takes it. Returns: one pair per axis; of a number that is not known, a
    tensor.
    """
    dtype = np.dtype(dtype)
    if tf.is_tensor(constant_values) and tf.get_static_value(constant_values) is None:
        if constant_values.shape.rank != 0 or not _is_number(constant_values.dtype):
            given, advice = f"a tensor of shape {constant_values.shape}", "Pass one number for all sides."
            raise UnsupportedArgument(explain("constant_values", given, "a tensor of shape ()", advice))
        fill = cast(constant_values, dtype)
        return [(fill, fill)] * rank
    given = _static_values(constant_values, "constant_values")
    if given is None:
        # numpy.pad hands None on to the assignment: NaN for floating dtypes, an error for others.
        return [(_assigned(None, dtype), _assigned(None, dtype))] * rank
    try:
        table = np.array(given)
    except ValueError as error:
        allowed = "one value, (before, after), or a pair per axis"
        raise UnsupportedArgument(
            explain("constant_values", repr(constant_values), allowed, _PAIR)
        ) from error
    pairs = _pairs(table, rank, "constant_values")
    return [(_assigned(before, dtype), _assigned(after, dtype)) for before, after in pairs]


def _is_number(dtype: Any) -> bool:
    return bool(dtype.is_floating or dtype.is_integer or dtype.is_complex or dtype.is_bool)


def _static_values(value: Any, parameter: str) -> Any:
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        if known is None:
            advice = "Pad with zeros, then add the values of the border."
            raise UnsupportedArgument(
                explain(parameter, "a tensor not known while tracing", "static numbers", advice)
            )
        return known
    if isinstance(value, (list, tuple)):
        return [_static_values(part, parameter) for part in value]
    return value


def _assigned(value: Any, dtype: Any) -> Any:
    """Cast by assigning to a one-element array, so that NumPy's own rules decide."""
    place = np.zeros(1, dtype)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            place[:] = value
    except TypeError as error:
        raise WrongType(
            explain("constant_values", repr(value), f"numbers for {dtype}", "Pass numbers.")
        ) from error
    except (ValueError, OverflowError) as error:
        advice = "Clip the value to the dtype's range, or cast the array."
        raise OutsideDomain(
            explain("constant_values", repr(value), f"values {dtype} can hold", advice)
        ) from error
    return place[0]
