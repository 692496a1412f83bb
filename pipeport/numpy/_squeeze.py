"""squeeze."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Axes, Exact, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.numpy._ranked import ranked, sequence_or_one

_ADVICE = "Leave `axis` out to drop every axis of size one, or index the array."


@dataclass(frozen=True, kw_only=True)
class _Sized(Array):
    """An array whose sizes are known while tracing: with axis=None the rank depends on them."""

    def unknown_axes(self, rank: int) -> tuple[int, ...]:  # noqa: ARG002 - verify asks by rank
        return ()


def _squeeze_all(x: Any, batch_axes: int) -> Any:
    sizes = x.shape[batch_axes:]
    if sizes.is_fully_defined():
        ones = [axis + batch_axes for axis, size in enumerate(sizes) if size == 1]
        return tf.squeeze(x, ones) if ones else tf.identity(x)
    if not batch_axes:
        return tf.squeeze(x)
    # A batch of one is a batch: twice as long it is never squeezed itself.
    return tf.squeeze(tf.concat([x, x], 0))[: tf.shape(x)[0]]


@replaces(
    "numpy.squeeze",
    view_of="first",
    domain={"a": _Sized(sides=(1, 2)), "axis": Axes(of="a", none=True)},
    agreement=Exact(),
    stock=Stock("tf.squeeze", "", "pipeport.references.stock_arrays.squeeze"),
)
@batchable
def squeeze(batch_axes: int, a: Any, axis: Any = None) -> Any:
    """Remove axes of size one.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    axis : None, int or tuple of int, default None
        Axes to remove, which must have size one; negative ones count from the end. None removes
        all there are.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The same elements with fewer axes. With axis=None and sizes unknown while tracing, so is
        the rank: name the axis to keep it.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    OutsideDomain
        An axis to remove has another size.
    UnsupportedArgument
        An axis comes twice, or the rank of `a` is not known while tracing.
    WrongType
        An axis is not a whole number.
    tf.errors.InvalidArgumentError
        A size unknown at trace time turns out not to be one.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op that copies nothing; static sizes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import squeeze
    >>> squeeze(tf.zeros([1, 4, 5, 1]), -1).shape
    TensorShape([1, 4, 5])
    """
    x, rank = ranked(a, "a", batch_axes)
    if axis is None:
        return _squeeze_all(x, batch_axes)
    axis = sequence_or_one(axis, "axis", (tuple,))
    if rank == 0 and axis in (0, -1):  # NumPy takes a number for an axis of one element here
        return tf.identity(x)
    axes = [one + batch_axes for one in axis_tuple(axis, rank)]
    for one in axes:
        if x.shape[one] not in (None, 1):
            given = f"axis {one - batch_axes} of size {x.shape[one]}"
            raise OutsideDomain(explain("axis", given, "axes of size 1", _ADVICE))
    message = explain("axis", "an axis of another size at run time", "axes of size 1", _ADVICE)
    unknown = [one for one in axes if x.shape[one] is None]
    checks = [tf.debugging.assert_equal(tf.shape(x)[one], 1, message) for one in unknown]
    with tf.control_dependencies(checks):
        return tf.squeeze(x, axes) if axes else tf.identity(x)
