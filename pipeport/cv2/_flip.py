"""`cv2.flip`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, Integer, batchable, replaces
from pipeport.cv2 import _images


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in np.shape(arguments["src"])


def _flipped(x: Any, code: int) -> Any:
    """Reverse rows, columns or both of (B, H, W, C).

    TensorFlow copies whole pixels where it reverses the middle one of three axes, and computes the place
    of every element otherwise: for 256x256x3 the copies take a third of the time, in uint8 and float32.
    """
    shape = tf.shape(x)
    height, width, channels = (x.shape[axis] or shape[axis] for axis in (1, 2, 3))
    if code == 0:
        lines = [-1, height, width * channels]
    else:
        lines = [-1, width, channels] if code > 0 else [-1, height * width, channels]
        if x.shape[3] == 1:
            lines = lines[:2]  # Pixels of one element are not worth a copy each.
    flipped = tf.reshape(tf.reverse(tf.reshape(x, lines), [1]), shape)
    return tf.ensure_shape(flipped, x.shape)


@replaces(
    "cv2.flip",
    domain={
        "src": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4, 5)),
        "flipCode": Integer(-2, 2, typical=1),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    valid=lambda arguments: np.asarray(arguments["src"]).dtype.name in _images.served_dtypes(),
    differences=(
        Difference(
            "An empty image is refused; OpenCV returns None.",
            witness=lambda: {"src": np.zeros((0, 3), np.uint8), "flipCode": 1},
            applies=_empty,
        ),
    ),
)
@batchable
def flip(batch_axes: int, src: Any, flipCode: Any, dst: Any = None) -> Any:
    """Mirror an image about its middle.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. int64 is cast to int32, as in OpenCV.
    flipCode : int
        0 turns it upside down, a positive number mirrors left to right, a negative one does both.

    Returns
    -------
    tf.Tensor, dtype of `src`
        Shape of `src`; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank, a dtype OpenCV does not have, or more than 128 channels.
    UnsupportedArgument
        `flipCode` is not an integer, `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, NaN included. With `pipeport.config.opencv()` 4, bool and uint32 images
    are refused, as there, and up to 512 channels are taken.
    Graph: one op between reshapes, no Python at run time; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.flip(tf.constant([[1, 2], [3, 4]]), 0).numpy().tolist()
    [[3, 4], [1, 2]]
    """
    _images.refuse_dst(dst)
    code = _images.whole_number(flipCode, "flipCode")
    x = _images.as_images(src, batch_axes)
    return _images.as_result(_flipped(x, code), batch_axes)
