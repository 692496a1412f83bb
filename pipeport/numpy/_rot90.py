"""rot90."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Axes,
    CannotServe,
    Difference,
    Exact,
    Integer,
    Stock,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, at_least_rank, limit_rank, static_value
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.kernels.layout._transposed import transposed

_WHOLE = "a whole number, as a Python value or a tensor of an integer dtype"


def _turns(k: Any) -> Any:
    """Return k modulo 4: an int where tracing knows it, else an int32 tensor."""
    k = known = static_value(k, "k")
    if tf.is_tensor(k):
        if not k.dtype.is_integer:
            raise WrongType(explain("k", f"dtype {k.dtype.name}", _WHOLE, "Cast it with tf.cast."))
        return tf.cast(tf.math.floormod(tf.cast(k, tf.int64), 4), tf.int32)
    if np.ndim(known) > 1 or (np.ndim(known) == 1 and not np.issubdtype(np.asarray(known).dtype, np.integer)):
        raise UnsupportedArgument(explain("k", repr(known), _WHOLE, "Give one number of quarter turns."))
    if np.ndim(known) == 1:
        return tf.constant(np.asarray(known) % 4, tf.int32)
    if isinstance(known, (float, np.floating)):
        if not float(known).is_integer():
            raise UnsupportedArgument(explain("k", repr(known), _WHOLE, "Round it first."))
        known = int(known)
    try:
        return operator.index(known) % 4
    except TypeError as error:
        raise WrongType(explain("k", repr(known), _WHOLE, "Count quarter turns.")) from error


def _plane(axes: Any, rank: int | None) -> tuple[int, int]:
    pair = whole_numbers(axes, "axes")
    if len(pair) != 2:
        advice = "Name the two axes of the plane, from the first towards the second."
        raise UnsupportedArgument(explain("axes", repr(axes), "two axes", advice))
    first, second = pair
    if rank is not None:
        if not (-rank <= first < rank and -rank <= second < rank):
            advice = f"`m` has rank {rank}: give it two axes to rotate in, or name others."
            raise OutsideDomain(explain("axes", repr(axes), f"{-rank} to {rank - 1}", advice))
        first, second = first % rank, second % rank
    if first == second:
        advice = "Name two axes that span a plane."
        raise UnsupportedArgument(explain("axes", repr(axes), "two different axes", advice))
    return first, second


def _plane_in_graph(x: Any, pair: tuple[int, int], batch_axes: int) -> tuple[Any, Any, Any, Any]:
    """Return (x, first, second, permutation) for a rank known only at run time."""
    allowed = explain("axes", f"{pair} for a lower rank at run time", "axes of `m`", "Name two of its axes.")
    least = max(max(pair) + 1, -min(pair)) + batch_axes
    x = at_least_rank(x, "m", least)
    rank = tf.rank(x)
    first, second = (tf.where(a < 0, rank + a, a + batch_axes) for a in pair)
    with tf.control_dependencies([tf.debugging.assert_none_equal(first, second, message=allowed)]):
        x = tf.identity(x)
    order = tf.tensor_scatter_nd_update(tf.range(rank), [[first], [second]], [second, first])
    return x, first, second, order


def _turned(x: Any, k: int, first: Any, second: Any, order: Any) -> Any:
    if k == 0:
        return tf.identity(x)
    if k == 1:
        return transposed(x, order, (second,))
    if k == 2:
        return tf.reverse(x, [first, second])
    # Reversing the other axis before is reversing this one after.
    return transposed(x, order, (first,))


def _each_turned(x: Any, k: Any, first: Any, second: Any, order: Any) -> Any:
    """Turn element i by k[i], all at once: a transposition where k is odd, then reversals."""
    allowed = "one `k` for the batch, or a square plane"
    advice = "Crop or pad to squares first: turned by 90 degrees, elements would differ in shape."
    sizes = tf.shape(x)
    if x.shape.rank is not None and None not in (x.shape[first], x.shape[second]):
        if x.shape[first] != x.shape[second]:
            given = f"one per element of a plane of {x.shape[first]} x {x.shape[second]}"
            raise UnsupportedArgument(explain("k", given, allowed, advice))
        checks = []
    else:
        message = explain("k", "one per element of a plane that is not square", allowed, advice)
        checks = [tf.debugging.assert_equal(sizes[first], sizes[second], message)]
    one_each = explain("k", "another number of entries", "one per element", "Give one `k`, or B of them.")
    checks.append(tf.debugging.assert_equal(tf.shape(k)[0], sizes[0], one_each))
    with tf.control_dependencies(checks):
        k = tf.reshape(k, tf.concat([[-1], tf.ones([tf.rank(x) - 1], tf.int32)], 0))
    shape = x.shape
    x = tf.where(k % 2 == 1, transposed(x, order), x)
    x = tf.where((k == 1) | (k == 2), tf.reverse(x, [first]), x)
    return tf.ensure_shape(tf.where(k >= 2, tf.reverse(x, [second]), x), shape)


def _varies(arguments: Mapping[str, Any]) -> bool:
    """Whether the output shape depends on a k that is data."""
    k, pair = arguments.get("k", 1), arguments.get("axes", (0, 1))
    shape = np.shape(arguments["m"])
    return not isinstance(k, (int, float)) and shape[pair[0]] != shape[pair[1]]


def _fractional(arguments: Mapping[str, Any]) -> bool:
    k = arguments.get("k", 1)
    return isinstance(k, float) and not k.is_integer()


@replaces(
    "numpy.rot90",
    view_of="first",
    domain={
        "m": Array(ranks=(2, 3, 4)),
        "k": Integer(-9, 9, typical=1, tensor=True),
        "axes": Axes(of="m", single=False, count=2, typical=(0, 1)),
    },
    agreement=Exact(),
    differences=(
        Difference(
            "A fractional `k` is refused; NumPy turns it like k=3.",
            witness=lambda: {"m": np.arange(6).reshape(2, 3), "k": 1.5},
            applies=_fractional,
        ),
    ),
    cannot_serve=(
        CannotServe(
            "batched",
            "one `k` per element needs a square plane, because the outputs share one shape",
            witness=lambda: {"m": np.arange(12).reshape(2, 2, 3), "k": np.asarray([0, 1])},
            when=_varies,
        ),
    ),
    stock=Stock(
        "tf.image.rot90",
        "same on (H, W, C); refuses rank 2 and other axes, and takes rank 4 as a batch",
        "pipeport.references.stock.rot90",
    ),
)
@batchable
def rot90(batch_axes: int, m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """Rotate by quarter turns in the plane of two axes.

    Parameters
    ----------
    m : array_like, shape (H, W, ...), bool or any number
        Rank 2 to 8; sizes and rank may be unknown.
    k : int or scalar integer tensor, default 1
        Number of quarter turns, from the first axis towards the second: counter-clockwise
        for rows and columns. Any sign and size.
    axes : (int, int), default (0, 1)
        The plane; two different axes, negative ones count from the end.

    Returns
    -------
    tf.Tensor, dtype of `m`
        Shape of `m`, with the two sizes swapped when `k` is odd. When `k` is a tensor and
        the sizes are not known to be equal, these two are unknown while tracing.

    Raises
    ------
    UnsupportedArgument
        `k` is not a whole number, `axes` are not two different axes, or the rank is above 8.
    OutsideDomain
        `m` lacks one of the axes.
    WrongType
        `axes` are not integers, or `k` is a tensor that is not of an integer dtype.
    tf.errors.InvalidArgumentError
        `m` of a rank unknown at trace time turns out to lack one of the axes.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time. XLA compiles a tensor `k` over a plane that is not square
    once per value, when `k` is an argument of the compiled function; the batched form takes
    one `k` per element of square planes.
    Elements of one or two bytes are compiled by XLA where shape and `k` are known while tracing
    (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import rot90
    >>> rot90(tf.constant([[1, 2], [3, 4]])).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    x = as_tensor(m, "m")
    limit_rank(x, "m", 8)
    rank = x.shape.rank
    pair = _plane(axes, None if rank is None else rank - batch_axes)
    if rank is None:
        x, first, second, order = _plane_in_graph(x, pair, batch_axes)
    else:
        first, second = (a + batch_axes for a in pair)
        order = list(range(rank))
        order[first], order[second] = second, first
    turns = _turns(k)
    if isinstance(turns, int):
        return _turned(x, turns, first, second, order)
    if batch_axes and turns.shape.rank == 1:
        return _each_turned(x, turns, first, second, order)
    if turns.shape.rank not in (None, 0):
        raise UnsupportedArgument(
            explain("k", f"shape {turns.shape}", _WHOLE, "Give one number of quarter turns.")
        )
    return tf.switch_case(turns, [lambda k=k: _turned(x, k, first, second, order) for k in range(4)])
