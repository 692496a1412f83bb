"""`scipy.ndimage.uniform_filter` and `uniform_filter1d`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport.contract import AsReference, Image, Integer, OneOf, batchable, replaces
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._correlation import Window, averaged
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters


def _valid(call: Mapping[str, Any]) -> bool:
    size = call.get("size", 3)
    return filters.is_valid(call) and (size <= 1 or 0 <= size // 2 + call.get("origin", 0) < size)


@replaces(
    "scipy.ndimage.uniform_filter1d",
    domain={
        "input": filters.NUMBERS,
        "size": Integer(1, 7, typical=5),
        "axis": OneOf(-1, 0),
        "output": filters.OUTPUTS,
        "mode": filters.MODES,
        "cval": arguments.CVALS,
        "origin": Integer(-2, 2, typical=0),
    },
    agreement=AsReference(),
    valid=_valid,
    differences=filters.differences({"size": 3}),
)
@batchable
def uniform_filter1d(
    batch_axes: int,
    input: Any,
    size: int,
    axis: int = -1,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Any:
    """Return the mean of each element's neighbours along one axis.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int
        How many elements a mean has, 1 or more.
    axis : int, default -1
        The axis.
    output : dtype, optional
        Dtype of the result; the input's when None. Integers lose their fraction and wrap around.
        An array to write into is refused.
    mode : str, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int, default 0
        By how many elements the window is moved to lower indices.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The means.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        `size` is below 1, or `origin` puts the window beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. As there, a line is NaN from where
    a NaN or an infinity has left the window. A NaN with an integer output is outside the domain.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import uniform_filter1d
    >>> uniform_filter1d(tf.constant([3.0, 0.0, 6.0]), 3).numpy().tolist()
    [2.0, 3.0, 4.0]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    place = filters.axis_of(axis, array.shape.rank - batch_axes) + batch_axes
    count = whole_number(size, "size", least=1)
    window = Window(place, filters.rule_of(mode), count, filters.origin_of(origin, count))
    return averaged(array, [window], arguments.fill_of(cval, dtype), dtype)


@replaces(
    "scipy.ndimage.uniform_filter",
    domain={
        "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
        "size": Integer(1, 6, typical=5),
        "output": filters.OUTPUTS,
        "mode": filters.MODES,
        "cval": arguments.CVALS,
        "origin": Integer(-1, 1, typical=0),
        "axes": filters.AXES,
    },
    agreement=AsReference(),
    valid=_valid,
    differences=filters.differences({}),
)
@batchable
def uniform_filter(
    batch_axes: int,
    input: Any,
    size: Any = 3,
    output: Any = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Return the mean of each element's neighbours in a box.

    Parameters
    ----------
    input : tf.Tensor, up to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int or one per axis, default 3
        Sides of the box. An axis with 1 or less is left as it is.
    output : dtype, optional
        Dtype of the result and of what is kept between two axes; the input's when None. Integers lose
        their fraction at each axis, and wrap around. An array to write into is refused.
    mode : str or one per axis, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int or one per axis, default 0
        By how many elements the box is moved to lower indices.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The means.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        `origin` puts the box beside the element, or another number of values than axes that are filtered.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64, see `uniform_filter1d`.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/_filters.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import uniform_filter
    >>> uniform_filter(tf.constant([[0.0, 18.0], [9.0, 0.0]])).numpy().tolist()
    [[6.0, 9.0], [6.0, 6.0]]
    """
    array = filters.array_of(input, 0, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    places = filters.axes_of(axes, array.shape.rank - batch_axes)
    windows = filters.windows_of(size, places, mode, origin, batch_axes)
    return averaged(array, windows, arguments.fill_of(cval, dtype), dtype)
