"""`cv2.cvtColor`: channels turned round, added and dropped, and grey levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Within, batch_form, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.layout._channel_order import before_turning, turned

_DTYPES = ("uint8", "uint16", "float32")
_COLOURS = (1, 3, 4)
# Parts of 2**15: red, green, blue. The sum of products of 16 bits just fits into an int32.
_BITS, _WHOLE = 15, (9798, 19235, 3735)
_FLOATING = (0.299, 0.587, 0.114)


class _Code(NamedTuple):
    """What a code gives and takes: how many channels, whether they are turned round, of how many."""

    channels: int
    turns: bool
    takes: tuple[int, ...]


# One number has several names: OpenCV does not ask which colour is first where it only turns them.
_CODES = {
    constants.COLOR_BGR2BGRA: _Code(4, False, _COLOURS),
    constants.COLOR_BGRA2BGR: _Code(3, False, _COLOURS),
    constants.COLOR_BGR2RGBA: _Code(4, True, _COLOURS),
    constants.COLOR_RGBA2BGR: _Code(3, True, _COLOURS),
    constants.COLOR_BGR2RGB: _Code(3, True, _COLOURS),
    constants.COLOR_BGRA2RGBA: _Code(4, True, _COLOURS),
    constants.COLOR_BGR2GRAY: _Code(1, False, (3, 4)),
    constants.COLOR_RGB2GRAY: _Code(1, True, (3, 4)),
    constants.COLOR_GRAY2BGR: _Code(3, False, (1,)),
    constants.COLOR_GRAY2BGRA: _Code(4, False, (1,)),
    constants.COLOR_BGRA2GRAY: _Code(1, False, (3, 4)),
    constants.COLOR_RGBA2GRAY: _Code(1, True, (3, 4)),
}
_NAMES = "BGR, RGB, BGRA and RGBA into each other, into GRAY, and GRAY into them"


def _code_of(code: Any) -> _Code:
    number = _images.whole_number(code, "code", default=-1)
    if number not in _CODES:
        advice = "Name it as cv2.COLOR_BGR2RGB; other colour spaces have no native equivalent."
        raise UnsupportedArgument(explain("code", repr(code), _NAMES, advice))
    return _CODES[number]


def _convert(src: Any, code: Any, dst: Any, channels: Any, hint: Any, lead: int) -> Any:
    _images.refuse_dst(dst)
    wanted = _code_of(code)
    count = _images.whole_number(channels, "dstCn")
    if count not in (0, wanted.channels):
        advice = "Leave it out: the code says how many."
        raise UnsupportedArgument(explain("dstCn", count, f"0 or {wanted.channels}", advice))
    if _images.whole_number(hint, "hint") != constants.ALGO_HINT_DEFAULT:
        advice = "Leave it out: whole numbers are the same by every algorithm."
        raise UnsupportedArgument(explain("hint", repr(hint), "ALGO_HINT_DEFAULT", advice))
    x = _images.as_images(src, lead)
    if x.dtype.name not in _DTYPES:
        advice = "Cast it first with tf.cast."
        raise OutsideDomain(explain("src", f"dtype {x.dtype.name}", ", ".join(_DTYPES), advice))
    if x.shape[3] not in wanted.takes:
        allowed = " or ".join(map(str, wanted.takes))
        advice = "Choose the code by the channels that are there."
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", allowed, advice))
    turns_only = wanted.turns and wanted.channels == x.shape[3] == 3
    if turns_only and not lead and (again := before_turning(src)) is not None:
        return again  # what `imread` turned round itself
    return _images.as_result(_converted(x, wanted), lead)


def _converted(x: Any, wanted: _Code) -> Any:
    """Return images (B, H, W, C) as a code has them."""
    if wanted.channels == x.shape[3] == 3:
        return turned(x) if wanted.turns else tf.identity(x)
    build = _levels if wanted.channels == 1 else _arranged
    return xla.run(build, wanted)(x)


def _arranged(wanted: _Code) -> Callable[[Any], Any]:
    def arranged(x: Any) -> Any:
        alpha = x[..., 3:]
        colours = tf.concat([x, x, x], 3) if x.shape[3] == 1 else x[..., :3]
        if wanted.turns and x.shape[3] > 1:
            colours = tf.reverse(colours, [3])
        if wanted.channels == 3:
            return colours
        if x.shape[3] == 4:
            return tf.concat([colours, alpha], 3)
        full = 1 if x.dtype.is_floating else x.dtype.max
        return tf.pad(colours, [[0, 0]] * 3 + [[0, 1]], constant_values=tf.constant(full, x.dtype))

    return arranged


def _levels(wanted: _Code) -> Callable[[Any], Any]:
    order = (0, 1, 2) if wanted.turns else (2, 1, 0)

    def levels(x: Any) -> Any:
        red, green, blue = (x[..., place : place + 1] for place in order)
        if x.dtype.is_floating:
            parts = zip((red, green, blue), _FLOATING, strict=True)
            return tf.add_n([part * tf.constant(weight, x.dtype) for part, weight in parts])
        parts = zip((red, green, blue), _WHOLE, strict=True)
        total = tf.add_n([tf.cast(part, tf.int32) * weight for part, weight in parts])
        return tf.cast(tf.bitwise.right_shift(total + 2 ** (_BITS - 1), _BITS), x.dtype)

    return levels


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether the image has the channels that the code asks for."""
    shape = np.shape(arguments["src"])
    return (shape[2] if len(shape) == 3 else 1) in _CODES[arguments["code"]].takes


