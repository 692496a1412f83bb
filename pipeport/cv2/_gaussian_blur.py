"""`cv2.GaussianBlur`."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, PerAxis, Real, Within, batchable, replaces
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._constants import BORDER_DEFAULT
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.opencv._filter import Filter, drawn_weights, filtered, gaussian_weights, weights_of

# How many standard deviations a side of the kernel has, where its size follows from them.
_REACH = {"uint8": 3, "uint16": 4, "float32": 4, "float64": 4}
_DTYPES = tuple(_REACH)
# Sides of one size whose standard deviations are nearer than this share one kernel, as in OpenCV.
_SAME = sys.float_info.epsilon
# Of a smaller sigma float32 has no outer weights in the largest of these kernels.
_LEAST = 0.5
_SIDES = OneOf(0, 1, 3, 5, 7, 9, 11, 13)
# Of a size that is drawn the next larger one of these is computed, with weights of zero.
_LARGEST = (7, 15, 31)


def _sigma_of(value: Any, parameter: str, batch_axes: int) -> Any:
    """Return a standard deviation, as a tensor of float64 if it is not known while tracing."""
    value = static_value(value, parameter)
    if isinstance(value, np.ndarray) and value.ndim:
        value = tf.convert_to_tensor(value)
    if tf.is_tensor(value):
        if value.shape.rank not in ((0, 1) if batch_axes else (0,)) or value.dtype.is_complex:
            given = f"a tensor of {value.dtype.name} {value.shape}"
            raise UnsupportedArgument(explain(parameter, given, "one number", "Take one element of it."))
        return tf.cast(value, tf.float64)
    value = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        advice = "Give a Python number or a scalar tensor."
        raise UnsupportedArgument(explain(parameter, repr(value), "a number", advice))
    if not math.isfinite(value):
        advice = "For equal weights use cv2.blur."
        raise OutsideDomain(explain(parameter, value, "a finite number", advice))
    return float(value)


def _sides_of(ksize: Any, batch_axes: int) -> Any:
    """Return width and height: two integers, or as a tensor (2,) or (B, 2) if they are drawn."""
    ksize = static_value(ksize, "ksize")
    if batch_axes and np.ndim(ksize) == 2:
        ksize = tf.convert_to_tensor(ksize)
    if not tf.is_tensor(ksize):
        return (0, 0) if ksize is None else filtering.pair_of(ksize, "ksize")
    ranks = (1, 2) if batch_axes else (1,)
    if ksize.shape.rank not in ranks or ksize.shape[-1] != 2 or not ksize.dtype.is_integer:
        given = f"a tensor of {ksize.dtype.name} {ksize.shape}"
        raise UnsupportedArgument(explain("ksize", given, "two integers", "Give a width and a height."))
    return tf.cast(ksize, tf.int32)


def _size_of(given: tuple[int, int], sigmas: tuple[float, float], dtype: str) -> tuple[int, int]:
    """Return width and height of the kernel; what is not positive follows from a positive sigma."""
    found = [
        round(2 * _REACH[dtype] * sigma + 1) | 1 if side <= 0 < sigma else side
        for side, sigma in zip(given, sigmas, strict=True)
    ]
    return filtering.checked(*found, odd=True)


def _drawn_size(given: Any, sigmas: tuple[Any, Any], dtype: str) -> tuple[Any, Any]:
    """Return the same, (b,) each, checked in the graph."""
    sides = []
    for side, sigma in zip(tf.unstack(given, axis=-1), sigmas, strict=True):
        # Larger ones are refused below, and need not fit into an integer.
        reach = tf.minimum(2.0 * _REACH[dtype] * sigma + 1, 1e6)
        of_sigma = tf.bitwise.bitwise_or(tf.cast(tf.round(reach), tf.int32), 1)
        sides.append(tf.where((side <= 0) & (sigma > 0), of_sigma, side))
    advice = "One that follows from sigma is 6 sigma + 1, of other dtypes than uint8 8 sigma + 1."
    text = explain("ksize", "another size at run time", f"odd, 1 to {_LARGEST[-1]}", advice)
    width, height = sides
    fits = [
        tf.debugging.Assert(
            tf.reduce_all((side % 2 == 1) & (side <= _LARGEST[-1]) & (side > 0)), [text, side]
        )
        for side in sides
    ]
    with tf.control_dependencies(fits):
        return tf.identity(width), tf.identity(height)


def _finite(sigma: Any, parameter: str) -> Any:
    text = explain(
        parameter, "a number that is not finite", "a finite one", "For equal weights use cv2.blur."
    )
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(tf.math.is_finite(sigma)), [text])]):
        return tf.identity(sigma)


def _of_drawn(x: Any, ksize: Any, across: Any, down: Any, rule: str) -> Any:
    """Blur with what the graph draws: a size, up to the largest, or standard deviations."""
    across, down = (tf.reshape(tf.convert_to_tensor(one, tf.float64), [-1]) for one in (across, down))
    across, down = _finite(across, "sigmaX"), _finite(down, "sigmaY")
    down = tf.where(down > 0, down, across)
    known = None if tf.is_tensor(ksize) or min(ksize) <= 0 else filtering.checked(*ksize, odd=True)
    if known is None:
        width, height = _drawn_size(tf.convert_to_tensor(ksize), (across, down), x.dtype.name)
    else:
        width, height = (tf.constant([side]) for side in known)
    # Of one shape, so that each image of a batch has its own weights, or all have the same.
    across, down, width, height = (
        one + tf.zeros_like(tf.cast(width, one.dtype)) for one in (across, down, width, height)
    )
    positive = [tf.maximum(one, tf.zeros([], tf.float64)) for one in (across, down)]
    same = (width == height) & (tf.abs(positive[0] - positive[1]) < _SAME)
    down = tf.where(same, across, down)

    def blurred(most: tuple[int, int]) -> Any:
        dtype = x.dtype.name
        weights = drawn_weights(dtype, height, down, most[1]), drawn_weights(dtype, width, across, most[0])
        return filtered(x, Filter(most[1], most[0], rule, dtype=dtype), *weights)

    if known is not None:
        return blurred(known)
    largest = tf.reduce_max(tf.maximum(width, height))
    small, middle, large = _LARGEST
    return tf.cond(
        largest <= small,
        lambda: blurred((small, small)),
        lambda: tf.cond(
            largest <= middle, lambda: blurred((middle, middle)), lambda: blurred((large, large))
        ),
    )


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether a size that is to follow from a sigma can; and no infinity meets weights that vanish.

    Of a side of one pixel OpenCV takes one weight, and so do natives that know it, and the sigma.
    """
    vanishes = any(0 < arguments.get(name, 0) < _LEAST for name in ("sigmaX", "sigmaY"))
    src = np.asarray(arguments["src"])
    if vanishes and min(src.shape[:2]) == 1 and not np.isfinite(src).all():
        return False
    return bool(min(arguments["ksize"]) > 0 or arguments["sigmaX"] > 0)


