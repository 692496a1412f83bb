"""Masks of images."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import as_tensor


def mask_of(mask: Any, x: Any, batch_axes: int) -> Any:
    """Return truth values that have the shape of an image; with a batch, or of one element of it.

    `batch_axes`: leading axes of the image, 0 or 1. Returns: of the rank of `x`; shared by a batch, its first
    size is 1.
    """
    tensor = as_tensor(mask, "mask")
    shared = bool(batch_axes) and tensor.shape.rank == x.shape.rank - batch_axes
    if not tensor.shape.is_compatible_with(x.shape[batch_axes:] if shared else x.shape):
        advice = "Give one for every pixel."
        wanted = f"the shape of image, {x.shape[batch_axes:]}"
        raise OutsideDomain(explain("mask", f"shape {tensor.shape}", wanted, advice))
    tensor = tensor[tf.newaxis] if shared else tensor
    return tensor if tensor.dtype.is_bool else tf.not_equal(tensor, tf.zeros([], tensor.dtype))
