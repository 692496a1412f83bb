"""standardize."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Axes, Difference, Image, Real, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, at_least_rank
from pipeport.kernels.inputs.axes import axis_tuple, shifted


def _epsilon(epsilon: Any, dtype: Any) -> Any:
    allowed, advice = "a real number", "Give the number to add to the standard deviation."
    if tf.is_tensor(epsilon):
        if not epsilon.dtype.is_floating:
            raise WrongType(explain("epsilon", f"dtype {epsilon.dtype.name}", allowed, advice))
        return tf.cast(epsilon, dtype)
    if not isinstance(epsilon, numbers.Real):
        raise WrongType(explain("epsilon", repr(epsilon), allowed, advice))
    return tf.constant(float(epsilon), dtype)


def _axes(x: Any, axis: Any, batch_axes: int) -> Any:
    if axis is not None:
        rank = None if x.shape.rank is None else x.shape.rank - batch_axes
        return list(shifted(axis_tuple(axis, rank), batch_axes))
    return tf.range(batch_axes, tf.rank(x)) if x.shape.rank is None else list(range(batch_axes, x.shape.rank))


def _first(x: Any, axes: Any) -> Any:
    """Return one element of every group that shares a mean."""
    if not isinstance(axes, list):
        rank, size = tf.rank(x), tf.shape(x)
        reduced = tf.scatter_nd(axes[:, None], tf.ones_like(axes), [rank]) > 0
        return tf.slice(x, tf.zeros_like(size), tf.where(reduced, tf.minimum(size, 1), size))
    axes = [a % x.shape.rank for a in axes] if x.shape.rank is not None else axes
    for axis in axes:
        x = tf.gather(x, tf.range(tf.minimum(tf.shape(x)[axis], 1)), axis=axis)
    return x


def _mean(x: Any, axes: Any) -> Any:
    """Return the mean, rows first.

    XLA adds one by one, and rounding grows with the number of terms: two short sums lose less
    than a long one, and the second, over few numbers, can afford float64.
    """
    if isinstance(axes, list) and len(axes) > 1:
        x = tf.reduce_mean(x, axes[1:], keepdims=True)
        axes = axes[:1]
        return tf.cast(tf.reduce_mean(tf.cast(x, tf.float64), axes, keepdims=True), x.dtype)
    return tf.reduce_mean(x, axes, keepdims=True)


def _vanishing(arguments: Mapping[str, Any]) -> bool:
    """Whether differences between pixels, or their squares, are too small for the dtype."""
    image = np.asarray(arguments["image"])
    if image.dtype.kind != "f" or not image.size:
        return False
    apart = np.abs(image.astype(np.float64) - image.astype(np.float64).ravel()[0])
    limit = 1e-18 if image.dtype == np.float32 else 1e-150
    return bool(np.any((apart > 0) & (apart < limit)))


@replaces(
    "pipeport.references.standardize",
    domain={
        "image": Image(),
        "axis": Axes(of="image", none=True),
        "epsilon": Real(0.0, 1.0, tensor=True),
    },
    agreement=AsReference(discontinuities="pipeport.references._standardize.discontinuities"),
    differences=(
        Difference(
            "Pixels that differ by less than 1e-150 (float32: 1e-18) may count as equal, because "
            "their squares vanish: TensorFlow flushes subnormal numbers to zero.",
            witness=lambda: {"image": np.array([[0.0, 1e-160], [1e-160, 2e-160]])},
            applies=_vanishing,
            only={"image": "f"},
        ),
    ),
    stock=Stock(
        "tf.image.per_image_standardization",
        "divides by max(std, 1 / sqrt(pixels)), returns float32, knows no axis",
        "pipeport.references.stock.per_image_standardization",
    ),
)
@batchable
def standardize(batch_axes: int, image: Any, axis: Any = None, epsilon: Any = 0.0) -> Any:
    """Subtract the mean of an image and divide by its standard deviation.

    Native equivalent of `pipeport.references.standardize`, the plain NumPy body
    ``(image - image.mean()) / (image.std() + epsilon)``.

    Parameters
    ----------
    image : array_like, usually (H, W) or (H, W, C), bool or any real number
        Sizes and rank may be unknown.
    axis : None, int or tuple of int, default None
        Axes that share one mean: None takes the whole image, (0, 1) each channel by itself.
    epsilon : float or scalar floating tensor, default 0.0
        Added to the standard deviation.

    Returns
    -------
    tf.Tensor, shape of `image`
        float64 for integers and bool, else the dtype of `image`, as NumPy has it. Constant
        images give NaN when `epsilon` is 0.

    Raises
    ------
    BadAxis
        `image` has no such axis.
    UnsupportedArgument
        An axis comes twice.
    OutsideDomain
        The dtype is complex.
    WrongType
        `epsilon` is not a real number.

    Notes
    -----
    Agreement: as accurate as NumPy, judged against NumPy in float64. Where pixels are equal
    up to rounding, NumPy's own result depends on how it rounds the mean; ours is NaN (or 0
    with `epsilon`) exactly where they are equal.
    Graph: no Python at run time; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import standardize
    >>> standardize(tf.constant([[1.0, 3.0]])).numpy().tolist()
    [[-1.0, 1.0]]
    """
    if batch_axes and (tf.is_tensor(epsilon) or np.ndim(epsilon)) and len(np.shape(epsilon)) == 1:
        x = as_tensor(image, "image")
        each = tf.concat([tf.shape(epsilon), tf.ones([tf.rank(x) - 1], tf.int32)], 0)
        epsilon = tf.reshape(tf.convert_to_tensor(epsilon), each)
    x = at_least_rank(as_tensor(image, "image"), "image", batch_axes)
    if x.dtype.is_complex:
        advice = "Standardise real and imaginary parts apart."
        raise OutsideDomain(explain("image", f"dtype {x.dtype.name}", "real numbers", advice))
    axes = _axes(x, axis, batch_axes)
    wanted = x.dtype if x.dtype.is_floating else tf.float64
    work = tf.float64 if wanted == tf.float64 else tf.float32
    if x.dtype.is_floating:
        x = tf.cast(x, work)
        # From the first pixel on, so that equal pixels give exactly 0, and close ones lose nothing.
        x = x - _first(x, axes)
        x = x - _mean(x, axes)
    else:
        # The sum of integers is exact in float64.
        x = tf.cast(x, work)
        x = x - tf.reduce_mean(x, axes, keepdims=True)
    std = tf.sqrt(_mean(tf.square(x), axes))
    return tf.cast(x / (std + _epsilon(epsilon, work)), wanted)
