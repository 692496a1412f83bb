"""`cv2.threshold`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, OneOf, Real, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv._histogram import levels_counted

_DTYPES = ("uint8", "uint16", "int16", "float32", "float64")
_OTSU_DTYPES = ("uint8", "uint16")
_KINDS = (
    constants.THRESH_BINARY,
    constants.THRESH_BINARY_INV,
    constants.THRESH_TRUNC,
    constants.THRESH_TOZERO,
    constants.THRESH_TOZERO_INV,
)
_TIES = (
    "Of several thresholds that are best by Otsu's method the lowest is taken; in OpenCV roundings decide."
)
_ZEROS = (
    "THRESH_TRUNC of float64 by a zero keeps the sign of zeros; OpenCV may give them that of the threshold."
)
# Below it TensorFlow takes a float32 for 0.
_FLUSHED = 1.2e-38
# Closer to the best than this, a threshold may be OpenCV's.
_UNDECIDED = 1e-12
_NAMES = "THRESH_BINARY, _BINARY_INV, _TRUNC, _TOZERO or _TOZERO_INV, with THRESH_OTSU added or not"


def _kernel(kind: int) -> Callable[..., Any]:
    def applied(x: Any, level: Any, most: Any) -> Any:
        """Compare pixels with a threshold; whole ones with the whole number below it."""
        dtype = x.dtype
        if dtype.is_integer:
            # In float64 every pixel and threshold is itself; what does not fit is cut off at the end.
            low, high = float(dtype.min), float(dtype.max)
            beneath = level < low
            level = tf.cast(tf.clip_by_value(level, low - 1, high), tf.int32)
            above = tf.cast(x, tf.int32) > level
            limit = tf.where(beneath, tf.zeros([], dtype), tf.cast(tf.maximum(level, dtype.min), dtype))
            most = tf.cast(tf.clip_by_value(tf.round(most), low, high), dtype)
        else:
            limit, most = tf.cast(level, dtype), tf.cast(most, dtype)
            above = x > limit
        zero = tf.zeros([], dtype)
        if kind == constants.THRESH_BINARY:
            return tf.where(above, most, zero)
        if kind == constants.THRESH_BINARY_INV:
            return tf.where(above, zero, most)
        if kind == constants.THRESH_TRUNC:
            return tf.where(above, limit, x)
        return tf.where(above, x, zero) if kind == constants.THRESH_TOZERO else tf.where(above, zero, x)

    return applied


def _otsu() -> Callable[[Any], Any]:
    def level_of(x: Any) -> Any:
        """Return Otsu's threshold of each image (B, H, W, 1), as (B,) of float64.

        Between the classes lies (n s - a S)^2 / (a (n - a)): a pixels with the sum s up to a level, of n with
        the sum S. The differences are whole numbers, exact in int64 for up to eleven million pixels.
        """
        counts = tf.cast(levels_counted(x), tf.int64)
        level = tf.range(counts.shape[1], dtype=tf.int64)
        below, summed = tf.cumsum(counts, 1), tf.cumsum(counts * level, 1)
        number, total = below[:, -1:], summed[:, -1:]
        apart = tf.cast(number * summed - below * total, tf.float64)
        classes = tf.cast(below * (number - below), tf.float64)
        between = tf.where(classes > 0, apart * apart / tf.maximum(classes, 1.0), tf.zeros([], tf.float64))
        return tf.cast(tf.argmax(between, 1), tf.float64)

    return level_of


def _by_otsu(x: Any) -> Any:
    if x.dtype.name not in _OTSU_DTYPES or x.shape[3] != 1:
        given = f"{x.dtype.name} with {x.shape[3]} channels"
        advice = "Otsu's threshold is that of one channel: convert the image to grey first."
        raise OutsideDomain(explain("src", given, "uint8 or uint16 with one channel", advice))
    return xla.run(_otsu)(x)


def _kind_of(value: Any) -> tuple[int, bool]:
    kind = _images.whole_number(value, "type")
    otsu = bool(kind & constants.THRESH_OTSU)
    if kind & ~constants.THRESH_OTSU not in _KINDS:
        advice = "Find the threshold of THRESH_TRIANGLE by hand, or name one of these."
        raise UnsupportedArgument(explain("type", repr(value), _NAMES, advice))
    return kind & ~constants.THRESH_OTSU, otsu


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether Otsu's threshold is asked of an image that has one, and TensorFlow does not flush a number."""
    if any(0 < abs(float(arguments[name])) < _FLUSHED for name in ("thresh", "maxval")):
        return False
    image = np.asarray(arguments["src"])
    plane = image.ndim == 2 or image.shape[2] == 1
    return not arguments["type"] & constants.THRESH_OTSU or (image.dtype.name in _OTSU_DTYPES and plane)


