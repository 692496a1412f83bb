"""`cv2.adaptiveThreshold`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv._filter import Filter, filtered, gaussian_weights, weights_of

_METHODS = (constants.ADAPTIVE_THRESH_MEAN_C, constants.ADAPTIVE_THRESH_GAUSSIAN_C)
_KINDS = (constants.THRESH_BINARY, constants.THRESH_BINARY_INV)


def _around(x: Any, method: int, side: int) -> Any:
    """Return the mean around each byte of (B, H, W, 1), weighed or not, as a byte."""
    rule = filtering.rule_of(constants.BORDER_REPLICATE)
    if method == constants.ADAPTIVE_THRESH_MEAN_C:
        return filtered(x, Filter((1,) * side, (1,) * side, rule, side * side, "uint8"))
    weights = weights_of("float32", gaussian_weights(side, 0.0))
    found = filtered(tf.cast(x, tf.float32), Filter(weights, weights, rule, dtype="float32"))
    return tf.cast(tf.clip_by_value(tf.round(found), 0.0, 255.0), tf.uint8)


def _number(value: Any, parameter: str) -> float:
    number = _checks.finite_scalar(value, parameter)
    if tf.is_tensor(number):
        given, advice = "a tensor not known while tracing", "Give a Python number."
        raise UnsupportedArgument(explain(parameter, given, "a number", advice))
    return float(number)


@replaces(
    "cv2.adaptiveThreshold",
    domain={
        "src": Image(dtypes=("uint8",), channels=(None, 1)),
        "maxValue": OneOf(255, 200.5, 1, -3, 300, typical=255),
        "adaptiveMethod": OneOf(*_METHODS, typical=0),
        "thresholdType": OneOf(*_KINDS, typical=0),
        "blockSize": OneOf(3, 5, 11, 31, typical=11),
        "C": OneOf(2, 0, -4.5, 7.3, typical=2),
    },
    agreement=WithinLevels(255, 0.001),
    refused={"dst": "tensors are not written in place"},
)
@batchable
def adaptiveThreshold(
    batch_axes: int,
    src: Any,
    maxValue: Any,
    adaptiveMethod: Any,
    thresholdType: Any,
    blockSize: Any,
    C: Any,
    dst: Any = None,
) -> Any:
    """Compare every byte with the mean of the square around it, less a number.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, 1), uint8
        The image; H and W may be unknown while tracing.
    maxValue : float
        What the result has where the byte is above, with THRESH_BINARY_INV where it is not; rounded, and
        limited to 0 to 255. Elsewhere it is 0. Known while tracing, as all that follow.
    adaptiveMethod : int
        ADAPTIVE_THRESH_MEAN_C (0), or ADAPTIVE_THRESH_GAUSSIAN_C (1) with the weights of a Gaussian.
    thresholdType : int
        THRESH_BINARY (0) or THRESH_BINARY_INV (1).
    blockSize : int
        Side of the square, odd, 3 to 255.
    C : float
        What is taken off the mean.

    Returns
    -------
    tf.Tensor, shape (H, W), uint8
        The mask.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank, dtype or more channels; `blockSize` is even or out of range;
        a number is not finite.
    UnsupportedArgument
        Another method or type, `dst` is given, or an argument is not known while tracing.
    WrongType
        `maxValue` or `C` is not a number.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: with the mean bit for bit; with a Gaussian but for bytes whose mean lies within rounding of a
    half, one in a thousand at most.
    Graph: as `blur` and `GaussianBlur`. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> row = tf.constant([[10, 10, 50, 10, 10]], tf.uint8)
    >>> cv2.adaptiveThreshold(row, 255, 0, cv2.THRESH_BINARY, 3, 2).numpy().tolist()
    [[255, 0, 255, 0, 255]]
    """
    _images.refuse_dst(dst)
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, ("uint8",), "src")
    if x.shape[3] != 1:
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", "one", "Convert it to grey first."))
    how, which = (
        _images.whole_number(adaptiveMethod, "adaptiveMethod"),
        _images.whole_number(thresholdType, "thresholdType"),
    )
    _checks.one_of(how, _METHODS, "adaptiveMethod", "ADAPTIVE_THRESH_MEAN_C or ADAPTIVE_THRESH_GAUSSIAN_C.")
    _checks.one_of(which, _KINDS, "thresholdType", "THRESH_BINARY or THRESH_BINARY_INV.")
    size, delta = _images.whole_number(blockSize, "blockSize"), _number(C, "C")
    if size < 3 or size % 2 == 0 or size > filtering.MOST:
        allowed = f"odd, 3 to {filtering.MOST}"
        raise OutsideDomain(explain("blockSize", size, allowed, "Add one to an even number."))
    level = _number(maxValue, "maxValue")
    level = float(np.clip(np.round(level), 0, 255)) if level >= 0 else 0
    inverse = which == constants.THRESH_BINARY_INV
    delta = math.floor(delta) if inverse else math.ceil(delta)
    difference = tf.cast(x, tf.int32) - tf.cast(_around(x, how, size), tf.int32)
    above = difference <= -delta if inverse else difference > -delta
    return _images.as_result(
        tf.where(above, tf.constant(int(level), tf.uint8), tf.constant(0, tf.uint8)), batch_axes
    )