@replaces(
    "cv2.GaussianBlur",
    domain={
        "src": Image(dtypes=_DTYPES, channels=filtering.CHANNELS),
        "ksize": PerAxis(spec=_SIDES, count=2, single=False, tensor=True, typical=(5, 5)),
        "sigmaX": Real(-0.5, 3.0, typical=0.0, tensor=True),
        "sigmaY": Real(-0.5, 3.0, typical=0.0, tensor=True),
        "borderType": OneOf(*filtering.RULES, typical=BORDER_DEFAULT),
    },
    agreement=Within(1e-6, "sums of products in another order; whole numbers are equal"),
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
@batchable
def GaussianBlur(
    batch_axes: int,
    src: Any,
    ksize: Any,
    sigmaX: Any,
    dst: Any = None,
    sigmaY: Any = 0,
    borderType: Any = BORDER_DEFAULT,
    hint: Any = 0,
) -> Any:
    """Blur an image with a Gaussian.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ksize : (int, int), or two integers in a tensor
        Width and height of the kernel, odd, up to 255. One that is 0 follows from its sigma: 6 sigma + 1, for
        other dtypes than uint8 8 sigma + 1, rounded, and one more if that is even. One that is not known
        while tracing is at most 31.
    sigmaX : float or scalar tensor
        Standard deviation along rows. Without a positive one it follows from the width w: 0.15 w + 0.35,
        and up to w = 9 the weights are those of OpenCV's table.
    sigmaY : float or scalar tensor, default 0
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
        Another `borderType`, `dst` or `hint`; `ksize` or a sigma is not a number; rank or channels are
        unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, a size that is drawn to be even or more than 31, or a
        drawn sigma not finite.

    Notes
    -----
    Agreement: whole numbers bit for bit, by the same weights in parts of 256 and 65536; floats in [-1, 1]
    within 1e-6, float32 with more than 101 weights within 3e-6. A NaN or an infinity spreads as far as the
    kernel reaches, as in OpenCV; but where a side is one pixel long, and that or a sigma is not known while
    tracing, an infinity becomes NaN if the sigma is so small that weights vanish.
    Graph: two programs, of columns and of rows; where sizes are unknown one of each per bucket of sizes, and
    slower. Where the size of the kernel is drawn, two for each of up to 7, 15 and 31 weights, which for a
    kernel of three takes longer than OpenCV in numpy_function. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.GaussianBlur(tf.constant([[0, 0, 160, 0, 0]], tf.uint8), (3, 1), 0).numpy().tolist()
    [[0, 40, 80, 40, 0]]
    """
    _images.refuse_dst(dst)
    filtering.refuse_hint(hint)
    across, down = _sigma_of(sigmaX, "sigmaX", batch_axes), _sigma_of(sigmaY, "sigmaY", batch_axes)
    sides, rule = _sides_of(ksize, batch_axes), filtering.rule_of(borderType)
    x = filtering.images_of(src, batch_axes, _DTYPES)
    if any(map(tf.is_tensor, (sides, across, down))):
        return _images.as_result(_of_drawn(x, sides, across, down, rule), batch_axes)
    down = down if down > 0 else across
    width, height = _size_of(sides, (across, down), x.dtype.name)
    if width == height and abs(max(across, 0.0) - max(down, 0.0)) < _SAME:
        down = across
    if rule != "grid-constant":  # a single pixel has only itself beside it
        height, width = (1 if x.shape[1] == 1 else height), (1 if x.shape[2] == 1 else width)
    sized = (gaussian_weights(height, down), gaussian_weights(width, across))
    rows, columns = (weights_of(x.dtype.name, one) for one in sized)
    return _images.as_result(filtered(x, Filter(rows, columns, rule, dtype=x.dtype.name)), batch_axes)
