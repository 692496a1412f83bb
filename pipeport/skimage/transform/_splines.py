"""SciPy's splines as scikit-image samples with them: shared by warp, rotate and their kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.sampling._clip import clipped
from pipeport.kernels.sampling._interpolate import Map, Plan, sample
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.kernels.sampling._spline_weights import CONVOLUTION
from pipeport.skimage.transform._sampling import NDIMAGE, Sampling


def spline(
    images: Any,
    map_: Map,
    parameters: tuple[Any, ...],
    how: Sampling,
    out: Sequence[Any],
    *,
    convolution: bool = False,
) -> Any:
    """Sample a batch (B, H, W, C), converted by `how`, with splines of SciPy's kind.

    With `convolution` order 3 is scikit-image's own: cubic convolution without a prefilter.
    """
    order, mode = how.order, how.mode
    fill = tf.convert_to_tensor(how.cval, tf.float64)
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
    return clipped(result, images, mode, fill) if how.may_clip(images.dtype) else result


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
