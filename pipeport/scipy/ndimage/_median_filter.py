"""`scipy.ndimage.median_filter`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, OneOf, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._extremes import compared, places_of
from pipeport.kernels.sampling._ranks import ranked
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _extreme_filters as extremes
from pipeport.scipy.ndimage import _filter_arguments as filters


def _has_nan(call: Mapping[str, Any]) -> bool:
    return bool(np.isnan(np.asarray(call["input"], np.float64)).any())


def _has_gaps(call: Mapping[str, Any]) -> bool:
    return np.ndim(call["input"]) == 1 and not np.all(call.get("footprint", True))


@replaces(
    "scipy.ndimage.median_filter",
    domain={**extremes.DOMAIN, "size": OneOf(None, 1, 2, 3, 10, typical=3)},
    agreement=filters.EQUAL,
    proven_against=">=1.15",
    valid=extremes.is_valid_box,
    differences=(
        Difference(
            "Where a window holds NaN, the result differs: here and in the reference it depends on the order "
            "of comparisons.",
            witness=lambda: {
                "input": np.array([[1, 5, np.nan, 4], [6, 7, 3, np.nan], [2, 8, 0, 9.0]]),
                "size": 3,
            },
            applies=_has_nan,
            only={"input": "f"},
        ),
        Difference(
            "Of an array of one axis a footprint with gaps is read as it is; the reference compares all "
            "elements from its first to its last place.",
            witness=lambda: {
                "input": np.array([4.0, 1, 3, 2, 6, 5, 0]),
                "footprint": np.array([1, 0, 0, 1, 1]),
            },
            applies=_has_gaps,
        ),
    ),
)
@batchable
def median_filter(
    batch_axes: int,
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Return the median of each element's neighbours.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int or one per axis, optional
        Sides of the box. Either it or `footprint` is needed, not both.
    footprint : array_like of bool, optional
        Which neighbours count, known while tracing, with an axis for each one that is filtered.
    output : dtype, optional
        Dtype of the result; the input's when None, as for arrays of one axis it has to be. Integers lose
        their fraction and wrap around. An array to write into is refused.
    mode : str, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'; integers lose its fraction.
    origin : int or one per axis, default 0
        By how many elements the neighbours are moved to lower indices.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The medians: of an even number of neighbours the larger one of two.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        `size` beside a footprint, a `mode` not listed, a bool result of numbers, an array or for one axis
        another dtype as `output`, an unknown rank, or a tensor where a Python value is needed.
    OutsideDomain
        Neither `size` nor `footprint` is given, there are no neighbours, or for another number of axes than
        are filtered, or `origin` puts the neighbours beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: equal, but for the sign of zeros and subnormal numbers among floats. Infinities with an
    integer output are outside the domain.
    Graph: up to 81 neighbours are sorted, in one compiled program where sizes are known. More are counted,
    bit by bit of their ranks, which takes as long for 1,000 elements of a line as for 100. Static shape is
    kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import median_filter
    >>> median_filter(tf.constant([[9, 9, 200, 9, 8]]), 3).numpy().tolist()
    [[9, 9, 9, 9, 8]]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = extremes.dtype_of_result(output, array.dtype)
    rank = array.shape.rank - batch_axes
    if rank == 1 and dtype != array.dtype:
        advice = "Cast the result instead: SciPy writes beyond the end of it."
        raise UnsupportedArgument(explain("output", f"{dtype.name} of one axis", array.dtype.name, advice))
    places = filters.axes_of(axes, rank)
    marked = filters.footprint_beside(size, footprint, len(places))
    if marked is None:
        sides = filters.per_axis(size, len(places), "size")
        marked = np.ones([whole_number(side, "size", least=1) for side in sides], bool)
    count = int(marked.sum())
    box = filters.box_of(marked.shape, places, rank, origin, filters.rule_of(mode), batch_axes)
    # Of one axis SciPy compares integers of 64 bits as they are.
    work = array.dtype if rank == 1 and array.dtype == tf.int64 else compared(array.dtype)
    fill = arguments.fill_of(cval, dtype)
    return ranked(array, box, places_of(marked.reshape(box.sizes)), count // 2, work, fill, dtype)
