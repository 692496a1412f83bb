"""`cv2.copyMakeBorder`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, Integer, OneOf, batchable, replaces
from pipeport.cv2 import _images
from pipeport.cv2._constants import (
    BORDER_CONSTANT,
    BORDER_ISOLATED,
    BORDER_REFLECT,
    BORDER_REFLECT_101,
    BORDER_REPLICATE,
    BORDER_WRAP,
)
from pipeport.cv2._sizes import one_size
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import holds_tensor, static_value
from pipeport.kernels.layout._padded import padded

_NAMES = {
    BORDER_CONSTANT: "BORDER_CONSTANT",
    BORDER_REPLICATE: "BORDER_REPLICATE",
    BORDER_REFLECT: "BORDER_REFLECT",
    BORDER_WRAP: "BORDER_WRAP",
    BORDER_REFLECT_101: "BORDER_REFLECT_101",
}
_LIMIT = 2**31


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in np.shape(arguments["src"])


def _source(kind: int, i: Any, size: Any) -> Any:
    """Return the pixel that stands at position i of the extended axis."""
    if kind == BORDER_REPLICATE:
        return tf.clip_by_value(i, 0, size - 1)
    if kind == BORDER_WRAP:
        return tf.math.floormod(i, size)
    turn = size if kind == BORDER_REFLECT else size - 1
    period = tf.maximum(2 * turn, 1)
    i = tf.math.floormod(i, period)
    return tf.minimum(i, period - i - (1 if kind == BORDER_REFLECT else 0))


def _nothing(*widths: Any) -> bool:
    """Say whether there is nothing to add, as far as tracing knows."""
    return not any(tf.is_tensor(width) or width for width in widths)


def _extended(x: Any, axis: int, before: Any, after: Any, kind: int) -> Any:
    if _nothing(before, after):
        return x
    size = x.shape[axis]
    size = tf.shape(x)[axis] if size is None else size
    # Only the border is gathered; the middle is copied whole by the concatenation.
    parts = [x]
    if not _nothing(before):
        parts.insert(0, tf.gather(x, _source(kind, tf.range(-before, 0), size), axis=axis))
    if not _nothing(after):
        parts.append(tf.gather(x, _source(kind, tf.range(size, size + after), size), axis=axis))
    return tf.concat(parts, axis)


def _as_pixel(number: float, dtype: Any) -> Any:
    """Return a border value in the image's dtype: rounded to even, saturated."""
    if dtype.is_bool:
        return number != 0
    if dtype.is_floating:
        with np.errstate(over="ignore"):
            return dtype.as_numpy_dtype(number)
    whole = round(number) if math.isfinite(number) else -_LIMIT
    if dtype == tf.uint32 and math.isfinite(number):
        whole = math.floor(number + 0.5)  # this dtype alone rounds halves up
    if dtype != tf.uint32 and not -_LIMIT <= whole < _LIMIT:
        whole = -_LIMIT  # what the processor gives for an integer out of range
    if dtype == tf.uint32 and whole >= 2 * _LIMIT:
        advice = "Give a value the image's dtype holds."
        raise OutsideDomain(explain("value", number, "below 2**32", advice))
    limits = np.iinfo(dtype.as_numpy_dtype)
    return min(max(whole, int(limits.min)), int(limits.max))


def _four(value: Any) -> tuple[float, ...]:
    """Return the four numbers of OpenCV's Scalar."""
    if value is None:
        return (0.0,) * 4
    if holds_tensor(value):
        value = static_value(value, "value")
        if tf.is_tensor(value):
            advice = "Give numbers: the fill is part of the graph."
            raise UnsupportedArgument(explain("value", "a tensor unknown while tracing", "numbers", advice))
        value = value.tolist()
    entries = [value] if isinstance(value, (int, float)) else value
    sequence = isinstance(entries, (list, tuple, np.ndarray)) and np.ndim(entries) == 1
    if not sequence or len(entries) > 4 or not all(isinstance(one, (int, float)) for one in entries):
        advice = "A single number fills the first channel alone, as in OpenCV."
        raise UnsupportedArgument(
            explain("value", repr(value), "None, a Python number, or up to four of them", advice)
        )
    return tuple(float(entries[i]) if i < len(entries) else 0.0 for i in range(4))


def _filled(x: Any, sides: tuple[Any, Any, Any, Any], value: Any) -> Any:
    top, bottom, left, right = sides
    channels = x.shape[3]
    numbers = _four(value)
    if channels > 4 and len(set(numbers)) > 1:
        advice = "Give four equal numbers, or pad groups of channels."
        raise OutsideDomain(
            explain("value", numbers, f"one value for an image of {channels} channels", advice)
        )
    fills = [_as_pixel(numbers[min(c, 3)], x.dtype) for c in range(channels)]
    widths = [[0, 0], [top, bottom], [left, right], [0, 0]]
    if len({np.asarray(fill).tobytes() for fill in fills}) == 1:
        return padded(x, widths, tf.constant(fills[0], x.dtype))
    fill = tf.constant(fills, x.dtype)
    shape = tf.shape(x)
    batch, height, width = shape[0], shape[1], shape[2]

    def block(rows: Any, columns: Any) -> Any:
        return tf.broadcast_to(fill, tf.stack([batch, rows, columns, channels]))

    middle = x
    if not _nothing(left, right):
        middle = tf.concat([block(height, left), x, block(height, right)], 2)
    return tf.concat([block(top, width + left + right), middle, block(bottom, width + left + right)], 1)


