"""Sums and differences of images: `cv2.add`, `cv2.subtract` and `cv2.absdiff`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, Operand, batchable, replaces, sibling, variant
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel

_IMAGE = Image(dtypes=ops.DTYPES, channels=ops.CHANNELS)
_DIFFERENCES = (Difference(ops.COLUMN, ops.column_witness, ops.in_a_column),)


def _sum(x: Any, y: Any) -> Any:
    return x + y


def _difference(x: Any, y: Any) -> Any:
    return x - y


def _distance(x: Any, y: Any) -> Any:
    return tf.abs(x - y)


def _distance_before_5(x: Any, y: Any) -> Any:
    # Another number where int32 overflows; of floats XLA's maximum may lose a NaN.
    return tf.maximum(x, y) - tf.minimum(x, y) if x.dtype.is_integer else tf.abs(x - y)


def _kernel(
    operation: Callable[[Any, Any], Any], numbers: bool, turned: bool, masked: bool
) -> Callable[..., Any]:
    def applied(x: Any, *rest: Any) -> Any:
        """Combine an image with another one, or with numbers, where a mask is not 0."""
        mask, y = (rest if numbers else rest[::-1]) if masked else (None, rest[0])
        dtype = x.dtype
        # Integers are added in int32, where those of 32 bits overflow as in OpenCV.
        wide = tf.int32 if dtype.is_integer else dtype
        second = ops.whole(y, wide) if numbers and dtype.is_integer else tf.cast(y, wide)
        first = tf.cast(x, wide)
        found = operation(second, first) if turned else operation(first, second)
        if dtype.is_integer and dtype != tf.int32:
            found = tf.clip_by_value(found, dtype.min, dtype.max)
        found = tf.cast(found, dtype)
        return found if mask is None else tf.where(mask != 0, found, tf.zeros([], dtype))

    return applied


def _combined(
    operation: Callable[[Any, Any], Any], src1: Any, src2: Any, dst: Any, batch_axes: int, mask: Any = None
) -> Any:
    _images.refuse_dst(dst)
    both = ops.operands(src1, src2, batch_axes)
    where = ops.mask_of(mask, both.like, batch_axes)
    masks = [] if where is None else [where]
    numbers = both.numbers
    static = (operation, bool(numbers), both.turned, bool(masks))
    return _images.as_result(
        per_pixel(_kernel, *static, images=both.images + masks, numbers=numbers), batch_axes
    )


@replaces(
    "cv2.absdiff",
    domain={"src1": _IMAGE, "src2": Operand(image="src1")},
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    differences=_DIFFERENCES,
)
@batchable
def absdiff(batch_axes: int, src1: Any, src2: Any, dst: Any = None) -> Any:
    """Say how far two images lie apart, pixel by pixel.

    Parameters
    ----------
    src1, src2 : tf.Tensor, shape (H, W) or (H, W, C), or numbers
        Two images of one shape and dtype: integers of up to 32 bits, float32 or float64; H and W may be
        unknown while tracing. One of them may be a number, which counts for every channel, or a tuple of up
        to four, one per channel; what is left out is 0. Beside integers numbers are rounded to even.

    Returns
    -------
    tf.Tensor, shape and dtype of the images
        Saturated, but for int32, which overflows; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        An image is empty, or has another rank or dtype; shapes or dtypes differ; there are numbers beside
        more than four channels.
    UnsupportedArgument
        `dst` is given, rank or channels are unknown while tracing, or numbers have another form.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: bit for bit, NaN included. Where int32 overflows, OpenCV 4 and 5 differ, and
    `pipeport.config.opencv()` decides.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.absdiff(tf.constant([[1, 20, 3]], tf.uint8), 10).numpy().tolist()
    [[9, 10, 7]]
    """
    operation = _distance_before_5 if config.opencv() == 4 else _distance
    return _combined(operation, src1, src2, dst, batch_axes)


@replaces(
    "cv2.add",
    domain={"src1": _IMAGE, "src2": Operand(image="src1"), "mask": ops.mask_beside("src1")},
    agreement=Exact(),
    refused={"dst": "tensors are not written in place", "dtype": ops.NO_DTYPE},
    differences=_DIFFERENCES,
)
@variant(_sum)
def add(
    operation: Callable[[Any, Any], Any],
    batch_axes: int,
    src1: Any,
    src2: Any,
    dst: Any = None,
    mask: Any = None,
    dtype: Any = -1,
) -> Any:
    """Add two images, or numbers to an image, without overflow.

    Parameters
    ----------
    src1, src2 : tf.Tensor, shape (H, W) or (H, W, C), or numbers
        Two images of one shape and dtype: integers of up to 32 bits, float32 or float64; H and W may be
        unknown while tracing. One of them may be a number, which counts for every channel, or a tuple of up
        to four, one per channel; what is left out is 0. Beside integers numbers are rounded to even.
    mask : tf.Tensor, shape (H, W), uint8 or int8, optional
        Where it is 0, the result is 0.
    dtype : int, default -1
        Refused, but for -1: the result has the dtype of the images.

    Returns
    -------
    tf.Tensor, shape and dtype of the images
        Saturated, but for int32, which overflows; (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        An image is empty, or has another rank or dtype; shapes or dtypes differ; there are numbers beside
        more than four channels; the mask has another size or dtype.
    UnsupportedArgument
        `dst` or `dtype` is given, rank or channels are unknown while tracing, or numbers have another form.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.add(tf.constant([[1, 20, 250]], tf.uint8), 10).numpy().tolist()
    [[11, 30, 255]]
    """
    ops.refuse_dtype(dtype)
    return _combined(operation, src1, src2, dst, batch_axes, mask)


subtract = sibling(
    add,
    "subtract",
    _difference,
    {
        "Add two images, or numbers to an image,": "Subtract an image or numbers,",
        "[[11, 30, 255]]": "[[0, 10, 240]]",
    },
)
