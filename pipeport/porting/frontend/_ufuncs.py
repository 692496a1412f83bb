"""`reduce`, `accumulate` and `outer` of NumPy's universal functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import numpy
from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.porting._values import tensor_of

# What reduces, or accumulates, as a function of NumPy's does; its axis is 0 where none is given.
_REDUCED: dict[str, Callable[..., Any]] = {
    "add": numpy.sum, "multiply": numpy.prod, "maximum": numpy.max, "minimum": numpy.min,
    "logical_and": numpy.all, "logical_or": numpy.any,
}  # fmt: skip
_ACCUMULATED: dict[str, Callable[..., Any]] = {"add": numpy.cumsum, "multiply": numpy.cumprod}
# Those of which an element may be taken in twice.
_IDEMPOTENT = frozenset(
    {"maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "bitwise_and", "bitwise_or"}
)


def method(ufunc: np.ufunc, name: str) -> Callable[..., Any] | None:
    """Return what stands for a method of a universal function.

    `ufunc`: the function, of two arguments. `name`: 'reduce', 'accumulate' or 'outer'. Returns: None where
    nothing does.
    """
    called = ufunc.__name__
    compute = getattr(numpy, called, None)
    if name == "outer" and compute is not None:
        return functools.partial(_outer, compute)
    if name == "reduce" and called in _REDUCED:
        return functools.partial(_along_first, _REDUCED[called])
    if name == "accumulate" and called in _ACCUMULATED:
        return functools.partial(_along_first, _ACCUMULATED[called])
    if compute is None or called not in _IDEMPOTENT:
        return None
    return {
        "reduce": functools.partial(_reduce, compute),
        "accumulate": functools.partial(_accumulate, compute),
    }.get(name)


def _along_first(run: Callable[..., Any], array: Any, axis: Any = 0, *rest: Any, **named: Any) -> Any:
    if rest:
        given = f"{len(rest)} more arguments by place"
        raise UnsupportedArgument(
            explain("axis", given, "arguments by name", "Name them: `dtype=`, `keepdims=`.")
        )
    return run(array, axis=axis, **named)


def _outer(compute: Callable[..., Any], a: Any, b: Any) -> Any:
    a, b = numpy.asarray(a), numpy.asarray(b)
    return compute(a.reshape(*a.shape, *(1,) * b.ndim), b)


def _reduce(compute: Callable[..., Any], array: Any, axis: Any = 0) -> Any:
    array = numpy.moveaxis(numpy.asarray(array), axis, 0)
    size = array.shape[0]
    message = explain("array", "an axis without elements", "one element", "Ask for its size.")
    if not isinstance(size, int):
        with tf.control_dependencies([tf.debugging.assert_positive(size, message)]):
            return _accumulate(compute, fresh(tf.identity(tensor_of(array))))[-1]
    if not size:
        raise OutsideDomain(message)
    while size > 1:  # in halves
        half = size // 2
        paired = compute(array[:half], array[half : 2 * half])
        array = numpy.concatenate([paired, array[2 * half :]]) if size % 2 else paired
        size -= half
    return array[0]


def _accumulate(compute: Callable[..., Any], array: Any, axis: Any = 0) -> Any:
    array = numpy.moveaxis(numpy.asarray(array), axis, 0)
    size = array.shape[0]
    values = tensor_of(array)

    def taken_in(step: Any, values: Any) -> Any:
        """Return the elements with what stands so far before them."""
        later = tensor_of(compute(fresh(values[step:]), fresh(values[:-step])))
        return tf.ensure_shape(tf.concat([values[:step], later], 0), values.shape)

    if isinstance(size, int):
        step = 1
        while step < size:
            values = taken_in(step, values)
            step *= 2
    else:
        _, values = tf.while_loop(
            lambda step, values: step < tf.shape(values)[0],
            lambda step, values: (step * 2, taken_in(step, values)),
            (tf.constant(1), values),
        )
    return numpy.moveaxis(fresh(values), 0, axis)
