"""`cv2.cvtColor`: channels reversed, added and dropped, grey levels, HSV, HLS, LAB, YCrCb and YUV."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.layout._channel_order import before_turning, turned
from pipeport.kernels.opencv._colour_spaces import (
    YCRCB,
    YUV,
    from_hls,
    from_hsv,
    from_luma,
    to_hls,
    to_hsv,
    to_luma,
)
from pipeport.kernels.opencv._lab import from_lab, to_lab

_DTYPES = ("uint8", "uint16", "float32")
_COLOURS = (1, 3, 4)
# Parts of 2**15: red, green, blue. The sum of products of 16 bits just fits into an int32.
_BITS, _WHOLE = 15, (9798, 19235, 3735)
_FLOATING = (0.299, 0.587, 0.114)


class _Code(NamedTuple):
    """Source and result of a colour code.

    `channels`: the number of channels of the result. `turns`: whether channels are reversed; of grey levels
    and colour spaces, whether red comes first. `takes`: the numbers of channels that the image may have.
    `space`: of a colour space, the builder of the conversion and its arguments behind the places of the
    colours. `dtypes`: the dtypes that are served.
    """

    channels: int
    turns: bool
    takes: tuple[int, ...]
    space: tuple[Any, ...] = ()
    dtypes: tuple[str, ...] = _DTYPES


class _Space(NamedTuple):
    """A colour space: the builders there and back, their arguments behind the places of colours, dtypes."""

    there: tuple[Any, ...]
    back: tuple[Any, ...]
    dtypes: tuple[str, ...] = _DTYPES


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
_SPACES = {
    "HSV": _Space((to_hsv, 180), (from_hsv, 180), ("uint8",)),
    "HSV_FULL": _Space((to_hsv, 256), (from_hsv, 255), ("uint8",)),
    "HLS": _Space((to_hls,), (from_hls,), ("uint8",)),
    "LAB": _Space((to_lab,), (from_lab,), ("uint8", "float32")),
    "YCrCb": _Space((to_luma, YCRCB), (from_luma, YCRCB)),
    "YUV": _Space((to_luma, YUV), (from_luma, YUV)),
}
for _name, _space in _SPACES.items():
    _short, _, _full = _name.partition("_")
    for _colours in ("BGR", "RGB"):
        _there = getattr(constants, f"COLOR_{_colours}2{_name}")
        _CODES[_there] = _Code(3, _colours == "RGB", (3, 4), _space.there, _space.dtypes)
        _back = getattr(constants, f"COLOR_{_short}2{_colours}{_full and '_FULL'}")
        _CODES[_back] = _Code(3, _colours == "RGB", (3,), _space.back, _space.dtypes)
_NAMES = (
    "BGR, RGB, BGRA and RGBA into each other and GRAY, and GRAY into them; "
    "BGR and RGB into HSV, HLS, LAB, YCrCb and YUV, and back"
)


def _code_of(code: Any) -> _Code:
    number = _images.whole_number(code, "code", default=-1)
    if number not in _CODES:
        advice = "Name it as cv2.COLOR_BGR2RGB; other colour spaces have no native equivalent."
        raise UnsupportedArgument(explain("code", repr(code), _NAMES, advice))
    return _CODES[number]


def grey_levels(x: Any) -> Any:
    """Return the grey levels (B, H, W, 1) of images (B, H, W, C) of blue, green and red."""
    return _converted(x, _code_of(constants.COLOR_BGR2GRAY))


def _converted(x: Any, wanted: _Code) -> Any:
    """Return images (B, H, W, C) as a code has them."""
    if wanted.space:
        build, *static = wanted.space
        places = (0, 1, 2) if wanted.turns else (2, 1, 0)
        return per_pixel(build, places, *static, images=[x])
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
    """Whether the image has the channels and a dtype that the code asks for.

    Where a number is NaN OpenCV reads beside its table of LAB.
    """
    image, code = np.asarray(arguments["src"]), _CODES[arguments["code"]]
    if code.space[:1] in (_SPACES["LAB"].there, _SPACES["LAB"].back) and not np.isfinite(image).all():
        return False
    return (image.shape[2] if image.ndim == 3 else 1) in code.takes and image.dtype.name in code.dtypes


@replaces(
    "cv2.cvtColor",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3, 4)),
        "code": OneOf(*_CODES, typical=constants.COLOR_BGR2RGB),
    },
    agreement=WithinLevels(
        1,
        1.0,  # of colours made of HSV and HLS alone; tests/cv2 has all other codes equal
        floats=Within(
            2e-5, "float32 sums of LAB in another order, cubed; all others within 1e-6 in tests/cv2"
        ),
    ),
    refused={
        "dst": "tensors are not written in place",
        "dstCn": "the code says how many channels there are",
        "hint": "whole numbers are the same by every algorithm",
    },
    valid=_fits,
)
@batchable
def cvtColor(batch_axes: int, src: Any, code: Any, dst: Any = None, dstCn: Any = 0, hint: Any = 0) -> Any:
    """Reverse the channels of an image, add or drop some, take its grey levels, or change the colour space.

    Native equivalent of `cv2.cvtColor`, for BGR, RGB, BGRA, RGBA, GRAY, HSV, HSV_FULL, HLS, LAB,
    YCrCb and YUV.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16 or float32
        The image; H and W may be unknown while tracing. Without a third axis it has one channel.
    code : int
        As ``cv2.COLOR_BGR2RGB`` or ``cv2.COLOR_RGB2GRAY``: every code between the first five; and from BGR,
        RGB, BGRA or RGBA to HSV, HSV_FULL, HLS (all three uint8), LAB (uint8 or float32), YCrCb and YUV, and
        from these to BGR and RGB.
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
    Agreement: whole numbers bit for bit, but for colours of HSV and HLS, which are within one grey level:
    with 180 hues OpenCV truncates colours of HSV in the vectors of a row and rounds in the rest of it, and
    the length of its vectors depends on the processor. Floats are within 1e-6, but equal in LAB, and made of
    LAB within 2e-5; there NaN counts as 0, of which OpenCV makes anything. LUV, XYZ, HLS_FULL, and HSV and
    HLS of floats are not served.
    Graph: channels as they come from `imread` and are reversed again cost nothing; all else is one program
    where sizes are known. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.cvtColor(tf.constant([[[1, 2, 3]]], tf.uint8), cv2.COLOR_BGR2RGB).numpy().tolist()
    [[[3, 2, 1]]]
    """
    _images.refuse_dst(dst)
    wanted = _code_of(code)
    count = _images.whole_number(dstCn, "dstCn")
    if count not in (0, wanted.channels):
        advice = "Leave it out: the code says how many."
        raise UnsupportedArgument(explain("dstCn", count, f"0 or {wanted.channels}", advice))
    if _images.whole_number(hint, "hint") != constants.ALGO_HINT_DEFAULT:
        advice = "Leave it out: whole numbers are the same by every algorithm."
        raise UnsupportedArgument(explain("hint", repr(hint), "ALGO_HINT_DEFAULT", advice))
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, wanted.dtypes, "src")
    if x.shape[3] not in wanted.takes:
        allowed = " or ".join(map(str, wanted.takes))
        advice = "Choose the code by the channels that are there."
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", allowed, advice))
    turns_only = wanted.turns and wanted.channels == x.shape[3] == 3
    if turns_only and not batch_axes and (again := before_turning(src)) is not None:
        return again  # what `imread` turned round itself
    return _images.as_result(_converted(x, wanted), batch_axes)
