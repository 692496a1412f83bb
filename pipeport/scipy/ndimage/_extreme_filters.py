"""`scipy.ndimage.maximum_filter`, `minimum_filter`, `maximum_filter1d` and `minimum_filter1d`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Image, Integer, OneOf, replaces, sibling, variant
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._correlation import Window
from pipeport.kernels.sampling._extremes import extremes_along, extremes_of, places_of
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters

_FOOTPRINTS = OneOf(
    None,
    np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]),
    np.array([[1, 0, 0, 1], [0, 0, 1, 0]]),
    np.ones((3, 2), bool),
    np.array([[[True, False], [True, True]]]),
)


def _has_nan(call: Mapping[str, Any]) -> bool:
    return bool(np.isnan(np.asarray(call["input"], np.float64)).any())


def _is_separable(call: Mapping[str, Any]) -> bool:
    footprint = call.get("footprint")
    return footprint is None or bool(np.all(footprint))


def nan_difference(others: Mapping[str, Any]) -> Difference:
    """Return the difference that filters have which go axis by axis; the witness needs the `others` too."""
    return Difference(
        "Where the window of an axis holds NaN, the result differs: here and in the reference it depends on "
        "the order of comparisons.",
        witness=lambda: {"input": np.array([[1, 5, np.nan, 4, 6, 7, 3]]), **others},
        applies=lambda call: _has_nan(call) and _is_separable(call),
        only={"input": "f"},
    )


def is_valid(call: Mapping[str, Any]) -> bool:
    """Say whether the call is vouched for: what is added to bool has no truth value."""
    image, output = np.asarray(call["input"]), call.get("output")
    if (image.dtype if output is None else np.dtype(output)).kind == "b" and abs(call.get("cval", 0)) > 1:
        return False
    return filters.is_valid(call)


def _is_valid_along(call: Mapping[str, Any]) -> bool:
    count = call["size"]
    return is_valid(call) and 0 <= count // 2 + call.get("origin", 0) < count


def is_valid_box(call: Mapping[str, Any]) -> bool:
    """Say whether a call with a size or a footprint is vouched for."""
    size, footprint, axes, origin = (call.get(name) for name in ("size", "footprint", "axes", "origin"))
    count = np.ndim(call["input"]) if axes is None else len(axes)
    if (size is None) == (footprint is None) or not is_valid(call):
        return False
    sides = (size,) * count if footprint is None else np.shape(footprint)
    return len(sides) == count and (not origin or min(sides) > 1)


def dtype_of_result(output: Any, own: Any) -> Any:
    """Return the dtype of the result of a filter that selects; of numbers none is a truth value."""
    dtype = arguments.output_dtype(output, own)
    if dtype.is_bool and not own.is_bool:
        advice = "Compare the result with a level instead."
        raise UnsupportedArgument(explain("output", f"bool for {own.name}", "a number", advice))
    return dtype


def extremes_in(
    smallest: bool,
    x: Any,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    axes: Any,
    batch_axes: int,
) -> Any:
    """Return the extremes of boxes, or of the neighbours that a footprint marks."""
    array = filters.array_of(x, 1, batch_axes)
    dtype = dtype_of_result(output, array.dtype)
    rank = array.shape.rank - batch_axes
    places = filters.axes_of(axes, rank)
    fill = arguments.fill_of(cval, dtype)
    marked = filters.footprint_beside(size, footprint, len(places))
    if marked is not None and not marked.all():
        filters.limited(int(marked.sum()), "footprint")
        box = filters.box_of(marked.shape, places, rank, origin, filters.rule_of(mode), batch_axes)
        return extremes_of(array, box, places_of(marked.reshape(box.sizes)), smallest, fill, dtype)
    windows = filters.windows_of(size if marked is None else marked.shape, places, mode, origin, batch_axes)
    return extremes_along(array, windows, smallest, fill, dtype)


_DOMAIN_1D = {
    "input": filters.NUMBERS,
    "size": Integer(1, 7, typical=5),
    "axis": OneOf(-1, 0),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "origin": Integer(-2, 2, typical=0),
}
DOMAIN = {
    "input": Image(dtypes=("bool", *filters.DTYPES), sides=(1, 9)),
    "size": OneOf(None, 1, 2, 3, 6, typical=5),
    "footprint": _FOOTPRINTS,
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "origin": OneOf(0, 0, -1),
    "axes": OneOf(None, (0, 1), (1, 0), typical=(0, 1)),
}


@replaces(
    "scipy.ndimage.maximum_filter1d",
    domain=_DOMAIN_1D,
    agreement=filters.EQUAL,
    valid=_is_valid_along,
    differences=(nan_difference({"size": 3}),),
)
@variant(False)
def maximum_filter1d(
    smallest: bool,
    batch_axes: int,
    input: Any,
    size: int,
    axis: int = -1,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Any:
    """Return the largest of each element's neighbours along one axis.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int
        How many elements are compared, 1 or more.
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
        The largest of each window.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result of numbers, an array as `output`, an unknown rank, or a tensor
        where a Python value is needed.
    OutsideDomain
        `size` is below 1, or `origin` puts the window beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: equal, but for the sign of zeros and subnormal numbers among floats. Infinities with an
    integer output are outside the domain.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import maximum_filter1d
    >>> maximum_filter1d(tf.constant([2, 8, 0, 4, 1, 9, 9, 0]), 3).numpy().tolist()
    [8, 8, 8, 4, 9, 9, 9, 9]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = dtype_of_result(output, array.dtype)
    place = filters.axis_of(axis, array.shape.rank - batch_axes) + batch_axes
    count = whole_number(size, "size", least=1)
    window = Window(place, filters.rule_of(mode), count, filters.origin_of(origin, count))
    return extremes_along(array, [window], smallest, arguments.fill_of(cval, dtype), dtype)


