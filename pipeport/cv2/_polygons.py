"""`cv2.fillPoly`, `cv2.fillConvexPoly` and `cv2.polylines`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Boolean, Exact, OneOf, Shaped, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2._drawing_arguments import (
    COLOUR,
    IMAGE,
    POINT,
    REFUSED,
    THICKEST,
    USUAL_LINE,
    images_of,
    pasted,
    sizes,
    thickness_of,
    whole_numbers,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.opencv._polygon_runs import ONE
from pipeport.kernels.opencv._polygons import between, covered, thick

_SHAPE = np.array([[40, 30], [210, 60], [120, 110], [180, 220], [60, 190]], np.int32)
_POLYGONS = Shaped(
    shape=((1, 3), (1, 6), (2, 2)),
    dtypes=("int32",),
    values=(-20.0, 90.0),
    tensor=True,
    element_rank=3,
    typical=_SHAPE[np.newaxis],
)
_POLYGON = Shaped(
    shape=((1, 6), (2, 2)),
    dtypes=("int32",),
    values=(-20.0, 90.0),
    tensor=True,
    element_rank=2,
    typical=_SHAPE[[0, 1, 3, 4]],
)
_LINE = OneOf(constants.LINE_8)


def _points(value: Any, parameter: str, batch_axes: int, lists: int) -> Any:
    """Return corners as (b, ..., N, 2) of int64, of a polygon or of `lists` axes of them."""
    tensor = as_tensor(value, parameter)
    rank, shape = lists + 2, tensor.shape
    if shape.rank == rank + 1 and not batch_axes and 1 in shape[lists:-1] and shape[-1] == 2:
        # As OpenCV's contours, (N, 1, 2).
        tensor = tf.squeeze(tensor, [lists + 1 if shape[lists + 1] == 1 else lists])
    several = bool(batch_axes) and tensor.shape.rank == rank + 1
    if tensor.dtype != tf.int32 or tensor.shape.rank != rank + several or tensor.shape[-1] != 2:
        given = f"{tensor.dtype.name} of shape {shape}"
        allowed = f"int32 of shape ({'K, ' * lists}N, 2) or ({'K, ' * lists}N, 1, 2)"
        advice = "Round and cast it to int32; put polygons of different lengths in a list."
        raise OutsideDomain(explain(parameter, given, allowed, advice))
    return tf.cast(tensor if several else tensor[tf.newaxis], tf.int64)


def _polygons(pts: Any, batch_axes: int) -> list[Any]:
    """Return polygons, as tensors (b, K, N, 2) of as many corners each."""
    if isinstance(pts, (list, tuple)):
        if not pts:
            return [tf.zeros([1, 1, 0, 2], tf.int64)]
        return [_points(one, "pts", batch_axes, 0)[:, tf.newaxis] for one in pts]
    return [_points(pts, "pts", batch_axes, 1)]


def _sides_of(polygons: list[Any], closed: bool) -> Any:
    """Return the ends of all sides, (b, n, 4)."""
    found = []
    for points in polygons:
        before = tf.roll(points, 1, 2)
        ends = tf.concat([before, points], 3)
        ends = ends if closed else ends[:, :, 1:]
        shape = [points.shape[0], None if None in points.shape[1:3] else ends.shape[1] * ends.shape[2], 4]
        found.append(tf.ensure_shape(tf.reshape(ends, [tf.shape(points)[0], -1, 4]), shape))
    return tf.concat(found, 1)


@replaces(
    "cv2.fillPoly",
    domain={
        "img": IMAGE,
        "pts": _POLYGONS,
        "color": COLOUR,
        "lineType": _LINE,
        "offset": POINT,
    },
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def fillPoly(
    batch_axes: int,
    img: Any,
    pts: Any,
    color: Any,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
    offset: Any = (0, 0),
) -> Any:
    """Fill polygons: what an odd number of sides surrounds, and the sides.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    pts : list of int32 arrays, shape (N, 2) or (N, 1, 2), or one array (K, N, 2)
        Column and row of the corners of each polygon, also as tensors; they may lie outside. Their number may
        be unknown while tracing.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.
    offset : (int, int), default (0, 0)
        What is added to the corners, also as tensors.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the polygons. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; `pts` has another dtype or shape.
    UnsupportedArgument
        Another `lineType` or `shift`; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, wherever they lie.
    Graph: one program finds what the sides cover of each row, 32 pixels at a time; another one paints it.
    Where sizes or the number of sides are unknown, they are compiled per bucket. Static shape is kept.
    Speed: with dozens of corners slower than OpenCV in `tf.numpy_function`. It brings a graph without Python.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> corners = np.array([[0, 0], [3, 0], [0, 3]], np.int32)
    >>> cv2.fillPoly(tf.zeros([4, 4], tf.uint8), [corners], 9).numpy().tolist()
    [[9, 9, 9, 9], [9, 9, 9, 0], [9, 9, 0, 0], [9, 0, 0, 0]]
    """
    thickness_of(1, lineType, shift, USUAL_LINE, 1)
    x = images_of(img, batch_axes)
    moved = (0, 0) if offset is None else offset
    by = whole_numbers(moved, "offset", 2, batch_axes)[:, tf.newaxis]
    ends = _sides_of(_polygons(pts, batch_axes), closed=True) + tf.concat([by, by], 2)
    return pasted(img, x, covered(True, ends, *sizes(x)), color)


@replaces(
    "cv2.fillConvexPoly",
    domain={"img": IMAGE, "points": _POLYGON, "color": COLOUR, "lineType": _LINE},
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def fillConvexPoly(
    batch_axes: int, img: Any, points: Any, color: Any, lineType: Any = constants.LINE_8, shift: Any = 0
) -> Any:
    """Fill a convex polygon.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    points : int32 array, shape (N, 2) or (N, 1, 2)
        Column and row of the corners, also as a tensor; they may lie outside. Of a polygon that is not convex
        is filled what OpenCV fills.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the polygon. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; `points` has another dtype or
        shape.
    UnsupportedArgument
        Another `lineType` or `shift`; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, wherever it lies.
    Graph: a program each for the sides, for what is between them, and to paint it. Static shape is kept.
    Speed: with dozens of corners slower than OpenCV in `tf.numpy_function`.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> corners = np.array([[1, 0], [3, 2], [1, 2]], np.int32)
    >>> cv2.fillConvexPoly(tf.zeros([3, 4], tf.uint8), corners, 9).numpy().tolist()
    [[0, 9, 0, 0], [0, 9, 9, 0], [0, 9, 9, 9]]
    """
    thickness_of(1, lineType, shift, USUAL_LINE, 1)
    x = images_of(img, batch_axes)
    corners = _points(points, "points", batch_axes, 0)
    mask = covered(False, _sides_of([corners[:, tf.newaxis]], closed=True), *sizes(x))
    count = corners.shape[1]
    if count is None or count > 2:
        inside = between(corners * ONE, *sizes(x))
        mask |= inside if count else inside & (tf.shape(corners)[1] > 2)
    return pasted(img, x, mask, color)


@replaces(
    "cv2.polylines",
    domain={
        "img": IMAGE,
        "pts": _POLYGONS,
        "isClosed": Boolean(typical=True),
        "color": COLOUR,
        "thickness": OneOf(1, 0, 2, 3, 10, typical=1),
        "lineType": _LINE,
    },
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def polylines(
    batch_axes: int,
    img: Any,
    pts: Any,
    isClosed: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw lines from point to point.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    pts : list of int32 arrays, shape (N, 2) or (N, 1, 2), or one array (K, N, 2)
        Column and row of the points of each line, also as tensors; they may lie outside. Their number may be
        unknown while tracing.
    isClosed : bool
        Whether each line goes on from its last point to its first.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    thickness : int, default 1
        Up to 32767; of more than one pixel corners and ends are round.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the lines. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; `pts` has another dtype or shape;
        the thickness is negative.
    UnsupportedArgument
        Another `lineType` or `shift`; `isClosed` is a tensor; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, wherever they lie. OpenCV 5 cuts a thick line near the image first, and draws
    other pixels than OpenCV 4 then; `pipeport.config.opencv()` decides.
    Graph and speed: as of `fillPoly`; a thick line is the box around it and two discs.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> corners = np.array([[0, 0], [3, 0], [0, 3]], np.int32)
    >>> cv2.polylines(tf.zeros([4, 4], tf.uint8), [corners], False, 9).numpy().tolist()
    [[9, 9, 9, 9], [0, 0, 9, 0], [0, 9, 0, 0], [9, 0, 0, 0]]
    """
    width = thickness_of(thickness, lineType, shift, USUAL_LINE, THICKEST)
    if width < 0:
        raise OutsideDomain(explain("thickness", thickness, "0 or more", "Fill them with cv2.fillPoly."))
    x = images_of(img, batch_axes)
    ends = _sides_of(_polygons(pts, batch_axes), _checks.flag(isClosed, "isClosed"))
    if width > 1:
        return pasted(img, x, thick(ends, *sizes(x), width, config.opencv() >= 5), color)
    return pasted(img, x, covered(False, ends, *sizes(x)), color)
