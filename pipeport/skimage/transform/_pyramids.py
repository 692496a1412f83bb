"""`skimage.transform.pyramid_reduce` and `pyramid_expand`."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    Difference,
    Image,
    Maybe,
    OneOf,
    Real,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import _checks, _ranges, _xla
from pipeport.kernels._separable import gaussian_kernel, smoothed
from pipeport.kernels.arrays import as_tensor
from pipeport.skimage.transform._resize import _resized

# Smoothing takes SciPy's names of the modes and resizing NumPy's; these are in both, the first with
# two meanings.
_MODES = ("reflect", "constant", "wrap")
_FACTORS = OneOf(2, 1.5, 3, 2.25, 4.0, 1, 0.5, typical=2)
_DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")


def _half_known(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("mode", "reflect") in ("edge", "symmetric")


def _differences() -> tuple[Difference, ...]:
    return (
        Difference(
            "Modes 'edge' and 'symmetric' are always refused; the reference fails where it smooths, and "
            "takes them where `sigma` is zero.",
            witness=lambda: {"image": np.ones((4, 4)), "mode": "edge", "sigma": 0},
            applies=_half_known,
        ),
    )


def _domain(factor: str) -> dict[str, Any]:
    return {
        "image": Image(dtypes=_DTYPES, sides=(1, 9)),
        factor: _FACTORS,
        "sigma": Maybe(spec=Real(0.0, 2.0)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5, typical=1),
        "mode": OneOf(*_MODES, "nearest", "edge", typical="reflect"),
        "cval": OneOf(0, 1, 0.25, -0.5),
        "preserve_range": Boolean(),
        "channel_axis": OneOf(None, -1, 2, 0, typical=-1),
    }


@replaces(
    "skimage.transform.pyramid_reduce",
    domain=_domain("downscale"),
    agreement=AsReference(coordinates_of="image", jumps="pipeport.references.jumps_pyramids.pyramid_reduce"),
    proven_against=">=0.26,<0.27",
    differences=_differences(),
)
def pyramid_reduce(
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

    Native equivalent of `skimage.transform.pyramid_reduce`.

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
        Value outside the image in mode 'constant', on the scale of the output.
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
    Differences from the reference:

    - Modes 'edge' and 'symmetric' are always refused; the reference fails where it smooths, and
      takes them where `sigma` is zero.

    Agreement: as accurate as the reference, judged against it in float64.
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
    return _reduced(image, downscale, sigma, order, mode, cval, preserve_range, channel_axis, 0)


@batch_form(pyramid_reduce)
def _reduce_batch(
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
    """Images with a leading axis."""
    return _reduced(image, downscale, sigma, order, mode, cval, preserve_range, channel_axis, 1)


@replaces(
    "skimage.transform.pyramid_expand",
    domain=_domain("upscale"),
    agreement=AsReference(coordinates_of="image", jumps="pipeport.references.jumps_pyramids.pyramid_expand"),
    proven_against=">=0.26,<0.27",
    differences=_differences(),
)
def pyramid_expand(
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

    Native equivalent of `skimage.transform.pyramid_expand`.

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
        Value outside the image in mode 'constant', on the scale of the output.
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
    Differences from the reference:

    - Modes 'edge' and 'symmetric' are always refused; the reference fails where it smooths, and
      takes them where `sigma` is zero.

    Agreement: as accurate as the reference, judged against it in float64.
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
    return _expanded(image, upscale, sigma, order, mode, cval, preserve_range, channel_axis, 0)


@batch_form(pyramid_expand)
def _expand_batch(
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
    """Images with a leading axis."""
    return _expanded(image, upscale, sigma, order, mode, cval, preserve_range, channel_axis, 1)


def _reduced(
    image: Any,
    downscale: Any,
    sigma: Any,
    order: Any,
    mode: Any,
    cval: Any,
    preserve_range: Any,
    channel_axis: Any,
    lead: int,
) -> Any:
    factor = _factor(downscale, "downscale")
    images, channel = _prepared(image, mode, preserve_range, channel_axis, lead)
    cval = _checks.finite_scalar(cval, "cval")
    sigmas = _sigmas(sigma, factor, images.shape.rank - 1, channel)
    sizes = _sizes(images, channel, lambda size: math.ceil(size / factor), 1.0 / factor, factor)
    smooth = _smooth(images, sigmas, mode, cval)
    found = _resized(smooth, sizes, order, mode, cval, True, False, False, None)
    return found if lead else tf.squeeze(found, [0])


def _expanded(
    image: Any,
    upscale: Any,
    sigma: Any,
    order: Any,
    mode: Any,
    cval: Any,
    preserve_range: Any,
    channel_axis: Any,
    lead: int,
) -> Any:
    factor = _factor(upscale, "upscale")
    images, channel = _prepared(image, mode, preserve_range, channel_axis, lead)
    cval = _checks.finite_scalar(cval, "cval")
    sigmas = _sigmas(sigma, factor, images.shape.rank - 1, channel)
    sizes = _sizes(images, channel, lambda size: math.ceil(factor * size), factor, None)
    large = _resized(images, sizes, order, mode, cval, True, False, False, None)
    found = _smooth(large, sigmas, mode, cval)
    return found if lead else tf.squeeze(found, [0])


def _factor(value: Any, name: str) -> float:
    advice = "Give a Python number above 1; it decides the size."
    if tf.is_tensor(value):
        raise UnsupportedArgument(explain(name, "a tensor", "a Python number", advice))
    if not isinstance(value, numbers.Real):
        raise WrongType(explain(name, repr(value), "a number above 1", advice))
    if not math.isfinite(value) or value <= 1:
        raise OutsideDomain(explain(name, value, "a number above 1", advice))
    return float(value)


def _prepared(
    image: Any, mode: Any, preserve_range: Any, channel_axis: Any, lead: int
) -> tuple[Any, int | None]:
    """Return images (B, ...) as floats, and the channel axis of one image."""
    x = as_tensor(image, "image")
    if x.shape.rank is None or x.shape.rank - lead < 1:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("image", f"shape {x.shape}", "a known rank, 1 or more", advice))
    _checks.dtype_among(x, ("bool", *_checks.NUMBERS), "image")
    _checks.one_of(mode, _MODES, "mode", "Only these mean something to smoothing and to resizing.")
    images = x if lead else x[tf.newaxis]
    channel = None
    if channel_axis is not None:
        try:
            channel = operator.index(channel_axis) % (images.shape.rank - 1)
        except TypeError as error:
            advice = "Name one axis."
            raise WrongType(explain("channel_axis", repr(channel_axis), "a whole number", advice)) from error
    if images.dtype.is_bool:
        return tf.cast(images, tf.float64), channel
    return _ranges.as_float_image(images, _checks.flag(preserve_range, "preserve_range")), channel


def _sigmas(sigma: Any, factor: float, rank: int, channel: int | None) -> list[float]:
    """Return one standard deviation per axis of an image."""
    advice = "Give one Python number, or without channel_axis one per axis."
    spatial = rank if channel is None else rank - 1
    if sigma is None:
        values = [2 * factor / 6.0] * spatial
    elif tf.is_tensor(sigma):
        raise UnsupportedArgument(explain("sigma", "a tensor", "Python numbers", advice))
    elif isinstance(sigma, (Sequence, np.ndarray)) and np.ndim(sigma) == 1 and channel is None:
        values = [_number(one, advice) for one in sigma]
    else:
        values = [_number(sigma, advice)] * spatial
    if len(values) != spatial:
        raise OutsideDomain(explain("sigma", repr(sigma), f"one number or {spatial}", advice))
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise OutsideDomain(explain("sigma", repr(sigma), "finite numbers, 0 or more", advice))
    if channel is not None:
        values.insert(channel, 0.0)
    return values


def _number(value: Any, advice: str) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (numbers.Real, np.bool_)):
        raise WrongType(explain("sigma", repr(value), "a number", advice))
    return float(value)


def _sizes(images: Any, channel: int | None, new: Any, times: float, over: float | None) -> list[Any]:
    """Return the new size of every axis; scalar tensors where the old one is unknown."""
    sizes: list[Any] = []
    for axis, size in enumerate(images.shape[1:]):
        if size is not None:
            sizes.append(size if axis == channel else new(size))
            continue
        own = tf.shape(images)[axis + 1]
        if axis != channel:
            wide = tf.cast(own, tf.float64)
            own = tf.cast(tf.math.ceil(wide * times if over is None else wide / over), tf.int32)
        sizes.append(own)
    return sizes


def _smooth(images: Any, sigmas: Sequence[float], mode: str, cval: Any) -> Any:
    compiles = _xla.should_compile(gains=True) and images.shape[1:].is_fully_defined()
    fill = tf.convert_to_tensor(cval, tf.float64)
    values = images
    for axis, sigma in enumerate(sigmas):
        kernel = gaussian_kernel(sigma)
        if kernel is not None:
            values = smoothed(values, axis + 1, kernel, mode, fill, compiles)
    return tf.ensure_shape(values, images.shape)
