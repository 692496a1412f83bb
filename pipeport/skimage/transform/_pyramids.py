"""Shared by `pyramid_reduce` and `pyramid_expand`: domain, difference, arguments, smoothing."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Boolean, Difference, Image, Maybe, OneOf, Real
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks, _ranges
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._smoothing import gaussian_kernel, smoothed
from pipeport.skimage.transform._sampling import Sampling

# Smoothing takes SciPy's names of the modes and resizing NumPy's; these are in both, the first with
# two meanings.
_MODES = ("reflect", "constant", "wrap")
_FACTORS = OneOf(2, 1.5, 3, 2.25, 4.0, 1, 0.5, typical=2)
_DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")


def _half_known(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("mode", "reflect") in ("edge", "symmetric")


def differences() -> tuple[Difference, ...]:
    """Return the difference both have."""
    return (
        Difference(
            "Modes 'edge' and 'symmetric' are always refused; the reference fails where it smooths, and "
            "takes them where `sigma` is zero.",
            witness=lambda: {"image": np.ones((4, 4)), "mode": "edge", "sigma": 0},
            applies=_half_known,
        ),
    )


def domain(factor: str) -> dict[str, Any]:
    """Return the domain of both, which name their factor differently."""
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


def factor_of(value: Any, name: str) -> float:
    """Return the factor as a float."""
    advice = "Give a Python number above 1; it decides the size."
    if tf.is_tensor(value):
        raise UnsupportedArgument(explain(name, "a tensor", "a Python number", advice))
    if not isinstance(value, numbers.Real):
        raise WrongType(explain(name, repr(value), "a number above 1", advice))
    if not math.isfinite(value) or value <= 1:
        raise OutsideDomain(explain(name, value, "a number above 1", advice))
    return float(value)


def prepared(
    image: Any, mode: Any, preserve_range: Any, channel_axis: Any, batch_axes: int
) -> tuple[Any, int | None]:
    """Return images (B, ...) as floats, and the channel axis of one image."""
    x = as_tensor(image, "image")
    if x.shape.rank is None or x.shape.rank - batch_axes < 1:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("image", f"shape {x.shape}", "a known rank, 1 or more", advice))
    _checks.dtype_among(x, ("bool", *_checks.NUMBERS), "image")
    _checks.one_of(mode, _MODES, "mode", "Only these mean something to smoothing and to resizing.")
    images = x if batch_axes else x[tf.newaxis]
    channel = None
    if channel_axis is not None:
        channel = whole_number(channel_axis, "channel_axis") % (images.shape.rank - 1)
    if images.dtype.is_bool:
        return tf.cast(images, tf.float64), channel
    return _ranges.as_float_image(images, _checks.flag(preserve_range, "preserve_range")), channel


def sigmas_of(sigma: Any, factor: float, rank: int, channel: int | None) -> list[float]:
    """Return one standard deviation per axis of an image."""
    advice = "Give one Python number, or without channel_axis one per axis."
    spatial = rank if channel is None else rank - 1
    if sigma is None:
        values = [2 * factor / 6.0] * spatial
    elif holds_tensor(sigma):
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


def sizes_of(images: Any, channel: int | None, new: Any, times: float, over: float | None) -> list[Any]:
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


def smooth_images(images: Any, sigmas: Sequence[float], how: Sampling) -> Any:
    """Smooth images with a leading axis by one Gaussian per axis."""
    known = images.shape[1:].is_fully_defined()
    fill = tf.convert_to_tensor(how.cval, tf.float64)
    values = images
    for axis, sigma in enumerate(sigmas):
        kernel = gaussian_kernel(sigma)
        if kernel is not None:
            values = smoothed(values, axis + 1, kernel, how.mode, fill, known)
    return tf.ensure_shape(values, images.shape)
