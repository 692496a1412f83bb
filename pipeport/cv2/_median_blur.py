"""`cv2.medianBlur`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Image, OneOf, Within, batchable, replaces
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.opencv._median import medians

_CHANNELS = (1, 3, 4)
_DTYPES = ("uint8", "uint16", "int16", "float32")
# Larger squares OpenCV has of bytes alone.
_MOST_WIDE = 5


def _dtypes_of(side: int) -> tuple[str, ...]:
    return _DTYPES if side <= _MOST_WIDE else _DTYPES[:1]


def _fits(arguments: Mapping[str, Any]) -> bool:
    return np.asarray(arguments["src"]).dtype.name in _dtypes_of(arguments["ksize"])


@replaces(
    "cv2.medianBlur",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, *_CHANNELS), non_finite=False),
        "ksize": OneOf(1, 3, 5, 7, 9, 11, 15, 31, typical=3),
    },
    agreement=Within(0.0, "equal; which zero is smaller OpenCV does not say"),
    refused={"dst": "tensors are not written in place"},
    valid=_fits,
)
@batchable
def medianBlur(batch_axes: int, src: Any, ksize: Any, dst: Any = None) -> Any:
    """Replace every pixel by the median of the square around it.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16 or float32
        The image, of one, three or four channels, each of which has its own medians; H and W may be unknown
        while tracing. Its edges are repeated.
    ksize : int
        The side of the square: 1, 3, 5, or of uint8 any odd number up to 255.

    Returns
    -------
    tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank, dtype or number of channels; `ksize` is another.
    UnsupportedArgument
        `dst` is given, or `ksize` is a tensor or no integer; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: equal, but for the sign of zeros among floats; NaN is not compared.
    Graph: one program for squares of three, two for those of five and seven, for larger ones one that loops
    over the levels that the image has; where sizes are unknown, one of each per bucket of sizes. Static shape
    is kept.
    Speed: slower than OpenCV in `tf.numpy_function` for squares of 11 and more, unless the image has few
    levels, as masks do.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.medianBlur(tf.constant([[9, 9, 200, 9, 8]], tf.uint8), 3).numpy().tolist()
    [[9, 9, 9, 9, 8]]
    """
    _images.refuse_dst(dst)
    side = _images.whole_number(ksize, "ksize")
    if side % 2 == 0 or not 1 <= side <= filtering.MOST:
        advice = "Shrink the image for a larger square."
        raise OutsideDomain(explain("ksize", side, f"odd numbers from 1 to {filtering.MOST}", advice))
    x = _images.as_images(src, batch_axes)
    if x.dtype.name not in _dtypes_of(side):
        allowed = f"{', '.join(_dtypes_of(side))} with ksize {side}"
        raise OutsideDomain(explain("src", f"dtype {x.dtype.name}", allowed, "Cast it first with tf.cast."))
    if x.shape[3] not in _CHANNELS:
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", "1, 3 or 4", "Split them."))
    return _images.as_result(medians(x, side), batch_axes)
