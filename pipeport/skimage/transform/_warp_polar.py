"""`skimage.transform.warp_polar`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    Difference,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Point,
    Real,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks, axes
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.sampling._coordinates import Coordinates, added
from pipeport.skimage.transform import _curved
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._warp_arguments import out_size_of

_OPTIONS: dict[str, Any] = {
    "order": None,
    "mode": "constant",
    "cval": 0.0,
    "clip": True,
    "preserve_range": False,
}


def _no_radius(arguments: Mapping[str, Any]) -> bool:
    radius = arguments.get("radius")
    return radius is not None and bool(radius <= 0)


@replaces(
    "skimage.transform.warp_polar",
    domain={
        "image": Image(
            dtypes=("bool", "uint8", "uint16", "int32", "float16", "float32", "float64"), sides=(1, 9)
        ),
        "center": Maybe(spec=Point(low=-3.0, high=12.0, tensor=True)),
        "radius": Maybe(spec=Real(0.5, 12.0)),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(1, 9), count=2, single=False)),
        "scaling": OneOf("linear", "log"),
        "channel_axis": OneOf(None, -1, 2, 0, typical=-1),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": OneOf("constant", "edge", "symmetric", "reflect", "wrap"),
        "cval": OneOf(0.0, 1.0, 0.25, -0.5, 2.0),
        "clip": Boolean(),
        "preserve_range": Boolean(),
    },
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities_curved.warp_polar"
    ),
    valid=_curved.interpolates_or_fits,
    reference_call="pipeport.references.discontinuities_curved.image_first",
    differences=(
        Difference(
            "A `radius` of zero or less is refused; the reference fails or reads backwards.",
            witness=lambda: {"image": np.ones((3, 3)), "radius": -2.0, "output_shape": (4, 4)},
            applies=_no_radius,
        ),
        *_curved.differences({"radius": 1.0, "channel_axis": -1}, {"radius": 9.0}),
    ),
)
@batchable
def warp_polar(
    batch_axes: int,
    /,
    image: Any,
    center: Any = None,
    *,
    radius: Any = None,
    output_shape: Any = None,
    scaling: str = "linear",
    channel_axis: Any = None,
    **kwargs: Any,
) -> Any:
    """Unroll an image about a point: rows become angles, columns distances.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), or with channels along `channel_axis`, bool, integers or floats
        Integers are read on their full range (see `preserve_range`). Sizes may be unknown while
        tracing, the rank must be known.
    center : (float, float) or tensor of shape (2,), optional
        The point as (row, column); the middle of the image when None.
    radius : float or scalar tensor, optional
        Largest distance in pixels, above 0; half the diagonal when None. A tensor needs an
        `output_shape`.
    output_shape : (int, int), optional
        Number of angles and of distances; 360 and the radius rounded up when None.
    scaling : {'linear', 'log'}, default 'linear'
        Whether distances grow evenly from 0 or by equal factors from 1.
    channel_axis : int, optional
        Axis of the channels; None for an image without.
    **kwargs : dict
        `order`, `mode` (default 'constant'), `cval`, `clip` and `preserve_range`, as `warp` takes
        them.

    Returns
    -------
    tf.Tensor, shape `output_shape`, with the channels where they were
        float64 for integer and float64 images, float32 for float16 and float32; order 0: dtype of
        the image (float32 for float16).

    Raises
    ------
    UnsupportedArgument
        `scaling`, `order` or `mode` not listed, an order other than 0 for a bool image, or
        a tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of another rank or dtype; a number is not finite, `radius` not above 0,
        `center` no pair, `output_shape` not positive.
    BadAxis
        The image has no such `channel_axis`.
    WrongType
        An option `warp` does not have, or a number is not a number.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: sampling is compiled with XLA when traced with static sizes (`pipeport.config`); sines are
    taken once an angle, not once a pixel. Static shape is kept. With unknown sizes and neither
    `radius` nor `output_shape` the output size is a run-time value.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import warp_polar
    >>> warp_polar(tf.eye(8)).shape
    TensorShape([360, 6])
    """
    for name in kwargs:
        if name not in _OPTIONS:
            advice = "The others are parameters of warp_polar itself."
            raise WrongType(explain(name, "an option of warp", ", ".join(_OPTIONS), advice))
    x = as_tensor(image, "image")
    channels = _channels(x, channel_axis, batch_axes)
    if channels is not None:
        order = [axis for axis in range(x.shape.rank) if axis != channels]
        x = tf.transpose(x, [*order, channels])
    batch, coloured = _curved.as_batch(x, batch_axes, "warp_polar")
    sizes = [batch.shape[axis] for axis in (1, 2)]
    if None in sizes:
        sizes = [tf.cast(tf.shape(batch)[axis], tf.float64) for axis in (1, 2)]
    reach, out = _extent(batch, sizes, radius, output_shape, batch_axes)
    middle = (
        [size / 2 - 0.5 for size in sizes] if center is None else _curved.pair(center, "center", batch_axes)
    )
    parameters = _vectors(middle, reach, out, scaling)
    how = Sampling.of(batch, **{**_OPTIONS, **kwargs})
    result = _curved.sampled(batch, rays, parameters, out, how)
    result = _curved.as_given(result, batch_axes, coloured)
    if channels is not None:
        last = x.shape.rank - 1
        result = tf.transpose(result, [*range(channels), last, *range(channels, last)])
    return result


def _channels(x: Any, channel_axis: Any, batch_axes: int) -> int | None:
    rank = None if x.shape.rank is None else x.shape.rank - batch_axes
    if channel_axis is None:
        if rank is not None and rank != 2:
            advice = "Name the axis of the channels."
            raise OutsideDomain(explain("image", f"rank {rank}", "rank 2 without channel_axis", advice))
        return None
    found = axes.axis_tuple(channel_axis, rank, "channel_axis")
    if len(found) != 1:
        raise OutsideDomain(explain("channel_axis", repr(channel_axis), "one axis", "Name one."))
    if rank is not None and rank != 3:
        advice = "Leave channel_axis out for an image without channels."
        raise OutsideDomain(explain("image", f"rank {rank}", "rank 3 with channel_axis", advice))
    return found[0] + batch_axes


def _extent(
    batch: Any, sizes: Sequence[Any], radius: Any, output_shape: Any, batch_axes: int
) -> tuple[Any, tuple[Any, Any]]:
    """Return the radius, and numbers of angles and distances."""
    if radius is None:
        half = [size / 2 for size in sizes]
        squares = half[0] ** 2 + half[1] ** 2
        reach = tf.sqrt(squares) if tf.is_tensor(squares) else math.sqrt(squares)
    else:
        reach = _curved.positive(radius, "radius", batch_axes)
    if output_shape is not None:
        return reach, out_size_of(batch, output_shape)
    if not tf.is_tensor(reach):
        return reach, (360, math.ceil(reach))
    if radius is not None:
        advice = "Give output_shape too: the number of distances follows from the radius."
        raise UnsupportedArgument(explain("radius", "a tensor", "a Python number", advice))
    return reach, (360, tf.cast(tf.math.ceil(reach), tf.int32))


def _vectors(middle: Sequence[Any], reach: Any, out: tuple[Any, Any], scaling: Any) -> tuple[Any, ...]:
    """Return distances (B or 1, width), sines and cosines (1, height), and the centre's coordinates."""
    _checks.word(scaling, ("linear", "log"), "scaling", error=UnsupportedArgument)
    height, width = out
    column = tf.range(tf.cast(width, tf.float64), dtype=tf.float64)[tf.newaxis]
    row = tf.range(tf.cast(height, tf.float64), dtype=tf.float64)[tf.newaxis]
    angle = row / (tf.cast(height, tf.float64) / (2 * math.pi))
    reach = tf.reshape(tf.convert_to_tensor(reach, tf.float64), [-1, 1])
    if scaling == "linear":
        distance = column / (tf.cast(width, tf.float64) / reach)
    else:
        distance = tf.exp(column / (tf.cast(width, tf.float64) / tf.math.log(reach)))
    at = [tf.reshape(tf.convert_to_tensor(part, tf.float64), [-1, 1]) for part in middle]
    return (distance, tf.sin(angle), tf.cos(angle), *at)


def rays(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Return (row, column) of points at given distances and angles; a map for `_interpolate`."""
    del sizes, out
    distance, sin, cos, row, column = parameters
    along = distance[:, tf.newaxis, :]
    terms = [
        [along * part[:, :, tf.newaxis], start[:, :, tf.newaxis]]
        for part, start in ((sin, row), (cos, column))
    ]
    return Coordinates(terms, _above_zero)


def _above_zero(terms: Any) -> list[Any]:
    return [_curved.not_below_zero_by_rounding(added(axis)) for axis in terms]
