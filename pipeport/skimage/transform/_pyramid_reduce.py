"""`skimage.transform.pyramid_reduce`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, batchable, replaces
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.kernels.sampling._smoothing import gaussian_kernel
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
    """Smooth an image, then make it smaller.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        Integers are read on their full range (see `preserve_range`). Sizes may be unknown while
        tracing, the rank must be known.
    downscale : float, default 2
        By how much; above 1. Sizes are rounded up.
    sigma : float or sequence of float, optional
        Standard deviation of the Gaussian, 0 or more; a third of `downscale` when None. One per
        axis only without `channel_axis`.
    order : {0, 1, 2, 3, 4, 5}, default 1
        Order of the spline that resizes.
    mode : {'reflect', 'constant', 'wrap'}, default 'reflect'
        Border rule. As in the reference 'reflect' repeats the edge pixel when smoothing and not when
        resizing.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    preserve_range : bool, default False
        Whether integers keep their range instead of being scaled to [0, 1] (signed: [-1, 1]).
    channel_axis : int, optional
        An axis that is neither smoothed nor resized.

    Returns
    -------
    tf.Tensor
        float64 for integer, bool and float64 images, float32 for float16 and float32.

    Raises
    ------
    OutsideDomain
        `downscale` not above 1, `sigma` negative or not one per axis, a number that is not finite, or
        an image that is empty or of another dtype.
    UnsupportedArgument
        `order` or `mode` not listed, a tensor where a Python value is needed, or a rank not known.
    WrongType
        A parameter of another type.
    tf.errors.InvalidArgumentError
        The image turns out to be empty.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.
    Graph: compiled with XLA axis by axis when traced with static sizes (`pipeport.config`). Static
    shape is kept.

    Source: `skimage/transform/pyramids.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import pyramid_reduce
    >>> pyramid_reduce(tf.zeros([9, 8, 3]), channel_axis=-1).shape
    TensorShape([5, 4, 3])
    """
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