@replaces(
    "cv2.cvtColor",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3, 4)),
        "code": OneOf(*_CODES, typical=constants.COLOR_BGR2RGB),
    },
    agreement=Within(1e-6, "float32 sums of three products in another order; whole numbers are equal"),
    proven_against=">=4.11,<6",
    parameters="(src, code, dst=None, dstCn=0, hint=0)",
    refused={
        "dst": "tensors are not written in place",
        "dstCn": "the code says how many channels there are",
        "hint": "whole numbers are the same by every algorithm",
    },
    valid=_fits,
)
def cvtColor(src: Any, code: Any, dst: Any = None, dstCn: Any = 0, hint: Any = 0) -> Any:
    """Turn the channels of an image round, add or drop some, or take its grey levels.

    Native equivalent of `cv2.cvtColor`, for BGR, RGB, BGRA, RGBA and GRAY.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16 or float32
        The image; H and W may be unknown while tracing. Without a third axis it has one channel.
    code : int
        As ``cv2.COLOR_BGR2RGB`` or ``cv2.COLOR_RGB2GRAY``: every code between these five.
    dst : None
        Refused: tensors are not written in place.
    dstCn : int, default 0
        The number of channels of the result, or 0: the code says it.
    hint : int, default 0
        Refused, but for ALGO_HINT_DEFAULT.

    Returns
    -------
    tf.Tensor, dtype of `src`
        (H, W) of grey levels, else (H, W, 3) or (H, W, 4). A channel of opacity that is added is full:
        255, 65535 or 1.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype, or not the channels that the code takes.
    UnsupportedArgument
        Another `code`, `dstCn`, `dst` or `hint`, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: whole numbers bit for bit, floats within 1e-6. HSV and the other colour spaces are not
    served: how OpenCV rounds them differs from pixel to pixel of a row.
    Graph: channels as they come from `imread` and are turned back cost nothing; all else is one program
    where sizes are known. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.cvtColor(tf.constant([[[1, 2, 3]]], tf.uint8), cv2.COLOR_BGR2RGB).numpy().tolist()
    [[[3, 2, 1]]]
    """
    return _convert(src, code, dst, dstCn, hint, 0)


@batch_form(cvtColor)
def _cvt_color_batch(src: Any, code: Any, dst: Any = None, dstCn: Any = 0, hint: Any = 0) -> Any:
    return _convert(src, code, dst, dstCn, hint, 1)
