"""Reductions: sums, products, extremes, and whether any or all hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._accumulate import cumprod as cumprod
from pipeport.arrays._accumulate import cumsum as cumsum
from pipeport.arrays._along import axes_of, flag, not_empty, ordered, sum_dtype, truth
from pipeport.arrays._cast import cast
from pipeport.arrays._moments import mean as mean
from pipeport.arrays._moments import std as std
from pipeport.arrays._moments import var as var
from pipeport.arrays._sums import summed
from pipeport.errors import WrongType, explain


def total(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """Add elements up, as `numpy.sum`.

    Parameters
    ----------
    x : tf.Tensor, bool or any number
        The array.
    axis : None, int or tuple of int
        Along which axes; None along all.
    dtype : dtype or None
        In which dtype; None widens bool and integers to 64 bits.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor
        The sums; integers wrap around. float16 is added in float32 and rounded once.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number, or `dtype` is none.
    """
    return summed(x, axes_of(x, axis), sum_dtype(x, dtype), flag(keepdims, "keepdims"))


def prod(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """Multiply elements, as `numpy.prod`.

    Parameters
    ----------
    x : tf.Tensor, bool or any number
        The array.
    axis : None, int or tuple of int
        Along which axes; None along all.
    dtype : dtype or None
        In which dtype; None widens bool and integers to 64 bits.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor
        The products; integers wrap around.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number, or `dtype` is none.
    """
    axes, wanted, keep = axes_of(x, axis), sum_dtype(x, dtype), flag(keepdims, "keepdims")
    if wanted == np.bool_:
        return tf.reduce_all(truth(x), axes, keep)
    x = cast(x, wanted)
    if wanted == np.float16:  # NumPy rounds every partial product; here only the last is
        return tf.cast(tf.reduce_prod(tf.cast(x, tf.float32), axes, keep), tf.float16)
    return tf.reduce_prod(x, axes, keep)


def largest(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return the largest elements, as `numpy.max`.

    Parameters
    ----------
    x : tf.Tensor, bool, integer or float
        The array.
    axis : None, int or tuple of int
        Along which axes; None along all.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor, dtype of `x`
        The maxima; NaN where there is one.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axes, or they are complex.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number.
    tf.errors.InvalidArgumentError
        There turn out to be no elements.
    """
    return _extreme(x, axis, keepdims, "max")


def smallest(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return the smallest elements, as `numpy.min`.

    Parameters
    ----------
    x : tf.Tensor, bool, integer or float
        The array.
    axis : None, int or tuple of int
        Along which axes; None along all.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor, dtype of `x`
        The minima; NaN where there is one.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axes, or they are complex.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number.
    tf.errors.InvalidArgumentError
        There turn out to be no elements.
    """
    return _extreme(x, axis, keepdims, "min")


def _extreme(x: Any, axis: Any, keepdims: Any, which: str) -> Any:
    axes, keep = axes_of(ordered(x, which), axis), flag(keepdims, "keepdims")
    x = not_empty(x, axes)
    if x.dtype.is_bool:
        return (tf.reduce_any if which == "max" else tf.reduce_all)(x, axes, keep)
    found = (tf.reduce_max if which == "max" else tf.reduce_min)(x, axes, keep)
    if not x.dtype.is_floating:
        return found
    # XLA's reductions drop every NaN but the first element's, and a traced function cannot tell that it
    # will be compiled.
    numbers = tf.reduce_all(tf.equal(x, x), axes, keep)
    return tf.where(numbers, found, tf.constant(float("nan"), x.dtype))


def ptp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return the largest less the smallest elements, as `numpy.ptp`.

    Parameters
    ----------
    x : tf.Tensor, integer or float
        The array.
    axis : None, int or tuple of int
        Along which axes; None along all.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor, dtype of `x`
        The ranges; integers wrap around, NaN where there is one.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axes, or they are complex.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number, or the array is of bool.
    tf.errors.InvalidArgumentError
        There turn out to be no elements.
    """
    if x.dtype.is_bool:
        advice = "NumPy has no difference of bool either: cast it first."
        raise WrongType(explain("a", "dtype bool", "integers and floats", advice))
    return largest(x, axis, keepdims) - smallest(x, axis, keepdims)


def any_(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Say whether any element is not zero, as `numpy.any`.

    Parameters
    ----------
    x : tf.Tensor, bool or any number
        The array; NaN is not zero.
    axis : None, int or tuple of int
        Along which axes; None along all.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor of bool
        The answers.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number.
    """
    return tf.reduce_any(truth(x), axes_of(x, axis), flag(keepdims, "keepdims"))


def all_(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Say whether all elements are not zero, as `numpy.all`.

    Parameters
    ----------
    x : tf.Tensor, bool or any number
        The array; NaN is not zero.
    axis : None, int or tuple of int
        Along which axes; None along all.
    keepdims : bool
        Whether the axes stay, with size one.

    Returns
    -------
    tf.Tensor of bool
        The answers.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        An axis comes twice.
    WrongType
        An axis is not a whole number.
    """
    return tf.reduce_all(truth(x), axes_of(x, axis), flag(keepdims, "keepdims"))
