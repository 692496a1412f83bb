"""`skimage.transform.resize_local_mean`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Boolean,
    Difference,
    Integer,
    Maybe,
    PerAxis,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks, _ranges
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor
from pipeport.kernels.inputs.axes import one_axis
from pipeport.kernels.inputs.integers import whole_number
from pipeport.skimage.transform._local_mean_bands import averaged


def _empty(arguments: Mapping[str, Any]) -> bool:
    sizes = arguments["output_shape"]
    return np.size(arguments["image"]) == 0 or any(size < 1 for size in np.atleast_1d(sizes))


def _zeros_in_one_pixel(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    return not arguments["grid_mode"] and 1 in image.shape and not image.all()


@replaces(
    "skimage.transform.resize_local_mean",
    domain={
        "image": Array(
            dtypes=("bool", "uint8", "int16", "int32", "float16", "float32", "float64"),
            ranks=(1, 2, 3, 4),
            sides=(1, 7),
        ),
        "output_shape": PerAxis(spec=Integer(1, 9), of="image", single=False, typical=(128, 128, 3)),
        "grid_mode": Boolean(),
        "preserve_range": Boolean(),
        "channel_axis": Maybe(spec=Integer(-5, 4)),
    },
    agreement=AsReference(),
    differences=(
        Difference(
            "An empty image or output is refused; the reference returns zeros or an empty array.",
            witness=lambda: {"image": np.zeros((0, 2)), "output_shape": (2, 2)},
            applies=_empty,
        ),
        Difference(
            "With `grid_mode=False` an axis of one pixel becomes NaN, as in the reference, but zeros do too; "
            "there they may stay zeros.",
            witness=lambda: {"image": np.zeros(1), "output_shape": (7,), "grid_mode": False},
            applies=_zeros_in_one_pixel,
        ),
    ),
)
@batchable
def resize_local_mean(
    batch_axes: int,
    image: Any,
    output_shape: Any,
    grid_mode: bool = True,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> Any:
    """Resize an array to means over the area that each new element covers.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        The array; sizes may be unknown while tracing, the rank must be known.
    output_shape : sequence of int
        Sizes of the result. One fewer than the axes leaves the last as it is; more add axes of
        size 1, as in the reference.
    grid_mode : bool, default True
        Whether pixels are areas whose outer edges stay in place, or points of which the outermost
        stay.
    preserve_range : bool, default False
        Whether integers keep their range instead of being scaled to [0, 1] (signed: [-1, 1]).
    channel_axis : int, optional
        An axis that is not resized; `output_shape`, then a tuple, may leave it out.

    Returns
    -------
    tf.Tensor
        float64 for integer, bool and float64 images, float32 for float16 and float32.

    Raises
    ------
    OutsideDomain
        Too few or, with `channel_axis`, too many sizes, a size below 1, another number of channels, or
        an empty image.
    BadAxis
        The image has no such `channel_axis`.
    WrongType
        Sizes that are not whole numbers, or no tuple with `channel_axis`.
    UnsupportedArgument
        The rank is not known while tracing, a size is a tensor, or complex numbers.
    tf.errors.InvalidArgumentError
        The image turns out to be empty, or to have another number of channels.

    Notes
    -----
    As in the reference an `output_shape` that names the channels as well counts its entries with the
    channels moved to the end: leave them out.

    Agreement: as accurate as the reference, judged against it in float64; weights are float64 for
    every dtype.
    Graph: compiled with XLA when traced with static sizes (`pipeport.config`); static shape is kept.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import resize_local_mean
    >>> resize_local_mean(tf.constant([[0.0, 1.0, 2.0, 3.0]]), (1, 2)).numpy().tolist()
    [[0.5, 2.5]]
    """
    x = as_tensor(image, "image")
    if x.shape.rank is None or x.dtype.is_complex:
        advice = "State the rank with tf.ensure_shape; resize real and imaginary part each."
        raise UnsupportedArgument(
            explain("image", f"{x.dtype.name}, shape {x.shape}", "a known rank", advice)
        )
    x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    grid_mode, preserve_range = (
        _checks.flag(grid_mode, "grid_mode"),
        _checks.flag(preserve_range, "preserve_range"),
    )
    rank = x.shape.rank - batch_axes
    if holds_tensor(output_shape):
        allowed, advice = "whole numbers, 1 or more", "Give Python numbers: they shape the graph."
        raise UnsupportedArgument(explain("output_shape", "a tensor", allowed, advice))
    if channel_axis is None:
        sizes = _whole(tuple(output_shape))
        channels = None
        if len(sizes) == rank - 1:
            sizes = (*sizes, None)
        elif len(sizes) < rank:
            advice = "Give one size per axis."
            raise OutsideDomain(explain("output_shape", repr(output_shape), f"{rank} sizes", advice))
        extra = len(sizes) - rank
    else:
        channels = one_axis(channel_axis, rank, "channel_axis") + batch_axes
        sizes = _beside_channels(output_shape, channel_axis, x.shape[channels], rank)
        if len(output_shape) == rank and x.shape[channels] is None:
            x = _has_channels(x, channels, sizes[channel_axis])
        extra = 0
    converted = _converted(x, preserve_range)
    if channels is not None:
        order = [axis for axis in range(x.shape.rank) if axis != channels]
        converted = tf.transpose(converted, [*order, channels])
    for axis, size in enumerate(sizes[:rank], batch_axes):
        if size is not None and converted.shape[axis] != size:
            converted = averaged(converted, axis, size, grid_mode)
    if channels is not None:
        last = x.shape.rank - 1
        back = [*range(channels), last, *range(channels, last)]
        converted = tf.transpose(converted, back)
    for _ in range(extra):
        converted = converted[..., tf.newaxis]
    return converted


def _converted(x: Any, preserve_range: bool) -> Any:
    if x.dtype.is_bool:
        return tf.cast(x, tf.float64)
    return _ranges.as_float_image(x, preserve_range)


def _has_channels(x: Any, axis: int, count: int) -> Any:
    """Return the array, checked when the graph runs to have as many channels as were named."""
    message = explain("output_shape", f"{count} channels", "as many as the image has", "Leave them out.")
    with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(x)[axis], count, message)]):
        checked = tf.identity(x)
    checked.set_shape([*x.shape[:axis], count, *x.shape[axis + 1 :]])
    return checked


def _beside_channels(
    output_shape: Any, channel_axis: int, channels: int | None, rank: int
) -> tuple[Any, ...]:
    allowed, advice = f"a tuple of {rank - 1} sizes", "Leave the channels out."
    if not isinstance(output_shape, tuple):
        raise WrongType(explain("output_shape", repr(output_shape), allowed, advice))
    sizes = _whole(output_shape)
    if len(sizes) == rank - 1:
        return (*sizes, None)
    if len(sizes) != rank or (channels is not None and sizes[channel_axis] != channels):
        raise OutsideDomain(explain("output_shape", repr(output_shape), allowed, advice))
    return sizes


def _whole(output_shape: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(whole_number(size, "output_shape", 1) for size in output_shape)
