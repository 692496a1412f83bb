"""`cv2.transpose`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, batchable, replaces
from pipeport.cv2 import _images, _quarter_turns


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in np.shape(arguments["src"])


@replaces(
    "cv2.transpose",
    domain={"src": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4, 5))},
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    valid=lambda arguments: np.asarray(arguments["src"]).dtype.name in _images.served_dtypes(),
    differences=(
        Difference(
            "An empty image is refused; OpenCV returns None.",
            witness=lambda: {"src": np.zeros((0, 3), np.uint8)},
            applies=_empty,
        ),
    ),
)
@batchable
def transpose(batch_axes: int, src: Any, dst: Any = None) -> Any:
    """Exchange rows and columns of an image; channels stay.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. int64 is cast to int32, as in OpenCV.

    Returns
    -------
    tf.Tensor, shape (W, H) or (W, H, C), dtype of `src`
        (W, H) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or a dtype OpenCV does not have, or pixels of a size it
        cannot transpose: 1, 2, 3, 4, 6, 8, 12, 16, 24 and 32 bytes are possible.
    UnsupportedArgument
        `dst` is given, or rank or channels are unknown while tracing.
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
    >>> cv2.transpose(tf.constant([[1, 2], [3, 4]])).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    _images.refuse_dst(dst)
    x = _images.as_images(src, batch_axes)
    _quarter_turns.refuse_wide_pixels(x)
    return _images.as_result(_quarter_turns.turned(x), batch_axes)
