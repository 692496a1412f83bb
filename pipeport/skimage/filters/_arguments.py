"""What the filters of scikit-image have in common: images in floats, border modes, one axis of channels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import as_float_image
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.axes import one_axis
from pipeport.kernels.sampling._gaussian import LEAST, Gaussian, radius_of, sigma_of, unstacked
from pipeport.kernels.sampling._smoothing import FILTER_RULES
from pipeport.kernels.sampling._smoothing import rule_of as rule_of

DTYPES = ("bool", "uint8", "uint16", "int16", "float16", "float32", "float64")
MODES = OneOf(*FILTER_RULES, typical="reflect")
# An array without elements is padded with one, and TensorFlow pads six axes at most: a batch counts.
_MOST_AXES = 5


def image_of(image: Any, preserve_range: bool, batch_axes: int) -> Any:
    """Return an image in float32 or float64, of integers parts of their largest value or the values."""
    x = as_tensor(image, "image")
    rank = known_rank(x, "image") - batch_axes
    _checks.dtype_among(x, ("bool", *_checks.NUMBERS), "image")
    if not 1 <= rank <= _MOST_AXES:
        advice = "Reshape it first."
        raise UnsupportedArgument(explain("image", f"rank {rank}", f"ranks 1 to {_MOST_AXES}", advice))
    return tf.cast(x, tf.float64) if x.dtype.is_bool else as_float_image(x, preserve_range)


def fill_of(cval: Any) -> Any:
    """Return the value beyond the ends as a scalar of float64."""
    if tf.is_tensor(cval):
        if cval.shape.rank != 0:
            raise OutsideDomain(explain("cval", f"shape {cval.shape}", "a scalar", "Give one number."))
        return tf.cast(cval, tf.float64)
    if isinstance(cval, (str, bytes, Iterable)) or cval is None:
        raise WrongType(explain("cval", repr(cval), "a real number", "Give one number."))
    return tf.constant(float(cval), tf.float64)


def channel_of(channel_axis: Any, rank: int) -> int | None:
    """Return the axis of the channels of one image, counted from 0."""
    return None if channel_axis is None else one_axis(channel_axis, rank, "channel_axis")


def gaussians_of(
    sigma: Any, rank: int, channel: int | None, mode: str, reach: float, batch_axes: int, name: str = "sigma"
) -> list[Gaussian]:
    """Return what an image is smoothed with, axis by axis, but for its channels."""
    value = unstacked(sigma, batch_axes, name)
    spatial = [axis for axis in range(rank) if axis != channel]
    if isinstance(value, Iterable) and not (tf.is_tensor(value) or isinstance(value, str)):
        given = list(value)
        axes = spatial if len(given) == len(spatial) else list(range(rank))
        if len(given) != len(axes):
            advice = "Give one for all axes, or one for each that is not a channel."
            raise OutsideDomain(
                explain(name, f"{len(given)} numbers", f"one number, or {len(spatial)}", advice)
            )
    else:
        axes, given = spatial, [value] * len(spatial)
    deviations = [sigma_of(one, batch_axes, name) for one in given]
    if any(not tf.is_tensor(one) and one < 0 for one in deviations):
        raise OutsideDomain(explain(name, repr(sigma), "0 or more", "0 leaves an image as it is."))
    checked = [_not_negative(one, name) if tf.is_tensor(one) else one for one in deviations]
    return [
        Gaussian(axis + batch_axes, rule_of(mode), one, radius_of(one, reach))
        for axis, one in zip(axes, checked, strict=True)
        if tf.is_tensor(one) or one > LEAST
    ]


def _not_negative(sigma: Any, name: str) -> Any:
    message = explain(name, "a negative number", "0 or more", "0 leaves an image as it is.")
    with tf.control_dependencies([tf.raw_ops.Assert(condition=tf.reduce_all(sigma >= 0), data=[message])]):
        return tf.identity(sigma)
