"""`skimage.filters.unsharp_mask`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Boolean, Difference, Image, OneOf, Real, batchable, replaces
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling._gaussian import blurred
from pipeport.skimage.filters import _arguments as arguments

# How many standard deviations the weights reach.
_REACH = 4.0


def _added(axes: tuple[int, ...] | None) -> Callable[..., Any]:
    """Return what adds the difference from a smooth image; `axes` are those of an image that is clipped."""

    def run(x: Any, smooth: Any, strength: Any) -> Any:
        found = x + (x - smooth) * strength
        if axes is None:
            return found
        one = tf.ones([], x.dtype)
        least = -tf.cast(tf.reduce_any(x < 0, axes, keepdims=True), x.dtype)
        return tf.where(tf.math.is_nan(found), found, tf.minimum(tf.maximum(found, least), one))

    return run


def _has_the_axis(call: Mapping[str, Any]) -> bool:
    # Of another axis the reference raises whatever comes first.
    axis = call.get("channel_axis")
    return axis is None or axis < np.ndim(call["image"])


@replaces(
    "skimage.filters.unsharp_mask",
    domain={
        "image": Image(dtypes=arguments.DTYPES, sides=(1, 9)),
        "radius": Real(0.0, 2.5, typical=1.0, tensor=True),
        "amount": Real(-1.0, 3.0, typical=1.0, tensor=True),
        "preserve_range": Boolean(),
        "channel_axis": OneOf(None, 2, 0, typical=2),
    },
    agreement=AsReference(coordinates_of="image"),
    valid=_has_the_axis,
    differences=(
        Difference(
            "A negative `channel_axis` counts from the end; the reference sharpens along another axis, and "
            "returns memory that it has not written to.",
            witness=lambda: {"image": np.linspace(0, 1, 60).reshape(4, 5, 3) ** 2, "channel_axis": -1},
            applies=lambda call: (call.get("channel_axis") or 0) < 0,
        ),
    ),
)
@batchable
def unsharp_mask(
    batch_axes: int,
    image: Any,
    radius: Any = 1.0,
    amount: Any = 1.0,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> Any:
    """Sharpen an image: add its difference from the smoothed image.

    Parameters
    ----------
    image : array_like, 1 to 5 axes, bool, integers or floats
        The image. Sizes may be unknown while tracing.
    radius : float, tf.Tensor or sequence of float, default 1.0
        Standard deviation of the Gaussian in pixels, 0 or more; one for all axes, or one per axis.
    amount : float or tf.Tensor, default 1.0
        What the difference is multiplied by.
    preserve_range : bool, default False
        Whether integers keep their values instead of becoming parts of the largest, and nothing is clipped.
    channel_axis : int, optional
        An axis that is not smoothed.

    Returns
    -------
    tf.Tensor, shape of `image`
        float64 for integer, bool and float64 images, float32 for float16 and float32. Without
        `preserve_range` clipped to [0, 1], or to [-1, 1] where a pixel of the image is negative.

    Raises
    ------
    BadAxis
        The image has no such axis.
    OutsideDomain
        `radius` is negative, not finite or not one per axis, or `amount` not finite.
    UnsupportedArgument
        An unknown rank, or a tensor where a Python value is needed.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        `radius` turns out to be negative, or a number NaN or infinite.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: two compiled programs where sizes and `radius` are known, else a loop over the weights. Static
    shape is kept.

    Source: `skimage/filters/_unsharp_mask.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.filters import unsharp_mask
    >>> unsharp_mask(tf.constant([[0.2, 0.4, 0.6]], tf.float64), 0.5).numpy().round(2).tolist()
    [[0.18, 0.4, 0.62]]
    """
    keep = _checks.flag(preserve_range, "preserve_range")
    x = arguments.image_of(image, keep, batch_axes)
    rank = x.shape.rank - batch_axes
    channel = arguments.channel_of(channel_axis, rank)
    axes = arguments.gaussians_of(radius, rank, channel, "reflect", _REACH, batch_axes, "radius")
    smooth = blurred(x, axes, tf.zeros([], tf.float64), x.dtype)
    strength = tf.convert_to_tensor(
        _checks.finite_scalar(amount, "amount", batch=bool(batch_axes)), tf.float64
    )
    if strength.shape.rank:
        strength = tf.reshape(strength, [-1, *[1] * rank])
    clipped_axes = None if keep else tuple(range(batch_axes, rank + batch_axes))
    return xla.run(_added, clipped_axes)(x, smooth, tf.cast(strength, x.dtype))
