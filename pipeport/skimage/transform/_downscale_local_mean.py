"""`skimage.transform.downscale_local_mean`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Boolean,
    Difference,
    Integer,
    OneOf,
    PerAxis,
    batchable,
    replaces,
)
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.skimage.measure._blocks import fill_of, filled, reduced, sizes_of_blocks


def _cannot_hold(arguments: Mapping[str, Any]) -> bool:
    dtype, cval = np.asarray(arguments["image"]).dtype, arguments.get("cval", 0)
    if dtype.kind not in "iu":
        return False
    limits = np.iinfo(dtype)
    return not (math.isfinite(cval) and limits.min <= math.trunc(cval) <= limits.max)


@replaces(
    "skimage.transform.downscale_local_mean",
    domain={
        "image": Array(ranks=(0, 1, 2, 3, 4), sides=(0, 7)),
        "factors": PerAxis(spec=Integer(0, 4), of="image", typical=(2, 2, 1)),
        "cval": OneOf(0, 1, 0.75, -3.5, 7),
        "clip": Boolean(),
    },
    agreement=AsReference(),
    differences=(
        Difference(
            "A `cval` that an integer image cannot hold is refused; the reference wraps it around.",
            witness=lambda: {"image": np.ones((3, 3), np.uint8), "factors": 2, "cval": 300},
            applies=_cannot_hold,
        ),
    ),
)
@batchable
def downscale_local_mean(
    batch_axes: int, image: Any, factors: Any, cval: float = 0, clip: bool = True
) -> Any:
    """Replace each block of elements by its mean.

    Parameters
    ----------
    image : array_like, any shape, bool or any number
        The image; sizes may be unknown, the rank must be known.
    factors : int or tuple of int
        Size of a block along every axis, or along each; 1 or more.
    cval : float, default 0
        Value of the elements that fill up incomplete blocks at the far end of an axis, cast to the
        dtype of the image (fractions of integer images are cut off).
    clip : bool, default True
        Without effect in the reference too: a mean never leaves the range.

    Returns
    -------
    tf.Tensor
        Each size divided by its factor, rounded up. Floats keep their dtype, everything else
        becomes float64.

    Raises
    ------
    OutsideDomain
        A factor below 1, not one factor per axis, or a `cval` the integer image cannot hold.
    WrongType
        `factors` is neither a whole number nor a tuple of them.
    UnsupportedArgument
        The rank is not known while tracing.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: compiled with XLA when traced with static sizes (`pipeport.config`); static shape is kept.

    Source: `skimage/transform/_warps.py` and `skimage/measure/block.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import downscale_local_mean
    >>> downscale_local_mean(tf.reshape(tf.range(15), [3, 5]), (2, 3)).numpy().tolist()
    [[3.5, 4.0], [5.5, 4.5]]
    """
    del clip
    image = as_tensor(image, "image")
    known_rank(image, "image")
    blocks = (1,) * batch_axes + sizes_of_blocks(factors, image.shape.rank - batch_axes, "factors")
    fill = fill_of(cval, image.dtype)
    if image.dtype.is_complex:
        return _mean(image, blocks, fill)
    return xla.run(_program, blocks, fill.item())(image)


def _program(blocks: tuple[int, ...], fill: Any) -> Callable[..., Any]:
    """Return the body to compile."""

    def body(image: Any) -> Any:
        return _mean(image, blocks, np.asarray(fill).astype(image.dtype.as_numpy_dtype))

    return body


def _mean(image: Any, blocks: tuple[int, ...], fill: Any) -> Any:
    out = image.dtype if image.dtype.is_floating or image.dtype.is_complex else tf.float64
    count = math.prod(blocks)
    sums = _sums_dtype(image.dtype, count)
    shape = [None if n is None else -(-n // b) for n, b in zip(image.shape, blocks, strict=True)]
    x = tf.cast(filled(image, blocks, fill), sums)
    # From the last axis, as NumPy adds: what cancels out along it does so before anything is rounded.
    for axis, block in reversed(list(enumerate(blocks))):
        if block > 1:
            x = reduced(x, axis, block, operator.add, tf.reduce_sum)
    wide = tf.cast(x, tf.float64) if sums.is_integer else x
    return tf.ensure_shape(tf.cast(wide / tf.constant(count, wide.dtype), out), shape)


def _sums_dtype(dtype: Any, count: int) -> Any:
    if dtype.is_complex:
        return dtype
    if dtype.is_floating:
        # In float32 what cancels out leaves the roundings of what it was: 0.27 ms instead of 0.30.
        return tf.float64
    largest = 1 if dtype.is_bool else max(dtype.max, -dtype.min)
    # Whole numbers sum exactly, and faster, as long as they fit.
    return tf.int32 if largest * count < 2**31 else tf.float64
