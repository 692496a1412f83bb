"""Functions that give a pixel from the same pixel of one or two images."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla


def per_pixel(
    build: Callable[..., Callable[..., Any]],
    *static: Hashable,
    images: Sequence[Any],
    numbers: Sequence[Any] = (),
) -> Any:
    """Apply a function of pixels, compiled where that is known to gain.

    `build`: returns the function for `static`. It takes images and numbers, and gives one tensor with the
    axes of the images, or with the last one dropped. `images`: images (B, H, W, C) or masks (B, H, W, 1), all
    of one size. `numbers`: of shape (), (C,) or (B, 1, 1, 1): what the function takes behind the images.
    """
    size = tf.TensorShape(None)
    for image in images:
        size = size.merge_with(image.shape[:3])
    several = any(number.shape.rank > 1 for number in numbers)
    known = all(image.shape.is_fully_defined() for image in images)
    buckets = None if several else xla.in_buckets(build, *static, images=len(images))
    found = xla.run(build, *static, known=known, in_buckets=buckets)(*images, *numbers)
    rest = found.shape[3:] if found.shape.rank is not None else tf.TensorShape(None)
    return tf.ensure_shape(found, size.concatenate(rest))
