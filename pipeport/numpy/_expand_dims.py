"""expand_dims."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Array, Exact, Integer, PerAxis, Stock, batchable, replaces
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.numpy._ranked import ranked, sequence_or_one


@replaces(
    "numpy.expand_dims",
    view_of="first",
    domain={
        "a": Array(),
        "axis": PerAxis(spec=Integer(-5, 4), count=2, typical=0),
    },
    agreement=Exact(),
    stock=Stock("tf.expand_dims", "takes one axis", "pipeport.references.stock_arrays.expand_dims"),
)
@batchable
def expand_dims(batch_axes: int, a: Any, axis: Any) -> Any:
    """Insert axes of size one.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    axis : int or sequence of int
        Where the new axes stand in the result, each place once; negative ones count from its end.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The same elements with more axes.

    Raises
    ------
    BadAxis
        The result has no such axis.
    UnsupportedArgument
        A place comes twice, or the rank of `a` is not known while tracing.
    WrongType
        An axis is not a whole number.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op that copies nothing; static sizes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import expand_dims
    >>> expand_dims(tf.zeros([4, 5]), (0, -1)).shape
    TensorShape([1, 4, 5, 1])
    """
    x, rank = ranked(a, "a", batch_axes)
    axis = sequence_or_one(axis, "axis", (tuple, list))
    new = axis_tuple(axis, rank + len(whole_numbers(axis, "axis")))
    # One strided slice that copies nothing, whatever the number of axes.
    places = [None if one in new else slice(None) for one in range(rank + len(new))]
    return x[(*[slice(None)] * batch_axes, *places)]
