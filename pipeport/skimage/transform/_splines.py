"""Shared by warp, rotate and resize: scikit-image's border names, SciPy's splines."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks, _ranges
from pipeport.kernels.sampling._clip import clipped, may_leave
from pipeport.kernels.sampling._interpolate import Map, Plan, sample
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.kernels.sampling._spline_weights import CONVOLUTION

# scikit-image names modes as numpy.pad does, SciPy in its own way.
NDIMAGE = {
    "constant": "grid-constant",
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
}
DTYPES = ("bool", *_checks.NUMBERS)


def checked_order(dtype: Any, order: Any) -> int:
    """Return the spline order: 0 for bool images, 1 for others when None."""
    if order is None:
        return 0 if dtype == tf.bool else 1
    if isinstance(order, bool):
        raise UnsupportedArgument(
            explain("order", repr(order), "None or an integer from 0 to 5", "1 is linear, 0 nearest.")
        )
    if tf.is_tensor(order) or not hasattr(order, "__index__"):
        raise WrongType(
            explain("order", repr(order), "None or an integer from 0 to 5", "It shapes the graph.")
        )
    wanted = int(order)
    if not 0 <= wanted <= 5:
        raise UnsupportedArgument(
            explain("order", str(wanted), "0 to 5", "3 is cubic, 1 linear, 0 the nearest pixel.")
        )
    if dtype == tf.bool and wanted != 0:
        raise UnsupportedArgument(
            explain(
                "order",
                f"{wanted} for a bool image",
                "0 or None",
                "Bool cannot be interpolated: cast the image to a float first.",
            )
        )
    return wanted


def checked_mode(mode: Any) -> str:
    """Return a border mode, named as in `numpy.pad`."""
    _checks.one_of(mode, tuple(NDIMAGE), "mode", "The names are those of numpy.pad.")
    return str(mode)


def checked_fill(cval: Any, mode: Any, dtype: Any) -> Any:
    """Return `cval` as a Python float or a float64 tensor.

    Parameters
    ----------
    cval : object
        The argument; NaN is a fill like any other where the result is floating.
    mode : str
        Border rule; all but 'constant' have no use for a fill.
    dtype : tf.DType
        Of what is sampled.

    Returns
    -------
    float or tf.Tensor
        The fill.
    """
    if isinstance(cval, numbers.Real) and not math.isfinite(cval) and mode != "constant":
        return 0.0
    if mode == "constant" and not dtype.is_floating:
        return _checks.finite_scalar(cval, "cval")
    if isinstance(cval, numbers.Real) and math.isnan(cval):
        return math.nan
    if not tf.is_tensor(cval) or not cval.dtype.is_floating:
        return _checks.finite_scalar(cval, "cval")
    absent = tf.math.is_nan(cval)
    number = _checks.finite_scalar(tf.where(absent, tf.zeros_like(cval), cval), "cval")
    return tf.where(absent, tf.constant(math.nan, tf.float64), number)


def as_sampled(images: Any, order: int, preserve_range: bool) -> Any:
    """Return the images as scikit-image interpolates them: floats, unless no value is computed."""
    if order == 0:
        return images
    return _ranges.as_float_image(images, preserve_range)


def spline(
    images: Any,
    map_: Map,
    parameters: tuple[Any, ...],
    order: int,
    mode: str,
    cval: Any,
    clip: bool,
    out: Sequence[Any],
    *,
    convolution: bool = False,
) -> Any:
    """Sample a batch (B, H, W, C), converted by `as_sampled`, with splines of SciPy's kind.

    With `convolution` order 3 is scikit-image's own: cubic convolution without a prefilter.
    """
    fill = tf.convert_to_tensor(cval, tf.float64)
    kind: int | str = CONVOLUTION if convolution and order == 3 else order
    narrow = images.dtype == tf.float32 and kind in (1, CONVOLUTION)
    compute = images.dtype if order == 0 or narrow else tf.float64
    plan = Plan(map_, kind, NDIMAGE[mode], compute, images.dtype)
    splines = order >= 2 and kind != CONVOLUTION
    source = images
    if splines and images.shape[-1] != 1 and mode == "symmetric":
        source = _filtered_channels(images, order)
    result = sample(plan, source, parameters, fill, out)
    if splines:
        result = with_nan_everywhere(result, images)
    leaves = clip and may_leave(images.dtype, order, mode, cval)
    return clipped(result, images, mode, fill) if leaves else result


def with_nan_everywhere(result: Any, images: Any) -> Any:
    """Carry NaN from channel to channel: the reference's spline filter runs along channels too."""
    if images.shape[-1] == 1 or not images.dtype.is_floating:
        return result
    # 0 for finite images, NaN for others; added, not tested, which is one pass.
    nothing = tf.reduce_sum(
        images * tf.zeros([], images.dtype), axis=list(range(1, images.shape.rank)), keepdims=True
    )
    shape = tf.concat([tf.shape(nothing)[:1], tf.ones([result.shape.rank - 1], tf.int32)], 0)
    return result + tf.cast(tf.reshape(nothing, shape), result.dtype)


def _filtered_channels(images: Any, order: int) -> Any:
    """Filter and sample along the channels, which the 'reflect' filter alters before SciPy 1.18."""
    settings = Settings(order, "reflect", tf.float64, tf.float64)
    channels = images.shape[-1] or tf.shape(images)[-1]
    axis = unmoved(settings, channels)
    if axis.coordinates is None:
        return images
    shape = tf.shape(images)
    lines = tf.reshape(images, tf.stack([shape[0], tf.reduce_prod(shape[1:-1]), shape[-1], 1]))
    known = images.shape[1:-1].num_elements()
    lines = tf.ensure_shape(lines, [images.shape[0], known, images.shape[-1], 1])
    mixed = resample(settings, lines, [Axis(), axis], tf.zeros([], tf.float64))
    return tf.ensure_shape(tf.reshape(tf.cast(mixed, images.dtype), shape), images.shape)
