"""Means, variances and standard deviations."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import axes_of, count, flag, truth
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.arrays._chosen_elements import counted, mask_of, taken
from pipeport.arrays._promotion import joined
from pipeport.arrays._sums import added, summed
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.kernels.inputs.integers import static
from pipeport.kernels.xla._divide import divided

_FLOATS = ("float16", "float32", "float64")


def mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """Return the mean, as `numpy.mean`.

    `axis`: along which axes; None along all. `dtype`: in which dtype; None takes float64 for bool and
    integers. `keepdims`: whether the axes stay, with size one. Returns: the means; NaN where there are no
    elements. float16 is added in float32.
    """
    axes, keep = axes_of(x, axis, scalar=False), flag(keepdims, "keepdims")
    wide, wanted = _dtypes(x, dtype)
    mask = mask_of(where, x)
    number = count(x, axes) if mask is None else counted(mask, x, axes, keep)
    found = _quotient(summed(taken(x, mask, 0), axes, wide, keep), number)
    return truth(found) if wanted == np.bool_ else cast(found, wanted)


def var(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    correction: Any = None,
    where: Any = True,
) -> Any:
    """Return the variance, as `numpy.var`.

    `axis`: along which axes; None along all. `dtype`: in which dtype; None takes float64 for bool and
    integers. `ddof`: the divisor is the number of elements less this. `keepdims`: whether the axes stay, with
    size one. `correction`: another name of `ddof`. Returns: the variances, which are real. float16 is squared
    and added in float32.
    """
    squares, wanted = _variance(x, axis, dtype, ddof, keepdims, correction, where)
    return cast(squares, wanted)


def std(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    correction: Any = None,
    where: Any = True,
) -> Any:
    """Return the standard deviation, as `numpy.std`.

    `axis`: along which axes; None along all. `dtype`: in which dtype; None takes float64 for bool and
    integers. `ddof`: the divisor is the number of elements less this. `keepdims`: whether the axes stay, with
    size one. `correction`: another name of `ddof`. Returns: the deviations, which are real. float16 is
    squared and added in float32.
    """
    squares, wanted = _variance(x, axis, dtype, ddof, keepdims, correction, where)
    return cast(tf.sqrt(squares), wanted)


def _dtypes(x: Any, dtype: Any) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Return the dtype to compute in, and that of the result."""
    if dtype is not None:
        return numpy_dtype(dtype), numpy_dtype(dtype)
    own: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    if own.kind in "biu":
        return np.dtype(np.float64), np.dtype(np.float64)
    return (np.dtype(np.float32) if own == np.float16 else own), own


def _quotient(sums: Any, number: Any) -> Any:
    """Divide sums, in float64 as NumPy does, or as complex numbers."""
    if sums.dtype.is_complex:
        return sums / tf.cast(number, sums.dtype)
    quotient = divided(sums, number)
    return tf.cast(quotient, sums.dtype) if sums.dtype.is_floating else quotient


def freedom_lost(ddof: Any, correction: Any) -> Any:
    """Return by how much the divisor of a variance is less than the number of elements."""
    ddof, correction = static(ddof, "ddof"), static(correction, "correction")
    if correction is not None:
        if not (isinstance(ddof, numbers.Real) and ddof == 0):
            given, advice = f"{correction!r} beside ddof", "Leave `ddof` out: both name one number."
            raise UnsupportedArgument(explain("correction", given, "one of them", advice))
        ddof = correction
    if not isinstance(ddof, (numbers.Real, np.bool_)):
        advice = "Give 0 for a population, 1 for a sample."
        raise WrongType(explain("ddof", repr(ddof), "one real number", advice))
    return ddof


def _variance(
    x: Any, axis: Any, dtype: Any, ddof: Any, keepdims: Any, correction: Any, where: Any
) -> tuple[Any, np.dtype[Any]]:
    axes, keep = axes_of(x, axis, scalar=False), flag(keepdims, "keepdims")
    freedom = freedom_lost(ddof, correction)
    if dtype is not None:
        dtype = dtype_of(dtype, "dtype", _FLOATS, "Cast the result yourself.")
        if x.dtype.is_complex:
            advice = "Cast the result yourself."
            raise UnsupportedArgument(explain("dtype", dtype.name, "None for complex numbers", advice))
    wide, wanted = _dtypes(x, dtype)
    # NumPy squares float16 in float16 where that dtype is asked for by name: no pixels survive that.
    wide = np.dtype(np.float32) if wide == np.float16 else wide
    mask = mask_of(where, x)
    number = count(x, axes) if mask is None else counted(mask, x, axes, keep=True)
    middle = _quotient(summed(taken(x, mask, 0), axes, wide, keep=True), number)
    # In the wider of both dtypes, as NumPy: what rounding to `dtype` takes off is not a difference of zero.
    both = joined(np.dtype(x.dtype.as_numpy_dtype), wide)
    apart = cast(x, both) - cast(middle, both)
    if wide.kind == "c":
        squares = tf.square(tf.math.real(apart)) + tf.square(tf.math.imag(apart))
        wanted = np.dtype(squares.dtype.as_numpy_dtype)
    else:
        squares = cast(tf.square(apart), wide)
    if mask is not None:
        squares, number = taken(squares, mask, 0), counted(mask, x, axes, keep)
    if tf.is_tensor(number):
        rest = tf.maximum(tf.cast(number, tf.float64) - float(freedom), tf.zeros([], tf.float64))
    else:
        rest = max(number - float(freedom), 0.0)
    return _quotient(added(squares, axes, keep), rest), wanted
