"""Arguments as Pillow reads them: filters, sizes, boxes, points."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_NAMES = "NEAREST 0, LANCZOS 1, BILINEAR 2, BICUBIC 3, BOX 4, HAMMING 5, MKS2013 6, MKS2021 7"
_MOST = 2**31 - 1


def number_among(value: Any, allowed: tuple[int, ...], name: str, names: str) -> int:
    """Return an integer that is listed; others are refused as in Pillow, by value, then by type."""
    if tf.is_tensor(value):
        advice = "It shapes the graph: decide it before tracing."
        raise UnsupportedArgument(explain(name, "a tensor", names, advice))
    if isinstance(value, np.ndarray) or not any(value == one for one in allowed):
        raise UnsupportedArgument(explain(name, repr(value), names, "Use the constants of Image."))
    return int(whole(value, name))


def filter_number(value: Any, name: str = "resample") -> int:
    """Return the number of a resampling filter; None is BICUBIC."""
    return 3 if value is None else number_among(value, tuple(range(8)), name, _NAMES)


def whole(value: Any, name: str) -> Any:
    """Return an integer, or a scalar integer tensor as int32 where its value is not known."""
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        if not value.dtype.is_integer or value.shape.rank not in (None, 0):
            given = f"{value.dtype.name} of shape {value.shape}"
            raise WrongType(explain(name, given, "whole numbers", "Round and cast it first."))
        if known is None:
            return tf.cast(value, tf.int32)
        value = known[()]
    try:
        number = operator.index(value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), "whole numbers", "Round it first.")) from error
    if abs(number) > _MOST:
        raise OutsideDomain(explain(name, number, f"at most {_MOST}", "Give sizes in pixels."))
    return number


def entries(value: Any, count: int, name: str) -> list[Any]:
    """Return the entries of a sequence or a tensor of one axis."""
    allowed = f"{count} numbers"
    if tf.is_tensor(value):
        if value.shape.rank != 1 or value.shape[0] not in (None, count):
            raise WrongType(explain(name, f"shape {value.shape}", allowed, "Reshape it."))
        return list(tf.unstack(tf.ensure_shape(value, [count])))
    try:
        found = list(value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), allowed, "Give a tuple.")) from error
    if len(found) != count:
        raise WrongType(explain(name, f"{len(found)} entries", allowed, "Give a tuple."))
    return found


def size_pair(value: Any, name: str = "size") -> tuple[Any, Any]:
    """Return (width, height) as integers or int32 tensors."""
    width, height = (whole(side, name) for side in entries(value, 2, name))
    return width, height


def positive(size: tuple[Any, Any], channels: int, name: str = "size") -> tuple[Any, Any]:
    """Refuse sizes below 1 and images too large for 32-bit indices, now or when the graph runs."""
    advice = "Give (width, height) in pixels."
    allowed = f"(width, height), both 1 or more, at most {_MOST} values together"
    static = [side for side in size if not tf.is_tensor(side)]
    if any(side < 1 for side in static) or math.prod(static) * channels > _MOST:
        raise OutsideDomain(explain(name, str(size), allowed, advice))
    if len(static) == 2:
        return size
    message = explain(name, "a side below 1", allowed, advice)
    with tf.control_dependencies([tf.debugging.assert_positive(tf.stack(size), message)]):
        width, height = (side if isinstance(side, int) else tf.identity(side) for side in size)
    return width, height


def not_negative(size: tuple[Any, Any]) -> tuple[Any, Any]:
    """Refuse negative sides, now or when the graph runs."""
    advice, allowed = "Give (width, height) in pixels.", "(width, height), both 0 or more"
    if any(isinstance(side, int) and side < 0 for side in size):
        raise OutsideDomain(explain("size", str(size), allowed, advice))
    if all(isinstance(side, int) for side in size):
        return size
    message = explain("size", "a negative side", allowed, advice)
    with tf.control_dependencies([tf.debugging.assert_non_negative(tf.stack(size), message)]):
        width, height = (side if isinstance(side, int) else tf.identity(side) for side in size)
    return width, height


def real(value: Any, name: str) -> Any:
    """Return a float, or a scalar float64 tensor where its value is not known."""
    if tf.is_tensor(value):
        if not (value.dtype.is_floating or value.dtype.is_integer) or value.shape.rank not in (None, 0):
            given = f"{value.dtype.name} of shape {value.shape}"
            raise WrongType(explain(name, given, "real numbers", "Cast it first."))
        known = tf.get_static_value(value)
        if known is None:
            return tf.cast(value, tf.float64)
        value = known[()]
    if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
        raise WrongType(explain(name, repr(value), "real numbers", "Give floats."))
    number = float(value)
    if not math.isfinite(number):
        raise OutsideDomain(explain(name, str(number), "finite numbers", "Replace NaN and infinities."))
    return number


def real_entries(value: Any, count: int, name: str) -> tuple[Any, ...]:
    """Return entries as floats or float64 tensors."""
    return tuple(real(entry, name) for entry in entries(value, count, name))


def rounded(value: Any) -> Any:
    """Return a real number rounded half to even: an integer, or an int32 tensor."""
    return tf.cast(tf.round(value), tf.int32) if tf.is_tensor(value) else round(value)
