"""repeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.arrays._repeat import repeat as repeated
from pipeport.contract import Array, Axes, Difference, Exact, Integer, Stock, batchable, replaces
from pipeport.numpy._ranked import along, ranked


def _fractional(arguments: Mapping[str, Any]) -> bool:
    repeats = arguments["repeats"]
    return not isinstance(repeats, np.ndarray) and np.asarray(repeats).dtype.kind == "f"


@replaces(
    "numpy.repeat",
    domain={
        "a": Array(sides=(0, 5)),
        "repeats": Integer(0, 3, typical=2),
        "axis": Axes(of="a", none=True, several=False, typical=0),
    },
    agreement=Exact(),
    differences=(
        Difference(
            "A `repeats` of floating numbers is refused; NumPy drops their fraction.",
            witness=lambda: {"a": np.arange(3), "repeats": 1.5},
            applies=_fractional,
        ),
    ),
    stock=Stock("tf.repeat", "", "pipeport.references.stock_arrays.repeat"),
)
@batchable
def repeat(batch_axes: int, a: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat each element of an array after itself.

    Parameters
    ----------
    a : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    repeats : int, sequence of int, or integer tensor of rank 0 or 1
        How often, from 0: one number for all, or one per element along the axis.
    axis : int or None, default None
        The axis along which elements are repeated; negative ones count from the end. None takes
        the flattened array.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The longer array. Its size along the axis is unknown while tracing where the array's or the
        repetitions are.

    Raises
    ------
    BadAxis
        `a` has no such axis.
    OutsideDomain
        A negative number, or another count of numbers than of elements.
    UnsupportedArgument
        A tensor of another rank, or the rank of `a` is not known while tracing.
    WrongType
        `repeats` are not whole numbers.
    tf.errors.InvalidArgumentError
        Repetitions or sizes unknown at trace time turn out negative, or not to fit.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time; static sizes are kept. Compiled by XLA where the shape is known
    while tracing (see `pipeport.config`). Repetitions given as tensors have no XLA form, because
    the output shape depends on them; in a batch they are shared.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import repeat
    >>> repeat(tf.constant([1, 2]), 2).numpy().tolist()
    [1, 1, 2, 2]
    """
    x, rank = ranked(a, "a", batch_axes)
    x, place = along(x, rank, axis, batch_axes)
    return repeated(x, repeats, place)
