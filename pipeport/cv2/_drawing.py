"""`cv2.rectangle`, `cv2.circle` and `cv2.line`."""

from __future__ import annotations

from typing import Any

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Exact, Integer, OneOf, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2._drawing_arguments import (
    COLOUR,
    EVERY_LINE,
    IMAGE,
    LINES,
    POINT,
    REFUSED,
    THICKEST,
    USUAL_LINE,
    colour_of,
    images_of,
    pasted,
    shaped_as,
    sizes,
    thickness_of,
    together,
    whole_numbers,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.opencv._drawing import clipped, rasterised
from pipeport.kernels.opencv._ellipse import corners_of, sides_of
from pipeport.kernels.opencv._polygon_runs import ONE
from pipeport.kernels.opencv._polygons import covered, thick


def _draw(img: Any, x: Any, shape: str, width: int, color: Any, numbers: Any) -> Any:
    return shaped_as(img, xla.run(rasterised, shape, width)(x, colour_of(color, x), numbers))


@replaces(
    "cv2.rectangle",
    domain={
        "img": IMAGE,
        "pt1": POINT,
        "pt2": POINT,
        "thickness": OneOf(-1, 1, 2, 3, 5, 0, typical=-1),
        "lineType": LINES,
        "color": COLOUR,
    },
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def rectangle(
    batch_axes: int,
    img: Any,
    pt1: Any,
    pt2: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a rectangle, its outline or filled.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    pt1, pt2 : (int, int)
        Column and row of two opposite corners, also as tensors; they may lie outside.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    thickness : int, default 1
        Of the outline, up to 32767; a negative one fills it. Of more than one pixel its corners are round.
    lineType : int, default LINE_8
        LINE_8 or LINE_4; LINE_AA is refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the rectangle. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels.
    UnsupportedArgument
        Another `lineType`, `shift`; coordinates are not whole numbers; rank or channels are
        unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, wherever it lies.
    Graph: one program, that compares each pixel. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.rectangle(tf.zeros([3, 4], tf.uint8), (1, 0), (2, 1), 9, -1).numpy().tolist()
    [[0, 9, 9, 0], [0, 9, 9, 0], [0, 0, 0, 0]]
    """
    width = thickness_of(thickness, lineType, shift, EVERY_LINE, THICKEST)
    x = images_of(img, batch_axes)
    points = [whole_numbers(one, name, 2, batch_axes) for name, one in (("pt1", pt1), ("pt2", pt2))]
    return _draw(img, x, "rectangle", width, color, together(points))


@replaces(
    "cv2.circle",
    domain={
        "img": IMAGE,
        "center": POINT,
        "radius": Integer(0, 60, typical=20, tensor=True),
        "thickness": OneOf(-1, 1, 2, 3, 10, 0, typical=-1),
        "lineType": OneOf(constants.LINE_8),
        "color": COLOUR,
    },
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def circle(
    batch_axes: int,
    img: Any,
    center: Any,
    radius: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a circle, its outline or filled.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    center : (int, int)
        Column and row, also as tensors; it may lie outside.
    radius : int or scalar tensor
        Not negative.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    thickness : int, default 1
        Of the outline, up to 32767; a negative one fills it. A thick circle is a polygon, as in OpenCV.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the circle. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels, or the radius is negative.
    UnsupportedArgument
        Another `lineType` or `shift`; coordinates are not whole numbers; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, or a radius negative.

    Notes
    -----
    Agreement: bit for bit, wherever it lies.
    Graph: one program, that compares each pixel; a thick outline as by `ellipse`, and as fast. Static shape
    is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.circle(tf.zeros([3, 3], tf.uint8), (1, 1), 1, 9, -1).numpy().tolist()
    [[0, 9, 0], [9, 9, 9], [0, 9, 0]]
    """
    width = thickness_of(thickness, lineType, shift, USUAL_LINE, THICKEST)
    x = images_of(img, batch_axes)
    size = whole_numbers(radius, "radius", 1, batch_axes)
    told = "radius", "a negative number", "0 or more", "Take its absolute value."
    [size] = check(lambda one: tf.reduce_all(one >= 0), *told, size)
    middle = whole_numbers(center, "center", 2, batch_axes)
    if width > 1:
        numbers = together([middle, size, size])
        none = tf.zeros_like(numbers[:, 0])
        corners = corners_of(numbers[:, :2] * ONE, numbers[:, 2:] * ONE, none, none, none + 360)
        return pasted(img, x, covered(False, sides_of(corners), *sizes(x), width), color)
    numbers = together([middle, size])
    return _draw(img, x, "circle", width, color, numbers)


@replaces(
    "cv2.line",
    domain={
        "img": IMAGE,
        "pt1": POINT,
        "pt2": POINT,
        "thickness": OneOf(1, 2, 3, 10, typical=1),
        "lineType": OneOf(constants.LINE_8),
        "color": COLOUR,
    },
    agreement=Exact(),
    refused=REFUSED,
)
@batchable
def line(
    batch_axes: int,
    img: Any,
    pt1: Any,
    pt2: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a line.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    pt1, pt2 : (int, int)
        Column and row of both ends, also as tensors; they may lie outside.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    thickness : int, default 1
        Up to 32767; of more than one pixel its ends are round.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the line. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels, or the thickness is not positive.
    UnsupportedArgument
        Another `lineType` or `shift`; coordinates are not whole numbers; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, wherever it lies.
    Graph: one program, that compares each pixel; a thick line as by `polylines`, also for what differs
    between OpenCV 4 and 5. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.line(tf.zeros([2, 4], tf.uint8), (0, 0), (3, 1), 9).numpy().tolist()
    [[9, 9, 0, 0], [0, 0, 9, 9]]
    """
    width = thickness_of(thickness, lineType, shift, USUAL_LINE, THICKEST)
    if width < 1:  # none is an error of OpenCV 4
        raise OutsideDomain(explain("thickness", thickness, "1 or more", "A line is not filled."))
    x = images_of(img, batch_axes)
    points = [whole_numbers(one, name, 2, batch_axes) for name, one in (("pt1", pt1), ("pt2", pt2))]
    ends = together(points)
    if width > 1:
        return pasted(img, x, thick(ends[:, tf.newaxis], *sizes(x), width, config.opencv() >= 5), color)
    return _draw(img, x, "line", 1, color, clipped(ends, *sizes(x)))
