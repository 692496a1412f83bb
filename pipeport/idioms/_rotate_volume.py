"""rotate_volume."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Axes, Degrees, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.sampling import _ndimage_borders as borders
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._turns import about_centers

_DTYPES = "integers of 32 bits or less, float32 or float64"


def _volume(volume: Any, batch_axes: int) -> Any:
    x = as_tensor(volume, "volume")
    known_rank(x, "volume")
    if x.shape.rank < 2 + batch_axes or 0 in x.shape[batch_axes:].as_list():
        allowed = "two axes or more, none empty"
        raise OutsideDomain(explain("volume", f"shape {x.shape[batch_axes:]}", allowed, "Give one volume."))
    if not (x.dtype.is_integer and x.dtype.size <= 4) and x.dtype not in (tf.float32, tf.float64):
        raise OutsideDomain(explain("volume", f"dtype {x.dtype.name}", _DTYPES, "Cast it first."))
    if x.shape.is_fully_defined():
        return x
    message = explain("volume", "an empty axis at run time", "none empty", "Filter them out first.")
    with tf.control_dependencies([tf.debugging.assert_positive(tf.shape(x)[batch_axes:], message)]):
        return tf.identity(x)


def _plane_of(axes: Any, rank: int) -> tuple[int, int]:
    pair = axis_tuple(axes, rank, "axes")
    if len(pair) != 2:
        raise OutsideDomain(explain("axes", repr(axes), "two axes", "They span the plane."))
    return min(pair), max(pair)


def _settings(order: Any, mode: Any) -> None:
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)):
        raise WrongType(explain("order", repr(order), "a whole number from 0 to 5", "It shapes the graph."))
    if not 0 <= order <= 5:
        raise UnsupportedArgument(explain("order", str(order), "0 to 5", "3 is cubic, 1 linear."))
    _checks.word(mode, borders.MODES, "mode", error=UnsupportedArgument)


def _turned(x: Any, angle: Any, pair: tuple[int, int], plan: Plan, cval: Any, batch_axes: int) -> Any:
    """Rotate every plane: axes in front are a batch of planes, axes behind are their channels."""
    first, second = (axis + batch_axes for axis in pair)
    rank = x.shape.rank
    order = [*range(first), first, second, *(a for a in range(first + 1, rank) if a != second)]
    moved = tf.transpose(x, order)
    static, dynamic = moved.shape.as_list(), tf.shape(moved)

    def count(axes: slice) -> Any:
        known = static[axes]
        return tf.reduce_prod(dynamic[axes]) if None in known else math.prod(known)

    sides = [dynamic[first + n] if static[first + n] is None else static[first + n] for n in (0, 1)]
    planes, channels = count(slice(first)), count(slice(first + 2, None))
    flat = tf.reshape(moved, [planes, *sides, channels])
    turns = tf.reshape(tf.convert_to_tensor(angle, tf.float64), [-1])
    if tf.is_tensor(angle) and angle.shape.rank == 1 and first > batch_axes:
        turns = tf.repeat(turns, count(slice(batch_axes, first)))
    result = tf.reshape(sample(plan, flat, (turns,), cval, sides), dynamic)
    back = [order.index(axis) for axis in range(rank)]
    return tf.ensure_shape(tf.transpose(result, back), x.shape)


def _limits(x: Any, limits: Any, cval: Any, dtype: Any, batch_axes: int) -> tuple[Any, Any]:
    if limits is None:
        axes = list(range(batch_axes, x.shape.rank))
        fill = tf.cast(cval, dtype)
        low = tf.cast(tf.reduce_min(x, axes, keepdims=True), dtype)
        high = tf.cast(tf.reduce_max(x, axes, keepdims=True), dtype)
        return tf.minimum(low, fill), tf.maximum(high, fill)
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        advice = "Give the smallest and the largest value."
        raise WrongType(explain("limits", repr(limits), "None or (low, high)", advice))
    low, high = (_checks.finite_scalar(one, "limits") for one in limits)
    return tf.cast(tf.convert_to_tensor(low, tf.float64), dtype), tf.cast(
        tf.convert_to_tensor(high, tf.float64), dtype
    )


@replaces(
    "pipeport.references.rotate_volume",
    domain={
        "volume": Array(
            dtypes=("uint8", "int16", "float32", "float64"),
            ranks=(2, 3, 4),
            sides=(1, 7),
            values=(-1.0, 1.0),
            non_finite=False,
        ),
        "angle": Degrees(-360.0, 360.0, typical=30.0, tensor=True, per_element=True),
        "axes": Axes(of="volume", single=False, count=2, typical=(0, 1)),
        "order": OneOf(0, 1, 2, 3, 4, 5, typical=3),
        "mode": OneOf("constant", "nearest", "reflect", "mirror", "wrap", typical="constant"),
        "cval": OneOf(0.0, 1.0),
        "limits": OneOf(None, (0.0, 1.0), (-0.5, 20.0)),
    },
    agreement=AsReference(
        coordinates_of="volume", discontinuities="pipeport.references._volume.discontinuities"
    ),
)
@batchable
def rotate_volume(
    batch_axes: int,
    volume: Any,
    angle: Any,
    axes: Any = (0, 1),
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    limits: Any = None,
) -> Any:
    """Rotate in the plane of two axes, and cut off what the spline overshoots.

    Native equivalent of `pipeport.references.rotate_volume`, the body people write around
    ``scipy.ndimage.rotate(volume, angle, reshape=False)``: a cubic spline leaves the range of its
    values beside edges, and a clip brings them back.

    Parameters
    ----------
    volume : array_like, two axes or more, integers of 32 bits or less, float32 or float64
        An image, a volume, a volume with channels; sizes may be unknown.
    angle : float or scalar tensor
        Degrees, from the second of the axes (in their order in `volume`) towards the first.
    axes : (int, int), default (0, 1)
        The plane; negative axes count from the end.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline.
    mode : str, default 'constant'
        Border mode of SciPy: reflect, grid-mirror, mirror, nearest, wrap, grid-wrap, constant or
        grid-constant.
    cval : float, default 0.0
        Value outside, for the modes 'constant' and 'grid-constant'.
    limits : (float, float) or None, default None
        Range of the result; None takes that of the volume and `cval`.

    Returns
    -------
    tf.Tensor, shape and dtype of `volume`
        The rotated volume; integers are rounded to nearest, after the cut.

    Raises
    ------
    BadAxis
        `volume` has no such axis.
    OutsideDomain
        The volume is empty or of another dtype, `axes` are not two, or a number is not finite.
    UnsupportedArgument
        An axis comes twice, `order` or `mode` do not exist, or the rank is not known while tracing.
    WrongType
        An argument is not a number.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out empty or not finite.

    Notes
    -----
    Agreement: as accurate as SciPy, judged against SciPy in float64; at discontinuities (order 0, mode
    'constant', rounding) either side.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.
    Graph: no Python at run time; static shape is kept. Compiled by XLA as
    `pipeport.scipy.ndimage.rotate` is (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import rotate_volume
    >>> rotate_volume(tf.constant([[1.0, 2.0], [3.0, 4.0]]), 90).numpy().round(4).tolist()
    [[2.0, 4.0], [1.0, 3.0]]
    """
    x = _volume(volume, batch_axes)
    pair = _plane_of(axes, x.shape.rank - batch_axes)
    _settings(order, mode)
    degrees = _checks.finite_scalar(angle, "angle", bool(batch_axes))
    fill = tf.convert_to_tensor(_checks.finite_scalar(cval, "cval"), tf.float64)
    dtype = x.dtype if x.dtype.is_floating else tf.float64
    compute = tf.float32 if dtype == tf.float32 and order <= 1 else tf.float64
    plan = Plan(about_centers, int(order), mode, compute, dtype)
    turned = _turned(x, degrees, pair, plan, fill, batch_axes)
    low, high = _limits(x, limits, fill, dtype, batch_axes)
    turned = tf.minimum(tf.maximum(turned, low), high)
    return tf.cast(tf.round(turned), x.dtype) if x.dtype.is_integer else turned
