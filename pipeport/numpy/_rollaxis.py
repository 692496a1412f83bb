"""rollaxis."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Array, Axes, Exact, Integer, Stock, batchable, replaces
from pipeport.errors import BadAxis, explain
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.layout._transposed import transposed
from pipeport.numpy._ranked import ranked


@replaces(
    "numpy.rollaxis",
    view_of="first",
    domain={
        "a": Array(ranks=(1, 2, 3, 4)),
        "axis": Axes(of="a", several=False, typical=2),
        "start": Integer(-4, 4),
    },
    agreement=Exact(),
    stock=Stock("tf.transpose", "takes the whole permutation", "pipeport.references.stock_arrays.rollaxis"),
)
@batchable
def rollaxis(batch_axes: int, a: Any, axis: Any, start: Any = 0) -> Any:
    """Move one axis back to the position before another.

    Native equivalent of `numpy.rollaxis`; `moveaxis` says the same more clearly.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    axis : int
        The axis to move; negative ones count from the end.
    start : int, default 0
        The axis before which it is to stand; the rank of `a` means the end.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The array with its axes in the new order.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    UnsupportedArgument
        The rank of `a` is not known while tracing.
    WrongType
        An axis is not a whole number.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op, no Python at run time; static sizes are kept. Elements of one or two bytes are
    compiled by XLA where the shape is known while tracing (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import rollaxis
    >>> rollaxis(tf.zeros([4, 5, 3]), 2).shape
    TensorShape([3, 4, 5])
    """
    x, rank = ranked(a, "a", batch_axes)
    moved = canonical(whole_number(axis, "axis"), rank, "axis")
    place = whole_number(start, "start")
    if not -rank <= place <= rank:
        advice = "Name the axis to move the other in front of, or the rank for the end."
        raise BadAxis(explain("start", place, f"{-rank} to {rank}", advice))
    place += rank if place < 0 else 0
    order = [one for one in range(rank) if one != moved]
    order.insert(place - (moved < place), moved)
    return transposed(x, [*range(batch_axes), *(one + batch_axes for one in order)])
