"""Images under a kernel that is drawn."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.opencv._correlate import Correlation, correlated


def as_planes(image: Any) -> Any:
    """Return an image (H, W) or (H, W, C) as a batch of one, (1, H, W, C)."""
    planes = image[..., tf.newaxis] if image.shape.rank == 2 else image
    return planes[tf.newaxis]


def as_image(planes: Any, image: Any) -> Any:
    """Return a batch of one as the image it was made of, of floats within [0, 1]."""
    found = planes[0, ..., 0] if image.shape.rank == 2 else planes[0]
    found = tf.clip_by_value(found, 0.0, 1.0) if image.dtype.is_floating else found
    return tf.ensure_shape(found, image.shape)


def convolved(image: Any, kernel: Any) -> Any:
    """Return an image filtered as by `cv2.filter2D`, of floats within [0, 1].

    `image`: shape (H, W) or (H, W, C), uint8 or float32. `kernel`: shape (h, w), float32; the weights, not
    known while tracing; h and w are odd.
    """
    height, width = kernel.shape
    how = Correlation((), (height, width), "float32", image.dtype.name)
    # In floats from the start, so that none is converted for every weight.
    planes = tf.cast(as_planes(image), tf.float32)
    found = correlated(planes, how, "mirror", (height // 2, width // 2), kernel[tf.newaxis])
    return as_image(found, image)
