"""Shared by natives of shape and order: tensors of known rank, axis arguments by NumPy's rules."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number


def ranked(value: Any, parameter: str, batch_axes: int) -> tuple[Any, int]:
    """Return an array-like argument as a tensor of known rank, and the rank of one element.

    `batch_axes`: axes in front of the element's, 1 for a batch. Returns: the tensor, and its rank less
    `batch_axes`.
    """
    x = as_tensor(value, parameter)
    rank = known_rank(x, parameter)
    if rank < batch_axes:
        raise OutsideDomain(explain(parameter, "rank 0", "a leading batch axis", "Batch the elements first."))
    return x, rank - batch_axes


def sequence_or_one(value: Any, parameter: str, kinds: tuple[type, ...]) -> Any:
    """Return an axis argument when it is a number or one of the kinds of sequence NumPy takes here.

    `kinds`: of `tuple` and `list`. Returns: the argument, a single one as int.
    """
    return value if isinstance(value, kinds) else whole_number(value, parameter)


def flattened(x: Any, batch_axes: int) -> Any:
    """Return each element as one axis.

    `x`: rank known while tracing. `batch_axes`: axes in front of the element's, which stay. Returns: of rank
    batch_axes + 1; sizes known while tracing stay known.
    """
    if not batch_axes:
        return tf.reshape(x, [-1])
    kept, size = x.shape[:batch_axes], x.shape[batch_axes:].num_elements()
    if kept.is_fully_defined() and size is not None:
        return tf.reshape(x, [*kept, size])
    # The product is spelt out: -1 is ambiguous for empty batches.
    sizes = tf.shape(x)
    flat = tf.reshape(x, tf.concat([sizes[:batch_axes], [tf.reduce_prod(sizes[batch_axes:])]], 0))
    return tf.ensure_shape(flat, [*kept, size])


def along(x: Any, rank: int, axis: Any, batch_axes: int) -> tuple[Any, int]:
    """Return an array with the one axis that a function goes along, counted from the first of the batch.

    `rank`: of one element. `axis`: None takes each element as one axis.
    """
    if axis is not None and rank:
        return x, canonical(whole_number(axis, "axis"), rank, "axis") + batch_axes
    if axis is not None:
        canonical(whole_number(axis, "axis"), 1, "axis")  # NumPy takes a number for one element
    return flattened(x, batch_axes), batch_axes
