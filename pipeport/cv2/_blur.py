"""`cv2.blur` and `cv2.boxFilter`."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Boolean, Image, OneOf, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._constants import BORDER_DEFAULT
from pipeport.cv2._structuring import anchor_of
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.opencv._correlate import Correlation, correlated
from pipeport.kernels.opencv._filter import Filter, filtered

_SIZES = ((3, 3), (5, 5), (7, 7), (2, 2), (4, 3), (1, 5), (6, 1), (10, 11), (17, 16), (19, 15))
_MIDDLE = (-1, -1)
# Of more the sum may be no int32.
_MOST_OF_16_BITS = 2**15


def _mean(x: Any, width: int, height: int, rule: str) -> Any:
    return filtered(x, Filter((1,) * height, (1,) * width, rule, width * height, x.dtype.name))


@replaces(
    "cv2.blur",
    domain={
        "src": Image(dtypes=filtering.DTYPES, channels=filtering.CHANNELS, non_finite=False),
        "ksize": OneOf(*_SIZES, typical=(5, 5)),
        "borderType": OneOf(*filtering.RULES, typical=BORDER_DEFAULT),
    },
    agreement=Within(1e-6, "float32 sums, where OpenCV's are float64; bytes are equal"),
    refused={
        "dst": "tensors are not written in place",
        "anchor": "the mean is that around the middle of the kernel",
    },
)
@batchable
def blur(
    batch_axes: int,
    src: Any,
    ksize: Any,
    dst: Any = None,
    anchor: Any = _MIDDLE,
    borderType: Any = BORDER_DEFAULT,
) -> Any:
    """Blur an image with the mean of a box.

    Native equivalent of `cv2.blur`, for bytes and float32.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8 or float32
        The image, of one to four channels; H and W may be unknown while tracing.
    ksize : (int, int)
        Width and height of the box, up to 255. Of an even side one pixel more lies before the middle.
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
    _images.refuse_dst(dst)
    if anchor is not None and filtering.pair_of(anchor, "anchor") != _MIDDLE:
        advice = "Leave it out, and shift the result with cv2.copyMakeBorder."
        raise UnsupportedArgument(explain("anchor", repr(anchor), f"{_MIDDLE}, the middle", advice))
    rule = filtering.rule_of(borderType)
    width, height = filtering.checked(*filtering.pair_of(ksize, "ksize"), odd=False)
    x = filtering.images_of(src, batch_axes)
    return _images.as_result(_mean(x, width, height, rule), batch_axes)


@replaces(
    "cv2.boxFilter",
    domain={
        "src": Image(dtypes=tuple(filtering.RESULTS), channels=filtering.CHANNELS, non_finite=False),
        "ddepth": OneOf(
            -1, constants.CV_8U, constants.CV_16S, constants.CV_32F, constants.CV_64F, typical=-1
        ),
        "ksize": OneOf(*_SIZES, typical=(5, 5)),
        "anchor": OneOf(_MIDDLE, (0, 0), typical=_MIDDLE),
        "normalize": Boolean(typical=True),
        "borderType": OneOf(*filtering.RULES, typical=BORDER_DEFAULT),
    },
    agreement=WithinLevels(
        1,
        1.0,  # where a mean lies between two levels; sums, and bytes as in `blur`, are equal in tests/cv2
        floats=Within(3e-4, "float32 sums of up to 300 in another order; means within 1e-6"),
    ),
    refused={"dst": "tensors are not written in place"},
    valid=filtering.can_be,
)
@batchable
def boxFilter(
    batch_axes: int,
    src: Any,
    ddepth: Any,
    ksize: Any,
    dst: Any = None,
    anchor: Any = _MIDDLE,
    normalize: Any = True,
    borderType: Any = BORDER_DEFAULT,
) -> Any:
    """Take the mean or the sum of a box around each pixel.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ddepth : int
        The dtype of the result: -1 for that of the image, CV_16U or CV_16S of uint8 alone, CV_32F or CV_64F
        of whole numbers.
    ksize : (int, int)
        Width and height of the box, up to 255.
    anchor : (int, int), default (-1, -1)
        Column and row of the box that lies on the pixel; -1 is the middle.
    normalize : bool, default True
        Whether it is the mean, else the sum.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image: BORDER_REFLECT_101, BORDER_REFLECT, BORDER_REPLICATE or BORDER_CONSTANT,
        which is zeros.

    Returns
    -------
    tf.Tensor, shape of `src`
        (H, W) for (H, W, 1). Whole numbers are rounded, and saturate.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; a side of the box is none or more
        than 255, or it has more than 32768 pixels of 16 bits; the anchor lies outside of it.
    UnsupportedArgument
        Another `ddepth`, `borderType`, `dst` or `normalize`; `ksize` is a tensor or no integers; rank or
        channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: sums of whole numbers, and the mean of bytes around the middle, bit for bit; other means of
    whole numbers within one level, where OpenCV's product with the inverse lies between two. Means of floats
    in [-1, 1] are within 1e-6.
    Graph: two programs, of columns and of rows; of fewer than 16 pixels one. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> row = tf.constant([[0, 0, 90, 0, 0]], tf.uint8)
    >>> cv2.boxFilter(row, cv2.CV_16S, (3, 1), normalize=False).numpy().tolist()
    [[0, 90, 90, 90, 0]]
    """
    _images.refuse_dst(dst)
    if not isinstance(normalize, (bool, int)):
        advice = "Give True for the mean, False for the sum."
        raise UnsupportedArgument(explain("normalize", repr(normalize), "True or False", advice))
    rule = filtering.rule_of(borderType)
    width, height = filtering.checked(*filtering.pair_of(ksize, "ksize"), odd=False)
    row, column = anchor_of(anchor, height, width)
    x = filtering.images_of(src, batch_axes, tuple(filtering.RESULTS))
    if x.dtype.size == 2 and width * height > _MOST_OF_16_BITS:
        allowed = f"{_MOST_OF_16_BITS} pixels of {x.dtype.name}"
        advice = "Cast it to float32 first: OpenCV's sum overflows."
        raise OutsideDomain(explain("ksize", (width, height), allowed, advice))
    result = filtering.depth_of(ddepth, x.dtype.name)
    middle = (row, column) == (height // 2, width // 2)
    if normalize and middle and result == x.dtype.name and result in filtering.DTYPES:
        return _images.as_result(_mean(x, width, height, rule), batch_axes)
    places = tuple((y, z) for y in range(height) for z in range(width))
    work = "float64" if "float64" in (x.dtype.name, result) or not normalize else "float32"
    weight = 1 / (width * height) if normalize else 1.0
    how = Correlation(((weight, places),), (height, width), work, result)
    return _images.as_result(correlated(x, how, rule, (row, column)), batch_axes)
