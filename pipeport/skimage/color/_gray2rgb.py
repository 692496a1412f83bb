"""`skimage.color.gray2rgb`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Exact, OneOf, batchable, replaces
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.skimage.color._channels import axis_of


def _stacked(axis: int) -> Callable[[Any], Any]:
    return lambda x: tf.stack([x] * 3, axis)


@replaces(
    "skimage.color.gray2rgb",
    domain={"image": Array(ranks=(0, 1, 2, 3), sides=(0, 6)), "channel_axis": OneOf(-1, 0, typical=-1)},
    agreement=Exact(),
)
@batchable
def gray2rgb(batch_axes: int, image: Any, *, channel_axis: Any = -1) -> Any:
    """Repeat an image in three channels.

    Parameters
    ----------
    image : array_like, any shape, bool or any number
        The image; sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels in the result.

    Returns
    -------
    tf.Tensor, dtype of `image`
        With one more axis, of length 3.

    Raises
    ------
    BadAxis
        The result has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor, or the rank is unknown while tracing.

    Notes
    -----
    Agreement: bit for bit.
    Graph: no Python at run time, one program where sizes are known; static shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import gray2rgb
    >>> gray2rgb(tf.constant([[7, 9]])).numpy().tolist()
    [[[7, 7, 7], [9, 9, 9]]]
    """
    x = as_tensor(image, "image")
    known_rank(x, "image")
    return xla.run(_stacked, axis_of(channel_axis, x.shape.rank + 1, batch_axes))(x)
