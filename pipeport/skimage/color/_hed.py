"""`skimage.color.rgb2hed` and `hed2rgb`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.kernels.xla._materialize import keeping
from pipeport.skimage.color._channels import DTYPES, floats, per_pixel, planes, weighted, with_channels

# Absorption of red, green and blue by haematoxylin, eosin and diaminobenzidine (Ruifrok and Johnston, 2001).
_STAINS = np.array([[0.65, 0.70, 0.29], [0.07, 0.99, 0.11], [0.27, 0.57, 0.78]])
_DARKEST = 1e-6


def _hed_of(axis: int) -> Callable[[Any], Any]:
    rows = (np.linalg.inv(_STAINS).T / math.log(_DARKEST)).tolist()

    def run(x: Any) -> Any:
        # In memory: XLA would compute them again for every sum.
        logs, zero = keeping(x)(lambda: _logs(x)), tf.zeros([], tf.float64)
        return tf.stack([tf.maximum(one, zero) for one in weighted(planes(logs, axis), rows)], axis)

    return run


def _logs(x: Any) -> Any:
    if x.dtype == tf.uint8:
        levels = np.log(np.maximum(np.arange(256) * (1.0 / 255), _DARKEST))
        return tf.gather(tf.constant(levels), tf.cast(x, tf.int32))
    return tf.math.log(tf.maximum(tf.cast(floats(x), tf.float64), _DARKEST))


@replaces(
    "skimage.color.rgb2hed",
    domain={
        "rgb": Image(dtypes=DTYPES, channels=(3,), non_finite=False),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(),
)
@batchable
def rgb2hed(batch_axes: int, rgb: Any, *, channel_axis: Any = -1) -> Any:
    """Separate the stains haematoxylin, eosin and DAB of an image.

    Parameters
    ----------
    rgb : array_like, shape (..., 3, ...), bool, uint8, uint16, int16, float16, float32 or float64
        The image, red first; other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `rgb`, float64
        How much there is of each stain, 0 or more. Integers count in parts of their largest value.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import rgb2hed
    >>> rgb2hed(tf.constant([[0.25, 0.5, 0.75]], tf.float64)).numpy().round(4).tolist()
    [[0.1726, 0.0, 0.0]]
    """
    x, axis = with_channels(rgb, "rgb", channel_axis, batch_axes)
    return per_pixel(x, axis, _hed_of)


def _rgb_of(axis: int) -> Callable[[Any], Any]:
    rows = _STAINS.T.tolist()

    def run(x: Any) -> Any:
        stains = [
            part * tf.constant(math.log(_DARKEST), tf.float64)
            for part in planes(tf.cast(floats(x), tf.float64), axis)
        ]
        one = tf.ones([], tf.float64)
        return tf.stack([tf.minimum(tf.exp(log), one) for log in weighted(stains, rows)], axis)

    return run


@replaces(
    "skimage.color.hed2rgb",
    domain={
        "hed": Image(dtypes=DTYPES, channels=(3,), non_finite=False),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(coordinates_of="hed"),
)
@batchable
def hed2rgb(batch_axes: int, hed: Any, *, channel_axis: Any = -1) -> Any:
    """Return the colours of the stains haematoxylin, eosin and DAB.

    Parameters
    ----------
    hed : array_like, shape (..., 3, ...), bool, uint8, uint16, int16, float16, float32 or float64
        How much there is of each stain; other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `hed`, float64
        Red, green and blue, in [0, 1]. Integers count in parts of their largest value.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import hed2rgb
    >>> hed2rgb(tf.constant([[0.1, 0.0, 0.0]], tf.float64)).numpy().round(4).tolist()
    [[0.4074, 0.3802, 0.6699]]
    """
    x, axis = with_channels(hed, "hed", channel_axis, batch_axes)
    return per_pixel(x, axis, _rgb_of)
