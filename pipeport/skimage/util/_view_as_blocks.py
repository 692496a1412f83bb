"""`skimage.util.view_as_blocks`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Exact, Integer, PerAxis, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor

# The kernel of tf.transpose stops at ten axes, two of ours for one of theirs.
_MOST = 4


def _whole(arguments: Mapping[str, Any]) -> bool:
    """Whether blocks fit; along one axis what does not is drawn too, of more nearly nothing would fit."""
    shape, blocks = np.shape(arguments["arr_in"]), arguments["block_shape"]
    if len(shape) == 1 or len(blocks) != len(shape):
        return True
    return all(size % block == 0 for size, block in zip(shape, blocks, strict=True))


@replaces(
    "skimage.util.view_as_blocks",
    view_of="first",
    domain={
        "arr_in": Array(ranks=(1, 2, 3, 4)),
        "block_shape": PerAxis(spec=Integer(1, 3), of="arr_in", single=False, typical=(16, 16, 3)),
    },
    agreement=Exact(),
    valid=_whole,
)
@batchable
def view_as_blocks(batch_axes: int, arr_in: Any, block_shape: Any) -> Any:
    """Cut an array into blocks that do not overlap.

    Parameters
    ----------
    arr_in : array_like, any shape of rank 4 or less, bool or any number
        The array; sizes may be unknown, the rank must be known.
    block_shape : tuple of int
        Size of a block along each axis; it must divide the size of the array.

    Returns
    -------
    tf.Tensor, dtype of `arr_in`
        Of twice as many axes: which block, then where in the block.

    Raises
    ------
    WrongType
        `block_shape` is not a tuple of whole numbers.
    OutsideDomain
        A size below 1, not one size per axis, or one that does not divide the array's.
    UnsupportedArgument
        The rank is above 4, or not known while tracing.
    tf.errors.InvalidArgumentError
        A size unknown while tracing turns out not to be divisible.

    Notes
    -----
    The reference returns a view of its argument; this returns a new tensor, as tensors do not change.

    Agreement: bit for bit, NaN included.
    Graph: two ops, no Python at run time; static shape is kept.

    Source: `skimage/util/shape.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import view_as_blocks
    >>> view_as_blocks(tf.reshape(tf.range(8), [2, 4]), (2, 2)).numpy().tolist()
    [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
    """
    x = as_tensor(arr_in, "arr_in")
    rank = x.shape.rank
    if rank is None or rank - batch_axes > _MOST:
        given = "an unknown rank" if rank is None else f"rank {rank - batch_axes}"
        advice = "State it with tf.ensure_shape, or reshape neighbouring axes into one."
        raise UnsupportedArgument(explain("arr_in", given, f"rank {_MOST} or less", advice))
    blocks = _checked(block_shape, rank - batch_axes)
    known = x.shape.is_fully_defined()
    sizes: Any = x.shape if known else tf.shape(x)
    shape: list[Any] = [sizes[axis] for axis in range(batch_axes)]
    static: list[int | None] = list(x.shape[:batch_axes])
    checks = []
    for axis, block in enumerate(blocks, batch_axes):
        size = x.shape[axis]
        if size is None:
            message = explain("block_shape", block, "a divisor of the array's size", "Crop the array first.")
            checks.append(tf.debugging.assert_equal(sizes[axis] % block, 0, message))
        elif size % block:
            given = f"{block} for a size of {size}"
            raise OutsideDomain(explain("block_shape", given, "a divisor of it", "Crop the array first."))
        count = None if size is None else size // block
        shape += [sizes[axis] // block if count is None else count, block]
        static += [count, block]
    with tf.control_dependencies(checks):
        split = tf.ensure_shape(tf.reshape(x, shape), static)
    axes = len(blocks)
    order = [batch_axes + 2 * axis for axis in range(axes)] + [
        batch_axes + 2 * axis + 1 for axis in range(axes)
    ]
    return tf.transpose(split, [*range(batch_axes), *order])


def _checked(block_shape: Any, rank: int) -> tuple[int, ...]:
    allowed, advice = f"a tuple of {rank} whole numbers", "Give one size per axis."
    if not isinstance(block_shape, tuple):
        raise WrongType(explain("block_shape", repr(block_shape), allowed, advice))
    if any(not tf.is_tensor(block) and np.ndim(block) == 0 and block <= 0 for block in block_shape):
        raise OutsideDomain(explain("block_shape", repr(block_shape), "sizes not below 1", advice))
    if len(block_shape) != rank:
        raise OutsideDomain(explain("block_shape", repr(block_shape), allowed, advice))
    try:
        return tuple(operator.index(block) for block in block_shape)
    except TypeError as error:
        raise WrongType(explain("block_shape", repr(block_shape), allowed, advice)) from error
