"""`skimage.transform.pyramid_reduce`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, batchable, replaces, told_like
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.kernels.sampling._smoothing import gaussian_kernel
from pipeport.skimage.transform._pyramid_expand import pyramid_expand
from pipeport.skimage.transform._pyramids import (
    differences,
    domain,
    factor_of,
    prepared,
    sigmas_of,
    sizes_of,
    smooth_images,
)
from pipeport.skimage.transform._resizing import resized
from pipeport.skimage.transform._sampling import NDIMAGE, Sampling


@replaces(
    "skimage.transform.pyramid_reduce",
    domain=domain("downscale"),
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities_pyramids.pyramid_reduce"
    ),
    differences=differences(),
)
@batchable
@told_like(
    pyramid_expand,
    {
        "Make an image larger, then smooth it": "Smooth an image, then make it smaller",
        "upscale": "downscale",
        "pyramid_expand(tf.zeros([5, 4, 3])": "pyramid_reduce(tf.zeros([9, 8, 3])",
        "[10, 8, 3]": "[5, 4, 3]",
    },
)
def pyramid_reduce(
    batch_axes: int,
    image: Any,
    downscale: float = 2,
    sigma: Any = None,
    order: int | None = 1,
    mode: str = "reflect",
    cval: float = 0,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> Any:
    factor = factor_of(downscale, "downscale")
    images, channel = prepared(image, mode, preserve_range, channel_axis, batch_axes)
    how = Sampling.of(images, order, mode, cval, clip=True, preserve_range=False)
    sigmas = sigmas_of(sigma, factor, images.shape.rank - 1, channel)
    sizes = sizes_of(images, channel, lambda size: math.ceil(size / factor), 1.0 / factor, factor)
    if how.order <= 1 and mode != "constant" and images.shape[1:].is_fully_defined():
        found = _axis_by_axis(images, sigmas, sizes, how)
        return found if batch_axes else tf.squeeze(found, [0])
    smooth = smooth_images(images, sigmas, how)
    found = resized(smooth, sizes, how, False, None)
    return found if batch_axes else tf.squeeze(found, [0])


def _axis_by_axis(images: Any, sigmas: list[float], sizes: list[int], how: Sampling) -> Any:
    """Smooth and shorten one axis after the other: what is smoothed later is smaller by then.

    That is the same sum where it stays in the range of the smooth image, so that nothing is clipped. Of
    256x256x3 it takes half the time.
    """
    settings = Settings(how.order, NDIMAGE[how.mode], images.dtype, images.dtype, smoothing=how.mode)
    own = images.shape[1:].as_list()
    axes = [
        replace(_axis(settings, side, size), kernel=gaussian_kernel(sigma))
        for side, size, sigma in zip(own, sizes, sigmas, strict=True)
    ]
    if own == sizes:
        axes = [Axis(None, axis.kernel) for axis in axes]
    values = tf.expand_dims(images, -1)
    return tf.squeeze(resample(settings, values, axes, tf.zeros([], tf.float64)), [-1])


def _axis(settings: Settings, own: int, size: int) -> Axis:
    if own == size:
        return unmoved(settings, own)
    return Axis((np.arange(size, dtype=np.float64) + 0.5) * (own / size) - 0.5)
