"""`scipy.ndimage.label`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.sampling._components import components
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters


def _structure_of(structure: Any, rank: int) -> Any:
    """Return which neighbours are connected, as bool known while tracing."""
    if structure is None:
        return np.abs(np.indices((3,) * rank) - 1).sum(0) <= 1
    found = filters.footprint_of(structure, rank, "structure", some=False)
    if found.shape != (3,) * rank or not np.array_equal(found, found[(slice(None, None, -1),) * rank]):
        given = f"shape {found.shape}" if found.shape != (3,) * rank else "a neighbour without its opposite"
        advice = "Make it by generate_binary_structure."
        raise OutsideDomain(explain("structure", given, "three per axis, the same from both sides", advice))
    return found


def _is_valid(call: Mapping[str, Any]) -> bool:
    structure = call.get("structure")
    return structure is None or structure.ndim == np.ndim(call["input"])


@replaces(
    "scipy.ndimage.label",
    domain={
        "input": Image(dtypes=("bool", *filters.DTYPES), channels=(None, 1, 3), sides=(1, 12)),
        "structure": OneOf(
            None,
            np.ones((3, 3), np.int64),
            np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]]),
            np.zeros((3, 3), bool),
            np.ones((3, 3, 3), bool),
            np.abs(np.indices((3, 3, 3)) - 1).sum(0) <= 2,
            typical=None,
        ),
        "output": OneOf(None, "int32", "int64", "float32", typical=None),
    },
    agreement=Exact(),
    returns=("labels", "num_features"),
    valid=_is_valid,
)
@batchable
def label(batch_axes: int, input: Any, structure: Any = None, output: Any = None) -> tuple[Any, Any]:
    """Give the connected components of the elements that are not zero numbers.

    Parameters
    ----------
    input : tf.Tensor, one axis or more, bool or real numbers
        The array; NaN is not zero. Sizes may be unknown while tracing.
    structure : array_like, three along each axis, optional
        Which neighbours are connected, known while tracing; with each its opposite. By default those
        along the axes.
    output : dtype, optional
        Of the numbers, int32 when None. An array to write into is refused.

    Returns
    -------
    labels : tf.Tensor, shape of `input`
        The numbers, in the order of the components' first elements; 0 where `input` is.
    num_features : tf.Tensor, shape (), int64
        How many components there are.

    Raises
    ------
    OutsideDomain
        The array has no axis, more than six, or another dtype, or `structure` another shape or no symmetry.
    UnsupportedArgument
        `input` is complex, `output` is an array, or rank or `structure` are not known while tracing.

    Notes
    -----
    Agreement: exact.
    Graph: a loop of few rounds over the runs of elements along the last axis. Static shape is kept.
    Speed: slower than the reference, which reads each element once; the fewer runs, the less.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import label
    >>> numbers, count = label(tf.constant([3, 0, 1, 1, 0, 2]))
    >>> numbers.numpy().tolist(), int(count)
    ([1, 0, 2, 2, 0, 3], 3)
    """
    x = arguments.array_of(input, batch_axes=batch_axes)
    found = _structure_of(structure, x.shape.rank - batch_axes)
    dtype = arguments.output_dtype(output, tf.int32)
    offsets = [tuple(one) for one in (np.argwhere(found) - 1).tolist() if any(one)]
    numbers, count = components(tf.not_equal(x, tf.zeros([], x.dtype)), offsets, batch_axes)
    return tf.cast(numbers, dtype), tf.cast(count, tf.int64)
