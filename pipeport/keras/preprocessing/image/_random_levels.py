"""random_brightness and random_channel_shift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport.contract import (
    AsReference,
    Boolean,
    OneOf,
    SameDistribution,
    SeedPair,
    Within,
    batchable,
    replaces,
)
from pipeport.keras.preprocessing.image import _draws as draws
from pipeport.keras.preprocessing.image import _level_shifts as shifts

_REFERENCES = "pipeport.references._keras."
_HERE = "pipeport.keras.preprocessing.image._random_levels."


def brightness_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_brightness` draws."""
    (factor,) = draws.drawn(given["seed"], [draws.pair(given["brightness_range"], "brightness_range")])
    return {"brightness": float(factor[0])}


def channel_shift_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_channel_shift` draws."""
    span = draws.about_zero(given["intensity_range"], "intensity_range")
    (amount,) = draws.drawn(given["seed"], [span])
    return {"intensity": float(amount[0])}


@replaces(
    "tensorflow.keras.preprocessing.image.random_brightness",
    domain={
        "x": shifts.PICTURE,
        "brightness_range": OneOf((0.5, 1.5), (0.0, 1.0), (1, 1), (3.0, 0.2), (-1, 0), typical=(0.5, 1.5)),
        "scale": Boolean(),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given=f"{_REFERENCES}brightened",
        statistic=f"{_REFERENCES}brightness_statistic",
        draw_parameters=f"{_HERE}brightness_drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
    valid=shifts.valid,
    aliases=("keras.preprocessing.image.random_brightness",),
)
@batchable
def random_brightness(
    batch_axes: int, x: Any, brightness_range: Any, scale: bool = True, *, seed: Any = None
) -> Any:
    """Multiply the levels of an image by a factor drawn uniformly, as Pillow does.

    Parameters
    ----------
    x : array_like, shape (H, W, C), integers of 32 bits or less, float32 or float64
        The image, finite, of 1, 3 or 4 channels; the fourth is opacity. H and W may be unknown while tracing.
    brightness_range : (float, float)
        Smallest and largest factor.
    scale : bool, default True
        Whether the values are first brought to 0 to 255. Without it that is done, and undone, for images with
        values outside of 0 to 255 alone; uint8 and float32 may have such values.
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
        The image is empty, has another rank or dtype, another number of channels or, without `scale`, values
        as above, `brightness_range` is not a pair of finite numbers, or `seed` has another shape.
    UnsupportedArgument
        There is no seed, `scale` or a number of `brightness_range` is a tensor, or rank or channels are
        unknown while tracing.
    WrongType
        A factor is not a number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes or values unknown at trace time turn out to be others.

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
    span = draws.pair(brightness_range, "brightness_range")
    images = shifts.pictures(x, batch_axes)
    (factors,) = draws.drawn(seed, [span], images if batch_axes else None)
    return shifts.brightened(images, factors, scale, batch_axes)


@replaces(
    "tensorflow.keras.preprocessing.image.random_channel_shift",
    domain={
        "x": shifts.PLANES,
        "intensity_range": OneOf(20.0, 0, 0.5, 3, typical=20.0),
        "channel_axis": OneOf(0, 1, 2),
    },
    agreement=SameDistribution(
        application=Within(0.0, "zeros may have either sign"),
        given=f"{_REFERENCES}channel_shifted",
        statistic=f"{_REFERENCES}channel_shift_statistic",
        draw_parameters=f"{_HERE}channel_shift_drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
    aliases=("keras.preprocessing.image.random_channel_shift",),
)
@batchable
def random_channel_shift(
    batch_axes: int, x: Any, intensity_range: Any, channel_axis: int = 0, *, seed: Any = None
) -> Any:
    """Add a number drawn uniformly to an image, within its smallest and largest value.

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
        There is no seed, `intensity_range` is a tensor, `channel_axis` is not a Python integer, or the rank
        is unknown while tracing.
    WrongType
        `intensity_range` is not a number, or `seed` is not of an integer dtype.
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
    span = draws.about_zero(intensity_range, "intensity_range")
    images = shifts.planes(x, channel_axis, batch_axes)
    (amounts,) = draws.drawn(seed, [span], images if batch_axes else None)
    return shifts.shifted(images, amounts, batch_axes)
