"""Shared by the conversions of `skimage.color`: their channels, one pixel at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import as_float_image
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.axes import one_axis

DTYPES = ("bool", "uint8", "uint16", "int16", "float16", "float32", "float64")
# Of spaces whose values lie in [0, 1], where a negative one means nothing.
UNSIGNED = ("bool", "uint8", "uint16", "float16", "float32", "float64")
_ADVICE = {3: "grey images need no conversion.", 4: "images without alpha need no conversion."}


def axis_of(channel_axis: Any, rank: int, batch_axes: int) -> int:
    """Return the axis of the channels, counted from 0 in an array with leading axes."""
    return one_axis(channel_axis, rank - batch_axes, "channel_axis") + batch_axes


def with_channels(
    image: Any, name: str, channel_axis: Any, batch_axes: int, dtypes: Sequence[str] = DTYPES, count: int = 3
) -> tuple[Any, int]:
    """Return an image as a tensor with so many channels, and their axis counted from 0."""
    x = as_tensor(image, name)
    known_rank(x, name)
    _checks.dtype_among(x, dtypes, name)
    axis = axis_of(channel_axis, x.shape.rank, batch_axes)
    if x.shape[axis] is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain(name, "an unknown number of channels", f"{count} channels", advice))
    if x.shape[axis] != count:
        advice = f"`channel_axis` is their axis; {_ADVICE[count]}"
        raise OutsideDomain(explain(name, f"{x.shape[axis]} channels", str(count), advice))
    return x, axis


def per_pixel(
    x: Any, axis: int, build: Callable[..., Any], *static: Hashable, others: Sequence[Any] = ()
) -> Any:
    """Return what a function makes of each pixel: one program, of unknown sizes one per size bucket.

    `axis`: the axis of its channels, counted from 0. `build`: takes the axis and `static`; returns a function
    of the image and `others`, which keeps the axes. `*static`: what else `build` takes. `others`: what else
    the function takes, the same for every pixel. Returns: the image, of three channels.
    """
    in_rows = xla.in_buckets(build, 1, *static) if axis == x.shape.rank - 1 else None
    found = xla.run(build, axis, *static, in_buckets=in_rows)(x, *others)
    return tf.ensure_shape(found, [3 if at == axis else side for at, side in enumerate(x.shape)])


def floats(x: Any) -> Any:
    """Return an image in float32 or float64, of integers parts of their largest value."""
    return tf.cast(x, tf.float64) if x.dtype.is_bool else as_float_image(x, preserve_range=False)


def planes(x: Any, axis: int) -> list[Any]:
    """Return the channels of an image."""
    before = (slice(None),) * axis
    return [x[(*before, place)] for place in range(x.shape[axis])]


def weighted(parts: Sequence[Any], rows: Sequence[Sequence[float]]) -> list[Any]:
    """Return the sums of channels, one for each row of weights."""
    return [
        tf.add_n([part * tf.constant(weight, part.dtype) for part, weight in zip(parts, row, strict=True)])
        for row in rows
    ]
