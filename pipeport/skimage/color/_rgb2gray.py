"""`skimage.color.rgb2gray`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.kernels import xla
from pipeport.skimage.color._channels import DTYPES, floats, planes, weighted, with_channels

_WEIGHTS = (0.2125, 0.7154, 0.0721)


def _weighted(axis: int) -> Callable[[Any], Any]:
    return lambda x: weighted(planes(floats(x), axis), [_WEIGHTS])[0]


@replaces(
    "skimage.color.rgb2gray",
    domain={
        "rgb": Image(dtypes=DTYPES, channels=(3,)),
        "channel_axis": OneOf(-1, 2, typical=-1),
    },
    agreement=AsReference(),
)
@batchable
def rgb2gray(batch_axes: int, rgb: Any, *, channel_axis: Any = -1) -> Any:
    """Return the luminance of an image.

    Parameters
    ----------
    rgb : array_like, shape (..., 3, ...), bool, uint8, uint16, int16, float16, float32 or float64
        The image, red first; other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `rgb` without that axis, float64 or float32
        0.2125 of red, 0.7154 of green and 0.0721 of blue. Integers count in parts of their largest value, as
        everywhere in scikit-image; the result is float32 for float16 and float32.

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
    Agreement: as accurate as the reference, which takes a product of matrices.
    Graph: no Python at run time, one program where sizes are known; static shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import rgb2gray
    >>> rgb2gray(tf.constant([[0.0, 1.0, 0.0]])).numpy().round(4).tolist()
    [0.715399980545044]
    """
    x, axis = with_channels(rgb, "rgb", channel_axis, batch_axes)
    return xla.run(_weighted, axis)(x)
