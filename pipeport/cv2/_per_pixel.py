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

    Parameters
    ----------
    build : callable
        Returns the function for `static`. It takes images and numbers, and gives one tensor with the
        axes of the images, or with the last one dropped.
    *static : hashable
        What decides the program.
    images : sequence of tf.Tensor
        Images (B, H, W, C) or masks (B, H, W, 1), all of one size.
    numbers : sequence of tf.Tensor
        Of shape (), (C,) or (B, 1, 1, 1): what the function takes behind the images.

    Returns
    -------
    tf.Tensor
        As the function gives it.
    """
    size = tf.TensorShape(None)
    for image in images:
        size = size.merge_with(image.shape[:3])
    several = any(number.shape.rank > 1 for number in numbers)
    known = all(image.shape.is_fully_defined() for image in images)
    if not xla.should_compile(gains=True) or (several and not known):
        found = build(*static)(*images, *numbers)
    elif known:
        found = xla.compiled(build, *static)(*images, *numbers)
    else:
        # Bytes that lie in a row need one bucket, not one for each axis.
        rows = [xla.padded_to_bucket(tf.reshape(one, [-1, one.shape[3]]), range(1)) for one in images]
        found = xla.compiled(build, *static)(*rows, *numbers)
        sizes = tf.shape(images[0])[:3]
        found = found[: tf.reduce_prod(sizes)]
        found = tf.reshape(found, tf.concat([sizes, tf.shape(found)[1:]], 0))
    rest = found.shape[3:] if found.shape.rank is not None else tf.TensorShape(None)
    return tf.ensure_shape(found, size.concatenate(rest))
