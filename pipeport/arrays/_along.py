"""Shared by reductions: axes, the number of elements, the dtype of the accumulator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import numpy_dtype
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.axes import axis_tuple, canonical
from pipeport.kernels.inputs.integers import whole_number


def axes_of(x: Any, axis: Any, *, scalar: bool = True) -> Any:
    """Return the axes of a reduction, as int32; None for all.

    `scalar`: whether an array of rank 0 has the axes 0 and -1, as it has in NumPy's ufuncs. Returns: None or
    numpy.ndarray of int32; counted from 0, where the rank is known.
    """
    if axis is None:
        return None
    if not isinstance(axis, tuple):
        axis = whole_number(axis, "axis")
        if scalar and x.shape.rank == 0 and axis in (0, -1):
            axis = ()
    return np.asarray(axis_tuple(axis, x.shape.rank), np.int32)


def one_axis(x: Any, axis: Any) -> tuple[Any, int]:
    """Return an array with the one axis that a function goes along.

    `axis`: None takes the flattened array. Returns: the array, of rank 1 where it had rank 0, and the axis,
    counted from 0 where the rank is known.
    """
    if axis is None:
        return (x if x.shape.rank == 1 else tf.reshape(x, [-1])), 0
    axis = whole_number(axis, "axis")
    if x.shape.rank == 0:
        return tf.reshape(x, [1]), canonical(axis, 1, "axis")
    return x, canonical(axis, x.shape.rank, "axis")


def count(x: Any, axes: Any) -> Any:
    """Return how many elements a reduction takes together.

    Returns: int or tf.Tensor of int64; a tensor where tracing does not know it.
    """
    if x.shape.rank is not None:
        sizes = x.shape.as_list() if axes is None else [x.shape[axis] for axis in axes]
        if None not in sizes:
            return math.prod(sizes)
    if axes is None:
        return tf.size(x, tf.int64)
    sizes = tf.shape(x, tf.int64)
    return tf.reduce_prod(tf.gather(sizes, axes if x.shape.rank is not None else axes % tf.size(sizes)))


def not_empty(x: Any, axes: Any) -> Any:
    """Return the array, checked to have elements along the axes: while tracing, else in the graph.

    Returns: the same tensor, ordered after the check.
    """
    number = count(x, axes)
    allowed, advice = "at least one along the axes", "Check the size first: there is no extreme of nothing."
    if tf.is_tensor(number):
        message = explain("a", "no element at run time", allowed, advice)
        with tf.control_dependencies([tf.debugging.assert_positive(number, message)]):
            return tf.identity(x)
    if number == 0:
        raise OutsideDomain(explain("a", f"no element, shape {x.shape}", allowed, advice))
    return x


def ordered(x: Any, what: str) -> Any:
    """Return the array if its dtype has an order here.

    `what`: what is asked of it, for the message. OutsideDomain where it is complex: NumPy orders by real,
    then imaginary part; TensorFlow has no kernel that does.
    """
    if x.dtype.is_complex:
        given = f"dtype {x.dtype.name} for {what}"
        advice = "Take its real part or its magnitude first."
        raise OutsideDomain(explain("a", given, "bool, integers and floats", advice))
    return x


def truth(x: Any) -> Any:
    """Say of each element whether it is not zero."""
    if x.dtype.is_complex:  # a cast to bool asks the real part alone
        return tf.not_equal(x, tf.zeros([], x.dtype))
    return tf.cast(x, tf.bool)


def sum_dtype(x: Any, dtype: Any) -> np.dtype[Any]:
    """Return the dtype of a sum or product, by NumPy's rule on 64-bit Linux.

    `dtype`: None widens bool and integers to 64 bits.
    """
    if dtype is not None:
        return numpy_dtype(dtype)
    own: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    if own.kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if own.kind == "u" else own


def flag(value: Any, parameter: str) -> bool:
    """Return a switch known while tracing.

    `value`: a static tensor counts.
    """
    return bool(whole_number(value, parameter))