def _cuts_at_zero(arguments: Mapping[str, Any]) -> bool:
    """Whether float64 is cut at zero."""
    cuts = arguments["type"] == constants.THRESH_TRUNC and arguments["thresh"] == 0
    return bool(cuts) and np.asarray(arguments["src"]).dtype == np.float64


def _undecided(arguments: Mapping[str, Any]) -> bool:
    """Whether Otsu's method has several best thresholds, which part the pixels differently."""
    if not arguments["type"] & constants.THRESH_OTSU:
        return False
    pixels = np.sort(np.asarray(arguments["src"]), None).astype(np.float64)
    below = np.flatnonzero(np.diff(pixels)) + 1
    apart = pixels.size * np.cumsum(pixels)[below - 1] - below * pixels.sum()
    between = apart**2 / (below * (pixels.size - below))
    return int((between > between.max(initial=0) * (1 - _UNDECIDED)).sum()) > 1


@replaces(
    "cv2.threshold",
    domain={
        "src": Image(dtypes=_DTYPES, channels=(None, 1, 3, 4, 5), non_finite=False),
        "thresh": Real(-300.0, 300.0, typical=127.0, tensor=True),
        "maxval": Real(-300.0, 300.0, typical=255.0, tensor=True),
        "type": OneOf(*_KINDS, *(kind + constants.THRESH_OTSU for kind in _KINDS), typical=0),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    valid=_fits,
    differences=(
        Difference(
            _TIES,
            witness=lambda: {
                "src": np.array([[0, 0, 1, 2, 2]], np.uint8),
                "thresh": 0,
                "maxval": 1,
                "type": constants.THRESH_OTSU,
            },
            applies=_undecided,
            only={"type": tuple(range(constants.THRESH_OTSU, constants.THRESH_TRIANGLE))},
        ),
        Difference(
            _ZEROS,
            witness=lambda: {
                "src": np.zeros((1, 64)),
                "thresh": -0.0,
                "maxval": 1,
                "type": constants.THRESH_TRUNC,
            },
            applies=_cuts_at_zero,
            only={"src": "f", "type": (constants.THRESH_TRUNC,)},
        ),
    ),
    returns=("retval", "dst"),
)
@batchable
def threshold(
    batch_axes: int, src: Any, thresh: Any, maxval: Any, type: Any, dst: Any = None
) -> tuple[Any, Any]:
    """Compare every pixel with a threshold: a mask, or what lies above or below.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; H and W may be unknown while tracing. NaN is not vouched for.
    thresh : float or scalar tensor
        The threshold; of whole pixels the whole number below it. With THRESH_OTSU it does not count.
    maxval : float or scalar tensor
        What THRESH_BINARY gives above the threshold, THRESH_BINARY_INV elsewhere; rounded to even and
        saturated for whole pixels.
    type : int
        THRESH_BINARY (0), THRESH_BINARY_INV (1), THRESH_TRUNC (2), THRESH_TOZERO (3) or THRESH_TOZERO_INV
        (4). With THRESH_OTSU (8) added, the threshold of bytes or uint16 of one channel is found by Otsu's
        method. THRESH_TRIANGLE is refused.

    Returns
    -------
    retval : tf.Tensor, shape (), float64
        The threshold that was taken.
    dst : tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; Otsu's threshold is asked of several channels or of
        another dtype.
    UnsupportedArgument
        Another `type`, `thresh` or `maxval` is not a number, `dst` is given, or rank or channels are unknown
        while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, Otsu's threshold too. Numbers below 1.2e-38 count as 0.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> image = tf.constant([[10, 20, 200, 210]], tf.uint8)
    >>> level, mask = cv2.threshold(image, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    >>> level.numpy().item(), mask.numpy().tolist()
    (20.0, [[0, 0, 255, 255]])
    """
    _images.refuse_dst(dst)
    which, otsu = _kind_of(type)
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, _DTYPES, "src")
    level, most = ops.number_of(thresh, "thresh", batch_axes), ops.number_of(maxval, "maxval", batch_axes)
    if otsu:
        found = _by_otsu(x)
        level = tf.reshape(found, [-1, 1, 1, 1]) if batch_axes else found[0]
    elif x.dtype.is_integer:
        level = tf.floor(level)
        level = tf.where(level == 0, tf.zeros([], level.dtype), level)  # OpenCV's whole numbers have one zero
    result = _images.as_result(per_pixel(_kernel, which, images=[x], numbers=[level, most]), batch_axes)
    if not batch_axes:
        return level, result
    return tf.broadcast_to(tf.reshape(level, [-1]), tf.shape(x)[:1]), result
