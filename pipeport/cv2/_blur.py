"""`cv2.blur`."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Image, OneOf, Within, batch_form, replaces
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._constants import BORDER_DEFAULT
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.opencv._filter import Filter, filtered

_SIZES = ((3, 3), (5, 5), (7, 7), (2, 2), (4, 3), (1, 5), (6, 1), (10, 11), (17, 16), (19, 15))
_MIDDLE = (-1, -1)


def _mean(src: Any, ksize: Any, dst: Any, anchor: Any, border: Any, batch_axes: int) -> Any:
    _images.refuse_dst(dst)
    if anchor is not None and filtering.pair_of(anchor, "anchor") != _MIDDLE:
        advice = "Leave it out, and shift the result with cv2.copyMakeBorder."
        raise UnsupportedArgument(explain("anchor", repr(anchor), f"{_MIDDLE}, the middle", advice))
    rule = filtering.rule_of(border)
    width, height = filtering.checked(*filtering.pair_of(ksize, "ksize"), odd=False)
    x = filtering.images_of(src, batch_axes)
    return _images.as_result(
        filtered(x, Filter((1,) * height, (1,) * width, rule, width * height, x.dtype.name)), batch_axes
    )


@replaces(
    "cv2.blur",
    domain={
        "src": Image(dtypes=filtering.DTYPES, channels=filtering.CHANNELS, non_finite=False),
        "ksize": OneOf(*_SIZES, typical=(5, 5)),
        "borderType": OneOf(*filtering.RULES, typical=BORDER_DEFAULT),
    },
    agreement=Within(1e-6, "float32 sums, where OpenCV's are float64; bytes are equal"),
    proven_against=">=4.11,<6",
    parameters="(src, ksize, dst=None, anchor=(-1, -1), borderType=4)",
    refused={
        "dst": "tensors are not written in place",
        "anchor": "the mean is that around the middle of the kernel",
    },
)
def blur(
    src: Any, ksize: Any, dst: Any = None, anchor: Any = _MIDDLE, borderType: Any = BORDER_DEFAULT
) -> Any:
    """Blur an image with the mean of a box.

    Native equivalent of `cv2.blur`, for bytes and float32.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8 or float32
        The image, of one to four channels; H and W may be unknown while tracing.
    ksize : (int, int)
        Width and height of the box, up to 255. Of an even side one pixel more lies before the middle.
    dst : None
        Refused: tensors are not written in place.
    anchor : (int, int), default (-1, -1)
        Refused, but for the default: the middle.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image: BORDER_REFLECT_101, BORDER_REFLECT, BORDER_REPLICATE or BORDER_CONSTANT,
        which is zeros. It may be wider than the image.

    Returns
    -------
    tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; a side of the box is none or more
        than 255.
    UnsupportedArgument
        Another `borderType`, `dst` or `anchor`; `ksize` is a tensor or no integers; rank or channels are
        unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bytes bit for bit; finite floats in [-1, 1] within 1e-6. A NaN or an infinity spreads as far as
    the box reaches; OpenCV, which takes from a running sum what leaves the box, has NaN in all that follows.
    Graph: two programs, of columns and of rows; where sizes are unknown one of each per bucket of sizes, and
    slower. Boxes of more than about 20 pixels a side take longer than OpenCV's. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.blur(tf.constant([[0, 0, 90, 0, 0]], tf.uint8), (3, 1)).numpy().tolist()
    [[0, 30, 30, 30, 0]]
    """
    return _mean(src, ksize, dst, anchor, borderType, 0)


@batch_form(blur)
def _blur_batch(
    src: Any, ksize: Any, dst: Any = None, anchor: Any = _MIDDLE, borderType: Any = BORDER_DEFAULT
) -> Any:
    return _mean(src, ksize, dst, anchor, borderType, 1)
