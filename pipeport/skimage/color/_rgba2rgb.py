"""`skimage.color.rgba2rgb`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.skimage.color._channels import DTYPES, floats, per_pixel, planes, with_channels


def _background_of(value: Any) -> Any:
    """Return three numbers as a tensor of float64, checked to be in [0, 1]."""
    numbers = tf.reshape(tf.cast(as_tensor(value, "background"), tf.float64), [-1])
    allowed, advice = "3 numbers from 0 to 1", "Give red, green and blue as parts of 1."
    if numbers.shape[0] is None:
        raise UnsupportedArgument(explain("background", "an unknown size", allowed, advice))
    if numbers.shape[0] != 3:
        raise OutsideDomain(explain("background", f"{numbers.shape[0]} numbers", allowed, advice))
    known = tf.get_static_value(numbers)
    if known is not None:
        if np.any(known < 0) or np.any(known > 1):
            raise OutsideDomain(explain("background", str(known.tolist()), allowed, advice))
        return numbers
    beyond = tf.reduce_any((numbers < 0) | (numbers > 1))
    message = explain("background", "a number beyond 0 or 1", allowed, advice)
    with tf.control_dependencies([tf.raw_ops.Assert(condition=~beyond, data=[message])]):
        return tf.identity(numbers)


def _blended(axis: int) -> Callable[[Any, Any], Any]:
    def run(x: Any, background: Any) -> Any:
        *colours, alpha = planes(floats(x), axis)
        behind = tf.unstack(tf.cast(background, alpha.dtype))
        return tf.stack(
            [_clipped((1 - alpha) * far + alpha * near) for far, near in zip(behind, colours, strict=True)],
            axis,
        )

    return run


def _clipped(values: Any) -> Any:
    found = tf.clip_by_value(values, tf.zeros([], values.dtype), tf.ones([], values.dtype))
    return tf.where(tf.math.is_nan(values), values, found)


@replaces(
    "skimage.color.rgba2rgb",
    domain={
        "rgba": Image(dtypes=DTYPES, channels=(4,)),
        "background": OneOf((1, 1, 1), (0.25, 0.5, 1.0), typical=(1, 1, 1)),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(),
)
@batchable
def rgba2rgb(batch_axes: int, rgba: Any, background: Any = (1, 1, 1), *, channel_axis: Any = -1) -> Any:
    """Lay an image with alpha on a background of one colour.

    Parameters
    ----------
    rgba : array_like, shape (..., 4, ...), bool, uint8, uint16, int16, float16, float32 or float64
        The image, red first, alpha last; other sizes may be unknown while tracing.
    background : array_like, 3 numbers, default (1, 1, 1)
        Red, green and blue of the background, from 0 to 1; may be a tensor, the same for a batch.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape (..., 3, ...), float64 or float32
        The colours in [0, 1]. Integers count in parts of their largest value; the result is float32 for
        float16 and float32.

    Raises
    ------
    OutsideDomain
        There are not four channels, or another dtype, or the background is not three numbers from 0 to 1.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number, or `background` no array.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        A drawn background turns out to have a number beyond 0 or 1.

    Notes
    -----
    Agreement: as accurate as the reference.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import rgba2rgb
    >>> rgba2rgb(tf.constant([[0.0, 0.5, 1.0, 0.5]])).numpy().tolist()
    [[0.5, 0.75, 1.0]]
    """
    x, axis = with_channels(rgba, "rgba", channel_axis, batch_axes, count=4)
    return per_pixel(x, axis, _blended, others=[_background_of(background)])
