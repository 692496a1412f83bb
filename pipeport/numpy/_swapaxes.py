"""swapaxes."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Array, Axes, Exact, Stock, batchable, replaces
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.layout._transposed import transposed
from pipeport.numpy._ranked import ranked

# Not tf.experimental.numpy.swapaxes: it takes an axis out of range for the error of a later op, and
# transposes narrow elements 1.3 to 2.4 times slower (see `transposed`).


@replaces(
    "numpy.swapaxes",
    view_of="first",
    domain={
        "a": Array(ranks=(1, 2, 3, 4)),
        "axis1": Axes(of="a", several=False, typical=0),
        "axis2": Axes(of="a", several=False, typical=1),
    },
    agreement=Exact(),
    stock=Stock("tf.experimental.numpy.swapaxes", "", "pipeport.references.stock_arrays.swapaxes"),
)
@batchable
def swapaxes(batch_axes: int, a: Any, axis1: Any, axis2: Any) -> Any:
    """Interchange two axes.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    axis1, axis2 : int
        The axes; negative ones count from the end.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The array with the two axes interchanged.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    UnsupportedArgument
        The rank of `a`, or an axis, is not known while tracing.
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
    >>> from pipeport.numpy import swapaxes
    >>> swapaxes(tf.zeros([4, 5, 3]), 0, 1).shape
    TensorShape([5, 4, 3])
    """
    x, rank = ranked(a, "a", batch_axes)
    first = canonical(whole_number(axis1, "axis1"), rank, "axis1") + batch_axes
    second = canonical(whole_number(axis2, "axis2"), rank, "axis2") + batch_axes
    order = list(range(rank + batch_axes))
    order[first], order[second] = second, first
    return transposed(x, order)
