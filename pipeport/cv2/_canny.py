"""`cv2.Canny`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Boolean, Exact, Image, OneOf, Real, batchable, replaces
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._derivatives import difference
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv._canny import edges_of
from pipeport.kernels.opencv._correlate import Correlation, groups_of

_MOST_CHANNELS = 4
_SIDES = (3, 5, 7)
# OpenCV divides derivatives of the largest kernel, and thresholds for them.
_LARGEST, _DIVISOR = 7, 16
# Above it thresholds of squares mean the same.
_HIGHEST = 32767.0
# Beyond every magnitude.
_MOST = float(2**30)
_THRESHOLD = Real(-20.0, 2500.0, tensor=True, typical=100.0)


def _derivatives(side: int) -> tuple[Correlation, Correlation]:
    """Return the derivatives along rows and along columns."""
    flat, along = difference(side, 0), difference(side, 1)
    work, scale = ("float32", 1 / _DIVISOR) if side == _LARGEST else ("int32", 1.0)
    first, second = (
        Correlation(groups_of(kernel), kernel.shape, work, "int16", scale)
        for kernel in (np.outer(flat, along), np.outer(along, flat))
    )
    return first, second


def _thresholds(thresholds: dict[str, Any], side: int, squared: bool, batch_axes: int) -> tuple[Any, Any]:
    """Return the lower and the higher threshold, as whole numbers of shape (B, 1, 1) or (1, 1, 1)."""
    one, other = (ops.number_of(value, name, batch_axes) for name, value in thresholds.items())
    found = []
    for level in (tf.minimum(one, other), tf.maximum(one, other)):
        reached = level / _DIVISOR if side == _LARGEST else level
        if squared:
            reached = tf.minimum(reached, _HIGHEST)
            reached = tf.where(reached > 0, reached * reached, reached)
        whole = tf.clip_by_value(tf.floor(reached), -_MOST, _MOST)
        found.append(tf.cast(tf.reshape(whole, [-1, 1, 1]), tf.int32))
    low, high = found
    return low, high


@replaces(
    "cv2.Canny",
    domain={
        "image": Image(dtypes=("uint8",), channels=ops.CHANNELS, sides=(1, 40)),
        "threshold1": _THRESHOLD,
        "threshold2": _THRESHOLD,
        "apertureSize": OneOf(*_SIDES, typical=3),
        "L2gradient": Boolean(typical=False),
    },
    agreement=Exact(),
    refused={"edges": "tensors are not written in place"},
)
@batchable
def Canny(
    batch_axes: int,
    image: Any,
    threshold1: Any,
    threshold2: Any,
    edges: Any = None,
    apertureSize: Any = 3,
    L2gradient: Any = False,
) -> Any:
    """Find edges: ridges of the gradient, as far as they are connected with a strong one.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W) or (H, W, C), uint8
        The image, of one to four channels; at each pixel the one with the largest gradient counts. H and W
        may be unknown while tracing.
    threshold1, threshold2 : float or scalar tensor
        An edge begins where the gradient is above the larger one, and goes on where it is above the other.
    apertureSize : int, default 3
        Side of the derivatives' kernel: 3, 5 or 7.
    L2gradient : bool, default False
        Whether the gradient's magnitude is the root of its squares; else the sum of absolute values.

    Returns
    -------
    tf.Tensor, shape (H, W), uint8
        255 at edges, 0 elsewhere.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; another `apertureSize`.
    UnsupportedArgument
        `edges` is given, a threshold is not a number (gradients of one's own are not served), `L2gradient` is
        a tensor; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit.
    Graph: three programs; where sizes are unknown three per bucket of sizes. The last one is a loop that
    follows edges by two pixels in each round, all of them at once. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.Canny(tf.constant([[0, 0, 90, 90]] * 2, tf.uint8), 100, 200).numpy().tolist()
    [[0, 255, 0, 0], [0, 255, 0, 0]]
    """
    if edges is not None:
        advice = "Tensors are not written in place: use the value that is returned."
        raise UnsupportedArgument(explain("edges", type(edges).__name__, "None", advice))
    side = _images.whole_number(apertureSize, "apertureSize", default=3)
    if side not in _SIDES:
        advice = "Shrink the image for a larger one."
        raise OutsideDomain(explain("apertureSize", repr(apertureSize), "3, 5 or 7", advice))
    by_squares = _checks.flag(L2gradient, "L2gradient")
    thresholds = {"threshold1": threshold1, "threshold2": threshold2}
    x = _images.as_images(image, batch_axes, "image")
    _checks.dtype_among(x, ("uint8",), "image")
    if x.shape[3] > _MOST_CHANNELS:
        given, allowed = f"{x.shape[3]} channels", f"1 to {_MOST_CHANNELS}"
        raise OutsideDomain(explain("image", given, allowed, "Take the edges of some of them."))
    low, high = _thresholds(thresholds, side, by_squares, batch_axes)
    found = edges_of(x, low, high, _derivatives(side), by_squares)
    return found if batch_axes else found[0]
