"""`cv2.ellipse`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Degrees, Exact, Integer, OneOf, PerAxis, batchable, replaces
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
    together,
    whole_numbers,
)
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.inputs.arrays import as_tensor, static_value
from pipeport.kernels.opencv._ellipse import corners_of, sides_of
from pipeport.kernels.opencv._polygon_runs import ONE, whole
from pipeport.kernels.opencv._polygons import between, covered

_TURN = 360


def _degrees(value: Any, parameter: str, batch_axes: int) -> Any:
    """Return whole degrees (b, 1) of int64."""
    tensor = as_tensor(value, parameter)
    if tensor.shape.rank not in (0, batch_axes) or tensor.dtype.is_complex or tensor.dtype == tf.bool:
        given = f"{tensor.dtype.name} of shape {tensor.shape}"
        raise UnsupportedArgument(explain(parameter, given, "a number", "Take one element of it."))
    told = parameter, "a number that is not finite", "degrees", "Divide by no zero."
    [angle] = check(lambda one: tf.reduce_all(tf.math.is_finite(one)), *told, tf.cast(tensor, tf.float64))
    return tf.cast(tf.round(tf.reshape(angle, [-1, 1])), tf.int64)


def _turns(start: Any, end: Any) -> bool:
    """Say whether an arc is known to be a whole turn."""
    known = [static_value(one, name) for one, name in ((start, "startAngle"), (end, "endAngle"))]
    if any(tf.is_tensor(one) or np.ndim(one) for one in known):
        return False
    return bool(np.round(known[1]) - np.round(known[0]) >= _TURN)


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether an ellipse that is filled is whole."""
    return bool(
        arguments["thickness"] >= 0 or round(arguments["endAngle"]) - round(arguments["startAngle"]) >= _TURN
    )


@replaces(
    "cv2.ellipse",
    domain={
        "img": IMAGE,
        "center": POINT,
        "axes": PerAxis(spec=Integer(0, 90, tensor=True), count=2, single=False, typical=(60, 30)),
        "angle": Degrees(-720.0, 720.0, tensor=True, typical=30.0),
        "startAngle": OneOf(0, 30, -45.5, 400, typical=0),
        "endAngle": OneOf(360, 90.5, 200, -10, 1000, typical=360),
        "color": COLOUR,
        "thickness": OneOf(-1, 1, 2, 3, 10, 0, typical=-1),
        "lineType": OneOf(constants.LINE_8),
    },
    agreement=Exact(),
    refused=REFUSED,
    valid=_fits,
)
@batchable
def ellipse(
    batch_axes: int,
    img: Any,
    center: Any,
    axes: Any,
    angle: Any,
    startAngle: Any,
    endAngle: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw an ellipse or an arc of one, its outline, or an ellipse filled.

    Parameters
    ----------
    img : tf.Tensor, shape (H, W) or (H, W, C)
        The image, of one to four channels: uint8, int8, uint16, int16, int32, float32 or float64. H and W may
        be unknown while tracing.
    center : (int, int)
        Column and row, also as tensors; it may lie outside.
    axes : (int, int)
        Half of width and height, not negative, also as tensors.
    angle : float or scalar tensor
        Degrees by which it is turned, rounded to whole ones.
    startAngle, endAngle : float or scalar tensor
        Degrees from which and to which it is drawn, rounded to whole ones; a whole ellipse is 0 to 360.
    color : float, or tuple of up to four
        A number for each channel, rounded for an image of whole numbers; those that are left out are 0.
    thickness : int, default 1
        Of the outline, up to 32767; a negative one fills it, if `endAngle` is known to be 360 or more above
        `startAngle`.
    lineType : int, default LINE_8
        LINE_8; others are refused.
    shift : int, default 0
        Another is refused: coordinates are whole pixels.

    Returns
    -------
    tf.Tensor, shape and dtype of `img`
        The image with the ellipse. `img` stays as it is; `pipeport.port` writes to it, as OpenCV does.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; an axis is negative; an
        angle is not finite.
    UnsupportedArgument
        Another `lineType` or `shift`; a part of an ellipse is to be filled; coordinates are not whole
        numbers; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, an axis negative, or an angle not finite.

    Notes
    -----
    Agreement: bit for bit, wherever it lies. It is a polygon of up to 72 sides, as in OpenCV. The other form,
    of a rotated rectangle, is refused.
    Graph: as of `polylines`. Static shape is kept.
    Speed: an outline of one pixel as fast as OpenCV in `tf.numpy_function`; filled half, and thick a third as
    fast.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.ellipse(tf.zeros([3, 5], tf.uint8), (2, 1), (2, 1), 0, 0, 360, 9, -1).numpy().tolist()
    [[0, 0, 9, 9, 0], [9, 9, 9, 9, 9], [0, 0, 9, 9, 0]]
    """
    width = thickness_of(thickness, lineType, shift, USUAL_LINE, THICKEST)
    x = images_of(img, batch_axes)
    if width < 0 and not _turns(startAngle, endAngle):
        given, allowed = "a negative number for an arc", "0 or more, or an arc of 360 degrees"
        raise UnsupportedArgument(explain("thickness", given, allowed, "Fill its corners with cv2.fillPoly."))
    half = whole_numbers(axes, "axes", 2, batch_axes)
    told = "axes", "a negative number", "0 or more", "Take its absolute value."
    [half] = check(lambda one: tf.reduce_all(one >= 0), *told, half)
    degrees = {"angle": angle, "startAngle": startAngle, "endAngle": endAngle}
    angles = [_degrees(one, name, batch_axes) for name, one in degrees.items()]
    numbers = together([whole_numbers(center, "center", 2, batch_axes), half, *angles])
    corners = corners_of(numbers[:, :2] * ONE, numbers[:, 2:4] * ONE, *tf.unstack(numbers[:, 4:], axis=1))
    sides = sides_of(corners)
    if width < 0:
        mask = between(corners, *sizes(x)) | covered(False, sides, *sizes(x), 1)
    elif width > 1:
        mask = covered(False, sides, *sizes(x), width)
    elif config.opencv() >= 5:
        mask = covered(False, whole(sides), *sizes(x))
    else:
        mask = covered(False, sides, *sizes(x), 1)
    return pasted(img, x, mask, color)
