"""`scipy.ndimage.binary_erosion`, `binary_dilation` and `generate_binary_structure`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    CannotServe,
    Exact,
    Image,
    Integer,
    Maybe,
    OneOf,
    Operand,
    replaces,
    sibling,
    variant,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import flag
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._correlation import Window
from pipeport.kernels.sampling._extremes import extremes_along, extremes_of, places_of
from pipeport.scipy.ndimage import _filter_arguments as filters

_MOST_AXES = 8
_MASKS = ("bool", "uint8", "int8")
_DOMAIN = {
    "input": Image(dtypes=("bool", *filters.DTYPES), sides=(1, 9)),
    "structure": OneOf(
        None,
        np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]),
        np.array([[1, 0, 0, 1], [0, 0, 1, 0]]),
        np.ones((3, 2), bool),
        np.ones((2, 2, 1), bool),
        np.zeros((3, 3), bool),
    ),
    "iterations": OneOf(1, 1, 2, 3, 5, typical=1),
    "mask": Maybe(spec=Operand(image="input", numbers=None)),
    "border_value": OneOf(0, 1),
    "origin": OneOf(0, 0, -1),
    "brute_force": OneOf(False, False, True),
    "axes": OneOf(None, (0, 1), (1, 0), typical=(0, 1)),
}


def _is_valid(call: Mapping[str, Any]) -> bool:
    structure, axes, mask = call.get("structure"), call.get("axes"), call.get("mask")
    if mask is not None and np.asarray(mask).dtype.name not in _MASKS:
        return False
    count = np.ndim(call["input"]) if axes is None else len(axes)
    if structure is None:
        return True
    return structure.ndim == count and (not call.get("origin") or min(structure.shape) > 1)


def _cross(rank: int, connectivity: int) -> Any:
    """Return the neighbours in a cube of three that are few steps along the axes away."""
    return np.abs(np.indices((3,) * rank) - 1).sum(0) <= max(connectivity, 1)


def _structure_of(structure: Any, count: int) -> Any:
    if structure is None:
        return _cross(count, 1)
    return filters.footprint_of(structure, count, "structure", some=False)


def _mask_of(mask: Any, array: Any) -> Any:
    """Return a mask as truth values."""
    tensor = as_tensor(mask, "mask")
    _checks.dtype_among(tensor, _MASKS, "mask", "Compare it with a level.", UnsupportedArgument)
    rank = array.shape.rank
    if tensor.shape.rank != rank or not tensor.shape.is_compatible_with(array.shape):
        given, wanted = f"shape {tensor.shape}", f"that of the input, {array.shape}"
        raise OutsideDomain(explain("mask", given, wanted, "Crop or pad it."))
    if not (tensor.shape.is_fully_defined() and array.shape.is_fully_defined()):
        text = explain("mask", "another shape than the input's", "the same", "Crop or pad it.")
        with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(tensor), tf.shape(array), text)]):
            tensor = tf.ensure_shape(tensor, array.shape)
    return tf.cast(tensor, tf.bool)


def _within() -> Callable[[Any, Any, Any], Any]:
    return lambda new, old, mask: tf.where(mask, new, old)


@replaces(
    "scipy.ndimage.binary_erosion",
    domain=_DOMAIN,
    agreement=Exact(),
    proven_against=">=1.15",
    refused={"output": "tensors are not written in place, and SciPy reads no dtype here"},
    valid=_is_valid,
)
@variant(True)
def binary_erosion(
    erodes: bool,
    batch_axes: int,
    input: Any,
    structure: Any = None,
    iterations: int = 1,
    mask: Any = None,
    output: Any = None,
    border_value: int = 0,
    origin: Any = 0,
    brute_force: bool = False,
    *,
    axes: Any = None,
) -> Any:
    """Keep the elements whose neighbours are all true.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array: elements that are not 0 are true. Sizes may be unknown while tracing.
    structure : array_like of bool, optional
        Which neighbours count, known while tracing, with an axis for each one that is filtered: at most 255,
        or a full box. None is a cross of three along each axis.
    iterations : int, default 1
        How often it is done, 1 or more.
    mask : array_like of bool, uint8 or int8, shape of `input`, optional
        Where elements may change; everywhere when None.
    border_value : {0, 1}, default 0
        What lies beyond the ends.
    origin : int or one per axis, default 0
        By how many elements the structure is moved to lower indices.
    brute_force : bool, default False
        Both ways of the reference give the same result.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, bool, shape of `input`
        The result.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        `output` is given, `iterations` is below 1, the structure is too large, the mask has another dtype,
        the rank is unknown, or a tensor stands where a Python value is needed.
    OutsideDomain
        The structure is empty or has another number of axes than are filtered, the mask has another shape, or
        `origin` puts the structure beside the element.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        A mask of unknown size turns out to have another shape.

    Notes
    -----
    Agreement: equal.
    Graph: compiled programs for each iteration, where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/src/ni_morphology.c` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import binary_erosion
    >>> tf.cast(binary_erosion(tf.constant([[0, 1, 1, 1, 0, 1, 0]]), [[1, 1, 1]]), tf.int32).numpy().tolist()
    [[0, 0, 1, 0, 0, 0, 0]]
    """
    if output is not None:
        advice = "The result is bool, whatever dtype is given: cast it."
        raise UnsupportedArgument(explain("output", repr(output), "None", advice))
    array = filters.array_of(input, 1, batch_axes)
    flag(brute_force, "brute_force")  # which of two ways SciPy computes the same
    rounds = whole_number(iterations, "iterations")
    if rounds < 1:
        advice = "Repeat it in a tf.while_loop until nothing changes."
        raise UnsupportedArgument(explain("iterations", str(rounds), "1 or more", advice))
    rank = array.shape.rank - batch_axes
    places = filters.axes_of(axes, rank)
    marked = _structure_of(structure, len(places))
    if not erodes:
        moved = filters.per_axis(origin, len(places), "origin")
        origin = [filters.mirrored_origin(one, side) for one, side in zip(moved, marked.shape, strict=True)]
        marked = np.flip(marked)
    box = filters.box_of(marked.shape, places, rank, origin, "grid-constant", batch_axes)
    limit = 0 if marked.all() else int(marked.sum())
    filters.limited(limit, "structure")
    taps = places_of(marked.reshape(box.sizes))
    within = None if mask is None else _mask_of(mask, array)
    fill = tf.constant(float(flag(border_value, "border_value")), tf.float64)
    windows = [
        Window(axis, box.rule, side, moved)
        for axis, (side, moved) in enumerate(zip(box.sizes, box.origins, strict=True))
        if side > 1
    ]
    found = tf.cast(tf.cast(array, tf.bool), tf.uint8)
    for _ in range(rounds):
        if not taps:
            new = tf.ones_like(found) if erodes else tf.zeros_like(found)
        elif limit:
            new = extremes_of(found, box, taps, erodes, fill, tf.uint8)
        else:
            new = extremes_along(found, windows, erodes, fill, tf.uint8)
        found = new if within is None else xla.run(_within)(new, found, within)
    return tf.cast(found, tf.bool)


binary_dilation = sibling(
    binary_erosion,
    "binary_dilation",
    False,
    {
        "Keep the elements whose neighbours are all true.": "Add the elements that have a true neighbour.",
        "lower": "higher",
        "[[0, 0, 1, 0, 0, 0, 0]]": "[[1, 1, 1, 1, 1, 1, 1]]",
    },
)


@replaces(
    "scipy.ndimage.generate_binary_structure",
    domain={"rank": Integer(0, 5, typical=2), "connectivity": Integer(-1, 6, typical=1)},
    agreement=Exact(),
    cannot_serve=(
        CannotServe(
            "batched",
            "there is no array with a leading axis",
            witness=lambda: {"rank": 2, "connectivity": 1},
        ),
    ),
)
def generate_binary_structure(rank: int, connectivity: int) -> Any:
    """Return a structure for binary morphology.

    Parameters
    ----------
    rank : int
        How many axes it has, up to 8; none below 1.
    connectivity : int
        How many steps along the axes a neighbour may be away, from 1 for a cross to `rank` for a full cube.

    Returns
    -------
    tf.Tensor, bool, shape (3, ..., 3)
        The structure, known while tracing.

    Raises
    ------
    UnsupportedArgument
        `rank` is too large, or an argument is not known while tracing.
    WrongType
        An argument is not a whole number.

    Notes
    -----
    Agreement: equal.
    Graph: a constant.

    Examples
    --------
    >>> from pipeport.scipy.ndimage import generate_binary_structure
    >>> generate_binary_structure(2, 1).numpy().astype(int).tolist()
    [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
    """
    count, steps = whole_number(rank, "rank"), whole_number(connectivity, "connectivity")
    if count > _MOST_AXES:
        advice = "Arrays of more axes are not filtered."
        raise UnsupportedArgument(explain("rank", str(count), f"at most {_MOST_AXES}", advice))
    return tf.constant(_cross(count, steps) if count > 0 else np.array(True))