minimum_filter1d = sibling(
    maximum_filter1d,
    "minimum_filter1d",
    True,
    {"largest": "smallest", "[8, 8, 8, 4, 9, 9, 9, 9]": "[2, 0, 0, 0, 1, 1, 0, 0]"},
)


@replaces(
    "scipy.ndimage.maximum_filter",
    domain=DOMAIN,
    agreement=filters.EQUAL,
    proven_against=">=1.15",
    valid=is_valid_box,
    differences=(nan_difference({"size": 3}),),
)
@variant(False)
def maximum_filter(
    smallest: bool,
    batch_axes: int,
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Return the largest of each element's neighbours.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int or one per axis, optional
        Sides of the box. An axis with 1 or less is left as it is. Either it or `footprint` is needed, not
        both.
    footprint : array_like of bool, optional
        Which neighbours count, known while tracing, with an axis for each one that is filtered. One that is
        not a full box has at most 255.
    output : dtype, optional
        Dtype of the result, and of a box what is kept between two axes; the input's when None. Integers
        lose their fraction and wrap around. An array to write into is refused.
    mode : str or one per axis, default 'reflect'
        The border mode, see `correlate1d`; with a footprint that is not a full box one for all axes.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int or one per axis, default 0
        By how many elements the neighbours are moved to lower indices.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The largest of each element's neighbours.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        `size` beside a footprint, a footprint of too many neighbours, a `mode` not listed, a bool result of
        numbers, an array as `output`, an unknown rank, or a tensor where a Python value is needed.
    OutsideDomain
        Neither `size` nor `footprint` is given, the footprint has no neighbour or another number of axes,
        `origin` puts the neighbours beside the element, or another number of values than axes that are
        filtered.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: equal, but for the sign of zeros and subnormal numbers among floats; with a footprint that is
    not a full box NaN too. Infinities with an integer output are outside the domain.
    Graph: a compiled program for each axis, or one for a footprint, where sizes are known. Static shape is
    kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import maximum_filter
    >>> image = tf.constant([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> maximum_filter(image, footprint=[[0, 1, 0], [1, 1, 1], [0, 1, 0]]).numpy().tolist()
    [[4, 5, 6], [7, 8, 9], [8, 9, 9]]
    """
    return extremes_in(smallest, input, size, footprint, output, mode, cval, origin, axes, batch_axes)


minimum_filter = sibling(
    maximum_filter,
    "minimum_filter",
    True,
    {"largest": "smallest", "[[4, 5, 6], [7, 8, 9], [8, 9, 9]]": "[[1, 1, 2], [1, 2, 3], [4, 5, 6]]"},
)
