"""`scipy.ndimage.correlate` and `convolve`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, replaces, sibling, variant
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.sampling._box_sums import MOST, Taps, summed, summed_in_strips, taps_of
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters

_DOMAIN = {
    "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
    "weights": OneOf(
        np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
        np.array([[0.1, 0.2, 0.3], [0.4, -0.5, 0.6]]),
        np.full((4, 3), 1 / 12),
        np.outer([1, 4, 6, 4, 1], [-1, -2, 0, 2, 1]) / 7,
        np.array([[[1.5], [-0.25]], [[0.75], [2.0]]]),
        np.linspace(-1, 1, 27).reshape(3, 3, 3),
        np.array([[3]]),
        np.outer(np.hanning(19)[1:-1], np.hanning(20)[1:-1]) / 90,
    ),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "origin": OneOf(0, 0, 0, -1, (0, -1)),
    "axes": OneOf(None, (0, 1), (1, 0), (-1, 0), typical=(0, 1)),
}


def _is_valid(call: Mapping[str, Any]) -> bool:
    """Whether there are weights for the axes; SciPy reflects otherwise beyond four times an array's size."""
    weights, axes, origin = np.asarray(call["weights"]), call.get("axes"), call.get("origin", 0)
    if max(weights.shape) // 2 > 4 * min(np.shape(call["input"])[:2]):
        return False
    count = np.ndim(call["input"]) if axes is None else len(axes)
    return (
        weights.ndim == count == (len(origin) if isinstance(origin, tuple) else count)
        and (origin == 0 or min(weights.shape) > 1)
        and filters.is_valid(call, float(np.abs(weights).sum()))
    )


def _weights_of(weights: Any, count: int, batch_axes: int) -> Any:
    """Return the weights as a tensor with an axis for each one that is filtered; with a batch one more."""
    tensor = as_tensor(weights, "weights")
    allowed = (count, count + 1) if batch_axes else (count,)
    if tensor.dtype.is_complex:
        advice = "Filter with the real and the imaginary part apart."
        raise UnsupportedArgument(explain("weights", tensor.dtype.name, "real numbers", advice))
    if tensor.shape.rank not in allowed:
        given, wanted = f"shape {tensor.shape}", f"an axis for each of the {count} that are filtered"
        raise OutsideDomain(explain("weights", given, wanted, "Add axes of size 1, or give `axes`."))
    sides = tensor.shape[tensor.shape.rank - count :]
    if not sides.is_fully_defined():
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("weights", f"shape {tensor.shape}", "known sizes", advice))
    if not sides.num_elements():
        advice = "Give at least one weight."
        raise OutsideDomain(explain("weights", f"shape {tensor.shape}", "one or more", advice))
    return tf.cast(tensor, tf.float64)


@replaces(
    "scipy.ndimage.correlate",
    domain=_DOMAIN,
    agreement=AsReference(),
    proven_against=">=1.15",
    valid=_is_valid,
    differences=filters.differences({"weights": np.ones((3, 3))}),
)
@variant(False)
def correlate(
    reverse: bool,
    batch_axes: int,
    input: Any,
    weights: Any,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Correlate an array with weights along several axes.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    weights : array_like
        Real numbers, with an axis for each one that is filtered; a tensor too, of known sizes.
    output : dtype, optional
        Dtype of the result; the input's when None. Integers lose their fraction and wrap around.
        An array to write into is refused.
    mode : str, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int or one per axis, default 0
        By how many elements the weights are moved to lower indices.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The sums.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, complex weights, weights of unknown sizes,
        an unknown rank, or a tensor where a Python value is needed.
    OutsideDomain
        `weights` are empty or have another number of axes, or `origin` puts them beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64; sums are computed in float64 in
    the reference's order, so that integers are equal. A NaN with an integer output is outside the domain,
    and weights that reach further than four times the array's size, where 'reflect' of SciPy is none.
    Graph: one compiled program where sizes are known; of more than 255 weights one for a part of them, which
    is called for all. Static shape is kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import correlate
    >>> correlate(tf.constant([[1.0, 2.0], [4.0, 8.0]]), [[0, 0, 0], [0, 1, -1]]).numpy().tolist()
    [[-1.0, 0.0], [-4.0, 0.0]]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    rank = array.shape.rank - batch_axes
    places = filters.axes_of(axes, rank)
    tensor = _weights_of(weights, len(places), batch_axes)
    sides = tensor.shape.as_list()[-len(places) :]
    if reverse:
        tensor = tf.reverse(tensor, range(-len(places), 0))
    rule = filters.rule_of(mode)
    box = filters.box_of(sides, places, rank, origin, rule, batch_axes, mirrored=reverse)
    known = tf.get_static_value(tensor) if tensor.shape.rank == len(places) else None
    given: tuple[Any, ...] = ()
    if known is None:
        taps: Taps = tuple((place, None) for place in np.ndindex(*box.sizes))
        given = (tf.reshape(tensor, [-1, *box.sizes[batch_axes:]]),)
    else:
        taps = taps_of(known.reshape(box.sizes))
    fill = arguments.fill_of(cval, dtype)
    if len(taps) > MOST:
        every = given[0] if given else tf.reshape(tensor, [1, *box.sizes[batch_axes:]])
        return summed_in_strips(array, box, fill, dtype, every)
    return summed(array, box, taps, fill, dtype, *given)


convolve = sibling(
    correlate,
    "convolve",
    True,
    {
        "Correlate": "Convolve",
        "lower": "higher",
        "[[-1.0, 0.0], [-4.0, 0.0]]": "[[0.0, 1.0], [0.0, 4.0]]",
    },
)
