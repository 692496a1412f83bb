"""Shared by `resize`, `rescale` and the pyramids: resizing to given sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling._clip import clipped
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.kernels.sampling._smoothing import dynamic_gaussian_kernel, gaussian_kernel
from pipeport.kernels.xla._divide import divided
from pipeport.skimage.transform._resize_arguments import same_rank, sigmas_of, smooth_wanted
from pipeport.skimage.transform._sampling import NDIMAGE, Sampling

# What TensorFlow has kernels for, less an axis of images and one of channels.
_MOST_AXES = 6


def resized(
    images: Any,
    sizes: Sequence[Any],
    how: Sampling,
    anti_aliasing: Any,
    anti_aliasing_sigma: Any,
) -> Any:
    """Resize images with a leading axis; a size may be a scalar tensor."""
    images, sizes = same_rank(images, list(sizes))
    rank = images.shape.rank - 1
    if rank > _MOST_AXES:
        advice = "Reshape neighbouring axes into one first."
        raise UnsupportedArgument(explain("image", f"rank {rank}", f"rank {_MOST_AXES} or less", advice))
    own = [tf.shape(images)[n + 1] if side is None else side for n, side in enumerate(images.shape[1:])]
    smooths = smooth_wanted(images.dtype, how.order, anti_aliasing, own, sizes)
    sigmas = sigmas_of(anti_aliasing_sigma, rank)
    images = _checks.not_empty(images, "image", element=slice(1, None))
    images = how.converted(images)
    fill = tf.convert_to_tensor(how.cval, tf.float64)
    narrow = images.dtype == tf.float32 and how.order <= 1
    compute = images.dtype if how.order == 0 or narrow else tf.float64
    settings = Settings(how.order, NDIMAGE[how.mode], compute, images.dtype)
    axes = [
        _axis(settings, own[n], sizes[n], smooths, None if sigmas is None else sigmas[n]) for n in range(rank)
    ]
    if all(_same(a, b) for a, b in zip(own, sizes, strict=True)):
        axes = [Axis(None, axis.kernel) for axis in axes]
    result = tf.squeeze(resample(settings, images[..., tf.newaxis], axes, fill), [-1])
    if how.order and images.dtype.is_floating and _may_fit(own, sizes):
        still = images
        if sigmas is not None and any(sigmas):
            kernels = [Axis(None, axis.kernel) for axis in axes]
            still = tf.squeeze(resample(settings, images[..., tf.newaxis], kernels, fill), [-1])
        result = _spared(result, still, own, sizes)
    # A sum of many weights, smoothing's, may miss the range by a rounding; cutting fractions off, by a level.
    leaves = how.may_clip(images.dtype) or (how.clip and _smooth(axes))
    return clipped(result, images, how.mode, fill) if leaves else result


def _smooth(axes: Sequence[Axis]) -> bool:
    return any(axis.kernel is not None for axis in axes)


def _may_fit(own: Sequence[Any], sizes: Sequence[Any]) -> bool:
    """Whether it may turn out when the graph runs that an image has the size already."""
    open_pairs = [(a, b) for a, b in zip(own, sizes, strict=True) if not _same(a, b)]
    return bool(open_pairs) and not any(isinstance(a, int) and isinstance(b, int) for a, b in open_pairs)


def _spared(result: Any, images: Any, own: Sequence[Any], sizes: Sequence[Any]) -> Any:
    """Return images that turn out to have the size already: the reference does not sample them.

    But for NaN, which filters spread, and infinities, which weights of zero turn into NaN, the result
    is the same.
    """
    pairs = list(zip(own, sizes, strict=True))
    fitted = images
    for axis, (size, wanted) in enumerate(pairs, 1):
        fitted = tf.gather(fitted, tf.minimum(tf.range(wanted), size - 1), axis=axis)
    same = tf.reduce_all([tf.equal(a, b) for a, b in pairs if not _same(a, b)])
    return tf.where(same, tf.cast(fitted, result.dtype), result)


def _same(own: Any, size: Any) -> bool:
    return size is own or (isinstance(own, int) and isinstance(size, int) and size == own)


def _axis(settings: Settings, own: Any, size: Any, smooths: Any, sigma: float | None) -> Axis:
    known = isinstance(own, int) and isinstance(size, int)
    same = _same(own, size)
    kernel: Any = None
    if smooths is not False:
        if sigma is None and not same:
            if known:
                kernel = gaussian_kernel(max(0.0, (own / size - 1) / 2))
            else:
                factor = divided(own, size)
                kernel = dynamic_gaussian_kernel(tf.maximum((factor - 1) / 2, 0.0))
        elif sigma is not None and smooths is True:
            kernel = gaussian_kernel(sigma)
        elif sigma is not None:
            kernel = dynamic_gaussian_kernel(tf.where(smooths, tf.constant(sigma, tf.float64), 0.0))
    if tf.is_tensor(kernel) and settings.dtype.is_integer:
        advice = "State the sizes with tf.ensure_shape, give anti_aliasing_sigma, or cast to a float."
        given = "True for integers of unknown size with order 0"
        raise UnsupportedArgument(explain("anti_aliasing", given, "None or False, or known sizes", advice))
    if same:
        return replace(unmoved(settings, own), kernel=kernel)
    if known:
        return Axis((np.arange(size, dtype=np.float64) + 0.5) * (own / size) - 0.5, kernel)
    target = tf.cast(size, tf.float64)
    index = tf.range(target, dtype=tf.float64)
    where = (index + 0.5) * divided(own, target) - 0.5
    return Axis(tf.ensure_shape(where, [size if isinstance(size, int) else None]), kernel)
