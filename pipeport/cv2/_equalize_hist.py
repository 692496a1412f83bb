"""`cv2.equalizeHist`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, batchable, replaces
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.opencv._histogram import levels_counted


def _equalized() -> Callable[[Any], Any]:
    def equalized(x: Any) -> Any:
        """Spread the levels of each image (B, H, W, 1)."""
        return tf.gather(spread(levels_counted(x)), tf.cast(x, tf.int32), batch_dims=1)

    return equalized


def spread(counts: Any) -> Any:
    """Return what each level becomes, by how many pixels lie below it: (B, 256) of counts, then of bytes."""
    summed = tf.cumsum(counts, 1)
    # The pixels of the lowest level do not count, and become 0.
    lowest = tf.gather(counts, tf.argmax(tf.cast(counts > 0, tf.int32), 1), batch_dims=1)[:, tf.newaxis]
    others = summed[:, -1:] - lowest
    scale = tf.constant(255.0) / tf.cast(tf.maximum(others, 1), tf.float32)
    levels = tf.round(tf.cast(tf.maximum(summed - lowest, 0), tf.float32) * scale)
    table = tf.cast(tf.minimum(levels, 255.0), tf.uint8)
    # An image of one level stays as it is.
    return tf.where(others > 0, table, tf.cast(tf.range(256), tf.uint8))


@replaces(
    "cv2.equalizeHist",
    domain={"src": Image(dtypes=("uint8",), channels=(None, 1))},
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
)
@batchable
def equalizeHist(batch_axes: int, src: Any, dst: Any = None) -> Any:
    """Spread the grey levels of an image, so that each is as frequent as the others.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, 1), uint8
        The image; H and W may be unknown while tracing.

    Returns
    -------
    tf.Tensor, shape (H, W), uint8
        The image with other levels; one of a single level as it is.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype, or several channels.
    UnsupportedArgument
        `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit.
    Graph: one program where sizes are known, else the plain operations. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.equalizeHist(tf.constant([[100, 101, 102]], tf.uint8)).numpy().tolist()
    [[0, 128, 255]]
    """
    _images.refuse_dst(dst)
    x = _images.as_images(src, batch_axes)
    if x.dtype != tf.uint8 or x.shape[3] != 1:
        given = f"{x.dtype.name} with {x.shape[3]} channels"
        advice = "Equalise one channel: the grey levels, or the brightness of another colour space."
        raise OutsideDomain(explain("src", given, "uint8 with one channel", advice))
    found = xla.run(_equalized)(x)
    return _images.as_result(tf.ensure_shape(found, x.shape), batch_axes)
