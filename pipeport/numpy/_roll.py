"""roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Axes, Difference, Exact, Shifts, Stock, batch_form, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, static_value
from pipeport.kernels.inputs.axes import axis_tuple, shifted

_ALLOWED = "whole numbers: one, or one per axis, as Python values or a tensor of an integer dtype"
_INT64 = np.iinfo(np.int64)


def _refuse(shift: Any, advice: str) -> UnsupportedArgument:
    return UnsupportedArgument(explain("shift", repr(shift), _ALLOWED, advice))


def _whole(value: Any, shift: Any) -> int:
    if not isinstance(value, (int, float, np.bool_, np.integer, np.floating)):
        raise WrongType(explain("shift", repr(shift), _ALLOWED, "Count places to move."))
    if value != value or value in (float("inf"), float("-inf")) or int(value) != value:
        raise _refuse(shift, "Round it first.")
    return int(value)


def _known(shift: Any) -> Any:
    """Return the shift without tensors as nested lists or a number, or None when it is data."""
    shift = static_value(shift, "shift")
    if tf.is_tensor(shift):
        return None
    return shift if isinstance(shift, (int, float)) else np.asarray(shift, dtype=object).tolist()


def _data(shift: Any) -> Any:
    shift = static_value(shift, "shift")
    if not shift.dtype.is_integer:
        raise WrongType(explain("shift", f"dtype {shift.dtype.name}", _ALLOWED, "Cast it with tf.cast."))
    return tf.cast(shift, tf.int64)


def _paired(count: int | None, axes: int, shift: Any) -> int:
    """Return how many (shift, axis) pairs there are; a count unknown while tracing is the axes'."""
    if count is not None and count != axes and 1 not in (count, axes):
        raise _refuse(shift, f"`axis` names {axes} axes: give one shift or {axes}.")
    return axes if count is None or count == 1 else count


def _fit(total: int, size: int | None, shift: Any) -> int:
    if size is not None:
        return total % size if size else 0
    if not _INT64.min <= total <= _INT64.max:
        raise _refuse(shift, "Beyond 64 bits the size of the axis must be known while tracing.")
    return total


