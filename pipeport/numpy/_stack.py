"""stack."""

from __future__ import annotations

from typing import Any

from pipeport.arrays._cast import CASTINGS
from pipeport.contract import ArrayList, Exact, Integer, Maybe, OneOf, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.layout._joined import stacked
from pipeport.numpy._common_dtype import casts_are_defined, common, listed
from pipeport.numpy._families import refuse

# Not tf.experimental.numpy.stack: it takes arrays of several shapes for the error of a later op, and
# has neither `dtype` nor `casting`.


def _same_shape(tensors: list[Any]) -> Any:
    """Return the shape all have; what one does not know, another may."""
    shape = tensors[0].shape
    for index, x in enumerate(tensors):
        if not shape.is_compatible_with(x.shape):
            advice = "Resize, crop or pad them to one size first."
            given = f"shape {x.shape} after {shape} at number {index}"
            raise OutsideDomain(explain("arrays", given, "arrays of one shape", advice))
        shape = shape.merge_with(x.shape)
    if shape.rank is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("arrays", "an unknown rank", "a known rank", advice))
    return shape


@replaces(
    "numpy.stack",
    domain={
        "arrays": ArrayList(),
        "axis": Integer(-3, 2, typical=0),
        "dtype": Maybe(spec=OneOf("float32", "float64", "int32", "uint8")),
        "casting": OneOf(*CASTINGS),
    },
    agreement=Exact(),
    valid=casts_are_defined,
    refused={"out": "tensors cannot be written to"},
    stock=Stock("tf.stack", "wants one dtype", "pipeport.references.stock_arrays.stack"),
)
@batchable
def stack(
    batch_axes: int,
    arrays: Any,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like, or an array
        At least one, of one shape, bool or any numbers; sizes may be unknown, the rank not. An
        array is the sequence of its parts along axis 0.
    axis : int, default 0
        Where the new axis stands in the result; negative ones count from its end.
    dtype : dtype or None, default None
        Of the result; None takes the dtype NumPy promotes to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, default 'same_kind'
        Which casts are allowed.

    Returns
    -------
    tf.Tensor
        With one axis more, whose size is the number of arrays.

    Raises
    ------
    BadAxis
        The result has no such axis.
    OutsideDomain
        There is no array, or shapes differ.
    UnsupportedArgument
        `out` is given, `casting` is no such rule, or the rank is not known while tracing.
    WrongType
        `arrays` is not a sequence, `axis` no whole number, or `casting` forbids the cast to `dtype`.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out to differ.

    Notes
    -----
    Agreement: bit for bit, NaN included. Values a `dtype` of integers cannot hold are as undefined
    as in NumPy.
    Graph: one op, and a cast per array of another dtype; static sizes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import stack
    >>> stack([tf.zeros([4, 5]), tf.ones([4, 5])], axis=-1).shape
    TensorShape([4, 5, 2])
    """
    refuse(out=(out, None))
    given = listed(arrays, "arrays", "stack")
    tensors = [as_tensor(one, "arrays") for one in given]
    shape = _same_shape(tensors)
    place = canonical(whole_number(axis, "axis"), shape.rank + 1 - batch_axes, "axis") + batch_axes
    # Python numbers become arrays before they are stacked: none of them is weak.
    return stacked(common(tensors, tensors, dtype, casting), place)
