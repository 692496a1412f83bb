"""Bits of pixels: `cv2.bitwise_and`, `bitwise_or`, `bitwise_xor` and `bitwise_not`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, Operand, batchable, replaces, sibling, variant
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel

_REFUSED = {"dst": "tensors are not written in place"}
_DOMAIN = {
    "src1": Image(dtypes=ops.DTYPES, channels=ops.CHANNELS),
    "src2": Operand(image="src1"),
    "mask": ops.mask_beside("src1"),
}


def _column() -> dict[str, Any]:
    """Return four float64 in a column beside numbers: to OpenCV two arrays of one size."""
    return {"src1": np.full((4, 1), 7.0), "src2": (1.0, 2.0, 3.0, 4.0)}


_DIFFERENCES = (
    Difference(ops.COLUMN_OF_FLOATS, _column, ops.floats_in_a_column),
    Difference(ops.ONE_PIXEL, ops.one_pixel_witness, ops.one_pixel),
)


def _kernel(name: str, masked: bool, numbers: bool) -> Callable[..., Any]:
    """Return the function of pixels for an operation, with or without a mask and numbers."""

    def applied(x: Any, *rest: Any) -> Any:
        bits = _bits(x)
        others = list(rest)
        mask = others.pop(int(not numbers and name != "invert")) if masked else None
        if name == "invert":
            found = tf.bitwise.invert(bits)
        else:
            other = _converted(others[0], x.dtype) if numbers else others[0]
            found = getattr(tf.bitwise, f"bitwise_{name}")(
                bits, tf.broadcast_to(_bits(other), tf.shape(bits))
            )
        if mask is not None:
            found = tf.where(mask != 0, found, tf.zeros([], found.dtype))
        return tf.bitcast(found, x.dtype)

    return applied


def _converted(numbers: Any, dtype: Any) -> Any:
    return ops.whole(numbers, dtype) if dtype.is_integer else tf.cast(numbers, dtype)


def _bits(x: Any) -> Any:
    return x if x.dtype.is_integer else tf.bitcast(x, {4: tf.int32, 8: tf.int64}[x.dtype.size])


@replaces(
    "cv2.bitwise_and",
    domain=_DOMAIN,
    agreement=Exact(),
    refused=_REFUSED,
    differences=_DIFFERENCES,
)
@variant("and")
def bitwise_and(name: str, batch_axes: int, src1: Any, src2: Any, dst: Any = None, mask: Any = None) -> Any:
    """Keep the bits that two images have both.

    Parameters
    ----------
    src1, src2 : tf.Tensor, shape (H, W) or (H, W, C), or numbers
        Two images of one shape and dtype: integers of up to 32 bits, float32 or float64; H and W may be
        unknown while tracing. One of them may be a tuple of numbers: one per channel, four (the last ones
        do not count), or one for all. **A single number counts for the first channel alone**, with 0 for
        the others. Beside integers numbers are rounded to even and saturated.
    mask : tf.Tensor, shape (H, W), uint8 or int8, optional
        Where it is 0, the result is 0.

    Returns
    -------
    tf.Tensor, shape and dtype of the images
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        An image is empty, or has another rank or dtype; shapes or dtypes differ; the mask has another size or
        dtype.
    UnsupportedArgument
        `dst` is given, rank or channels are unknown while tracing, or there are more or fewer numbers.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: bit for bit; of floats the bits are combined.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> one, other = tf.constant([[1, 2, 3]]), tf.constant([[3, 3, 5]])
    >>> cv2.bitwise_and(one, other).numpy().tolist()
    [[1, 2, 1]]
    """
    _images.refuse_dst(dst)
    both = ops.operands(src1, src2, batch_axes, ops.entries_of)
    where = ops.mask_of(mask, both.like, batch_axes)
    masks = [] if where is None else [where]
    found = per_pixel(
        _kernel, name, bool(masks), bool(both.numbers), images=both.images + masks, numbers=both.numbers
    )
    return _images.as_result(found, batch_axes)


bitwise_or = sibling(
    bitwise_and,
    "bitwise_or",
    "or",
    {"bits that two images have both.": "bits that one of two images has.", "[[1, 2, 1]]": "[[3, 3, 7]]"},
)


bitwise_xor = sibling(
    bitwise_and,
    "bitwise_xor",
    "xor",
    {"bits that two images have both.": "bits in which two images differ.", "[[1, 2, 1]]": "[[2, 1, 6]]"},
)


@replaces(
    "cv2.bitwise_not",
    domain={
        "src": Image(dtypes=ops.DTYPES, channels=(*ops.CHANNELS, 5)),
        "mask": ops.mask_beside("src"),
    },
    agreement=Exact(),
    refused=_REFUSED,
)
@batchable
def bitwise_not(batch_axes: int, src: Any, dst: Any = None, mask: Any = None) -> Any:
    """Turn every bit of an image over: the negative, for bytes.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C)
        The image: integers of up to 32 bits, float32 or float64; H and W may be unknown while tracing.
    mask : tf.Tensor, shape (H, W), uint8 or int8, optional
        Where it is 0, the result is 0.

    Returns
    -------
    tf.Tensor, shape and dtype of `src`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; the mask has another size or dtype.
    UnsupportedArgument
        `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, or the mask to have another size.

    Notes
    -----
    Agreement: bit for bit; of floats the bits are turned over.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.bitwise_not(tf.constant([[0, 1, 255]], tf.uint8)).numpy().tolist()
    [[255, 254, 0]]
    """
    _images.refuse_dst(dst)
    x = ops.image_of(src, batch_axes, "src")
    where = ops.mask_of(mask, x, batch_axes)
    masks = [] if where is None else [where]
    return _images.as_result(per_pixel(_kernel, "invert", bool(masks), False, images=[x, *masks]), batch_axes)
