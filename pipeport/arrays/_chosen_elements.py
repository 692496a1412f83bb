"""The parameters `where` and `initial` of reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import constant, fitted
from pipeport.errors import OutsideDomain, WrongType, explain

NOTHING: Any = np._NoValue


def mask_of(where: Any, x: Any) -> Any:
    """Return which elements a reduction takes.

    Returns: it broadcasts to the array; None stands for all elements.
    """
    if where is NOTHING or where is True:
        return None
    side = operand(where, "where")
    if side is None or side.dtype.kind != "b":
        given = type(where).__name__ if side is None else f"dtype {side.dtype}"
        raise WrongType(explain("where", given, "an array of bool", "Compare, as in `x > 0`."))
    mask = constant(side.value, side.dtype) if side.plain else side.value
    allowed, advice = f"a shape that broadcasts to {x.shape}", "Give one bool per element."
    message = explain("where", f"shape {mask.shape}", allowed, advice)
    try:
        whole = tf.broadcast_static_shape(mask.shape, x.shape)
    except ValueError:
        raise OutsideDomain(message) from None
    if not x.shape.is_compatible_with(whole):
        raise OutsideDomain(message)
    if mask.shape.rank == 0 or (x.shape.is_fully_defined() and mask.shape.is_fully_defined()):
        return mask
    both = tf.broadcast_dynamic_shape(tf.shape(mask), tf.shape(x))
    with tf.control_dependencies([tf.debugging.assert_equal(both, tf.shape(x), message)]):
        return tf.identity(mask)


def taken(x: Any, mask: Any, neutral: Any) -> Any:
    """Return an array with another number in the place of what a reduction leaves out.

    Returns: shape and dtype of `x`.
    """
    if mask is None:
        return x
    found = tf.where(mask, x, tf.cast(neutral, x.dtype))
    return tf.ensure_shape(found, x.shape)


def counted(mask: Any, x: Any, axes: Any, keep: bool) -> Any:
    """Return how many elements a reduction takes.

    `axes`: axes counted as TensorFlow counts them; None for all. `keep`: whether the axes stay, with size
    one. Returns: int64.
    """
    alike = mask.shape.is_fully_defined() and mask.shape == x.shape
    every = mask if alike else tf.ensure_shape(tf.broadcast_to(mask, tf.shape(x)), x.shape)
    # Half the bytes, where the number surely fits.
    few = (x.shape.num_elements() or 2**31) < 2**31
    return tf.cast(tf.reduce_sum(tf.cast(every, tf.int32 if few else tf.int64), axes, keep), tf.int64)


def initial_of(initial: Any, dtype: np.dtype[Any]) -> Any:
    """Return what a reduction begins with."""
    side = operand(initial, "initial")
    if side is None:
        raise WrongType(explain("initial", type(initial).__name__, "a number", "Give a number."))
    found = fitted(side, dtype)
    if found.shape.rank:
        raise OutsideDomain(explain("initial", f"shape {found.shape}", "one number", "Take one element."))
    return found
