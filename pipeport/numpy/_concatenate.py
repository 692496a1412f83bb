"""concatenate."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._cast import CASTINGS
from pipeport.contract import ArrayList, Exact, Integer, Maybe, OneOf, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.layout._joined import joined
from pipeport.numpy._common_dtype import casts_are_defined, common, listed
from pipeport.numpy._families import refuse
from pipeport.numpy._ranked import flattened

# Not tf.experimental.numpy.concatenate: it takes arrays that do not fit for the error of a later op,
# and has neither `dtype` nor `casting`.


def _one_rank(tensors: list[Any], batch_axes: int) -> int:
    ranks = {x.shape.rank for x in tensors} - {None}
    if not ranks:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("arrays", "unknown ranks", "a known rank", advice))
    if len(ranks) > 1:
        given = "ranks " + " and ".join(str(rank - batch_axes) for rank in sorted(ranks))
        raise OutsideDomain(explain("arrays", given, "one rank", "Add axes with expand_dims."))
    (rank,) = ranks
    if rank == batch_axes:
        advice = "Stack them, or give axis=None."
        raise OutsideDomain(explain("arrays", "rank 0", "rank 1 or more", advice))
    return int(rank) - batch_axes


def _fit(tensors: list[Any], axis: int) -> None:
    """Raise when sizes known while tracing differ on another axis than the one joined."""
    whole = tf.TensorShape(None)
    for index, x in enumerate(tensors):
        shape = x.shape
        if shape.rank is not None:
            shape = tf.TensorShape([None if a == axis else n for a, n in enumerate(shape)])
        if not whole.is_compatible_with(shape):
            given = f"shape {x.shape} at number {index}"
            allowed = f"one size on every axis but {axis}"
            raise OutsideDomain(explain("arrays", given, allowed, "Crop, pad or resize them first."))
        whole = whole.merge_with(shape)


@replaces(
    "numpy.concatenate",
    domain={
        "arrays": ArrayList(axis="axis"),
        "axis": Maybe(spec=Integer(-3, 2), typical=-1),
        "dtype": Maybe(spec=OneOf("float32", "float64", "int32", "uint8")),
        "casting": OneOf(*CASTINGS),
    },
    agreement=Exact(),
    valid=casts_are_defined,
    refused={"out": "tensors cannot be written to"},
    parameters="(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
    reference_call="pipeport.references._calls.concatenate",
    stock=Stock("tf.concat", "wants one dtype, and an axis", "pipeport.references.stock_arrays.concatenate"),
)
@batchable
def concatenate(
    batch_axes: int,
    arrays: Any,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    """Join arrays along an axis they have.

    Parameters
    ----------
    arrays : sequence of array_like, or an array
        At least one, of one rank, and of one size on every axis but `axis`; bool or any numbers,
        sizes may be unknown. An array is the sequence of its parts along axis 0.
    axis : int or None, default 0
        The axis along which they are joined; negative ones count from the end. None flattens them
        first.
    dtype : dtype or None, default None
        Of the result; None takes the dtype NumPy promotes to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, default 'same_kind'
        Which casts are allowed.

    Returns
    -------
    tf.Tensor
        The joined array.

    Raises
    ------
    BadAxis
        The arrays have no such axis.
    OutsideDomain
        There is no array, ranks or sizes differ, or the arrays have no axis.
    UnsupportedArgument
        `out` is given, `casting` is no such rule, or no rank is known while tracing.
    WrongType
        `arrays` is not a sequence, `axis` no whole number, or `casting` forbids the cast to `dtype`.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out not to fit.

    Notes
    -----
    Agreement: bit for bit, NaN included. Values a `dtype` of integers cannot hold are as undefined
    as in NumPy. With axis=None, arrays without axes count by their dtype, as in NumPy 2.
    Graph: one op, and a cast per array of another dtype; static sizes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import concatenate
    >>> concatenate([tf.zeros([4, 5, 3]), tf.ones([4, 5, 1])], axis=-1).shape
    TensorShape([4, 5, 4])
    """
    refuse(out=(out, None))
    given = listed(arrays, "arrays", "join")
    tensors = [as_tensor(one, "arrays") for one in given]
    if axis is None:
        tensors = [flattened(x, batch_axes) for x in tensors]
        place = batch_axes
    else:
        place = canonical(whole_number(axis, "axis"), _one_rank(tensors, batch_axes), "axis") + batch_axes
        _fit(tensors, place)
    return joined(common(tensors, given, dtype, casting), place)
