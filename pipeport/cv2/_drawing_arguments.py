"""What OpenCV's drawing functions take: images, colours, points and the style of lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Image, Integer, OneOf, PerAxis
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.opencv._correlate import saturated
from pipeport.kernels.opencv._drawing import painted

EVERY_LINE = {constants.LINE_8: "LINE_8", constants.LINE_4: "LINE_4"}
USUAL_LINE = {constants.LINE_8: "LINE_8"}
THICKEST = 32767
_MOST_CHANNELS = 4
POINT = PerAxis(spec=Integer(-20, 90, tensor=True), count=2, single=False)
IMAGE = Image(dtypes=ops.DTYPES, channels=ops.CHANNELS)
COLOUR = OneOf((255, 0, 0), 7, (1.5, 2.5, 3.5, 300), (-9,), typical=(255, 0, 0))
LINES = OneOf(constants.LINE_8, constants.LINE_4)
REFUSED = {"shift": "coordinates are whole numbers"}


def whole_numbers(value: Any, parameter: str, count: int, batch_axes: int) -> Any:
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


def colour_of(color: Any, x: Any) -> Any:
    """Return a colour as (1, C), in the dtype of the image: a number counts for the first channel."""
    tensor = as_tensor(color, "color")
    count = {0: 1, 1: tensor.shape[0] if tensor.shape.rank == 1 else None}.get(tensor.shape.rank)
    if tensor.dtype.is_complex or count is None or not 1 <= count <= 4:
        given = f"{tensor.dtype.name} of shape {tensor.shape}"
        advice = "Give a number for each channel."
        raise UnsupportedArgument(explain("color", given, "a number, or a tuple of up to four", advice))
    numbers = tf.reshape(tf.cast(tensor, tf.float64), [1, count])
    return saturated(tf.pad(numbers, [[0, 0], [0, 4 - count]])[:, : x.shape[3]], x.dtype)


def thickness_of(thickness: Any, line: Any, shift: Any, lines: Mapping[int, str], most: int) -> int:
    """Return the thickness, if it is served with such a line."""
    kind = _images.whole_number(line, "lineType", default=constants.LINE_8)
    if kind not in lines:
        advice = "Lines are not smoothed: draw on a larger image, and shrink it."
        raise UnsupportedArgument(explain("lineType", repr(line), " or ".join(lines.values()), advice))
    if _images.whole_number(shift, "shift") != 0:
        advice = "Give whole pixels."
        raise UnsupportedArgument(explain("shift", repr(shift), "0", advice))
    width = _images.whole_number(thickness, "thickness", default=1)
    if width > THICKEST:
        raise OutsideDomain(explain("thickness", width, f"up to {THICKEST}", "Fill it with -1."))
    if width > most:
        advice = "Draw it filled, or several of them side by side."
        raise UnsupportedArgument(explain("thickness", width, f"up to {most}", advice))
    return max(width, -1)


def images_of(img: Any, batch_axes: int) -> Any:
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


def together(numbers: list[Any]) -> Any:
    """Return numbers (b, n) side by side, for each image of a batch if any of them differ by image."""
    several = [tf.shape(one)[0] for one in numbers]
    most = tf.reduce_max(tf.stack(several))
    if all(one.shape[0] == numbers[0].shape[0] and one.shape[0] is not None for one in numbers):
        return tf.concat(numbers, 1)
    return tf.concat([tf.broadcast_to(one, tf.stack([most, one.shape[1]])) for one in numbers], 1)


def sizes(x: Any) -> tuple[Any, Any]:
    """Return height and width of images, Python numbers where tracing knows them."""
    height, width = (x.shape[axis] or tf.shape(x)[axis] for axis in (1, 2))
    return height, width


def shaped_as(img: Any, found: Any) -> Any:
    """Return images (B, H, W, C) in the shape of what was given, also that of one channel."""
    like = as_tensor(img, "img")
    return tf.ensure_shape(tf.reshape(found, tf.shape(like)), like.shape)


def pasted(img: Any, x: Any, mask: Any, color: Any) -> Any:
    """Return images with a colour where a mask is.

    `img`: what was given; its shape is kept, also that of one channel. `x`: the same as (B, H, W, C). `mask`:
    shape (B, H, W) or (1, H, W), bool. Returns: of the shape and dtype of `img`.
    """
    many = mask if x.shape.is_fully_defined() else tf.broadcast_to(mask, tf.shape(x)[:3])
    in_buckets = xla.in_buckets(painted, images=2)
    found = xla.run(painted, in_buckets=in_buckets)(x, many[..., tf.newaxis], colour_of(color, x))
    return shaped_as(img, found)