def _width(value: Any, name: str) -> Any:
    """Return a number of rows or columns: an integer, or a scalar int32 tensor that is checked."""
    advice = "To cut an image, slice it."
    given = static_value(value, name)
    if tf.is_tensor(given):
        if not (given.dtype.is_integer and given.shape.is_compatible_with([])):
            shown = f"a tensor of {given.dtype.name} {given.shape}"
            raise UnsupportedArgument(explain(name, shown, "an integer", "Cast it to int32."))
        given = tf.cast(tf.ensure_shape(given, []), tf.int32)
        message = explain(name, "a negative width", "zero or more", advice)
        with tf.control_dependencies([tf.debugging.assert_non_negative(given, message)]):
            return tf.identity(given)
    width = _images.whole_number(value, name)
    if width < 0:
        raise OutsideDomain(explain(name, width, "zero or more", advice))
    return width


def _border(sides: tuple[Any, ...], kind: Any) -> tuple[tuple[Any, Any, Any, Any], int]:
    names = ("top", "bottom", "left", "right")
    widths = [_width(side, name) for name, side in zip(names, sides, strict=True)]
    rule = _images.whole_number(kind, "borderType") & ~BORDER_ISOLATED
    if rule not in _NAMES:
        names_of = ", ".join(f"{name} ({code})" for code, name in _NAMES.items())
        advice = "BORDER_TRANSPARENT needs a destination array; BORDER_ISOLATED may be added."
        raise UnsupportedArgument(explain("borderType", kind, names_of, advice))
    top, bottom, left, right = widths
    return (top, bottom, left, right), rule


@replaces(
    "cv2.copyMakeBorder",
    domain={
        "src": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4, 5)),
        "top": Integer(0, 9, tensor=True, typical=16),
        "bottom": Integer(0, 9, tensor=True, typical=16),
        "left": Integer(0, 9, tensor=True, typical=16),
        "right": Integer(0, 9, tensor=True, typical=16),
        "borderType": OneOf(*_NAMES, *(kind + BORDER_ISOLATED for kind in _NAMES), -1, 5, typical=4),
        "value": OneOf(None, 0, 7, 2.5, 3.5, -1.5, 300, (1, 2, 3), (1, 2, 3, 4), (7, 7, 7, 7), [9.5, 0]),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    cannot_serve=one_size(
        {
            "src": np.zeros((2, 3, 4), np.uint8),
            "top": [1, 2],
            "bottom": 0,
            "left": 0,
            "right": 0,
            "borderType": BORDER_CONSTANT,
        },
        "top",
        "bottom",
        "left",
        "right",
    ),
    valid=lambda arguments: np.asarray(arguments["src"]).dtype.name in _images.served_dtypes(),
    differences=(
        Difference(
            "An empty image is refused; OpenCV fills the border around nothing, or never returns.",
            witness=lambda: {
                "src": np.zeros((0, 3), np.uint8),
                "top": 1,
                "bottom": 1,
                "left": 0,
                "right": 0,
                "borderType": BORDER_CONSTANT,
            },
            applies=_empty,
        ),
    ),
)
@batchable
def copyMakeBorder(
    batch_axes: int,
    src: Any,
    top: Any,
    bottom: Any,
    left: Any,
    right: Any,
    borderType: Any,
    dst: Any = None,
    value: Any = None,
) -> Any:
    """Surround an image with a border.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. int64 is cast to int32, as in OpenCV.
    top, bottom, left, right : int or scalar integer tensor
        Rows and columns to add, 0 or more; a border may be wider than the image.
    borderType : int
        BORDER_CONSTANT (0), BORDER_REPLICATE (1), BORDER_REFLECT (2, with the edge pixel),
        BORDER_WRAP (3), BORDER_REFLECT_101 or BORDER_DEFAULT (4, without it). BORDER_ISOLATED
        (16) may be added and changes nothing: a tensor has no surroundings.
    value : number or up to four of them, optional
        Fill of BORDER_CONSTANT, one number per channel, missing ones 0: **a single number fills
        the first channel alone**. Rounded to even and saturated for integer images. Images of
        more than four channels take four equal numbers only.

    Returns
    -------
    tf.Tensor, shape (H + top + bottom, W + left + right) or with C, dtype of `src`
        The larger image; without the axis of a single channel.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank, a dtype OpenCV does not have, or more than 128 channels;
        a width is negative; different fills for more than four channels.
    UnsupportedArgument
        A width or `borderType` is not an integer, the border type is another (BORDER_TRANSPARENT
        included), `value` is not a number, `dst` is given, or rank or channels are unknown.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, or a width that is a tensor negative.

    Notes
    -----
    Agreement: bit for bit, NaN included. With `pipeport.config.opencv()` 4, bool and uint32 images
    are refused, as there, and up to 512 channels are taken.
    Graph: no Python at run time; static sizes are kept where the widths are numbers.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> image = tf.constant([[1, 2, 3]])
    >>> cv2.copyMakeBorder(image, 0, 0, 2, 2, cv2.BORDER_REFLECT_101).numpy().tolist()
    [[3, 2, 1, 2, 3, 2, 1]]
    """
    _images.refuse_dst(dst)
    (top, bottom, left, right), rule = _border((top, bottom, left, right), borderType)
    x = _images.as_images(src, batch_axes)
    static = [
        None if size is None or tf.is_tensor(before) or tf.is_tensor(after) else size + before + after
        for size, before, after in zip(x.shape[1:3], (top, left), (bottom, right), strict=True)
    ]
    if rule == BORDER_CONSTANT:
        result = _filled(x, (top, bottom, left, right), value)
    else:
        _four(value)
        result = _extended(_extended(x, 1, top, bottom, rule), 2, left, right, rule)
    result = tf.ensure_shape(tf.identity(result), [x.shape[0], *static, x.shape[3]])
    return _images.as_result(result, batch_axes)
