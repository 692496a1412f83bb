"""`cv2.GaussianBlur`."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Real, Within, batch_form, replaces
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._constants import BORDER_DEFAULT
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.opencv._filter import Filter, filtered, gaussian_weights, in_floats, in_parts

# How many standard deviations a side of the kernel has, where its size follows from them.
_REACH = {"uint8": 3, "float32": 4}
# Sides of one size whose standard deviations are nearer than this share one kernel, as in OpenCV.
_SAME = sys.float_info.epsilon
_SIZES = ((3, 3), (5, 5), (7, 7), (9, 9), (5, 3), (1, 5), (9, 1), (11, 13), (0, 0), (0, 3))


def _sigma_of(value: Any, parameter: str) -> float:
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        value = known[()] if known is not None and known.ndim == 0 else value
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        advice = "Give a Python number: it decides the weights, which are part of the graph."
        raise UnsupportedArgument(explain(parameter, repr(value), "a number known while tracing", advice))
    if not math.isfinite(value):
        advice = "For equal weights use cv2.blur."
        raise OutsideDomain(explain(parameter, value, "a finite number", advice))
    return float(value)


def _size_of(ksize: Any, sigmas: tuple[float, float], dtype: str) -> tuple[int, int]:
    """Return width and height of the kernel; what is not positive follows from a positive sigma."""
    given = (0, 0) if ksize is None else filtering.pair_of(ksize, "ksize")
    found = [
        round(2 * _REACH[dtype] * sigma + 1) | 1 if side <= 0 < sigma else side
        for side, sigma in zip(given, sigmas, strict=True)
    ]
    return filtering.checked(*found, odd=True)


def _blur(
    src: Any, ksize: Any, sigma_x: Any, dst: Any, sigma_y: Any, border: Any, hint: Any, batch_axes: int
) -> Any:
    _images.refuse_dst(dst)
    filtering.refuse_hint(hint)
    across, down = _sigma_of(sigma_x, "sigmaX"), _sigma_of(sigma_y, "sigmaY")
    down = down if down > 0 else across
    rule = filtering.rule_of(border)
    x = filtering.images_of(src, batch_axes)
    width, height = _size_of(ksize, (across, down), x.dtype.name)
    if width == height and abs(max(across, 0.0) - max(down, 0.0)) < _SAME:
        down = across
    if rule != "grid-constant":  # a single pixel has only itself beside it
        height, width = (1 if x.shape[1] == 1 else height), (1 if x.shape[2] == 1 else width)
    rounded = in_parts if x.dtype == tf.uint8 else in_floats
    weights = rounded(gaussian_weights(height, down)), rounded(gaussian_weights(width, across))
    return _images.as_result(filtered(x, Filter(*weights, rule)), batch_axes)


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether a size that is to follow from a sigma can."""
    return bool(min(arguments["ksize"]) > 0 or arguments["sigmaX"] > 0)


@replaces(
    "cv2.GaussianBlur",
    domain={
        "src": Image(dtypes=filtering.DTYPES, channels=filtering.CHANNELS),
        "ksize": OneOf(*_SIZES, typical=(5, 5)),
        "sigmaX": Real(-0.5, 3.0, typical=0.0),
        "sigmaY": Real(-0.5, 3.0, typical=0.0),
        "borderType": OneOf(*filtering.RULES, typical=BORDER_DEFAULT),
    },
    agreement=Within(1e-6, "float32 sums of products in another order; bytes are equal"),
    proven_against=">=4.11,<6",
    parameters="(src, ksize, sigmaX, dst=None, sigmaY=0, borderType=4, hint=0)",
    refused={
        "dst": "tensors are not written in place",
        "hint": "one algorithm is served",
    },
    valid=_fits,
    examples=(
        lambda: {
            "src": np.array([[0, 1], [2, 3]], np.uint8),
            "ksize": (3, 3),
            "sigmaX": 0.0,
            "sigmaY": 1e-200,
        },
    ),
)
def GaussianBlur(
    src: Any,
    ksize: Any,
    sigmaX: Any,
    dst: Any = None,
    sigmaY: Any = 0,
    borderType: Any = BORDER_DEFAULT,
    hint: Any = 0,
) -> Any:
    """Blur an image with a Gaussian.

    Native equivalent of `cv2.GaussianBlur`, for bytes and float32.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8 or float32
        The image, of one to four channels; H and W may be unknown while tracing.
    ksize : (int, int)
        Width and height of the kernel, odd, up to 255. One that is 0 follows from its sigma: 6 sigma + 1, for
        float32 8 sigma + 1, rounded, and one more if that is even.
    sigmaX : float
        Standard deviation along rows. Without a positive one it follows from the width w: 0.15 w + 0.35,
        and up to w = 9 the weights are those of OpenCV's table.
    dst : None
        Refused: tensors are not written in place.
    sigmaY : float, default 0
        Standard deviation along columns; without a positive one that along rows.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image: BORDER_REFLECT_101, BORDER_REFLECT, BORDER_REPLICATE or BORDER_CONSTANT,
        which is zeros. It may be wider than the image.
    hint : int, default 0
        Refused, but for ALGO_HINT_DEFAULT.

    Returns
    -------
    tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; the kernel has an even side or more
        than 255, or none and no sigma; a sigma is not finite.
    UnsupportedArgument
        Another `borderType`, `dst` or `hint`; `ksize` or a sigma is a tensor or no number; rank or channels
        are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bytes bit for bit, by the same weights in parts of 256; floats in [-1, 1] within 1e-6, with
    more than 101 weights within 3e-6. A NaN or an infinity spreads as far as the kernel reaches, as in
    OpenCV; but where a side is one pixel long and not known to be, an infinity becomes NaN if the sigma is
    so small that weights vanish.
    Graph: two programs, of columns and of rows; where sizes are unknown one of each per bucket of sizes, and
    slower. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.GaussianBlur(tf.constant([[0, 0, 160, 0, 0]], tf.uint8), (3, 1), 0).numpy().tolist()
    [[0, 40, 80, 40, 0]]
    """
    return _blur(src, ksize, sigmaX, dst, sigmaY, borderType, hint, 0)


@batch_form(GaussianBlur)
def _gaussian_blur_batch(
    src: Any,
    ksize: Any,
    sigmaX: Any,
    dst: Any = None,
    sigmaY: Any = 0,
    borderType: Any = BORDER_DEFAULT,
    hint: Any = 0,
) -> Any:
    return _blur(src, ksize, sigmaX, dst, sigmaY, borderType, hint, 1)
