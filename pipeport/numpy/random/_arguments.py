"""The shape of a draw: `size`, or that which the parameters have together."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._random import python_number
from pipeport.arrays._sizes import is_known, stacked
from pipeport.contract import Integer, Maybe, PerAxis
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs._checks import check, every
from pipeport.numpy._sized import sizes_of

SIZE = (
    "int, sequence of int, or None, default None\n"
    "The shape; sizes may be tensors and drawn numbers. None for that of the parameters, broadcast."
)
SIZES = Maybe(spec=PerAxis(spec=Integer(0, 4), count=2, tensor=True))


class Sizes:
    """Sizes of a draw.

    `*parameters`: parameters of the distribution, which are broadcast.
    """

    def __init__(self, size: Any, *parameters: Any) -> None:
        self.whole = size is None
        self.static, self.asked = _broadcast(parameters)
        if size is None:
            return
        sizes = sizes_of(size, "size")
        wanted = tf.TensorShape([one if is_known([one]) else None for one in sizes])
        asked = stacked(sizes)
        if self.static.rank != 0:
            asked = _fitting(self.static, self.asked, wanted, asked)
        self.static, self.asked = wanted, asked

    def give(self, values: Any) -> Any:
        """Return a result, with its static shape.

        Returns: the same; NumPy gives a number where no size was asked for and no parameter is an array.
        """
        values = tf.ensure_shape(values, self.static)
        return python_number(values) if self.whole and self.static.rank == 0 else values


def _broadcast(parameters: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the common shape of tensors, as known while tracing and as a tensor."""
    static = tf.TensorShape([])
    for one in parameters:
        try:
            static = tf.broadcast_static_shape(static, one.shape)
        except ValueError as error:
            allowed, advice = "shapes that broadcast", "Give one value, or one for each draw."
            given = f"shapes {static} and {one.shape}"
            raise OutsideDomain(explain("size", given, allowed, advice)) from error
    if static.is_fully_defined():
        return static, tf.constant(static.as_list(), tf.int32, [static.rank])
    return static, functools.reduce(tf.broadcast_dynamic_shape, map(tf.shape, parameters))


def _fitting(static: Any, shape: Any, wanted: Any, asked: Any) -> Any:
    """Return the sizes asked for, after the check that the parameters broadcast to them."""
    allowed, advice = "sizes that the parameters broadcast to", "Give one value, or one for each draw."
    if static.rank is not None:
        given = static.as_list()
        room = wanted.as_list()[len(wanted) - len(given) :] if len(given) <= len(wanted) else None
        if room is None or any(a not in (None, 1) and b not in (None, a) for a, b in zip(given, room)):  # noqa: B905
            raise OutsideDomain(explain("size", f"{wanted} for parameters of {static}", allowed, advice))
        if static.is_fully_defined() and wanted.is_fully_defined():
            return asked

    def same(shape: Any, asked: Any) -> Any:
        both = tf.broadcast_dynamic_shape(shape, asked)
        return tf.equal(tf.size(both), tf.size(asked)) & tf.reduce_all(
            tf.equal(both[: tf.size(asked)], asked)
        )

    given = "parameters of another shape at run time"
    return check(same, "size", given, allowed, advice, shape, asked)[1]


def checked(x: Any, parameter: str, allowed: str, holds: Callable[[Any], Any]) -> Any:
    """Return a parameter, checked: now where it is known, else in the graph.

    `holds`: says of each value whether it is. Returns: the same, ordered after the check.
    """
    known = tf.get_static_value(x)
    given = "another number at run time" if known is None else f"{known}"
    return check(lambda x: every(holds(x)), parameter, given, allowed, "Clip it first.", x)[0]


def not_negative(x: Any, parameter: str) -> Any:
    """Refuse negative values and negative zeros, as NumPy does; NaN passes."""

    def holds(x: Any) -> Any:
        return tf.math.is_nan(x) | (tf.bitcast(x, tf.int64) >= 0)

    return checked(x, parameter, "numbers from 0", holds)


def positive(x: Any, parameter: str) -> Any:
    """Refuse what is not above 0, NaN too."""
    return checked(x, parameter, "numbers above 0", lambda x: x > 0)
