"""`scipy.ndimage.distance_transform_edt`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Image, OneOf, Within, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.sampling._distance import squared_distances
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters


def _steps(sampling: Any, rank: int) -> tuple[float, ...]:
    given = static_value(1.0 if sampling is None else sampling, "sampling")
    given = given[()] if isinstance(given, np.ndarray) and given.ndim == 0 else given
    found = [_checks.finite_scalar(one, "sampling") for one in filters.per_axis(given, rank, "sampling")]
    if any(tf.is_tensor(one) for one in found):
        advice = "Give Python numbers."
        raise UnsupportedArgument(explain("sampling", "a tensor not known while tracing", "numbers", advice))
    return tuple(map(float, found))


def _has_no_zero(call: Any) -> bool:
    return bool(np.asarray(call["input"]).all())


@replaces(
    "scipy.ndimage.distance_transform_edt",
    domain={
        "input": Image(dtypes=("bool", "uint8", "int32", "float32"), channels=(None, 1, 3)),
        "sampling": OneOf(None, 2, 0.7, (1.5,), typical=None),
    },
    agreement=Within(1e-9, "roots of sums of squares, added up in another order"),
    refused={
        "return_distances": "the distances are what is given",
        "return_indices": "the distances alone are given",
        "distances": "tensors are not written in place",
        "indices": "tensors are not written in place",
    },
    valid=lambda call: not isinstance(call.get("sampling"), tuple),
    differences=(
        Difference(
            "Without a zero the distances are infinite; SciPy measures from a place outside of the array.",
            witness=lambda: {"input": np.ones((2, 3), np.uint8)},
            applies=_has_no_zero,
        ),
    ),
)
@batchable
def distance_transform_edt(
    batch_axes: int,
    input: Any,
    sampling: Any = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Any = None,
    indices: Any = None,
) -> Any:
    """Return how far each element is from the nearest zero.

    Parameters
    ----------
    input : tf.Tensor, one to three axes, bool or real numbers
        The array; NaN is not zero. Sizes may be unknown while tracing.
    sampling : float or one per axis, optional
        The distance of neighbours, 1 when None.
    return_distances : True
        Refused otherwise: the distances are what is given.
    return_indices : False
        Refused otherwise: the distances alone are given.
    distances : None
        Refused otherwise: tensors are not written in place.
    indices : None
        Refused otherwise: tensors are not written in place.

    Returns
    -------
    tf.Tensor, shape of `input`, float64
        The distances.

    Raises
    ------
    OutsideDomain
        The array has no axis, more than three, or another dtype, or `sampling` another length.
    UnsupportedArgument
        An argument that is refused, or rank or `sampling` are not known while tracing.
    WrongType
        `sampling` is not a number.

    Notes
    -----
    Agreement: within 1e-9.
    Graph: one compiled program where sizes are known. Static shape is kept.
    Speed: the first axis takes few steps, each other one as many as the largest distance has elements:
    slower than the reference where that is large.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import distance_transform_edt
    >>> distance_transform_edt(tf.constant([0, 1, 1, 1])).numpy().tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    for name, value, allowed in (
        ("return_distances", return_distances, True),
        ("return_indices", return_indices, False),
        ("distances", distances, None),
        ("indices", indices, None),
    ):
        if value is not allowed and (tf.is_tensor(value) or value != allowed):
            advice = "Use the distances that are returned."
            raise UnsupportedArgument(explain(name, repr(value), repr(allowed), advice))
    x = arguments.array_of(input, least=1, batch_axes=batch_axes)
    rank = x.shape.rank - batch_axes
    if rank > 3:
        raise OutsideDomain(explain("input", f"{rank} axes", "one to three", "Measure parts apart."))
    steps = _steps(sampling, rank)
    inside = tf.not_equal(x, tf.zeros([], x.dtype))
    return tf.sqrt(squared_distances(inside, steps, tf.float64, batch_axes))
