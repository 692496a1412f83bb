"""`cv2.rectangle`, `cv2.circle` and `cv2.line`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, Integer, OneOf, PerAxis, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.opencv._correlate import saturated
from pipeport.kernels.opencv._drawing import clipped, drawn

_THICKEST = 32767
_MOST_CHANNELS = 4
_POINT = PerAxis(spec=Integer(-20, 90, tensor=True), count=2, single=False)
_IMAGE = Image(dtypes=ops.DTYPES, channels=ops.CHANNELS)
_COLOUR = OneOf((255, 0, 0), 7, (1.5, 2.5, 3.5, 300), (-9,), typical=(255, 0, 0))
_LINES = OneOf(constants.LINE_8, constants.LINE_4)
_REFUSED = {"shift": "coordinates are whole numbers"}


def _whole(value: Any, parameter: str, count: int, batch_axes: int) -> Any:
    """Return `count` whole numbers, (b, count) of int64."""
    tensor = as_tensor(value, parameter)
    rank = 1 if count > 1 else 0
    several = bool(batch_axes) and tensor.shape.rank == rank + 1
    fits = tensor.shape.rank == rank + several and (not rank or tensor.shape[-1] == count)
    if not fits or not tensor.dtype.is_integer:
        given = f"{tensor.dtype.name} of shape {tensor.shape}"
        what = f"{count} whole numbers" if rank else "a whole number"
        advice = "Round with int(...); of a rectangle give two corners."
        raise UnsupportedArgument(explain(parameter, given, what, advice))
    return tf.cast(tf.reshape(tensor, [-1, count]), tf.int64)


def _colour_of(color: Any, x: Any) -> Any:
    """Return a colour as (1, C), in the dtype of the image: a number counts for the first channel."""
    tensor = as_tensor(color, "color")
    count = {0: 1, 1: tensor.shape[0] if tensor.shape.rank == 1 else None}.get(tensor.shape.rank)
    if tensor.dtype.is_complex or count is None or not 1 <= count <= 4:
        given = f"{tensor.dtype.name} of shape {tensor.shape}"
        advice = "Give a number for each channel."
        raise UnsupportedArgument(explain("color", given, "a number, or a tuple of up to four", advice))
    numbers = tf.reshape(tf.cast(tensor, tf.float64), [1, count])
    return saturated(tf.pad(numbers, [[0, 0], [0, 4 - count]])[:, : x.shape[3]], x.dtype)


def _refuse(thickness: Any, line: Any, shift: Any, lines: Mapping[int, str], most: int) -> int:
    """Return the thickness, if it is served with such a line."""
    kind = _images.whole_number(line, "lineType", default=constants.LINE_8)
    if kind not in lines:
        advice = "Lines are not smoothed: draw on a larger image, and shrink it."
        raise UnsupportedArgument(explain("lineType", repr(line), " or ".join(lines.values()), advice))
    if _images.whole_number(shift, "shift") != 0:
        advice = "Give whole pixels."
        raise UnsupportedArgument(explain("shift", repr(shift), "0", advice))
    width = _images.whole_number(thickness, "thickness", default=1)
    if width > _THICKEST:
        raise OutsideDomain(explain("thickness", width, f"up to {_THICKEST}", "Fill it with -1."))
    if width > most:
        advice = "Draw it filled, or several of them side by side."
        raise UnsupportedArgument(explain("thickness", width, f"up to {most}", advice))
    return max(width, -1)


def _images_of(img: Any, batch_axes: int) -> Any:
    """Return images (B, H, W, C) of up to four channels."""
    given = as_tensor(img, "img").dtype.name
    if given in _images.WIDE:
        advice = "Cast it first with tf.cast."
        raise OutsideDomain(explain("img", f"dtype {given}", ", ".join(ops.DTYPES), advice))
    x = ops.image_of(img, batch_axes, "img")
    if x.shape[3] > _MOST_CHANNELS:
        allowed = f"1 to {_MOST_CHANNELS}"
        raise OutsideDomain(explain("img", f"{x.shape[3]} channels", allowed, "Draw on some of them."))
    return x


def _draw(img: Any, x: Any, shape: str, width: int, color: Any, numbers: Any) -> Any:
    found = xla.run(drawn, shape, width)(x, _colour_of(color, x), numbers)
    like = as_tensor(img, "img")  # its shape is kept, also that of one channel
    return tf.ensure_shape(tf.reshape(found, tf.shape(like)), like.shape)


_EVERY_LINE = {constants.LINE_8: "LINE_8", constants.LINE_4: "LINE_4"}
_USUAL_LINE = {constants.LINE_8: "LINE_8"}


def _rectangle(
    img: Any, pt1: Any, pt2: Any, color: Any, thickness: Any, line: Any, shift: Any, batch_axes: int
) -> Any:
    width = _refuse(thickness, line, shift, _EVERY_LINE, _THICKEST)
    x = _images_of(img, batch_axes)
    points = [_whole(one, name, 2, batch_axes) for name, one in (("pt1", pt1), ("pt2", pt2))]
    return _draw(img, x, "rectangle", width, color, _together(points))


def _circle(
    img: Any, center: Any, radius: Any, color: Any, thickness: Any, line: Any, shift: Any, batch_axes: int
) -> Any:
    width = _refuse(thickness, line, shift, _USUAL_LINE, 1)
    x = _images_of(img, batch_axes)
    size = _whole(radius, "radius", 1, batch_axes)
    text = explain("radius", "a negative number", "0 or more", "Take its absolute value.")
    known = tf.get_static_value(size)
    if known is not None and (known < 0).any():
        raise OutsideDomain(text)
    if known is None:
        with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(size >= 0), [text])]):
            size = tf.identity(size)
    numbers = _together([_whole(center, "center", 2, batch_axes), size])
    return _draw(img, x, "circle", width, color, numbers)


def _line(
    img: Any, pt1: Any, pt2: Any, color: Any, thickness: Any, line: Any, shift: Any, batch_axes: int
) -> Any:
    width = _refuse(thickness, line, shift, _USUAL_LINE, 1)
    if width < 1:  # none is an error of OpenCV 4
        raise OutsideDomain(explain("thickness", thickness, "1", "A line is not filled."))
    x = _images_of(img, batch_axes)
    points = [_whole(one, name, 2, batch_axes) for name, one in (("pt1", pt1), ("pt2", pt2))]
    height, across = (x.shape[axis] or tf.shape(x)[axis] for axis in (1, 2))
    return _draw(img, x, "line", 1, color, clipped(_together(points), height, across))


def _together(numbers: list[Any]) -> Any:
    """Return numbers (b, n) side by side, for each image of a batch if any of them differ by image."""
    several = [tf.shape(one)[0] for one in numbers]
    most = tf.reduce_max(tf.stack(several))
    if all(one.shape[0] == numbers[0].shape[0] and one.shape[0] is not None for one in numbers):
        return tf.concat(numbers, 1)
    return tf.concat([tf.broadcast_to(one, tf.stack([most, one.shape[1]])) for one in numbers], 1)


@replaces(
    "cv2.rectangle",
    implementation=_rectangle,
    domain={
        "img": _IMAGE,
        "pt1": _POINT,
        "pt2": _POINT,
        "thickness": OneOf(-1, 1, 2, 3, 5, 0, typical=-1),
        "lineType": _LINES,
        "color": _COLOUR,
    },
    agreement=Exact(),
    proven_against=">=4.11,<6",
    parameters="(img, pt1, pt2, color, thickness=1, lineType=8, shift=0)",
    refused=_REFUSED,
)
def rectangle(
    img: Any,
    pt1: Any,
    pt2: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a rectangle, its outline or filled.

    Native equivalent of `cv2.rectangle`.

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
        Another `lineType`, `shift`; coordinates are no whole numbers; rank or channels are
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
    return _rectangle(img, pt1, pt2, color, thickness, lineType, shift, 0)


@replaces(
    "cv2.circle",
    implementation=_circle,
    domain={
        "img": _IMAGE,
        "center": _POINT,
        "radius": Integer(0, 60, typical=20, tensor=True),
        "thickness": OneOf(-1, 1, typical=-1),
        "lineType": OneOf(constants.LINE_8),
        "color": _COLOUR,
    },
    agreement=Exact(),
    proven_against=">=4.11,<6",
    parameters="(img, center, radius, color, thickness=1, lineType=8, shift=0)",
    refused=_REFUSED,
)
def circle(
    img: Any,
    center: Any,
    radius: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a circle, its outline of one pixel or filled.

    Native equivalent of `cv2.circle`.

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
        A negative one fills it; more than 1 is refused.
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
        Another `lineType`, `shift` or a `thickness` of more than one; coordinates are no whole numbers; rank
        or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, or a radius negative.

    Notes
    -----
    Agreement: bit for bit, wherever it lies.
    Graph: one program, that compares each pixel. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.circle(tf.zeros([3, 3], tf.uint8), (1, 1), 1, 9, -1).numpy().tolist()
    [[0, 9, 0], [9, 9, 9], [0, 9, 0]]
    """
    return _circle(img, center, radius, color, thickness, lineType, shift, 0)


@replaces(
    "cv2.line",
    implementation=_line,
    domain={
        "img": _IMAGE,
        "pt1": _POINT,
        "pt2": _POINT,
        "thickness": OneOf(1),
        "lineType": OneOf(constants.LINE_8),
        "color": _COLOUR,
    },
    agreement=Exact(),
    proven_against=">=4.11,<6",
    parameters="(img, pt1, pt2, color, thickness=1, lineType=8, shift=0)",
    refused=_REFUSED,
)
def line(
    img: Any,
    pt1: Any,
    pt2: Any,
    color: Any,
    thickness: Any = 1,
    lineType: Any = constants.LINE_8,
    shift: Any = 0,
) -> Any:
    """Draw a line of one pixel.

    Native equivalent of `cv2.line`.

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
        More than 1 is refused.
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
        Another `lineType`, `shift` or a `thickness` of more than one; coordinates are no whole numbers; rank
        or channels are unknown while tracing.
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
    >>> cv2.line(tf.zeros([2, 4], tf.uint8), (0, 0), (3, 1), 9).numpy().tolist()
    [[9, 9, 0, 0], [0, 0, 9, 9]]
    """
    return _line(img, pt1, pt2, color, thickness, lineType, shift, 0)
