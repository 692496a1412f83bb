"""resize_pair."""

from __future__ import annotations

from typing import Any

from pipeport.contract import AsReference, Image, Integer, LabelOf, PerAxis, batchable, replaces
from pipeport.idioms._plane import linear, nearest, planes, sides_of, size_of


@replaces(
    "pipeport.references.resize_pair",
    domain={
        "image": Image(dtypes=("uint8", "uint16", "int32", "float16", "float32", "float64")),
        "mask": LabelOf(image="image", ranks=(2, 3)),
        "size": PerAxis(spec=Integer(1, 14), count=2, single=False, typical=(224, 224)),
    },
    agreement=AsReference(coordinates_of="image"),
    returns=("image", "mask"),
)
@batchable
def resize_pair(batch_axes: int, image: Any, mask: Any, size: Any) -> tuple[Any, Any]:
    """Resize an image linearly and its mask to the nearest pixel, by one geometry.

    Native equivalent of `pipeport.references.resize_pair`. Pixel centres lie on halves, and nothing
    is smoothed: for floating images `cv2.resize` at its defaults gives the same, and
    `cv2.INTER_NEAREST_EXACT` for the mask.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), integers of 32 bits or less, or floating
        Sizes may be unknown.
    mask : array_like, shape (H, W) or (H, W, K), any dtype
        Class numbers or the like, which must not be mixed.
    size : (int, int)
        Height and width wanted.

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        Image and mask of their dtypes; integers of the image are rounded half up.

    Raises
    ------
    OutsideDomain
        Sizes differ, an axis is empty, `size` is not positive, or bool is to be interpolated.
    UnsupportedArgument
        A rank, or `size`, is not known while tracing.
    WrongType
        `size` is not of whole numbers.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty or different.

    Notes
    -----
    Agreement: integers and the mask bit for bit, floating images as accurate as the reference.
    Graph: no Python at run time. The output's static shape is known; compiled by XLA where the
    input's is (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import resize_pair
    >>> image, mask = resize_pair(tf.constant([[0, 8]]), tf.constant([[1, 2]]), (1, 4))
    >>> image.numpy().tolist(), mask.numpy().tolist()
    ([[0, 2, 6, 8]], [[1, 1, 2, 2]])
    """
    x, y = planes(image, mask, batch_axes)
    tall, wide = size_of(size)
    height, width = sides_of(x, batch_axes)
    resized = linear(x, (height, tall, 0, tall), (width, wide, 0, wide), batch_axes)
    return resized, nearest(nearest(y, batch_axes, height, tall), batch_axes + 1, width, wide)