def _roll_known(x: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    values: Sequence[Any] = shift if isinstance(shift, list) else [shift]
    if any(isinstance(value, list) for value in values):
        raise _refuse(shift, "Nested lists have no meaning here.")
    whole = [_whole(value, shift) for value in values]
    count = len(whole) if isinstance(shift, list) else 1
    pairs = _paired(count, len(axes), shift)
    totals: dict[int, int] = {}
    for i in range(pairs):
        axis = axes[0] if len(axes) == 1 else axes[i]
        totals[axis] = totals.get(axis, 0) + (whole[0] if count == 1 else whole[i])
    if not totals:
        return tf.identity(x)
    rank = x.shape.rank
    places = [_fit(t, None if rank is None else x.shape[a], shift) for a, t in totals.items()]
    return tf.roll(x, tf.constant(places, tf.int64), list(totals))


def _roll_data(x: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    if shift.shape.rank not in (0, 1):
        raise _refuse(f"shape {shift.shape}", "Give a scalar or a vector.")
    if not axes:
        return tf.identity(x)
    count = 1 if shift.shape.rank == 0 else shift.shape[0]
    _paired(count, len(axes), f"shape {shift.shape}")
    sizes = tf.shape(x, out_type=tf.int64)
    if len(axes) == 1:
        # Reduced before summing, so that no sum overflows.
        size = tf.maximum(sizes[axes[0]], 1)
        return tf.roll(x, [tf.reduce_sum(tf.math.floormod(shift, size))], axes)
    return tf.roll(x, tf.broadcast_to(shift, [len(axes)]), axes)


def _roll(x: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    known = _known(shift)
    if known is not None:
        return _roll_known(x, known, axes)
    return _roll_data(x, _data(shift), axes)


def _each_rolled(x: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    """Roll element i by shift[i], (B,) or (B, axes): one gather per axis."""
    given, count = shift.shape[0], x.shape[0]
    allowed, advice = "one per element of the batch", "Give one shift for all, or one for each."
    if given is not None and count is not None and given != count:
        raise OutsideDomain(explain("shift", f"{given} for a batch of {count}", allowed, advice))
    message = explain("shift", "another number than elements", allowed, advice)
    same = tf.debugging.assert_equal(tf.shape(shift)[0], tf.shape(x)[0], message)
    with tf.control_dependencies([] if same is None else [same]):
        shift = tf.identity(shift)
    shift = tf.broadcast_to(
        shift[:, None] if shift.shape.rank == 1 else shift, [tf.shape(shift)[0], len(axes)]
    )
    for i, axis in enumerate(axes):
        size = tf.shape(x, out_type=tf.int64)[axis]
        # An empty axis gathers nothing; 1 keeps the modulus defined.
        source = tf.math.floormod(tf.range(size)[None] - shift[:, i : i + 1], tf.maximum(size, 1))
        shape = x.shape
        x = tf.ensure_shape(tf.gather(x, source, axis=axis, batch_dims=1), shape)
    return x


def _refuse_rank_0(rank: int | None) -> None:
    if rank == 0:
        advice = "Leave `axis` out: NumPy too rolls a rank-0 array only then."
        raise OutsideDomain(explain("a", "rank 0 with `axis`", "rank 1 or more", advice))


def _fractional(arguments: Mapping[str, Any]) -> bool:
    shift = arguments["shift"]
    return any(isinstance(one, float) and not one.is_integer() for one in np.ravel(shift).tolist())


@replaces(
    "numpy.roll",
    domain={
        "a": Array(),
        "shift": Shifts(of="a", axes="axis", tensor=True, element_rank=1, typical=40),
        "axis": Axes(of="a", none=True, repeats=True, typical=1),
    },
    agreement=Exact(),
    differences=(
        Difference(
            "A fractional `shift` is refused; NumPy 2 drops the fraction.",
            witness=lambda: {"a": np.arange(5), "shift": 1.5},
            applies=_fractional,
        ),
    ),
    stock=Stock("tf.roll", "needs an axis", "pipeport.references.stock.roll"),
)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Move elements along axes, and those pushed off one end to the other.

    Parameters
    ----------
    a : array_like, any shape, bool or any number
        The array; sizes and rank may be unknown.
    shift : int, sequence of int, or integer tensor of rank 0 or 1
        Places to move, towards higher indices when positive; one, or one per axis.
    axis : None, int or sequence of int, default None
        Axes to move along, negative ones count from the end; shifts of an axis named twice
        add up. None rolls the flattened array and restores its shape.

    Returns
    -------
    tf.Tensor, shape and dtype of `a`
        The rolled array.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    UnsupportedArgument
        Shifts and axes differ in number, or a shift is not a whole number.
    WrongType
        An axis or a shift is not a number, or not of an integer dtype as a tensor.
    tf.errors.InvalidArgumentError
        A shift tensor of unknown length does not fit `axis`, or `a` of unknown rank lacks
        the axis.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time; static shape is kept. In the batched form a vector `shift`
    of several is one per element with a single axis or None; with several axes, (B, axes) is.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import roll
    >>> roll(tf.range(5), 2).numpy().tolist()
    [3, 4, 0, 1, 2]
    """
    x = as_tensor(a, "a")
    if axis is not None:
        axes = axis_tuple(axis, x.shape.rank, repeats=True)
        _refuse_rank_0(x.shape.rank)
        return _roll(x, shift, axes)
    flat = _roll(tf.reshape(x, [-1]), shift, (0,))
    return tf.ensure_shape(tf.reshape(flat, tf.shape(x)), x.shape)


@batch_form(roll)
def _roll_batch(a: Any, shift: Any, axis: Any = None) -> Any:
    x = as_tensor(a, "a")
    shape, static = tf.shape(x), x.shape
    if axis is None:
        # The product is spelt out: -1 is ambiguous for empty batches.
        x = tf.reshape(x, [shape[0], tf.reduce_prod(shape[1:])])
        axes: tuple[int, ...] = (1,)
    else:
        rank = None if static.rank is None else static.rank - 1
        axes = shifted(axis_tuple(axis, rank, repeats=True), 1)
        _refuse_rank_0(rank)
    several = axis is not None and np.ndim(axis) > 0
    known = _known(shift)
    shape_of_shift = np.shape(known) if known is not None else tuple(_data(shift).shape)
    # A vector of one serves every element, also where the batch has one.
    if len(shape_of_shift) == (2 if several else 1) and shape_of_shift != (1,):
        rolled = _each_rolled(x, tf.cast(shift, tf.int64), axes)
    else:
        rolled = _roll(x, shift, axes)
    return tf.ensure_shape(tf.reshape(rolled, shape), static)
