"""`skimage.exposure.match_histograms`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, OneOf, Operand, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of
from pipeport.kernels.inputs.axes import one_axis
from pipeport.kernels.xla._rounding import plus
from pipeport.skimage.exposure import _histogram

_LEVELS = 256


def _bytes_of(image: Any, name: str, batch_axes: int) -> Any:
    x = as_tensor(image, name)
    known_rank(x, name)
    _checks.dtype_among(x, ("uint8",), name)
    return _checks.not_empty(x, name, element=slice(batch_axes, None))


def _known(x: Any, other: Any) -> bool:
    return bool(x.shape.is_fully_defined() and other.shape.is_fully_defined())


def _table_of(axis: int | None, batch_axes: int) -> Callable[[Any, Any], Any]:
    """Return what gives each level of an image that which as many pixels of another do not exceed."""

    def run(x: Any, other: Any) -> Any:
        channels = 1 if axis is None else x.shape[axis]
        places = [_places(one, axis, batch_axes) for one in (x, other)]
        batch = sizes_of(places[0])[0]
        shares = []
        for place in places:
            counts = tf.reshape(_histogram.counted(place, channels * _LEVELS), [batch, channels, _LEVELS])
            sums = tf.cast(tf.cumsum(counts, 2), tf.float64)
            shares.append((counts, sums / sums[..., -1:]))
        (_, own), (counts, theirs) = shares
        table = _interpolated(own, theirs, counts > 0)
        if axis is not None:  # fractions of bytes are cut off
            table = tf.cast(tf.cast(table, tf.int32), tf.uint8)
        found = tf.gather(tf.reshape(table, [batch, channels * _LEVELS]), places[0], batch_dims=1)
        return tf.reshape(found, sizes_of(x))

    return run


def _places(x: Any, axis: int | None, batch_axes: int) -> Any:
    """Return the levels of images as rows, counted on from channel to channel."""
    levels = tf.cast(x, tf.int32)
    if axis is not None:
        beside = [-1 if at == axis else 1 for at in range(x.shape.rank)]
        levels += tf.reshape(_LEVELS * tf.range(x.shape[axis]), beside)
    return _histogram.rows_of(levels, batch_axes)


def _interpolated(own: Any, theirs: Any, there: Any) -> Any:
    """Return `numpy.interp` of shares between the levels that are there, given theirs: all (..., 256)."""
    levels = tf.range(_LEVELS)
    reached = theirs[..., tf.newaxis, :] <= own[..., tf.newaxis]
    present = there[..., tf.newaxis, :]
    last = tf.reduce_max(tf.where(reached & present, levels, -1), -1)
    following = tf.reduce_min(tf.where(~reached & present, levels, _LEVELS), -1)
    inside = (last >= 0) & (following < _LEVELS)
    low, high = tf.where(inside, last, 0), tf.where(inside, following, 1)
    below, above = (tf.gather(theirs, place, batch_dims=2) for place in (low, high))
    start, width = tf.cast(low, tf.float64), tf.cast(high - low, tf.float64)
    one = tf.ones([], tf.float64)
    slope = width / tf.where(inside, above - below, one)
    found = plus(slope * (own - below), start)
    return tf.where(inside, found, tf.cast(tf.where(last < 0, following, last), tf.float64))


def _has_channels(call: Mapping[str, Any]) -> bool:
    # The number of channels has to be known.
    return call.get("channel_axis") is None or np.ndim(call["image"]) == 3


@replaces(
    "skimage.exposure.match_histograms",
    domain={
        "image": Image(dtypes=("uint8",), channels=(None, 1, 3), sides=(1, 9)),
        "reference": Operand(image="image", numbers=None),
        "channel_axis": OneOf(None, -1, typical=-1),
    },
    agreement=Exact(),
    valid=_has_channels,
)
@batchable
def match_histograms(batch_axes: int, image: Any, reference: Any, *, channel_axis: int | None = None) -> Any:
    """Change the levels of an image, so that they are as frequent as those of another.

    Parameters
    ----------
    image : array_like, any shape, uint8
        The image. Sizes may be unknown while tracing, the rank must be known.
    reference : array_like, uint8
        The other image, of any sizes but the same rank; in a batch one for each image.
    channel_axis : int, optional
        The axis of the channels, each of which is matched by itself.

    Returns
    -------
    tf.Tensor, shape of `image`, uint8; without `channel_axis` float64
        The image; with channels fractions are cut off, as in the reference.

    Raises
    ------
    BadAxis
        The image has no such axis.
    OutsideDomain
        An image is empty or has another dtype, or rank or channels differ.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.
    WrongType
        `channel_axis` is not a whole number.
    tf.errors.InvalidArgumentError
        An image turns out to be empty.

    Notes
    -----
    Agreement: bit for bit.
    Graph: one program where sizes are known, no Python at run time; static shape is kept.
    Speed: slower than scikit-image in `tf.numpy_function`, least so in single calls.

    Source: `skimage/exposure/histogram_matching.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import match_histograms
    >>> image, other = tf.constant([[0, 0, 9, 9]], tf.uint8), tf.constant([[5, 5, 5, 200]], tf.uint8)
    >>> match_histograms(image, other).numpy().tolist()
    [[5.0, 5.0, 200.0, 200.0]]
    """
    x = _bytes_of(image, "image", batch_axes)
    other = _bytes_of(reference, "reference", batch_axes)
    if other.shape.rank != x.shape.rank:
        allowed = f"the rank of image, {x.shape.rank - batch_axes}"
        advice = "Give both channels, or neither."
        raise OutsideDomain(explain("reference", f"rank {other.shape.rank - batch_axes}", allowed, advice))
    if channel_axis is None:
        found = xla.run(_table_of, None, batch_axes, known=_known(x, other))(x, other)
        return tf.ensure_shape(found, x.shape)
    axis = one_axis(channel_axis, x.shape.rank - batch_axes, "channel_axis") + batch_axes
    for tensor, name in ((x, "image"), (other, "reference")):
        if tensor.shape[axis] is None:
            advice = "State it with tf.ensure_shape."
            raise UnsupportedArgument(explain(name, "an unknown number of channels", "a known one", advice))
    if x.shape[axis] != other.shape[axis]:
        given, allowed = f"{other.shape[axis]} channels", f"those of image, {x.shape[axis]}"
        raise OutsideDomain(explain("reference", given, allowed, "Convert one of the two."))
    found = xla.run(_table_of, axis, batch_axes, known=_known(x, other))(x, other)
    return tf.ensure_shape(found, x.shape)
