"""`cv2.erode`, `cv2.dilate` and `cv2.morphologyEx`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, Integer, OneOf, Within, batchable, replaces, sibling, told_like, variant
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._structuring import anchor_of, kernel_of
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv._morphology import Under, extremes, runs_of

_DTYPES = ("uint8", "uint16", "int16", "float32", "float64")
_MIDDLE = (-1, -1)
_KERNELS = OneOf(
    None,
    np.ones((3, 3), np.uint8),
    np.ones((2, 5), np.uint8),
    np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8),
    np.array([[1, 0, 0, 1], [0, 0, 1, 0]], np.uint8),
    np.ones((7, 1), np.uint8),
    np.tri(12, dtype=np.uint8),
)
_HOW = {
    "kernel": _KERNELS,
    "anchor": OneOf(_MIDDLE, (0, 0), typical=_MIDDLE),
    "iterations": Integer(0, 3, typical=1),
    "borderType": OneOf(*filtering.RULES, typical=constants.BORDER_CONSTANT),
}
_REFUSED = {
    "dst": "tensors are not written in place",
    "borderValue": "a constant border changes nothing",
}
_EQUAL = Within(0.0, "equal; which zero is smaller OpenCV does not say")
_OPERATIONS = {
    constants.MORPH_ERODE: "MORPH_ERODE",
    constants.MORPH_DILATE: "MORPH_DILATE",
    constants.MORPH_OPEN: "MORPH_OPEN",
    constants.MORPH_CLOSE: "MORPH_CLOSE",
    constants.MORPH_GRADIENT: "MORPH_GRADIENT",
    constants.MORPH_TOPHAT: "MORPH_TOPHAT",
    constants.MORPH_BLACKHAT: "MORPH_BLACKHAT",
}


class _How(NamedTuple):
    """The kernel, its anchor as row and column, how often it is applied, and the border rule."""

    kernel: Any
    anchor: tuple[int, int]
    rounds: int
    rule: str


def _how(kernel: Any, anchor: Any, iterations: Any, border: Any, value: Any) -> _How:
    if value is not None:
        advice = "Surround the image with cv2.copyMakeBorder first, and cut the result."
        raise UnsupportedArgument(explain("borderValue", repr(value), "None, which changes nothing", advice))
    kind = constants.BORDER_CONSTANT if border is None else border
    rule = filtering.rule_of(kind)
    found = kernel_of(kernel)
    height, width = found.shape
    row, column = anchor_of(anchor, height, width)
    rounds = _images.whole_number(iterations, "iterations", default=1)
    if rounds < 0:
        raise OutsideDomain(explain("iterations", rounds, "0 or more", "0 leaves the image unchanged."))
    if rounds > 1 and found.all():
        # As OpenCV does it, once with a larger rectangle.
        found = np.ones((height + (rounds - 1) * (height - 1), width + (rounds - 1) * (width - 1)), np.uint8)
        row, column, rounds = row * rounds, column * rounds, 1
    if max(found.shape) > filtering.MOST:
        allowed = f"at most {filtering.MOST} pixels a side"
        given = f"{found.shape[1]} x {found.shape[0]}"
        raise OutsideDomain(explain("kernel", given, allowed, "Shrink the image first."))
    return _How(found, (row, column), rounds, rule)


def _images_of(src: Any, batch_axes: int) -> Any:
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, _DTYPES, "src")
    return x


def _applied(x: Any, how: _How, smallest: bool) -> Any:
    if how.kernel.size > 1:
        under = Under(smallest, runs_of(how.kernel), how.kernel.shape, how.anchor, how.rule)
        for _ in range(how.rounds):
            x = extremes(x, under)
    return x


def _less(one: Any, other: Any) -> Any:
    """Subtract as OpenCV does: whole numbers saturate, which kernels without symmetry need."""
    if one.dtype.is_floating:
        return one - other
    wide = tf.cast(one, tf.int32) - tf.cast(other, tf.int32)
    return tf.cast(tf.clip_by_value(wide, int(one.dtype.min), int(one.dtype.max)), one.dtype)


@replaces(
    "cv2.erode",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3, 5), non_finite=False),
        **_HOW,
    },
    agreement=_EQUAL,
    refused=_REFUSED,
)
@variant(True)
def erode(
    smallest: bool,
    batch_axes: int,
    src: Any,
    kernel: Any,
    dst: Any = None,
    anchor: Any = _MIDDLE,
    iterations: Any = 1,
    borderType: Any = constants.BORDER_CONSTANT,
    borderValue: Any = None,
) -> Any:
    """Replace every pixel by the smallest one under a kernel.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; H and W may be unknown while tracing. Channels are treated apart.
    kernel : array_like of uint8, shape (h, w), or None
        Which pixels are compared: those that are not 0. Known while tracing, at most 255 a side; one that is
        not a full rectangle has at most 255 pixels. None is 3 x 3 ones.
    anchor : (int, int), default (-1, -1)
        Column and row of the kernel that lies on the pixel; -1 is the middle. Unused without a kernel.
    iterations : int, default 1
        How often it is done.
    borderType : int, default BORDER_CONSTANT
        What lies around the image: BORDER_CONSTANT, which changes nothing, BORDER_REPLICATE, BORDER_REFLECT
        or BORDER_REFLECT_101.
    borderValue : None
        Another is refused.

    Returns
    -------
    tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; the kernel has another dtype, or is empty, all
        zeros or too large; the anchor lies outside of it; `iterations` is negative.
    UnsupportedArgument
        Another `borderType`, `dst` or `borderValue`; the kernel is not known while tracing; rank or
        channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: equal, but for the sign of zeros among floats; NaN is not compared.
    Graph: of a rectangle two programs, of rows and of columns, by windows that double; of another kernel one
    for each length of windows in its rows. Without known sizes they are operations of the graph. Static shape
    is kept.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> row = tf.constant([[0, 9, 9, 9, 0, 9]], tf.uint8)
    >>> cv2.erode(row, np.ones((1, 3), np.uint8)).numpy().tolist()
    [[0, 0, 9, 0, 0, 0]]
    """
    _images.refuse_dst(dst)
    # Without a kernel these two take the middle, whatever the anchor.
    how = _how(kernel, _MIDDLE if kernel is None else anchor, iterations, borderType, borderValue)
    return _images.as_result(_applied(tf.identity(_images_of(src, batch_axes)), how, smallest), batch_axes)


dilate = sibling(
    erode,
    "dilate",
    False,
    {"smallest": "largest", "[[0, 0, 9, 0, 0, 0]]": "[[9, 9, 9, 9, 9, 9]]"},
)


@replaces(
    "cv2.morphologyEx",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3, 5), non_finite=False),
        "op": OneOf(*_OPERATIONS, typical=constants.MORPH_OPEN),
        **_HOW,
    },
    agreement=_EQUAL,
    refused=_REFUSED,
)
@batchable
@told_like(
    erode,
    {
        "Replace every pixel by the smallest one under a kernel.": "Open or close an image, or "
        "take its gradient, its top hat or its black hat.",
        "Channels are treated apart.": "Channels are treated apart.\n"
        "op : int\n    MORPH_ERODE, MORPH_DILATE, MORPH_OPEN, MORPH_CLOSE, MORPH_GRADIENT, "
        "MORPH_TOPHAT or MORPH_BLACKHAT.",
        "Unused without a kernel.": "",
        "How often it is done.": "How often each of erosion and dilation is done.",
        "Another `borderType`": "Another `op`, `borderType`",
        "cv2.erode(row,": "cv2.morphologyEx(row, cv2.MORPH_OPEN,",
        "[[0, 0, 9, 0, 0, 0]]": "[[0, 9, 9, 9, 0, 0]]",
    },
)
def morphologyEx(
    batch_axes: int,
    src: Any,
    op: Any,
    kernel: Any,
    dst: Any = None,
    anchor: Any = _MIDDLE,
    iterations: Any = 1,
    borderType: Any = constants.BORDER_CONSTANT,
    borderValue: Any = None,
) -> Any:
    _images.refuse_dst(dst)
    kind = _images.whole_number(op, "op", default=-1)
    if kind not in _OPERATIONS:
        allowed = ", ".join(_OPERATIONS.values())
        raise UnsupportedArgument(explain("op", repr(op), allowed, "Compose it of cv2.erode and cv2.dilate."))
    how = _how(kernel, anchor, iterations, borderType, borderValue)
    x = tf.identity(_images_of(src, batch_axes))
    smaller = kind in (constants.MORPH_ERODE, constants.MORPH_OPEN, constants.MORPH_TOPHAT)
    first = _applied(x, how, smaller)
    if kind == constants.MORPH_GRADIENT:
        found = _less(first, _applied(x, how, True))
    elif kind in (constants.MORPH_ERODE, constants.MORPH_DILATE):
        found = first
    else:
        found = _applied(first, how, not smaller)
        if kind == constants.MORPH_TOPHAT:
            found = _less(x, found)
        elif kind == constants.MORPH_BLACKHAT:
            found = _less(found, x)
    return _images.as_result(found, batch_axes)
