"""Elements by position: diagonals, and take along an axis."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._along import one_axis
from pipeport.arrays._getitem import getitem
from pipeport.arrays._operators import operand
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number


def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Return the diagonals of matrices, as `numpy.diagonal`.

    `x`: the array, of two axes at least. `offset`: which diagonal: 0 is the main one, positive ones lie above
    it. `axis1`, `axis2`: the axes of the rows and of the columns. Returns: the other axes, and the diagonal
    as the last one.
    """
    rank, above = known_rank(x), whole_number(offset, "offset")
    if rank < 2:
        raise OutsideDomain(explain("a", f"rank {rank}", "two axes at least", "Reshape it first."))
    rows = canonical(whole_number(axis1, "axis1"), rank, "axis1")
    columns = canonical(whole_number(axis2, "axis2"), rank, "axis2")
    if rows == columns:
        raise OutsideDomain(explain("axis2", axis2, "another axis than axis1", "Name two axes."))
    order = [*(axis for axis in range(rank) if axis not in (rows, columns)), rows, columns]
    return tf.linalg.diag_part(tf.transpose(x, order)[..., max(-above, 0) :, max(above, 0) :])


def taken(x: Any, indices: Any, axis: Any = None, mode: Any = "raise") -> Any:
    """Take elements along an axis by index, as `numpy.take`.

    `axis`: along which axis; None takes from the flattened array. `mode`: {'raise'}; what becomes of indices
    beyond the axis. Returns: the array, with the shape of the indices in the place of the axis.
    """
    if mode != "raise":
        raise UnsupportedArgument(explain("mode", repr(mode), "'raise'", "Call `numpy.take`, which has it."))
    found = operand(indices, "indices")
    if found is None or found.dtype.kind not in "iu":
        given = type(indices).__name__ if found is None else f"dtype {found.dtype}"
        advice = "Cast them to integers; for a mask write `x[mask]`."
        raise WrongType(explain("indices", given, "whole numbers", advice))
    known_rank(x)
    x, place = one_axis(x, axis)
    return getitem(x, (*[slice(None)] * place, found.value))[0]
