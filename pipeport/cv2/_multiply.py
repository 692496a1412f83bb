"""`cv2.multiply`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Difference, Image, Operand, Real, Within, batchable, replaces
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

# Products of larger integers overflow in OpenCV, each in another way.
_DTYPES = ("uint8", "int8", "int16", "float32", "float64")


def _kernel(numbers: bool, scaled: bool, wide_scale: bool) -> Callable[..., Any]:
    def applied(x: Any, y: Any, *scale: Any) -> Any:
        """Multiply in the precision that OpenCV takes, float32 or float64."""
        dtype = x.dtype
        narrow = not numbers and dtype != tf.float64 and not (scaled and wide_scale and dtype == tf.float32)
        wide = tf.float32 if narrow else tf.float64
        first, second = tf.cast(x, wide), tf.cast(y, wide)
        found = tf.cast(scale[0], wide) * first * second if scaled else first * second
        if dtype.is_integer:
            found = tf.clip_by_value(tf.round(found), dtype.min, dtype.max)
        return tf.cast(found, dtype)

    return applied


_FEW = 64  # at most so many bytes fill a register
_ORDER = (
    "A scaled image of fewer than 64 numbers is rounded as a larger one; OpenCV 5 multiplies the images "
    "first where they fill no register of the processor."
)


def _is_few(arguments: Mapping[str, Any]) -> bool:
    """Whether few numbers are scaled, in float32."""
    first = np.asarray(arguments["src1"])
    return first.dtype != np.float64 and first.size < _FEW and arguments["scale"] != 1


def _few() -> dict[str, Any]:
    """Return a scaled product that is rounded otherwise."""
    images = np.array([[[-0.75, -0.5, 0.1]], [[0.02364325, 0.90092736, 0.3]]], np.float32)
    return {"src1": images[0], "src2": images[1], "scale": -1 / 3}


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether there is a scale between two images alone."""
    images = all(np.ndim(arguments[name]) > 1 for name in ("src1", "src2"))
    return images or arguments["scale"] == 1


@replaces(
    "cv2.multiply",
    domain={
        "src1": Image(dtypes=_DTYPES, channels=ops.CHANNELS, non_finite=False),
        "src2": Operand(image="src1", numbers=(-20.0, 20.0), non_finite=False),
        "scale": Real(-1.5, 1.5),
    },
    agreement=Within(2e-38, "TensorFlow takes products that are subnormal for 0"),
    refused={"dst": "tensors are not written in place", "dtype": ops.NO_DTYPE},
    valid=_fits,
    differences=(
        Difference(ops.COLUMN, ops.column_witness, ops.in_a_column),
        Difference(_ORDER, _few, _is_few, where="cv2>=5"),
    ),
)
@batchable
def multiply(batch_axes: int, src1: Any, src2: Any, dst: Any = None, scale: Any = 1, dtype: Any = -1) -> Any:
    """Multiply two images, or an image by numbers, without overflow.

    Parameters
    ----------
    src1, src2 : tf.Tensor, shape (H, W) or (H, W, C), or numbers
        Two images of one shape and dtype: uint8, int8, int16, float32 or float64; H and W may be unknown
        while tracing. One of them may be a number, which counts for every channel, or a tuple of up to
        four, one per channel; what is left out is 0.
    scale : float, default 1
        A factor more; beside numbers only 1.
    dtype : int, default -1
        Refused, but for -1: the result has the dtype of the images.

    Returns
    -------
    tf.Tensor, shape and dtype of the images
        Integers are rounded to even and saturated; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        An image is empty, or has another rank or dtype; shapes or dtypes differ; there are numbers beside
        more than four channels.
    UnsupportedArgument
        `dst` or `dtype` is given, or `scale` beside numbers; rank or channels are unknown while tracing, or
        numbers have another form.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: equal, but for the sign of zero and products below 1.2e-38, which are 0. NaN and infinities
    are not vouched for, nor are products beyond 32 bits. Scaled float32 has other roundings in OpenCV 4 and
    5, and `pipeport.config.opencv()` decides.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.multiply(tf.constant([[1, 20, 250]], tf.uint8), 1.5).numpy().tolist()
    [[2, 30, 255]]
    """
    _images.refuse_dst(dst)
    ops.refuse_dtype(dtype)
    both = ops.operands(src1, src2, batch_axes)
    if both.like.dtype.name not in _DTYPES:
        advice = "Cast it to float32 first: there OpenCV overflows."
        raise OutsideDomain(explain("src1", f"dtype {both.like.dtype.name}", ", ".join(_DTYPES), advice))
    factor = ops.number_of(scale, "scale", 0)
    scaled = tf.get_static_value(factor) != 1
    if scaled and both.numbers:
        advice = "Multiply the number itself by it."
        raise UnsupportedArgument(explain("scale", repr(scale), "1 beside numbers", advice))
    static = (bool(both.numbers), scaled, config.opencv() == 4)
    numbers = both.numbers + ([factor] if scaled else [])
    return _images.as_result(per_pixel(_kernel, *static, images=both.images, numbers=numbers), batch_axes)
