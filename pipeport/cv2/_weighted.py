"""Images times numbers: `cv2.addWeighted` and `cv2.convertScaleAbs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Image, Operand, Real, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks

_WEIGHTED = ("uint8", "int8", "uint16", "int16", "float32", "float64")


def _added(total: Any, x: Any, factor: Any) -> Any:
    """Return total + x * factor in float32, rounded once.

    The product of two float32 is exact in float64. OpenCV computes so where the processor can, and so does
    XLA; by way of float64 it is the same everywhere.
    """
    wide = tf.float64
    return tf.cast(tf.cast(total, wide) + tf.cast(x, wide) * tf.cast(factor, wide), tf.float32)


def _whole(found: Any, dtype: Any) -> Any:
    if not dtype.is_integer:
        return tf.cast(found, dtype)
    return tf.cast(tf.clip_by_value(tf.round(found), dtype.min, dtype.max), dtype)


def weighted() -> Callable[..., Any]:
    """Return what mixes two images, given their weights and what is added."""

    def applied(x: Any, y: Any, alpha: Any, beta: Any, gamma: Any) -> Any:
        if x.dtype == tf.float64:
            return x * alpha + y * beta + gamma
        first, second, more = (tf.cast(one, tf.float32) for one in (alpha, beta, gamma))
        return _whole(_added(_added(more, y, second), x, first), x.dtype)

    return applied


def _scaled() -> Callable[..., Any]:
    def applied(x: Any, alpha: Any, beta: Any) -> Any:
        factor, more = tf.cast(alpha, tf.float32), tf.cast(beta, tf.float32)
        return _whole(tf.abs(_added(more, tf.cast(x, tf.float32), factor)), tf.uint8)

    return applied


def _no_image(value: Any, channels: int, parameter: str) -> Any:  # noqa: ARG001 - as numbers are read
    advice = "Add numbers by `gamma`."
    raise OutsideDomain(explain(parameter, repr(value), "an image of the shape of the other", advice))


@replaces(
    "cv2.addWeighted",
    domain={
        "src1": Image(dtypes=_WEIGHTED, channels=(*ops.CHANNELS, 5), non_finite=False),
        "alpha": Real(-2.0, 2.0, typical=0.7, tensor=True),
        "src2": Operand(image="src1", numbers=None, non_finite=False),
        "beta": Real(-2.0, 2.0, typical=0.3, tensor=True),
        "gamma": Real(-30.0, 30.0, typical=0.0, tensor=True),
    },
    agreement=WithinLevels(1, 1.0, floats=Within(1e-5, "float32 sums of products, rounded once or twice")),
    refused={"dst": "tensors are not written in place", "dtype": ops.NO_DTYPE},
)
@batchable
def addWeighted(
    batch_axes: int, src1: Any, alpha: Any, src2: Any, beta: Any, gamma: Any, dst: Any = None, dtype: Any = -1
) -> Any:
    """Mix two images: src1 * alpha + src2 * beta + gamma.

    Parameters
    ----------
    src1 : tf.Tensor, shape (H, W) or (H, W, C)
        An image: integers of up to 16 bits, float32 or float64; H and W may be unknown while tracing.
    alpha : float or scalar tensor
        Its weight.
    src2 : tf.Tensor, shape and dtype of `src1`
        Another image.
    beta : float or scalar tensor
        Its weight.
    gamma : float or scalar tensor
        What is added.
    dtype : int, default -1
        Refused, but for -1: the result has the dtype of the images.

    Returns
    -------
    tf.Tensor, shape and dtype of the images
        Integers are rounded to even and saturated; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        An image is empty, or has another rank or dtype; shapes or dtypes differ.
    UnsupportedArgument
        `dst` or `dtype` is given, a weight is not a number, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: integers within one grey level, where the sum lies next to a half: OpenCV's own depend on
    the processor, and on where a pixel stands in its row. With fused multiply-add those of 16 or more bytes
    are equal. Floats within 1e-5 where pixels lie in [-1, 1]; NaN and infinities are not vouched for.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> one, other = tf.constant([[0, 100]], tf.uint8), tf.constant([[200, 200]], tf.uint8)
    >>> cv2.addWeighted(one, 0.75, other, 0.25, 10).numpy().tolist()
    [[60, 135]]
    """
    _images.refuse_dst(dst)
    ops.refuse_dtype(dtype)
    both = ops.operands(src1, src2, batch_axes, _no_image)
    _checks.dtype_among(both.like, _WEIGHTED, "src1")
    numbers = {"alpha": alpha, "beta": beta, "gamma": gamma}
    given = [ops.number_of(value, name, batch_axes) for name, value in numbers.items()]
    return _images.as_result(per_pixel(weighted, images=both.images, numbers=given), batch_axes)


@replaces(
    "cv2.convertScaleAbs",
    domain={
        "src": Image(dtypes=_WEIGHTED, channels=(*ops.CHANNELS, 5), values=(-99.0, 99.0), non_finite=False),
        "alpha": Real(-2.0, 2.0, typical=1.5, tensor=True),
        "beta": Real(-99.0, 99.0, typical=10.0, tensor=True),
    },
    agreement=WithinLevels(1, 1.0),
    refused={"dst": "tensors are not written in place"},
)
@batchable
def convertScaleAbs(batch_axes: int, src: Any, dst: Any = None, alpha: Any = 1, beta: Any = 0) -> Any:
    """Scale an image, take the absolute value, and round it to bytes: brightness and contrast.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C)
        The image: integers of up to 16 bits, float32 or float64; H and W may be unknown while tracing.
    alpha, beta : float or scalar tensor, default 1 and 0
        The factor, and what is added.

    Returns
    -------
    tf.Tensor, shape of `src`, uint8
        Rounded to even and saturated; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype.
    UnsupportedArgument
        `dst` is given, a number is none, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: within one grey level, where the result lies next to a half: OpenCV's own bytes depend on the
    processor. With fused multiply-add they are equal. NaN, infinities and results beyond 32 bits are not
    vouched for.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.convertScaleAbs(tf.constant([[0, 100, 200]], tf.uint8), alpha=1.5, beta=-20).numpy().tolist()
    [[20, 130, 255]]
    """
    _images.refuse_dst(dst)
    x = ops.image_of(src, batch_axes, "src")
    _checks.dtype_among(x, _WEIGHTED, "src")
    given = [ops.number_of(alpha, "alpha", batch_axes), ops.number_of(beta, "beta", batch_axes)]
    return _images.as_result(per_pixel(_scaled, images=[x], numbers=given), batch_axes)
