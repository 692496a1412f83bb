"""The nearest stock op for the natives of `numpy` that arrange arrays, with the native's parameters.

`tf.experimental.numpy` where it has the function, else the plain op. The bench runs them as a third
column.
"""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Call `tf.experimental.numpy.swapaxes`."""
    return tf.experimental.numpy.swapaxes(a, axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Call `tf.experimental.numpy.moveaxis`."""
    return tf.experimental.numpy.moveaxis(a, source, destination)


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """Call `tf.transpose` with the permutation meant."""
    rank = a.shape.rank
    axis, start = axis % rank, start % rank if start < 0 else start
    order = [n for n in range(rank) if n != axis]
    order.insert(start - (axis < start), axis)
    return tf.transpose(a, order)


def expand_dims(a: Any, axis: Any) -> Any:
    """Call `tf.expand_dims`, which takes one axis."""
    return tf.expand_dims(a, axis)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Call `tf.squeeze`."""
    return tf.squeeze(a, axis)


def stack(arrays: Any, axis: int = 0) -> Any:
    """Call `tf.stack`, which wants one dtype."""
    return tf.stack(arrays, axis)


def concatenate(arrays: Any, axis: Any = 0) -> Any:
    """Call `tf.concat`, which wants one dtype and an axis."""
    return tf.concat(arrays, axis)


def tile(A: Any, reps: Any) -> Any:
    """Call `tf.tile`, which wants one number per axis."""
    return tf.experimental.numpy.tile(A, reps)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Call `tf.repeat`."""
    return tf.repeat(a, repeats, axis)


def take(a: Any, indices: Any, axis: Any = None, mode: str = "raise") -> Any:  # noqa: ARG001
    """Call `tf.gather`, which counts from 0 only."""
    return tf.gather(tf.reshape(a, [-1]) if axis is None else a, indices, axis=axis or 0)


def resize_with_crop_or_pad(
    image: Any, size: Any, mask: Any = None, fill: Any = 0, mask_fill: Any = 0
) -> Any:
    """Call `tf.image.resize_with_crop_or_pad`, which knows one image and zeros."""
    if mask is not None or fill or mask_fill:
        raise ValueError("tf.image.resize_with_crop_or_pad takes one image and fills with zeros")
    return tf.image.resize_with_crop_or_pad(image, *size)
