"""`cv2.rotate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, OneOf, batchable, replaces
from pipeport.cv2 import _images, _quarter_turns
from pipeport.cv2._constants import ROTATE_90_CLOCKWISE, ROTATE_90_COUNTERCLOCKWISE, ROTATE_180
from pipeport.errors import UnsupportedArgument, explain

_CODES = (ROTATE_90_CLOCKWISE, ROTATE_180, ROTATE_90_COUNTERCLOCKWISE)


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in np.shape(arguments["src"])


def _unknown_code(arguments: Mapping[str, Any]) -> bool:
    return _images.is_whole(arguments["rotateCode"]) and arguments["rotateCode"] not in _CODES


@replaces(
    "cv2.rotate",
    domain={
        "src": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4, 5)),
        "rotateCode": OneOf(*_CODES, typical=ROTATE_90_CLOCKWISE),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    valid=lambda arguments: np.asarray(arguments["src"]).dtype.name in _images.served_dtypes(),
    differences=(
        Difference(
            "An empty image is refused; OpenCV returns None.",
            witness=lambda: {"src": np.zeros((0, 3), np.uint8), "rotateCode": ROTATE_180},
            applies=_empty,
        ),
        Difference(
            "A `rotateCode` other than 0, 1 and 2 is refused; OpenCV returns an image all the same.",
            witness=lambda: {"src": np.arange(6, dtype=np.uint8).reshape(2, 3), "rotateCode": 3},
            applies=_unknown_code,
        ),
    ),
)
@batchable
def rotate(batch_axes: int, src: Any, rotateCode: Any, dst: Any = None) -> Any:
    """Turn an image by a multiple of 90 degrees.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. int64 is cast to int32, as in OpenCV.
    rotateCode : {0, 1, 2}
        ROTATE_90_CLOCKWISE, ROTATE_180, ROTATE_90_COUNTERCLOCKWISE.

    Returns
    -------
    tf.Tensor, dtype of `src`
        Shape of `src` with H and W exchanged for quarter turns; without the axis of a single
        channel.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or a dtype OpenCV does not have, or, for quarter turns,
        pixels of a size it cannot transpose: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 bytes are possible.
    UnsupportedArgument
        `rotateCode` is another number, `dst` is given, or rank or channels are unknown.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, NaN included. With `pipeport.config.opencv()` 4, bool and uint32 images
    are refused, as there.
    Graph: no Python at run time; static shape is kept. Elements of one or two bytes are compiled
    by XLA where the shape is known while tracing (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.rotate(tf.constant([[1, 2], [3, 4]]), cv2.ROTATE_90_CLOCKWISE).numpy().tolist()
    [[3, 1], [4, 2]]
    """
    _images.refuse_dst(dst)
    code = _images.whole_number(rotateCode, "rotateCode")
    if code not in _CODES:
        names = "ROTATE_90_CLOCKWISE (0), ROTATE_180 (1), ROTATE_90_COUNTERCLOCKWISE (2)"
        advice = "For other angles use pipeport.cv2.warpAffine."
        raise UnsupportedArgument(explain("rotateCode", code, names, advice))
    x = _images.as_images(src, batch_axes)
    if code == ROTATE_180:
        return _images.as_result(tf.reverse(x, [1, 2]), batch_axes)
    _quarter_turns.refuse_wide_pixels(x)
    return _images.as_result(_quarter_turns.turned(x, 1 if code == ROTATE_90_CLOCKWISE else 2), batch_axes)
