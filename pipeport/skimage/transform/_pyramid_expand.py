"""`skimage.transform.pyramid_expand`."""

from __future__ import annotations

import math
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import AsReference, batchable, replaces
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
from pipeport.skimage.transform._sampling import Sampling


@replaces(
    "skimage.transform.pyramid_expand",
    domain=domain("upscale"),
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities_pyramids.pyramid_expand"
    ),
    differences=differences(),
)
@batchable
def pyramid_expand(
    batch_axes: int,
    image: Any,
    upscale: float = 2,
    sigma: Any = None,
    order: int | None = 1,
    mode: str = "reflect",
    cval: float = 0,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> Any:
    """Make an image larger, then smooth it.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        Integers are read on their full range (see `preserve_range`). Sizes may be unknown while
        tracing, the rank must be known.
    upscale : float, default 2
        By how much; above 1. Sizes are rounded up.
    sigma : float or sequence of float, optional
        Standard deviation of the Gaussian, 0 or more; a third of `upscale` when None. One per axis
        only without `channel_axis`.
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
        `upscale` not above 1, `sigma` negative or not one per axis, a number that is not finite, or
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
    >>> from pipeport.skimage.transform import pyramid_expand
    >>> pyramid_expand(tf.zeros([5, 4, 3]), channel_axis=-1).shape
    TensorShape([10, 8, 3])
    """
    factor = factor_of(upscale, "upscale")
    images, channel = prepared(image, mode, preserve_range, channel_axis, batch_axes)
    how = Sampling.of(images, order, mode, cval, clip=True, preserve_range=False)
    sigmas = sigmas_of(sigma, factor, images.shape.rank - 1, channel)
    sizes = sizes_of(images, channel, lambda size: math.ceil(factor * size), factor, None)
    found = smooth_images(resized(images, sizes, how, False, None), sigmas, how)
    return found if batch_axes else tf.squeeze(found, [0])
