"""transpose."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Exact, Permutation, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor, exact_rank
from pipeport.kernels.inputs.axes import axis_tuple, shifted
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.kernels.layout._transposed import transposed


def _order(axes: Any, rank: int | None) -> tuple[int, ...]:
    """Return the permutation, counted from 0; its length is the rank."""
    given = whole_numbers(axes, "axes")
    if rank is not None and len(given) != rank:
        advice = "Name every axis of `a` once."
        raise UnsupportedArgument(explain("axes", repr(axes), f"{rank} axes", advice))
    return axis_tuple(axes, len(given), "axes")


@replaces(
    "numpy.transpose",
    view_of="first",
    domain={"a": Array(), "axes": Permutation(of="a", typical=(1, 0, 2))},
    agreement=Exact(),
    stock=Stock("tf.transpose", "", "pipeport.references.stock.transpose"),
)
@batchable
def transpose(batch_axes: int, a: Any, axes: Any = None) -> Any:
    """Permute the axes.

    Parameters
    ----------
    a : array_like, any shape, bool or any number
        The array; sizes and rank may be unknown.
    axes : None or sequence of int, default None
        Axis i of the result is axis ``axes[i]`` of `a`; every axis once, negative ones
        count from the end. None reverses their order.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The array with its axes in that order.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    UnsupportedArgument
        `axes` does not name every axis once, or is a tensor unknown while tracing.
    WrongType
        An axis is not a whole number.
    tf.errors.InvalidArgumentError
        `a` of a rank unknown at trace time turns out to have another rank than `axes`.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time; static sizes are kept. Elements of one or two bytes are
    compiled by XLA where the shape is known while tracing (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import transpose
    >>> transpose(tf.zeros([4, 5, 3]), (2, 0, 1)).shape
    TensorShape([3, 4, 5])
    """
    x = as_tensor(a, "a")
    rank = x.shape.rank
    if rank is not None and rank < batch_axes:
        raise OutsideDomain(explain("a", "rank 0", "a leading batch axis", "Batch the elements first."))
    if axes is None:
        if rank is not None:
            return transposed(x, [*range(batch_axes), *reversed(range(batch_axes, rank))])
        return tf.transpose(
            x, tf.concat([tf.range(batch_axes), tf.range(tf.rank(x) - 1, batch_axes - 1, -1)], 0)
        )
    order = _order(axes, None if rank is None else rank - batch_axes)
    if rank is None:
        least = len(order) + batch_axes
        message = explain("axes", repr(axes), "every axis of `a` once", "`a` has another rank at run time.")
        x = exact_rank(x, least, message)
    return transposed(x, [*range(batch_axes), *shifted(order, batch_axes)])
