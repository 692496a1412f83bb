"""`scipy.ndimage.correlate1d` and `convolve1d`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Integer, OneOf, replaces, sibling, variant
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.sampling._correlation import Line, correlated
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters

_WEIGHTS = OneOf(
    (1.0,), (-1, 0, 1), (0.25, 0.5, 0.25), (1, 2), (0.5, -1.5, 0.0, 2.0), (1, 4, 6, 4, 1), (0.3, -0.1, 0.7),
    (2, 1, 0, -1, -2),
    typical=(0.25, 0.5, 0.25),
)  # fmt: skip
_DOMAIN = {
    "input": filters.NUMBERS,
    "weights": _WEIGHTS,
    "axis": OneOf(-1, 0),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "origin": Integer(-1, 1, typical=0),
}


def _is_valid(call: Mapping[str, Any]) -> bool:
    count = len(call["weights"])
    return (
        filters.is_valid(call, float(np.abs(call["weights"]).sum()))
        and 0 <= count // 2 + call.get("origin", 0) < count
    )


def _weights_of(weights: Any) -> tuple[float, ...]:
    value = static_value(weights, "weights")
    if tf.is_tensor(value):
        advice = "They are part of the graph: give Python numbers."
        raise UnsupportedArgument(explain("weights", "a tensor", "numbers known while tracing", advice))
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise WrongType(explain("weights", repr(weights), "real numbers", "Give a list of them.")) from error
    if array.ndim != 1 or not array.size:
        advice = "Filter axis by axis."
        raise OutsideDomain(explain("weights", f"shape {array.shape}", "one axis, not empty", advice))
    return tuple(array.tolist())


@replaces(
    "scipy.ndimage.correlate1d",
    domain=_DOMAIN,
    agreement=AsReference(),
    valid=_is_valid,
    differences=filters.differences({"weights": (1, 2, 1)}),
)
@variant(False)
def correlate1d(
    flipped: bool,
    batch_axes: int,
    input: Any,
    weights: Any,
    axis: int = -1,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Any:
    """Correlate an array with weights along one axis.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    weights : sequence of float
        One or more numbers known while tracing.
    axis : int, default -1
        The axis.
    output : dtype, optional
        Dtype of the result; the input's when None. Integers lose their fraction and wrap around.
        An array to write into is refused.
    mode : str, default 'reflect'
        'reflect' (or 'grid-mirror'), 'constant' (or 'grid-constant'), 'nearest', 'mirror', 'wrap' (or
        'grid-wrap'), as SciPy names them.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int, default 0
        By how many elements the weights are moved to lower indices.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The sums.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        `weights` are empty or have more than one axis, or `origin` puts them beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64; sums are computed in float64 in
    the reference's order. A NaN with an integer output is outside the domain.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import correlate1d
    >>> correlate1d(tf.constant([1.0, 2.0, 4.0]), [-1, 0, 1]).numpy().tolist()
    [1.0, 3.0, 2.0]
    """
    numbers = _weights_of(weights)
    if flipped:
        numbers, origin = numbers[::-1], filters.mirrored_origin(origin, len(numbers))
    array = filters.array_of(input, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    place = filters.axis_of(axis, array.shape.rank - batch_axes) + batch_axes
    line = Line(place, filters.rule_of(mode), numbers, filters.origin_of(origin, len(numbers)))
    return correlated(array, [line], arguments.fill_of(cval, dtype), dtype)


convolve1d = sibling(
    correlate1d,
    "convolve1d",
    True,
    {
        "Correlate": "Convolve",
        "lower": "higher",
        "src/ni_filters.c": "_filters.py",
        "[1.0, 3.0, 2.0]": "[-1.0, -3.0, -2.0]",
    },
    valid=lambda call: _is_valid(
        {**call, "origin": filters.mirrored_origin(call.get("origin", 0), len(call["weights"]))}
    ),
)
