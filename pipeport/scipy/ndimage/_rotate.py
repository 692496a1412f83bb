"""`scipy.ndimage.rotate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Axes,
    CannotServe,
    Degrees,
    Difference,
    OneOf,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._turns import about_centers, cosine_sine
from pipeport.scipy.ndimage import _arguments as arguments


def _reshaped_by_tensor(given: Mapping[str, Any]) -> bool:
    return bool(given.get("reshape", True)) and tf.is_tensor(given["angle"])


def _angle_is_not_finite(given: Mapping[str, Any]) -> bool:
    return not math.isfinite(float(given["angle"]))


@replaces(
    "scipy.ndimage.rotate",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(2, 3), sides=(1, 9), values=(-1.0, 1.0)),
        "angle": Degrees(-720.0, 720.0, typical=30.0, tensor=True, per_element=True),
        "axes": Axes(of="input", single=False, count=2),
        "reshape": OneOf(True, False, typical=False),
        **arguments.SAMPLED,
    },
    agreement=arguments.agreement("rotate"),
    valid=arguments.is_valid,
    differences=(
        Difference(
            "A NaN or infinite `angle` is refused; the reference fails, or returns the fill.",
            witness=lambda: {"input": np.ones((3, 3), np.float32), "angle": math.nan, "reshape": False},
            applies=_angle_is_not_finite,
        ),
        *arguments.differences({"angle": 30.0}),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            "with `reshape=True` and a tensor `angle` the output size is a run-time value",
            witness=lambda: {"input": np.ones((4, 6), np.float32), "angle": tf.constant(30.0)},
            when=_reshaped_by_tensor,
        ),
        CannotServe(
            "batched",
            "with `reshape=True` and one angle per element the outputs differ in size",
            witness=lambda: {"input": np.ones((2, 4, 6), np.float32), "angle": tf.constant([30.0, 45.0])},
            when=_reshaped_by_tensor,
        ),
    ),
)
@batchable
def rotate(
    batch_axes: int,
    input: Any,
    angle: Any,
    axes: Sequence[int] = (1, 0),
    reshape: bool = True,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Any:
    """Rotate an array in the plane of two of its axes.

    Parameters
    ----------
    input : tf.Tensor, 2 to 8 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    angle : float or scalar tensor
        Degrees, finite. The first axis of the plane turns towards the second.
    axes : (int, int), default (1, 0)
        The plane; the order of the two does not matter.
    reshape : bool, default True
        Whether the output grows so that the whole rotated input fits. With a tensor `angle` or
        unknown sizes in the plane the output's size is a run-time value.
    output : dtype, optional
        Dtype of the result, read as NumPy reads it; the input's when None. Integers are rounded,
        halves away from zero, and saturated; bool, for order 0 alone, is True where the number
        without its fraction is not 0. An array to write into is refused.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline.
    mode : str, default 'constant'
        'reflect' (or 'grid-mirror'), 'constant', 'grid-constant', 'nearest', 'mirror',
        'grid-wrap' or 'wrap', as SciPy names them.
    cval : float, default 0.0
        Value outside the input in modes 'constant' and 'grid-constant'.
    prefilter : bool, default True
        Whether `input` is turned into spline coefficients first; False if it holds them already.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`
        The rotated array, of the input's shape unless `reshape`.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or more than 8 axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty, has fewer than two axes or a dtype SciPy does not take; `angle` is not
        finite; `axes` are not two different axes.
    BadAxis
        `input` has no such axis.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: the spline filter is one tridiagonal solve per pole and axis; the sampling is compiled with
    XLA when traced (`pipeport.config`); with unknown sizes in the plane of rotation per size bucket,
    with other unknown sizes not at all. Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import rotate
    >>> rotate(tf.constant([[0.0, 1.0], [0.0, 0.0]]), 90, order=1).numpy().round(6).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    images = arguments.array_of(input, least=2, batch_axes=batch_axes, most=arguments.MOST_READ)
    images = images if batch_axes else images[tf.newaxis]
    found = _rotate(images, angle, axes, reshape, output, order, mode, cval, prefilter, batch_axes > 0)
    return found if batch_axes else tf.squeeze(found, [0])


def _rotate(
    images: Any,
    angle: Any,
    axes: Any,
    reshape: Any,
    output: Any,
    order: Any,
    mode: Any,
    cval: Any,
    prefilter: Any,
    batched: bool = False,
) -> Any:
    first, second = arguments.plane_axes(axes, images.shape.rank - 1)
    settings = arguments.common(images, output, order, mode, cval, prefilter)
    reshape = _checks.flag(reshape, "reshape")
    angle = _checks.finite_scalar(angle, "angle", batched)
    per_element = tf.is_tensor(angle) and angle.shape.rank == 1
    if reshape and per_element:
        raise UnsupportedArgument(
            explain(
                "reshape",
                "True with one angle per element",
                "reshape=False, or one angle for the batch",
                "The outputs would differ in size: rotate element by element before batching.",
            )
        )
    images = _checks.not_empty(images, "input", element=slice(1, None))

    # Planes in front of the two axes are images of a batch, values behind them channels.
    rank = images.shape.rank
    before = list(range(1, first + 1))
    after = [axis for axis in range(first + 1, rank) if axis not in (first + 1, second + 1)]
    forth = [0, *before, first + 1, second + 1, *after]
    planes, shape = _transposed(images, forth)
    batch, height, width, rest = _sizes(shape, len(before) + 1)
    flat = tf.reshape(planes, tf.stack([_product(batch), height, width, _product(rest)]))
    flat = tf.ensure_shape(flat, [_static(batch), _known(height), _known(width), _static(rest)])

    out = _grown(angle, height, width) if reshape else (height, width)
    turned = tf.reshape(tf.convert_to_tensor(angle, tf.float64), [-1])
    if per_element and before:
        turned = tf.repeat(turned, _product(batch[1:]))
    plan = Plan(
        about_centers, settings.order, settings.mode, settings.compute, settings.dtype, settings.prefilter
    )
    result = sample(plan, flat, (turned,), settings.cval, out)
    result = tf.reshape(result, tf.stack([*batch, *out, *rest]))
    result = tf.ensure_shape(result, [_known(side) for side in (*batch, *out, *rest)])
    back = [forth.index(axis) for axis in range(rank)]
    return result if back == list(range(rank)) else tf.transpose(result, back)


def _transposed(images: Any, order: list[int]) -> tuple[Any, Any]:
    moved = images if order == list(range(len(order))) else tf.transpose(images, order)
    static = moved.shape.as_list()
    dynamic = None if moved.shape.is_fully_defined() else tf.unstack(tf.shape(moved))
    return moved, [side if side is not None else dynamic[n] for n, side in enumerate(static)]  # type: ignore[index]


def _sizes(shape: list[Any], axes_before: int) -> tuple[list[Any], Any, Any, list[Any]]:
    return shape[:axes_before], shape[axes_before], shape[axes_before + 1], shape[axes_before + 2 :]


def _product(sides: Sequence[Any]) -> Any:
    return math.prod(sides)


def _known(side: Any) -> int | None:
    return side if isinstance(side, int) else None


def _static(sides: Sequence[Any]) -> int | None:
    return math.prod(sides) if all(isinstance(side, int) for side in sides) else None


def _grown(angle: Any, height: Any, width: Any) -> tuple[Any, Any]:
    """Return the size of the plane that holds the whole rotated one."""
    if isinstance(angle, float) and isinstance(height, int) and isinstance(width, int):
        cosine, sine = cosine_sine(angle)
        matrix = np.array([[cosine, sine], [-sine, cosine]])
        reach = np.ptp(matrix @ np.array([[0, 0, height, height], [0, width, 0, width]]), axis=1)
        sides = (reach + 0.5).astype(int)
        if 0 in sides:
            given = f"{angle} degrees, which leaves no pixel of a {height} x {width} plane"
            raise OutsideDomain(
                explain("angle", given, "an output of at least one pixel", "Use reshape=False.")
            )
        return int(sides[0]), int(sides[1])
    cosine, sine = cosine_sine(angle)
    tall, wide = (tf.cast(side, tf.float64) for side in (height, width))

    def extent(a: Any, b: Any) -> Any:
        corners = tf.stack([tf.zeros([], tf.float64), b, a, a + b])
        return tf.cast(tf.reduce_max(corners) - tf.reduce_min(corners) + 0.5, tf.int32)

    return extent(cosine * tall, sine * wide), extent(-sine * tall, cosine * wide)
