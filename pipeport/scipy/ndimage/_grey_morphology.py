"""`scipy.ndimage.grey_erosion` and `grey_dilation`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, replaces, sibling, variant
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._extremes import extremes_of, places_of
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _extreme_filters as extremes
from pipeport.scipy.ndimage import _filter_arguments as filters

_DOMAIN = {
    **extremes.DOMAIN,
    "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
    "structure": OneOf(None, None, np.array([[1.5, 0.25, 3.0]] * 2), np.array([[[0.0]], [[-2.75]]])),
}


def _is_valid(call: Mapping[str, Any]) -> bool:
    structure, footprint, axes = (call.get(name) for name in ("structure", "footprint", "axes"))
    if structure is None:
        return extremes.is_valid_box(call)
    values, heights = np.asarray(call["input"]), np.asarray(structure)
    count = values.ndim if axes is None else len(axes)
    if call.get("size") is not None or (call.get("origin") and 1 in heights.shape):
        return False
    if heights.ndim != count or (footprint is not None and np.shape(footprint) != heights.shape):
        return False
    if values.dtype.kind != "f" and np.abs(values.astype(np.float64)).max(initial=0) > 2**31 - 10:
        return False
    return extremes.is_valid(call)


def _heights_of(structure: Any, count: int) -> Any:
    """Return a structure as an array of float64 known while tracing."""
    value = static_value(structure, "structure")
    if tf.is_tensor(value):
        advice = "It shapes the graph: give an array of NumPy."
        raise UnsupportedArgument(explain("structure", "a tensor", "values known while tracing", advice))
    try:
        found = np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        advice = "Give an array of them."
        raise WrongType(explain("structure", repr(structure), "real numbers", advice)) from error
    if found.ndim != count or not found.size:
        given, wanted = f"shape {found.shape}", f"an axis for each of the {count} that are filtered"
        raise OutsideDomain(explain("structure", given, wanted, "Add axes of size 1, or give `axes`."))
    return found


@replaces(
    "scipy.ndimage.grey_erosion",
    domain=_DOMAIN,
    agreement=filters.EQUAL,
    proven_against=">=1.15",
    valid=_is_valid,
    differences=(extremes.nan_difference({"size": (1, 3)}),),
)
@variant(True)
def grey_erosion(
    smallest: bool,
    batch_axes: int,
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Return the smallest of each element's neighbours, less a structure.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    size : int or one per axis, optional
        Sides of a box of neighbours. It, `footprint` or `structure` is needed; neither of the others goes
        with it.
    footprint : array_like of bool, optional
        Which neighbours count, known while tracing, with an axis for each one that is filtered.
    structure : array_like of float, optional
        What is taken from each neighbour, known while tracing, with an axis for each one that is filtered.
        Of numbers that are not bool. With a footprint it has its shape, else all of it counts: 255 at most.
    output : dtype, optional
        Dtype of the result; the input's when None. Integers lose their fraction and wrap around.
        An array to write into is refused.
    mode : str or one per axis, default 'reflect'
        The border mode, see `correlate1d`; with a structure, or a footprint that is not a full box, one for
        all axes.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    origin : int or one per axis, default 0
        By how many elements the neighbours are moved to lower indices.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The smallest of each element's neighbours.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        `size` beside another of its kind, a structure for bool, too many neighbours, a `mode` not listed, a
        bool result of numbers, an array as `output`, an unknown rank, or a tensor where a Python value is
        needed.
    OutsideDomain
        There are no neighbours, or for another number of axes than are filtered; footprint and structure have
        different shapes; `origin` puts the neighbours beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: equal, but for the sign of zeros and subnormal numbers among floats; with a structure, or a
    footprint that is not a full box, NaN too. Sums with a structure wrap around where the input's dtype does,
    and beside integers all but the first number of a structure lose their fraction. Infinities with an
    integer output are outside the domain.
    Graph: a compiled program for each axis, or one for a footprint or structure, where sizes are known.
    Static shape is kept.

    Source: `scipy/ndimage/src/ni_filters.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import grey_erosion
    >>> grey_erosion(tf.constant([[0, 0, 5, 0], [0, 7, 7, 7]]), structure=[[1, 0, 1]]).numpy().tolist()
    [[-1, -1, -1, -1], [-1, -1, 6, 6]]
    """
    array = filters.array_of(input, 1, batch_axes)
    rank = array.shape.rank - batch_axes
    places = filters.axes_of(axes, rank)
    count = len(places)
    if structure is None and size is None and footprint is None:
        advice = "For instance size=3."
        given = "none of them"
        raise OutsideDomain(explain("size, footprint, structure", given, "one of them", advice))
    if structure is not None and size is not None:
        advice = "SciPy would not read `size` beside a structure."
        raise UnsupportedArgument(explain("size, structure", "both", "one of them", advice))
    heights = None if structure is None else _heights_of(structure, count)
    marked = None if footprint is None else filters.footprint_of(footprint, count)
    if not smallest:
        neighbours = heights if marked is None else marked
        sides = filters.per_axis(size, count, "size") if neighbours is None else neighbours.shape
        moved = filters.per_axis(origin, count, "origin")
        origin = [
            filters.mirrored_origin(one, whole_number(side, "size"))
            for one, side in zip(moved, sides, strict=True)
        ]
        heights, marked = (None if one is None else np.flip(one) for one in (heights, marked))
    if heights is None:
        return extremes.extremes_in(
            smallest, array, size, marked, output, mode, cval, origin, axes, batch_axes
        )
    marked = np.ones(heights.shape, bool) if marked is None else marked
    if marked.shape != heights.shape:
        given, wanted = f"shape {marked.shape}", f"that of the structure, {heights.shape}"
        raise OutsideDomain(explain("footprint", given, wanted, "Pad the smaller one."))
    if array.dtype.is_bool:
        advice = "Cast it first with tf.cast."
        raise UnsupportedArgument(explain("structure", "given for a bool input", "None", advice))
    filters.limited(int(marked.sum()), "structure")
    dtype = extremes.dtype_of_result(output, array.dtype)
    box = filters.box_of(marked.shape, places, rank, origin, filters.rule_of(mode), batch_axes)
    taps = places_of(marked.reshape(box.sizes))
    added = tuple((-heights if smallest else heights)[marked].tolist())
    return extremes_of(array, box, taps, smallest, arguments.fill_of(cval, dtype), dtype, added)


grey_dilation = sibling(
    grey_erosion,
    "grey_dilation",
    False,
    {
        "less a structure.": "with a structure added.",
        "smallest": "largest",
        "taken from": "added to",
        "lower": "higher",
        "[[-1, -1, -1, -1], [-1, -1, 6, 6]]": "[[1, 6, 5, 6], [8, 8, 8, 8]]",
    },
)
