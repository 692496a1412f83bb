"""`skimage.transform.warp_coords`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Callback,
    CannotServe,
    Difference,
    Integer,
    OneOf,
    PerAxis,
    replaces,
)
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.kernels.inputs.integers import static

_OUTPUTS = ("float64", "float32", "float16", "int64", "int32")


def _deep(arguments: Mapping[str, Any]) -> bool:
    return len(arguments["shape"]) > 3


@replaces(
    "skimage.transform.warp_coords",
    domain={
        "coord_map": Callback(
            "pipeport.references.maps.shifted",
            "pipeport.references.maps.magnified",
            "pipeport.references.maps.squared",
            typical="pipeport.references.maps.magnified",
        ),
        "shape": PerAxis(spec=Integer(1, 6), count=3, single=False, typical=(256, 256, 3)),
        "dtype": OneOf("float64", "float32", "int32"),
    },
    agreement=AsReference(),
    differences=(
        Difference(
            "More than three sizes are refused; the reference leaves the further coordinates unset.",
            witness=lambda: {"coord_map": lambda xy: xy, "shape": (2, 2, 2, 2)},
            applies=_deep,
        ),
    ),
    cannot_serve=(
        CannotServe(
            "batched",
            "there is no image whose leading axis could be a batch: the coordinates are shared by all",
            witness=lambda: {"coord_map": lambda xy: xy, "shape": (2, 2)},
        ),
    ),
)
def warp_coords(coord_map: Callable[..., Any], shape: Any, dtype: Any = np.float64) -> Any:
    """Return where each pixel of a warped image comes from, as `map_coordinates` takes it.

    Parameters
    ----------
    coord_map : callable
        Takes a tensor (P, 2) of (column, row) in the output and returns one of the same shape in the
        source: a transform, or any function of tensors. It is traced into the graph.
    shape : (int, int) or (int, int, int)
        Height, width and, for colours, channels of the output; numbers that are whole to within
        0.001 are rounded.
    dtype : {'float64', 'float32', 'float16', 'int64', 'int32'}, default float64
        In which coordinates are given to the map and returned.

    Returns
    -------
    tf.Tensor, shape (2, H, W) or (3, H, W, C)
        Row, column and, for colours, channel.

    Raises
    ------
    OutsideDomain
        A height or width below 1, a size that is negative or not whole, or the map returns another
        number of points.
    BadAxis
        Fewer than two sizes.
    UnsupportedArgument
        More than three sizes, or a `dtype` not listed.
    WrongType
        `coord_map` is not a callable, needs NumPy arrays, or changes its argument in place.

    Notes
    -----
    A map that assigns to its argument (``xy[:, 1] -= 10``) has to return a new tensor instead
    (``xy - [0, 10]``): tensors do not change.

    Agreement: as accurate as the reference, judged against it in float64.
    Graph: the grid is a constant, the map is traced once; static shape is kept.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> from pipeport.skimage.transform import warp_coords
    >>> warp_coords(lambda xy: xy + [10.0, 0.0], (1, 3)).numpy().tolist()
    [[[0.0, 0.0, 0.0]], [[10.0, 11.0, 12.0]]]
    """
    sizes = _checked_sizes(shape)
    kind = _checked_dtype(dtype)
    height, width = sizes[:2]
    grid = np.indices((width, height), dtype=kind).reshape(2, -1).T
    mapped = traced(coord_map, tf.constant(grid))
    if mapped.shape.rank != 2 or mapped.shape[0] not in (None, width * height) or mapped.shape[1] == 1:
        advice = "Return one row (column, row) for each row given."
        allowed = f"a tensor of shape ({width * height}, 2)"
        raise OutsideDomain(explain("coord_map", f"shape {mapped.shape} returned", allowed, advice))
    # Points go down the columns first, as in the reference, whose maps may depend on the order.
    planes = tf.transpose(
        tf.reshape(tf.cast(mapped[:, :2], tf.as_dtype(kind)), [width, height, 2]), [2, 1, 0]
    )
    planes = planes[::-1]
    if len(sizes) == 2:
        return planes
    full = (2, height, width, sizes[2])
    channel = np.broadcast_to(np.arange(sizes[2]), (1, *full[1:])).astype(kind)
    return tf.concat([tf.broadcast_to(planes[..., tf.newaxis], full), tf.constant(channel)], 0)


def traced(coord_map: Any, points: Any, **arguments: Any) -> Any:
    """Apply a map to points; an error advises on maps that cannot be traced.

    `coord_map`: takes and returns coordinates (P, 2). `points`: shape (P, 2); coordinates (column, row).
    """
    allowed = "a function of a tensor (P, 2)"
    if not callable(coord_map):
        advice = "A transform is called too; a matrix goes to ProjectiveTransform."
        raise WrongType(explain("coord_map", type(coord_map).__name__, allowed, advice))
    try:
        return tf.convert_to_tensor(coord_map(points, **arguments))
    except (NotImplementedError, TypeError, AttributeError) as error:
        told = str(error)
        if "item assignment" in told:
            advice = "Tensors do not change: return a new one, for instance xy + [0.0, -10.0]."
            raise WrongType(explain("coord_map", "one that assigns in place", allowed, advice)) from error
        if "numpy" in told.lower() or "has no attribute" in told:
            advice = f"Use operators or TensorFlow's functions instead of NumPy's ({told[:120]})."
            raise WrongType(explain("coord_map", "one that needs a NumPy array", allowed, advice)) from error
        raise


def whole_sizes(shape: Any, name: str, least: int = 1) -> list[int]:
    """Return sizes that are whole to within 0.001, as scikit-image takes them."""
    advice = f"Give whole numbers, not below {least}."
    shape = static(shape, name)
    try:
        values = np.asarray(shape, np.float64)
    except (TypeError, ValueError) as error:
        raise WrongType(explain(name, repr(shape), "a sequence of whole numbers", advice)) from error
    if values.ndim != 1:
        raise BadAxis(explain(name, repr(shape), "a sequence of whole numbers", advice))
    whole = np.round(values)
    if not np.isfinite(values).all() or np.any(np.abs(values - whole) > 1e-3):
        raise OutsideDomain(explain(name, repr(shape), "whole numbers", advice))
    if np.any(whole < least):
        raise OutsideDomain(explain(name, repr(shape), f"sizes not below {least}", advice))
    return [int(size) for size in whole]


def _checked_sizes(shape: Any) -> list[int]:
    sizes = whole_sizes(shape, "shape", least=0)
    if len(sizes) < 2:
        raise BadAxis(explain("shape", repr(shape), "height, width and channels", "Give two or three."))
    if len(sizes) > 3:
        advice = "Build the coordinates of further axes with tf.meshgrid."
        raise UnsupportedArgument(explain("shape", repr(shape), "two or three sizes", advice))
    if 0 in sizes[:2]:
        raise OutsideDomain(explain("shape", repr(shape), "a height and width not below 1", "Warp less."))
    return sizes


def _checked_dtype(dtype: Any) -> Any:
    return np.dtype(dtype_of(dtype, "dtype", _OUTPUTS, "Cast the result.").as_numpy_dtype)
