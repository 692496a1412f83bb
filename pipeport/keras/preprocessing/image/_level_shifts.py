"""What Keras' brightness and channel shifts have in common: checks, sums and products of levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Image
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

_DTYPES = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
_CHANNELS = (1, 3, 4)
# Their results are float32 whatever their values, also where these are scaled and brought back.
_FREE = ("uint8", "float32")
PICTURE = Image(
    dtypes=("uint8", "int16", "float32", "float64"),
    channels=_CHANNELS,
    values=(-20.0, 300.0),
    non_finite=False,
)
PLANES = Array(
    dtypes=("uint8", "int16", "int32", "float32", "float64"),
    ranks=(3,),
    sides=(1, 9),
    values=(-1.0, 1.0),
    non_finite=False,
)


def valid(given: Mapping[str, Any]) -> bool:
    """Whether an image is scaled, or of a dtype or of values that need no scaling."""
    x = np.asarray(given["x"])
    return bool(given.get("scale", True) or x.dtype.name in _FREE or (x.min() >= 0 and x.max() <= 255))


def pictures(x: Any, batch_axes: int) -> Any:
    """Return images (B, H, W, C) of 1, 3 or 4 channels.

    `x`: an image, or with `batch_axes` a batch of them. `batch_axes`: 1 for a batch. Returns: with one image,
    a batch of one.
    """
    image = as_tensor(x, "x")
    if known_rank(image, "x") - batch_axes != 3 or image.shape[-1] not in (*_CHANNELS, None):
        shape, allowed = image.shape[batch_axes:], "(H, W, C), of 1, 3 or 4 channels"
        raise OutsideDomain(explain("x", f"shape {shape}", allowed, "Bring the channels to the end."))
    if image.shape[-1] is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("x", f"shape {image.shape}", "a known number of channels", advice))
    return _images(image, batch_axes)


def planes(x: Any, channel_axis: Any, batch_axes: int) -> Any:
    """Return images of three axes, one of them of channels; parameters and result are those of `pictures`."""
    image = as_tensor(x, "x")
    rank = known_rank(image, "x") - batch_axes
    if isinstance(channel_axis, bool) or not isinstance(channel_axis, (int, np.integer)):
        raise UnsupportedArgument(explain("channel_axis", repr(channel_axis), "0 to 2", "Give an integer."))
    if rank != 3 or not 0 <= channel_axis < 3:
        given = f"shape {image.shape[batch_axes:]}, channel_axis {channel_axis}"
        raise OutsideDomain(explain("x", given, "three axes, channel_axis 0 to 2", "Give one image."))
    return _images(image, batch_axes)


def _images(image: Any, batch_axes: int) -> Any:
    _checks.dtype_among(image, _DTYPES, "x")
    image = _checks.not_empty(image, "x", element=slice(batch_axes, None))
    return image if batch_axes else image[tf.newaxis]


def _over_elements(x: Any, function: Callable[..., Any]) -> Any:
    return function(x, list(range(1, x.shape.rank)), keepdims=True)


def _column(numbers: Any, x: Any) -> Any:
    """Return a number for each image, to go with images (B, ...)."""
    return tf.reshape(numbers, [-1] + [1] * (x.shape.rank - 1))


def _levels(scale: bool) -> Callable[..., Any]:
    """Return what makes images (B, H, W, C) brighter, by bytes, as Pillow does."""

    def stretched(values: Any) -> Any:
        moved = values - _over_elements(values, tf.reduce_min)
        largest = _over_elements(moved, tf.reduce_max)
        # Where all are equal nothing is divided; the quotient is rounded before it is multiplied.
        return moved / tf.where(largest == 0, tf.ones_like(largest), largest) * 255

    def run(x: Any, factors: Any) -> Any:
        values = tf.cast(x, tf.float32)
        factor = _column(tf.cast(factors, tf.float32), values)
        low, high = (_over_elements(x, one) for one in (tf.reduce_min, tf.reduce_max))
        wide = (low < 0) | (high > 255)
        if scale:
            values = stretched(values)
        elif x.dtype == tf.float32:
            values = tf.where(wide, stretched(values), values)
        levels = tf.cast(tf.cast(values, tf.int32), tf.float32)
        product = tf.clip_by_value(factor * levels, 0.0, 255.0)
        product = tf.cast(tf.cast(product, tf.int32), tf.float32)  # cut, and never -0
        if x.shape[3] == 4:  # opacity stays as it is
            product = tf.concat([product[..., :3], levels[..., 3:]], 3)
        if scale or x.dtype != tf.float32:
            return product
        return tf.where(wide, product / 255 * (high - low) + low, product)

    return run


def _are_levels(images: Any) -> Any:
    return tf.reduce_all((images >= 0) & (images <= 255))


def brightened(images: Any, factors: Any, scale: Any, batch_axes: int) -> Any:
    """Return images made brighter.

    `factors`: shape (1,) or (B,). `scale`: whether values are brought to 0 to 255 first. `batch_axes`: 1 for
    a batch. Returns: float32; of the shape that `pictures` was given.
    """
    wanted = _checks.flag(scale, "scale")
    if not wanted and images.dtype.name not in _FREE:
        # Keras' result of these is of another dtype where values have to be brought back.
        given = f"{images.dtype.name}, scale=False, and values outside of 0 to 255"
        allowed, advice = "values from 0 to 255, or uint8 or float32", "Cast it to float32."
        (images,) = _checks.check(_are_levels, "x", given, allowed, advice, images)
    return _as_given(xla.run(_levels, wanted)(images, factors), images, batch_axes)


def _sums(wraps: bool) -> Callable[..., Any]:
    def run(x: Any, amounts: Any) -> Any:
        dtype = x.dtype if wraps or x.dtype.is_floating else tf.float64
        low, high = (tf.cast(_over_elements(x, one), dtype) for one in (tf.reduce_min, tf.reduce_max))
        return tf.clip_by_value(tf.cast(x, dtype) + _column(tf.cast(amounts, dtype), x), low, high)

    return run


def shifted(images: Any, amounts: Any, batch_axes: int, *, wraps: bool = False) -> Any:
    """Return images with numbers added, within their smallest and largest value.

    `amounts`: shape (1,) or (B,). `batch_axes`: 1 for a batch. `wraps`: whether a sum of integers keeps their
    dtype, and wraps around. Returns: of the shape that `planes` was given; integers become float64, but with
    `wraps`.
    """
    return _as_given(xla.run(_sums, wraps)(images, amounts), images, batch_axes)


def _as_given(found: Any, images: Any, batch_axes: int) -> Any:
    found = tf.ensure_shape(found, images.shape)
    return found if batch_axes else tf.squeeze(found, [0])
