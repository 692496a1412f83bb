"""moveaxis."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Array, Axes, Exact, Stock, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.layout._transposed import transposed
from pipeport.numpy._ranked import ranked


@replaces(
    "numpy.moveaxis",
    view_of="first",
    domain={
        "a": Array(ranks=(1, 2, 3, 4)),
        "source": Axes(of="a", typical=-1),
        "destination": Axes(of="a", typical=0),
    },
    agreement=Exact(),
    stock=Stock("tf.experimental.numpy.moveaxis", "", "pipeport.references.stock_arrays.moveaxis"),
)
@batchable
def moveaxis(batch_axes: int, a: Any, source: Any, destination: Any) -> Any:
    """Move axes to other places; the rest keep their order.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    source : int or sequence of int
        Axes to move, each once; negative ones count from the end.
    destination : int or sequence of int
        Where each of them goes, each place once.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The array with its axes in the new order.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    UnsupportedArgument
        `source` and `destination` differ in number, one names an axis twice, or the rank of `a`
        is not known while tracing.
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
    >>> from pipeport.numpy import moveaxis
    >>> moveaxis(tf.zeros([4, 5, 3]), -1, 0).shape
    TensorShape([3, 4, 5])
    """
    x, rank = ranked(a, "a", batch_axes)
    start, end = axis_tuple(source, rank, "source"), axis_tuple(destination, rank, "destination")
    if len(start) != len(end):
        given, allowed = f"{len(end)} axes", f"{len(start)}, as many as `source` names"
        advice = "Name a place for every axis that moves."
        raise UnsupportedArgument(explain("destination", given, allowed, advice))
    order = [axis for axis in range(rank) if axis not in start]
    for place, axis in sorted(zip(end, start, strict=True)):
        order.insert(place, axis)
    return transposed(x, [*range(batch_axes), *(axis + batch_axes for axis in order)])
