"""`cv2.normalize` and `cv2.meanStdDev`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, LabelOf, Maybe, OneOf, Real, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.opencv._correlate import saturated
from pipeport.kernels.xla._rounding import alone, minus

_DTYPES = ("uint8", "uint16", "int16", "float32", "float64")
_RESULTS = dict.fromkeys(_DTYPES, _DTYPES)
_NORMS = {
    constants.NORM_INF: "NORM_INF",
    constants.NORM_L1: "NORM_L1",
    constants.NORM_L2: "NORM_L2",
    constants.NORM_MINMAX: "NORM_MINMAX",
}
# What a range or a norm has to be larger than.
_LEAST = sys.float_info.epsilon
_OF_IMAGE = [1, 2, 3]
# Rows of bytes from which on sums of their squares are not int32.
_TALL = 2**31 // 255**2
_MASK = Maybe(spec=LabelOf(image="src", dtypes=("uint8",), ranks=(2,)))


def _images_of(src: Any, batch_axes: int) -> Any:
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, _DTYPES, "src")
    return x


def _mask_of(mask: Any, x: Any, batch_axes: int) -> Any:
    """Return a mask (B, H, W, 1), or None; int8 OpenCV 4 does not take."""
    found = ops.mask_of(mask, x, batch_axes)
    if found is not None:
        _checks.dtype_among(found, ("uint8",), "mask")
    return found


def _scaled(name: str) -> Callable[..., Any]:
    """Return what multiplies and adds in float32, rounded once, as OpenCV does; float64 where either is."""
    dtype = tf.as_dtype(name)

    def scaled(x: Any, *given: Any) -> Any:
        *mask, scale, shift = given
        if dtype == tf.float64 or (x.dtype == tf.float64 and dtype.is_floating):
            found = tf.cast(tf.cast(x, tf.float64) * scale + shift, dtype)
        else:
            # The product of two float32 is exact in float64.
            narrow = (tf.cast(tf.cast(one, tf.float32), tf.float64) for one in (x, scale, shift))
            pixels, factor, more = narrow
            found = saturated(tf.cast(pixels * factor + more, tf.float32), dtype)
        return tf.where(mask[0] != 0, found, tf.zeros([], dtype)) if mask else found

    return scaled


def _factors(x: Any, mask: Any, kind: int, ends: tuple[Any, Any], result: str) -> tuple[Any, Any]:
    """Return what images are multiplied by, and what is added: of shape (B, 1, 1, 1), float64."""
    zero, least = tf.zeros([], tf.float64), tf.constant(_LEAST, tf.float64)
    alpha, beta = ends
    inside = None if mask is None else mask != 0

    def extreme(find: Callable[..., Any], other: Any) -> Any:
        wide = tf.cast(x, tf.int32) if x.dtype == tf.uint16 else x
        if inside is not None:
            wide = tf.where(inside, wide, tf.constant(other, wide.dtype))
        found = tf.cast(find(wide, _OF_IMAGE, keepdims=True), tf.float64)
        return found if inside is None else tf.where(tf.reduce_any(inside, _OF_IMAGE, True), found, zero)

    def summed(values: Any) -> Any:
        kept = values if inside is None else tf.where(inside, values, zero)
        return tf.reduce_sum(kept, _OF_IMAGE, keepdims=True)

    if kind == constants.NORM_MINMAX:
        low, high = extreme(tf.reduce_min, x.dtype.max), extreme(tf.reduce_max, x.dtype.min)
        start, stop = tf.minimum(alpha, beta), tf.maximum(alpha, beta)
        share = tf.where(high - low > least, 1 / tf.maximum(high - low, least), zero)
        scale = (stop - start) * share
        if result == "float32":
            scale = tf.cast(tf.cast(scale, tf.float32), tf.float64)
            shift = tf.cast(start, tf.float32) - tf.cast(low * scale, tf.float32)
            return scale, tf.cast(shift, tf.float64)
        return scale, minus(start, low * scale)
    wide = tf.abs(tf.cast(x, tf.float64))
    if kind == constants.NORM_INF:
        wide = wide if inside is None else tf.where(inside, wide, zero)
        norm = tf.reduce_max(wide, _OF_IMAGE, keepdims=True)
    else:
        norm = summed(wide) if kind == constants.NORM_L1 else tf.sqrt(summed(wide * wide))
    scale = tf.where(norm > least, alpha / tf.maximum(norm, least), zero)
    return scale, tf.zeros_like(scale)


def _one_channel(arguments: Mapping[str, Any]) -> bool:
    several = np.ndim(arguments["src"]) == 3 and np.shape(arguments["src"])[2] > 1
    norm = arguments.get("norm_type", constants.NORM_L2)
    return arguments.get("mask") is None or not several or norm != constants.NORM_MINMAX


@replaces(
    "cv2.normalize",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3), non_finite=False),
        "dst": OneOf(None),
        "alpha": Real(-10.0, 300.0, typical=0.0, tensor=True),
        "beta": Real(-10.0, 300.0, typical=255.0, tensor=True),
        "norm_type": OneOf(*_NORMS, typical=constants.NORM_MINMAX),
        "dtype": OneOf(-1, constants.CV_8U, constants.CV_16S, constants.CV_32F, constants.CV_64F),
        "mask": _MASK,
    },
    agreement=WithinLevels(
        1,
        0.01,  # where a norm of floats, summed in another order, moves a product across a tie
        floats=Within(1e-4, "float32 products of up to 300"),
    ),
    refused={"dst": "tensors are not written in place"},
    valid=_one_channel,
)
@batchable
def normalize(
    batch_axes: int,
    src: Any,
    dst: Any,
    alpha: Any = 1,
    beta: Any = 0,
    norm_type: Any = constants.NORM_L2,
    dtype: Any = -1,
    mask: Any = None,
) -> Any:
    """Scale an image to a range of values, or to a norm.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; H and W may be unknown while tracing.
    dst : None
        Another one is refused: tensors are not written in place.
    alpha : float or scalar tensor, default 1
        The norm, or one end of the range.
    beta : float or scalar tensor, default 0
        The other end of the range, with NORM_MINMAX.
    norm_type : int, default NORM_L2
        NORM_MINMAX, NORM_INF, NORM_L1 or NORM_L2, of all channels together.
    dtype : int, default -1
        The dtype of the result: CV_8U, CV_16U, CV_16S, CV_32F, CV_64F, or -1 for that of the image.
    mask : array_like, shape (H, W), uint8, optional
        Where it is 0 pixels do not count, and become 0; with NORM_MINMAX for one channel.

    Returns
    -------
    tf.Tensor, shape of `src`
        (H, W) for (H, W, 1). Whole numbers are rounded, and saturate.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; the mask has another size or dtype, or there
        are several channels beside it.
    UnsupportedArgument
        Another `norm_type`, `dtype` or `dst`; an end is not a number; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: equal, but for norms of floats, which are summed in another order: there whole numbers are
    within one level on few pixels, and floats within 1e-6 of their size. NaN and infinities are not compared.
    Graph: reductions, then one program. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.normalize(tf.constant([[3, 5, 7]], tf.uint8), None, 0, 255, cv2.NORM_MINMAX).numpy().tolist()
    [[0, 128, 255]]
    """
    _images.refuse_dst(dst)
    kind = _images.whole_number(norm_type, "norm_type", default=constants.NORM_L2)
    if kind not in _NORMS:
        advice = "Divide by the norm that you compute."
        raise UnsupportedArgument(explain("norm_type", repr(norm_type), ", ".join(_NORMS.values()), advice))
    x = _images_of(src, batch_axes)
    result = filtering.depth_of(dtype, x.dtype.name, _RESULTS, "dtype")
    places = _mask_of(mask, x, batch_axes)
    if places is not None and kind == constants.NORM_MINMAX and x.shape[3] > 1:
        advice = "Normalise each channel, or leave the mask out."
        raise OutsideDomain(explain("mask", f"a mask beside {x.shape[3]} channels", "one channel", advice))
    ends = (ops.number_of(alpha, "alpha", batch_axes), ops.number_of(beta, "beta", batch_axes))
    numbers = _factors(x, places, kind, ends, result)
    if not batch_axes:
        numbers = tuple(tf.reshape(one, []) for one in numbers)
    images = [x] if places is None else [x, places]
    return _images.as_result(per_pixel(_scaled, result, images=images, numbers=numbers), batch_axes)


def _mean_and_spread(narrow: bool) -> Callable[..., Any]:
    """Return mean and standard deviation of each channel: rows first, which are added as vectors."""

    def run(x: Any, *inside: Any) -> tuple[Any, Any]:
        batch, height, width, channels = sizes_of(x)
        wide = tf.cast(x, tf.int32 if narrow else tf.float64)
        if inside:
            wide = tf.where(inside[0], wide, tf.zeros([], wide.dtype))
            count = tf.reduce_sum(tf.cast(inside[0], tf.float64), [1, 2])
        else:
            count = tf.cast(height * width, tf.float64)
        rows = tf.reshape(wide, [batch, height, width * channels])
        columns = (tf.cast(tf.reduce_sum(one, 1), tf.float64) for one in (rows, rows * rows))
        first, whole = (tf.reduce_sum(tf.reshape(one, [batch, width, channels]), 1) for one in columns)
        scale = tf.where(count > 0, 1 / tf.maximum(count, 1), tf.zeros([], tf.float64))
        # XLA would join products with each other and with the difference; of equal pixels something
        # would be left.
        mean = alone(first * scale)
        spread = alone(whole * scale) - alone(mean * mean)
        return mean, tf.sqrt(tf.maximum(spread, tf.zeros([], tf.float64)))

    return run


@replaces(
    "cv2.meanStdDev",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3), non_finite=False),
        "mask": _MASK,
    },
    agreement=Within(1e-6, "float64 sums in another order; of whole numbers they are exact"),
    refused={"mean": "tensors are not written in place", "stddev": "tensors are not written in place"},
    returns=("mean", "stddev"),
)
@batchable
def meanStdDev(
    batch_axes: int, src: Any, mean: Any = None, stddev: Any = None, mask: Any = None
) -> tuple[Any, Any]:
    """Return mean and standard deviation of each channel.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; H and W may be unknown while tracing.
    mean, stddev : None
        Refused: tensors are not written in place.
    mask : array_like, shape (H, W), uint8, optional
        Where it is 0 pixels do not count.

    Returns
    -------
    mean, stddev : tf.Tensor, shape (C, 1), float64
        Zeros where no pixel counts.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; the mask has another size or dtype.
    UnsupportedArgument
        `mean` or `stddev` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: within 1e-6.
    Graph: two sums for each channel. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> mean, deviation = cv2.meanStdDev(tf.constant([[1, 3], [5, 7]], tf.uint8))
    >>> mean.numpy().tolist(), round(float(deviation[0, 0]), 3)
    ([[4.0]], 2.236)
    """
    for name, given in (("mean", mean), ("stddev", stddev)):
        if given is not None:
            advice = "Tensors are not written in place: use the values that are returned."
            raise UnsupportedArgument(explain(name, type(given).__name__, "None", advice))
    x = _images_of(src, batch_axes)
    places = _mask_of(mask, x, batch_axes)
    narrow = x.dtype.size == 1 and (x.shape[1] or _TALL) < _TALL
    inside = () if places is None else (places != 0,)
    middle, spread = xla.run(_mean_and_spread, narrow)(x, *inside)
    found = middle[..., tf.newaxis], spread[..., tf.newaxis]
    return found if batch_axes else (found[0][0], found[1][0])
