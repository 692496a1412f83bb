"""ToSepia: the colours of an old photograph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.albumentations._pixels import Pixels, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import Within, WithinLevels
from pipeport.kernels import xla

# Of red, green and blue, in each of them.
_WEIGHTS = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))
# Of OpenCV's fixed point.
_BITS = 10


@augments(
    "ToSepia",
    image=WithinLevels(1, 1.0, floats=Within(1e-6, "float32 sums of three products, in another order")),
)
class ToSepia(Pixels):
    """Give an image the brown of old photographs.

    Parameters
    ----------
    p : float, default 0.5
        Probability that it is applied.

    Returns
    -------
    ToSepia
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8 or float32 in [0, 1]; an image
        of one channel and other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    WrongType
        In a call, an image has neither one channel nor three.
    UnsupportedArgument
        `p` is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: floats within 1e-6. Bytes are computed in OpenCV's fixed point; at the end of an image, where
    the pixels do not fill a vector of the processor, OpenCV rounds a float32 sum, and bytes may be one level
    off.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ToSepia(p=1.0)
    >>> transform(image=tf.constant([[[100, 100, 100]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[135, 120, 94]]]
    """

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image in brown."""
        del params
        image = served(image, name)
        if with_channels(image, name, (1, 3)) == 1:
            return image
        return tf.ensure_shape(xla.run(_browned)(image), image.shape)


def _browned() -> Callable[[Any], Any]:
    def run(image: Any) -> Any:
        if image.dtype.is_floating:
            sums = [_sum(image, row) for row in _WEIGHTS]
            return tf.clip_by_value(tf.stack(sums, -1), 0.0, 1.0)
        whole = np.rint(np.array(_WEIGHTS, np.float32) * 2**_BITS).astype(int).tolist()
        levels = tf.cast(image, tf.int32)
        sums = [tf.bitwise.right_shift(_sum(levels, row) + 2 ** (_BITS - 1), _BITS) for row in whole]
        return tf.cast(tf.minimum(tf.stack(sums, -1), 255), tf.uint8)

    return run


def _sum(image: Any, weights: Any) -> Any:
    red, green, blue = (image[..., at] * weight for at, weight in enumerate(weights))
    return red + green + blue
