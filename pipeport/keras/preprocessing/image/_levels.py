"""apply_brightness_shift and apply_channel_shift."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Boolean, OneOf, Real, Within, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.keras.preprocessing.image import _level_shifts as shifts
from pipeport.kernels.inputs import _checks


def _is_whole(number: Any) -> bool:
    dtype = getattr(number, "dtype", None)
    return isinstance(number, int) if dtype is None else tf.as_dtype(dtype).is_integer


@replaces(
    "tensorflow.keras.preprocessing.image.apply_brightness_shift",
    domain={
        "x": shifts.PICTURE,
        "brightness": Real(-1.0, 3.0, tensor=True, per_element=True),
        "scale": Boolean(),
    },
    agreement=AsReference(),
    valid=shifts.valid,
    aliases=("keras.preprocessing.image.apply_brightness_shift",),
)
@batchable
def apply_brightness_shift(batch_axes: int, x: Any, brightness: Any, scale: bool = True) -> Any:
    """Multiply the levels of an image by a factor, as Pillow does.

    Parameters
    ----------
    x : array_like, shape (H, W, C), integers of 32 bits or less, float32 or float64
        The image, finite, of 1, 3 or 4 channels; the fourth is opacity. H and W may be unknown while tracing.
    brightness : float or scalar tensor
        The factor.
    scale : bool, default True
        Whether the values are first brought to 0 to 255. Without it that is done, and undone, for images with
        values outside of 0 to 255 alone; uint8 and float32 may have such values.

    Returns
    -------
    tf.Tensor, shape of `x`, float32
        Levels: whole numbers, but where what was scaled is brought back.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype, another number of channels or, without `scale`, values
        as above, or `brightness` is not finite.
    UnsupportedArgument
        `scale` is a tensor, or rank or channels are unknown while tracing.
    WrongType
        `brightness` is not a number.
    tf.errors.InvalidArgumentError
        Sizes or values unknown at trace time turn out to be others.

    Notes
    -----
    Agreement: bit for bit; what is brought back, as accurate as the reference.
    Graph: one program. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import apply_brightness_shift
    >>> image = tf.constant([[[0], [100], [200]]], tf.uint8)
    >>> apply_brightness_shift(image, 1.25, scale=False).numpy().ravel().tolist()
    [0.0, 125.0, 250.0]
    """
    factor = _checks.finite_scalar(brightness, "brightness", batch=bool(batch_axes))
    images = shifts.pictures(x, batch_axes)
    return shifts.brightened(images, tf.convert_to_tensor(factor, tf.float64), scale, batch_axes)


@replaces(
    "tensorflow.keras.preprocessing.image.apply_channel_shift",
    domain={
        "x": shifts.PLANES,
        "intensity": Real(-30.0, 30.0, tensor=True, per_element=True),
        "channel_axis": OneOf(0, 1, 2),
    },
    agreement=Within(0.0, "zeros may have either sign"),
    aliases=("keras.preprocessing.image.apply_channel_shift",),
)
@batchable
def apply_channel_shift(batch_axes: int, x: Any, intensity: Any, channel_axis: int = 0) -> Any:
    """Add a number to an image, within its smallest and largest value.

    Parameters
    ----------
    x : array_like, three axes, integers of 32 bits or less, float32 or float64
        The image, finite. Sizes may be unknown while tracing.
    intensity : float, int or scalar tensor
        The number. A Python integer is added to integers in their dtype, so that sums may wrap around.
    channel_axis : {0, 1, 2}, default 0
        Which axis is that of channels: all get the same number, so that nothing depends on it.

    Returns
    -------
    tf.Tensor, shape of `x`, dtype of a floating `x`, else float64
        The image; of integers and a Python integer in the dtype of `x`.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype, there is no such axis, `intensity` is not finite, or a
        Python integer that the dtype of `x` does not hold.
    UnsupportedArgument
        `channel_axis` is not a Python integer, the rank is unknown while tracing, or `intensity` is an
        integer tensor and `x` of integers.
    WrongType
        `intensity` is not a number.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: equal; zeros may have either sign. `intensity` is a Python number to the dtype of the result.
    Graph: one program. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import apply_channel_shift
    >>> apply_channel_shift(tf.constant([[[0.0, 4.0, 9.0]]]), 3.5).numpy().tolist()
    [[[3.5, 7.5, 9.0]]]
    """
    amount = _checks.finite_scalar(intensity, "intensity", batch=bool(batch_axes))
    images = shifts.planes(x, channel_axis, batch_axes)
    wraps = images.dtype.is_integer and _is_whole(intensity)
    if wraps:
        limits = np.iinfo(images.dtype.as_numpy_dtype)
        if tf.is_tensor(amount) or not isinstance(intensity, int):
            allowed, advice = "a float, or a Python integer", "Cast it to float."
            given = "a whole number of NumPy's or a tensor, on an image of integers"
            raise UnsupportedArgument(explain("intensity", given, allowed, advice))
        if not limits.min <= intensity <= limits.max:
            allowed, advice = f"{limits.min} to {limits.max}", f"Give {intensity}.0."
            raise OutsideDomain(explain("intensity", intensity, allowed, advice))
    amounts = tf.convert_to_tensor(amount, tf.float64)
    return shifts.shifted(images, amounts, batch_axes, wraps=wraps)
