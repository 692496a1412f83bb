"""`cv2.boundingRect` and `cv2.findNonZero`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import CannotServe, Difference, Exact, Image, batchable, replaces
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor

_POINTS = ("int32", "float32")
_DTYPES = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")


def _ends(x: Any, axis: int) -> tuple[Any, Any]:
    """Return the first and the last place along an axis of (B, H, W) of truth values, for each of B."""
    hit = tf.reduce_any(x, 3 - axis)
    size = tf.shape(hit)[1]
    first = tf.argmax(hit, 1)
    return first, tf.cast(size, tf.int64) - 1 - tf.argmax(tf.reverse(hit, [1]), 1)


def _of_mask(x: Any) -> tuple[Any, ...]:
    rows, columns = _ends(x, 1), _ends(x, 2)
    some = tf.reduce_any(x, [1, 2])
    sides = (columns[0], rows[0], columns[1] - columns[0] + 1, rows[1] - rows[0] + 1)
    return tuple(tf.where(some, side, 0) for side in sides)


def _of_points(points: Any) -> tuple[Any, ...]:
    whole = tf.cast(tf.floor(points) if points.dtype.is_floating else points, tf.int64)
    low, high = tf.reduce_min(whole, 1), tf.reduce_max(whole, 1)
    return (*tf.unstack(low, axis=1), *tf.unstack(high - low + 1, axis=1))


def _some(points: Any) -> Any:
    """Refuse an array without points."""
    allowed, advice = "one point or more", "Leave such elements out."
    if points.shape[1] == 0:
        raise OutsideDomain(explain("array", "no points", allowed, advice))
    if points.shape[1] is not None:
        return points
    message = explain("array", "no points", allowed, advice)
    with tf.control_dependencies([tf.debugging.Assert(tf.shape(points)[1] > 0, [message])]):
        return tf.identity(points)


@replaces(
    "cv2.boundingRect",
    domain={"array": Image(dtypes=("uint8",), channels=(None,))},
    agreement=Exact(),
    returns=("x", "y", "width", "height"),
    differences=(
        Difference(
            "An array without points is refused; OpenCV gives zeros.",
            witness=lambda: {"array": np.zeros((0, 2), np.int32)},
            applies=lambda call: np.size(call["array"]) == 0,
        ),
    ),
)
@batchable
def boundingRect(batch_axes: int, array: Any) -> tuple[Any, ...]:
    """Return the smallest upright rectangle around points, or around what is not zero in a mask.

    Parameters
    ----------
    array : tf.Tensor
        A mask, shape (H, W) or (H, W, 1), uint8; or points (x, y), shape (N, 2) or (N, 1, 2), int32
        or float32. H, W and N may be unknown while tracing.

    Returns
    -------
    x, y, width, height : tf.Tensor, shape (), int64
        Left, top and sides; the last pixel counts. Of floating points the whole numbers below count. All are
        0 for a mask of zeros.

    Raises
    ------
    OutsideDomain
        There are no points, or no pixels, or the array has another shape or dtype.
    UnsupportedArgument
        The rank of a mask is unknown while tracing.
    tf.errors.InvalidArgumentError
        There turn out to be no points or pixels.

    Notes
    -----
    Agreement: equal.
    Graph: a few reductions.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> mask = tf.constant([[0, 0, 0], [0, 7, 7]], tf.uint8)
    >>> [int(side) for side in cv2.boundingRect(mask)]
    [1, 1, 2, 1]
    """
    x = as_tensor(array, "array")
    shape = None if x.shape.rank is None else x.shape[batch_axes:]
    if x.dtype.name in _POINTS:
        allowed = "points, shape (N, 2) or (N, 1, 2)"
        if shape is None or shape.rank not in (2, 3) or shape[-1] != 2 or (shape.rank == 3 and shape[1] != 1):
            advice = "State the shape with tf.ensure_shape; a mask is of uint8."
            raise OutsideDomain(explain("array", f"shape {x.shape} of {x.dtype.name}", allowed, advice))
        x = tf.squeeze(x, [1 + batch_axes]) if shape.rank == 3 else x
        found = _of_points(_some(x if batch_axes else x[tf.newaxis]))
    else:
        if x.dtype != tf.uint8:
            allowed = "a mask of uint8, or points of int32 or float32"
            raise OutsideDomain(explain("array", f"dtype {x.dtype.name}", allowed, "Cast it with tf.cast."))
        images = _images.as_images(x, batch_axes, "array")
        if images.shape[3] != 1:
            raise OutsideDomain(explain("array", f"{images.shape[3]} channels", "one", "Take one."))
        found = _of_mask(tf.not_equal(images[..., 0], 0))
    return tuple(found if batch_axes else (one[0] for one in found))


@replaces(
    "cv2.findNonZero",
    domain={"src": Image(dtypes=_DTYPES, channels=(None,))},
    agreement=Exact(),
    refused={"idx": "tensors are not written in place"},
    cannot_serve=(
        CannotServe(
            "batched",
            "the elements of a batch have results of different sizes",
            witness=lambda: {"src": np.array([[[1, 0]], [[1, 1]]], np.uint8)},
            by_values=True,
        ),
    ),
    differences=(
        Difference(
            "Of zeros alone an array without points is given; OpenCV gives None.",
            witness=lambda: {"src": np.zeros((2, 2), np.uint8)},
            applies=lambda call: not np.any(call["src"]),
        ),
    ),
)
def findNonZero(src: Any, idx: Any = None) -> Any:
    """Return where an image is not zero.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, 1), integers of 8 to 32 bits, float32 or float64
        The image; H and W may be unknown while tracing. NaN is not zero.

    Returns
    -------
    tf.Tensor, shape (N, 2), with OpenCV 4 (N, 1, 2), int32
        The points (x, y), row by row.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels.
    UnsupportedArgument
        `idx` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: equal. `pipeport.config.set_opencv` says which shape it is.
    Graph: one op; the number of points is only known when it runs.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.findNonZero(tf.constant([[0, 5], [6, 0]], tf.uint8)).numpy().reshape(-1, 2).tolist()
    [[1, 0], [0, 1]]
    """
    if idx is not None:
        advice = "Use the value that is returned."
        raise UnsupportedArgument(explain("idx", type(idx).__name__, "None", advice))
    x = _images.as_images(src, 0)
    if x.dtype.name not in _DTYPES or x.shape[3] != 1:
        allowed = f"one channel of {', '.join(_DTYPES)}"
        advice = "Take one channel, or cast it."
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels of {x.dtype.name}", allowed, advice))
    places = tf.cast(tf.where(tf.not_equal(x[0, ..., 0], tf.zeros([], x.dtype))), tf.int32)
    points = tf.reverse(places, [1])
    return points[:, tf.newaxis] if config.opencv() == 4 else points
