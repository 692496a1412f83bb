"""random_brightness and random_channel_shift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Boolean,
    Image,
    OneOf,
    SameDistribution,
    SeedPair,
    Within,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.keras.preprocessing.image import _draws as draws
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

_DTYPES = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
_CHANNELS = (1, 3, 4)
_REFERENCES = "pipeport.references._keras."
_HERE = "pipeport.keras.preprocessing.image._random_levels."


def _over_elements(x: Any, function: Callable[..., Any]) -> Any:
    return function(x, list(range(1, x.shape.rank)), keepdims=True)


def _column(numbers: Any, x: Any) -> Any:
    """Return a number for each image, to go with images (B, ...)."""
    return tf.reshape(numbers, [-1] + [1] * (x.shape.rank - 1))


def _brightened(scale: bool) -> Callable[..., Any]:
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
        elif x.dtype != tf.uint8:
            values = tf.where(wide, stretched(values), values)
        levels = tf.cast(tf.cast(values, tf.int32), tf.float32)
        product = tf.clip_by_value(factor * levels, 0.0, 255.0)
        product = tf.cast(tf.cast(product, tf.int32), tf.float32)  # cut, and never -0
        if x.shape[3] == 4:  # opacity stays as it is
            product = tf.concat([product[..., :3], levels[..., 3:]], 3)
        if scale or x.dtype == tf.uint8:
            return product
        return tf.where(wide, product / 255 * (high - low) + low, product)

    return run


def _random_brightness(x: Any, brightness_range: Any, scale: Any, seed: Any, batch_axes: int) -> Any:
    span, wanted = draws.pair(brightness_range, "brightness_range"), _checks.flag(scale, "scale")
    image = as_tensor(x, "x")
    if known_rank(image, "x") - batch_axes != 3 or image.shape[-1] not in (*_CHANNELS, None):
        shape, allowed = image.shape[batch_axes:], "(H, W, C), of 1, 3 or 4 channels"
        raise OutsideDomain(explain("x", f"shape {shape}", allowed, "Bring the channels to the end."))
    if image.shape[-1] is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("x", f"shape {image.shape}", "a known number of channels", advice))
    # Whether a float64 image that is not scaled comes back as float64 depends on its values.
    _checks.dtype_among(image, _DTYPES if wanted else ("uint8", "float32"), "x")
    image = _checks.not_empty(image, "x", element=slice(batch_axes, None))
    images = image if batch_axes else image[tf.newaxis]
    (factors,) = draws.drawn(seed, [span], images if batch_axes else None)
    found = xla.run(_brightened, wanted)(images, factors)
    return tf.ensure_shape(found if batch_axes else tf.squeeze(found, [0]), image.shape)


def _shifted() -> Callable[..., Any]:
    def run(x: Any, amounts: Any) -> Any:
        dtype = x.dtype if x.dtype.is_floating else tf.float64
        low, high = (tf.cast(_over_elements(x, one), dtype) for one in (tf.reduce_min, tf.reduce_max))
        return tf.clip_by_value(tf.cast(x, dtype) + _column(tf.cast(amounts, dtype), x), low, high)

    return run


def _random_channel_shift(x: Any, intensity_range: Any, channel_axis: Any, seed: Any, batch_axes: int) -> Any:
    span = draws.about_zero(intensity_range, "intensity_range")
    image = as_tensor(x, "x")
    rank = known_rank(image, "x") - batch_axes
    if isinstance(channel_axis, bool) or not isinstance(channel_axis, (int, np.integer)):
        raise UnsupportedArgument(explain("channel_axis", repr(channel_axis), "0 to 2", "Give an integer."))
    if rank != 3 or not 0 <= channel_axis < 3:
        given = f"shape {image.shape[batch_axes:]}, channel_axis {channel_axis}"
        raise OutsideDomain(explain("x", given, "three axes, channel_axis 0 to 2", "Give one image."))
    _checks.dtype_among(image, _DTYPES, "x")
    image = _checks.not_empty(image, "x", element=slice(batch_axes, None))
    images = image if batch_axes else image[tf.newaxis]
    (amounts,) = draws.drawn(seed, [span], images if batch_axes else None)
    found = xla.run(_shifted)(images, amounts)
    return tf.ensure_shape(found if batch_axes else tf.squeeze(found, [0]), image.shape)


def brightness_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_brightness` draws."""
    (factor,) = draws.drawn(given["seed"], [draws.pair(given["brightness_range"], "brightness_range")])
    return {"brightness": float(factor[0])}


