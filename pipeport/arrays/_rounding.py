"""Clipping and rounding."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import ordered
from pipeport.arrays._cast import cast
from pipeport.errors import WrongType, explain
from pipeport.kernels.inputs.integers import whole_number


def clip(x: Any, low: Any = None, high: Any = None) -> Any:
    """Limit elements to an interval, as `numpy.clip`.

    `low`, `high`: the bounds, of shapes that broadcast with the array's; None for none. Returns: the
    elements; where `low` is above `high`, the latter. NaN comes of NaN, in elements or bounds.
    """
    ordered(x, "clip")
    least, most = (None if bound is None else tf.convert_to_tensor(bound, x.dtype) for bound in (low, high))
    upper, lower = (tf.maximum, tf.minimum) if not x.dtype.is_bool else (tf.logical_or, tf.logical_and)
    clipped = x if least is None else upper(x, least)
    clipped = clipped if most is None else lower(clipped, most)
    if not x.dtype.is_floating or clipped is x:
        return clipped
    return keeping_nan(clipped, x, *(bound for bound in (least, most) if bound is not None))


def keeping_nan(found: Any, *sources: Any) -> Any:
    """Return the minimum or maximum of tensors, NaN where one of them is.

    `*sources`: the operands, of shapes that broadcast to that of `found`. Returns: shape and dtype of
    `found`.
    """
    # Compiled, the extremes of two drop a NaN in one or the other place. 256x256x3 of float32: without regard
    # to that 96 microseconds, so 120, a selection always 666.
    unknown = [tf.math.is_nan(one) for one in sources if not _is_number(one)]
    if not unknown:
        return found
    nan = functools.reduce(tf.logical_or, unknown)
    missing = tf.constant(float("nan"), found.dtype)
    return tf.cond(tf.reduce_any(nan), lambda: tf.where(nan, missing, found), lambda: found)


def _is_number(bound: Any) -> bool:
    """Say whether tracing knows that there is no NaN."""
    known = tf.get_static_value(bound)
    return known is not None and not np.isnan(known).any()


def round_(x: Any, decimals: Any = 0) -> Any:
    """Round to a number of decimals, ties to even, as `numpy.round`.

    `decimals`: how many; negative ones round to tens, hundreds and so on. Returns: the rounded elements; of
    bool, which NumPy rounds to no decimals only, they are float16. Where an integer has no room for its
    multiple, NumPy gives what the processor does; here it wraps around.
    """
    places = whole_number(decimals, "decimals")
    if x.dtype.is_bool:
        if places:
            advice = "Cast the array first: NumPy refuses this as well."
            raise WrongType(explain("decimals", places, "0 for bool", advice))
        return tf.cast(x, tf.float16)
    if x.dtype.is_integer:
        if places >= 0:
            return x
        # NumPy takes float64 here too, which for more than 2**53 rounds before it rounds.
        rounded = _rounded(tf.cast(x, tf.float64), places)
        return cast(rounded, np.dtype(x.dtype.as_numpy_dtype))
    if x.dtype.is_complex:
        return tf.complex(_rounded(tf.math.real(x), places), _rounded(tf.math.imag(x), places))
    return _rounded(x, places)


def _rounded(x: Any, places: int) -> Any:
    if not places:
        return tf.round(x)
    with np.errstate(over="ignore"):  # infinite where the dtype has no room, as in NumPy 2
        power = np.array(math.prod([10.0] * min(abs(places), 400)), x.dtype.as_numpy_dtype)
    # A division by a constant would become a product with its rounded reciprocal, and from jaxlib 0.10 on one
    # by any number that is the same for all elements. Not known to be the same, where the quotient is NaN.
    above = tf.round(x * power) if places > 0 else x
    quotient = above / (power + tf.cast(tf.math.is_nan(above), x.dtype))
    return quotient if places > 0 else tf.round(quotient) * power
