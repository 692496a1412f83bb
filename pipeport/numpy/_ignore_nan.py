"""Reductions that ignore NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _moments, _reduce
from pipeport.arrays._along import axes_of, flag, sum_dtype
from pipeport.arrays._cast import cast
from pipeport.arrays._chosen_elements import mask_of, taken
from pipeport.arrays._one_pass import one_pass
from pipeport.arrays._sums import added
from pipeport.errors import OutsideDomain, explain


def extreme(kernel: str, of_booleans: str) -> Callable[[Any, Any], Any]:
    """Return the minimum or maximum of two tensors that takes the other element where one is NaN.

    `kernel`, `of_booleans`: names in TensorFlow: of numbers, and of truth values. Returns: takes two tensors
    of one dtype.
    """

    def function(x: Any, y: Any) -> Any:
        if not x.dtype.is_floating:
            return getattr(tf, of_booleans if x.dtype.is_bool else kernel)(x, y)
        return getattr(tf, kernel)(tf.where(tf.equal(x, x), x, y), tf.where(tf.equal(y, y), y, x))

    return function


def or_else(x: Any, other: Any) -> Any:
    """Return the elements, and another number in the place of NaN."""
    return tf.where(tf.equal(x, x), x, other)


def present(x: Any) -> Any:
    """Return ones, and zeros in the place of NaN."""
    return tf.cast(tf.equal(x, x), tf.int32)


def _squares(x: Any, middle: Any) -> Any:
    return tf.where(tf.equal(x, x), tf.square(x - middle), tf.zeros([], x.dtype))


def total(x: Any, axis: Any, dtype: Any, keepdims: Any, where: Any, initial: Any) -> Any:
    """Add elements up, NaN as zero; parameters are those of `numpy.nansum`."""
    if x.dtype.is_floating or x.dtype.is_complex:
        x = one_pass(or_else, x, tf.zeros([], x.dtype))
    return _reduce.total(x, axis, dtype, keepdims, where, initial)


def product(x: Any, axis: Any, dtype: Any, keepdims: Any, where: Any, initial: Any) -> Any:
    """Multiply elements, NaN as one; parameters are those of `numpy.nanprod`."""
    if x.dtype.is_floating or x.dtype.is_complex:
        x = one_pass(or_else, x, tf.ones([], x.dtype))
    return _reduce.prod(x, axis, dtype, keepdims, where, initial)


def std(x: Any, axis: Any, dtype: Any, ddof: Any, keepdims: Any, where: Any) -> Any:
    """Return the deviation of what is not NaN; parameters are those of `numpy.nanstd`."""
    if x.dtype.is_complex:
        advice = "Take the deviations of its real and imaginary parts."
        raise OutsideDomain(explain("a", x.dtype.name, "bool or a real number", advice))
    if not x.dtype.is_floating:
        return _moments.std(x, axis, dtype, ddof, keepdims, where=where)
    axes, keep = axes_of(x, axis), flag(keepdims, "keepdims")
    wanted = np.dtype(x.dtype.as_numpy_dtype) if dtype is None else sum_dtype(x, dtype)
    wide = np.dtype(np.float32) if wanted == np.float16 else wanted
    x = cast(taken(x, mask_of(where, x), np.nan), wide)
    here, values = one_pass(present, x), one_pass(or_else, x, tf.zeros([], x.dtype))
    middle = added(values, axes, keep=True) / cast(tf.reduce_sum(here, axes, keepdims=True), wide)
    squares = added(one_pass(_squares, x, middle), axes, keep)
    divisor = cast(tf.reduce_sum(here, axes, keep), wide) - float(_moments.freedom_lost(ddof, None))
    return cast(tf.where(divisor > 0, tf.sqrt(squares / divisor), tf.constant(np.nan, wide)), wanted)
