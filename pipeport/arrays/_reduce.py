"""Reductions: sums, products, extremes, and whether any or all hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import kept
from pipeport.arrays._accumulate import cumprod as cumprod
from pipeport.arrays._accumulate import cumsum as cumsum
from pipeport.arrays._along import axes_of, flag, not_empty, ordered, sum_dtype, truth
from pipeport.arrays._cast import cast
from pipeport.arrays._chosen_elements import NOTHING, initial_of, mask_of, taken
from pipeport.arrays._moments import mean as mean
from pipeport.arrays._moments import std as std
from pipeport.arrays._moments import var as var
from pipeport.arrays._sums import summed
from pipeport.errors import OutsideDomain, WrongType, explain


def total(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: Any = False,
    where: Any = True,
    initial: Any = NOTHING,
) -> Any:
    """Add elements up, as `numpy.sum`.

    `axis`: along which axes; None along all. `dtype`: in which dtype; None widens bool and integers to 64
    bits. `keepdims`: whether the axes stay, with size one. Returns: the sums; integers wrap around. float16
    is added in float32 and rounded once.
    """
    axes, wanted, keep = axes_of(x, axis), sum_dtype(x, dtype), flag(keepdims, "keepdims")
    found = summed(taken(x, mask_of(where, x), 0), axes, wanted, keep)
    return (
        found
        if initial is NOTHING
        else _with_initial(tf.add, tf.logical_or, found, initial_of(initial, wanted))
    )


def _with_initial(kernel: Any, of_booleans: Any, found: Any, initial: Any) -> Any:
    if found.dtype == tf.float16:
        return tf.cast(kernel(*(tf.cast(one, tf.float32) for one in (found, initial))), tf.float16)
    return (of_booleans if found.dtype.is_bool else kernel)(found, initial)


def prod(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: Any = False,
    where: Any = True,
    initial: Any = NOTHING,
) -> Any:
    """Multiply elements, as `numpy.prod`.

    `axis`: along which axes; None along all. `dtype`: in which dtype; None widens bool and integers to 64
    bits. `keepdims`: whether the axes stay, with size one.
    """
    axes, wanted, keep = axes_of(x, axis), sum_dtype(x, dtype), flag(keepdims, "keepdims")
    x = taken(x, mask_of(where, x), 1)
    if wanted == np.bool_:
        found = tf.reduce_all(truth(x), axes, keep)
    elif wanted == np.float16:  # NumPy rounds every partial product; here only the last is
        found = tf.cast(tf.reduce_prod(tf.cast(cast(x, wanted), tf.float32), axes, keep), tf.float16)
    else:
        found = tf.reduce_prod(cast(x, wanted), axes, keep)
    if initial is NOTHING:
        return found
    first = initial_of(initial, wanted)
    if wanted.kind in "fc" and not tf.executing_eagerly():
        # Grappler takes a product with a constant 0 for 0, that of NaN too.
        first = kept(tf.convert_to_tensor(first))
    return _with_initial(tf.multiply, tf.logical_and, found, first)


def largest(x: Any, axis: Any = None, keepdims: Any = False, where: Any = True, initial: Any = None) -> Any:
    """Return the largest elements, as `numpy.max`.

    `axis`: along which axes; None along all. `keepdims`: whether the axes stay, with size one. `initial`:
    stands beside them; needed where `where` is given. None: nothing. Returns: the maxima; NaN where there is
    one.
    """
    return _extreme(x, axis, keepdims, "max", where, initial)


def smallest(x: Any, axis: Any = None, keepdims: Any = False, where: Any = True, initial: Any = None) -> Any:
    """Return the smallest elements, as `numpy.min`.

    `axis`: along which axes; None along all. `keepdims`: whether the axes stay, with size one. `initial`:
    stands beside them; needed where `where` is given. None: nothing. Returns: the minima; NaN where there is
    one.
    """
    return _extreme(x, axis, keepdims, "min", where, initial)


def _extreme(x: Any, axis: Any, keepdims: Any, which: str, where: Any, initial: Any) -> Any:
    axes, keep = axes_of(ordered(x, which), axis), flag(keepdims, "keepdims")
    mask = mask_of(where, x)
    begins = initial is not None and initial is not NOTHING
    if mask is not None and not begins:
        advice = "Give it: there is no extreme of nothing."
        raise OutsideDomain(explain("initial", "nothing beside `where`", "a number", advice))
    if begins:
        first = initial_of(initial, np.dtype(x.dtype.as_numpy_dtype))
        x = taken(x, mask, first)
    else:
        x = not_empty(x, axes)
    if x.dtype.is_bool:
        found = (tf.reduce_any if which == "max" else tf.reduce_all)(x, axes, keep)
        return (tf.logical_or if which == "max" else tf.logical_and)(found, first) if begins else found
    found = (tf.reduce_max if which == "max" else tf.reduce_min)(x, axes, keep)
    if begins:
        found = (tf.maximum if which == "max" else tf.minimum)(found, first)
    if not x.dtype.is_floating:
        return found
    # XLA's reductions drop every NaN but the first element's, and a traced function cannot tell that it
    # will be compiled.
    numbers = tf.reduce_all(tf.equal(x, x), axes, keep)
    if begins:
        numbers = tf.logical_and(numbers, tf.equal(first, first))
    return tf.where(numbers, found, tf.constant(float("nan"), x.dtype))


def ptp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return the largest less the smallest elements, as `numpy.ptp`.

    `axis`: along which axes; None along all. `keepdims`: whether the axes stay, with size one. Returns: the
    ranges; integers wrap around, NaN where there is one.
    """
    if x.dtype.is_bool:
        advice = "NumPy has no difference of bool either: cast it first."
        raise WrongType(explain("a", "dtype bool", "integers and floats", advice))
    return largest(x, axis, keepdims) - smallest(x, axis, keepdims)


def any_(x: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """Say whether any element is not zero, as `numpy.any`.

    `axis`: along which axes; None along all. `keepdims`: whether the axes stay, with size one.
    """
    return tf.reduce_any(
        taken(truth(x), mask_of(where, x), False), axes_of(x, axis), flag(keepdims, "keepdims")
    )


def all_(x: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """Say whether all elements are not zero, as `numpy.all`.

    `axis`: along which axes; None along all. `keepdims`: whether the axes stay, with size one.
    """
    return tf.reduce_all(
        taken(truth(x), mask_of(where, x), True), axes_of(x, axis), flag(keepdims, "keepdims")
    )