def channel_shift_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_channel_shift` draws."""
    span = draws.about_zero(given["intensity_range"], "intensity_range")
    (amount,) = draws.drawn(given["seed"], [span])
    return {"intensity": float(amount[0])}


def _valid(given: Mapping[str, Any]) -> bool:
    return bool(given.get("scale", True)) or np.asarray(given["x"]).dtype in (np.uint8, np.float32)


@replaces(
    "tensorflow.keras.preprocessing.image.random_brightness",
    implementation=_random_brightness,
    domain={
        "x": Image(
            dtypes=("uint8", "int16", "float32", "float64"),
            channels=_CHANNELS,
            values=(-20.0, 300.0),
            non_finite=False,
        ),
        "brightness_range": OneOf((0.5, 1.5), (0.0, 1.0), (1, 1), (3.0, 0.2), (-1, 0), typical=(0.5, 1.5)),
        "scale": Boolean(),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given=f"{_REFERENCES}brightened",
        statistic=f"{_REFERENCES}brightness_statistic",
        draw_parameters=f"{_HERE}brightness_drawn",
    ),
    proven_against=">=2.15",
    extra={"seed": SeedPair(tensor=True)},
    valid=_valid,
    aliases=("keras.preprocessing.image.random_brightness",),
)
def random_brightness(x: Any, brightness_range: Any, scale: bool = True, *, seed: Any = None) -> Any:
    """Multiply the levels of an image by a factor drawn uniformly, as Pillow does.

    Native equivalent of `tensorflow.keras.preprocessing.image.random_brightness`.

    Parameters
    ----------
    x : array_like, shape (H, W, C), integers of 32 bits or less, float32 or float64
        The image, finite, of 1, 3 or 4 channels; the fourth is opacity. H and W may be unknown while tracing.
    brightness_range : (float, float)
        Smallest and largest factor.
    scale : bool, default True
        Whether the values are first brought to 0 to 255. Without it that is done, and undone, for images with
        values outside of 0 to 255 alone; uint8 and float32 are served then.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, shape of `x`, float32
        Levels: whole numbers, but where what was scaled is brought back.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype or another number of channels, `brightness_range` is no
        pair of finite numbers, or `seed` has another shape.
    UnsupportedArgument
        There is no seed, `scale` or a number of `brightness_range` is a tensor, or rank or channels are
        unknown while tracing.
    WrongType
        A factor is no number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: given the draw, bit for bit; what is brought back, as accurate as the reference. The factors
    have the distribution of the reference.
    Graph: one program. Static shape is kept. The same seed draws the same on every engine. In the batched
    form `seed` has shape (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import random_brightness
    >>> image = tf.constant([[[0], [100], [200]]], tf.uint8)
    >>> random_brightness(image, (0.5, 0.5), seed=(1, 2)).numpy().ravel().tolist()
    [0.0, 63.0, 127.0]
    """
    return _random_brightness(x, brightness_range, scale, seed, 0)


@replaces(
    "tensorflow.keras.preprocessing.image.random_channel_shift",
    implementation=_random_channel_shift,
    domain={
        "x": Array(
            dtypes=("uint8", "int16", "int32", "float32", "float64"),
            ranks=(3,),
            sides=(1, 9),
            values=(-1.0, 1.0),
            non_finite=False,
        ),
        "intensity_range": OneOf(20.0, 0, 0.5, 3, typical=20.0),
        "channel_axis": OneOf(0, 1, 2),
    },
    agreement=SameDistribution(
        application=Within(0.0, "zeros may have either sign"),
        given=f"{_REFERENCES}channel_shifted",
        statistic=f"{_REFERENCES}channel_shift_statistic",
        draw_parameters=f"{_HERE}channel_shift_drawn",
    ),
    proven_against=">=2.15",
    extra={"seed": SeedPair(tensor=True)},
    aliases=("keras.preprocessing.image.random_channel_shift",),
)
def random_channel_shift(x: Any, intensity_range: Any, channel_axis: int = 0, *, seed: Any = None) -> Any:
    """Add a number drawn uniformly to an image, within its smallest and largest value.

    Native equivalent of `tensorflow.keras.preprocessing.image.random_channel_shift`.

    Parameters
    ----------
    x : array_like, three axes, integers of 32 bits or less, float32 or float64
        The image, finite. Sizes may be unknown while tracing.
    intensity_range : float
        The number is from -`intensity_range` to `intensity_range`.
    channel_axis : {0, 1, 2}, default 0
        Which axis is that of channels: all get the same number, so that nothing depends on it.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, shape of `x`, dtype of a floating `x`, else float64
        The image.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype, there is no such axis, `intensity_range` is not finite,
        or `seed` has another shape.
    UnsupportedArgument
        There is no seed, `intensity_range` is a tensor, `channel_axis` is no Python integer, or the rank is
        unknown while tracing.
    WrongType
        `intensity_range` is no number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: given the draw, equal; zeros may have either sign. The numbers have the distribution of the
    reference.
    Graph: one program. Static shape is kept. The same seed draws the same on every engine. In the batched
    form `seed` has shape (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import random_channel_shift
    >>> random_channel_shift(tf.constant([[[0.0, 4.0, 9.0]]]), 0, seed=(1, 2)).numpy().tolist()
    [[[0.0, 4.0, 9.0]]]
    """
    return _random_channel_shift(x, intensity_range, channel_axis, seed, 0)
