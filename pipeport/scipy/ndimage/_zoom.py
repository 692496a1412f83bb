"""`scipy.ndimage.zoom`."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Boolean,
    CannotServe,
    Difference,
    PerAxis,
    Real,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import assigned
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.scipy.ndimage import _arguments as arguments

_FACTORS = "finite numbers, none negative"


def _sides(call: Mapping[str, Any]) -> list[int]:
    """Return the sizes of the result; none where a factor is not finite."""
    shape = np.asarray(call["input"]).shape
    factors = np.broadcast_to(np.asarray(call["zoom"], np.float64), (len(shape),))
    if not np.isfinite(factors).all():
        return []
    return [round(side * factor) for side, factor in zip(shape, factors.tolist(), strict=True)]


def _vanishing(call: Mapping[str, Any]) -> bool:
    return min(_sides(call), default=1) == 0


def _keeps_nan(call: Mapping[str, Any]) -> bool:
    """Say whether NaN meets the spline filter, and an axis keeps its size."""
    x = np.asarray(call["input"])
    filtered = call.get("order", 3) > 1 and call.get("prefilter", True)
    kept = any(one == side for one, side in zip(_sides(call), x.shape, strict=False))
    return bool(filtered and kept and x.dtype.kind == "f" and np.isnan(x).any())


@replaces(
    "scipy.ndimage.zoom",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(1, 2, 3), sides=(1, 8), values=(-1.0, 1.0)),
        "zoom": PerAxis(spec=Real(-0.5, 3.0), of="input", typical=(0.875, 0.875, 1.0), tensor=True),
        **arguments.SAMPLED,
        "grid_mode": Boolean(),
    },
    agreement=arguments.agreement("zoom"),
    proven_against=">=1.16",
    valid=arguments.is_valid,
    differences=(
        Difference(
            "A `zoom` that leaves no pixel along an axis is refused; the reference returns an empty array.",
            witness=lambda: {"input": np.ones((3, 3), np.float32), "zoom": 0.1},
            applies=_vanishing,
        ),
        Difference(
            "Along an axis that keeps its size NaN stays where it is; the spline filter of the reference "
            "spreads it (orders 2 to 5).",
            witness=lambda: {"input": np.array([np.nan, 0.0, 0.5], np.float32), "zoom": 0.85},
            applies=_keeps_nan,
        ),
        *arguments.differences({"zoom": 2.0}),
    ),
    cannot_serve=(
        CannotServe(
            "batched",
            "one `zoom` per element gives results of several sizes",
            lambda: {"input": np.ones((2, 3, 3), np.float32), "zoom": tf.constant([[1.0, 2.0], [2.0, 1.0]])},
            lambda call: tf.is_tensor(call["zoom"]),
        ),
    ),
)
@batchable
def zoom(
    batch_axes: int,
    input: Any,
    zoom: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
    *,
    grid_mode: bool = False,
) -> Any:
    """Enlarge or reduce an array along its axes.

    Parameters
    ----------
    input : tf.Tensor, 1 to 6 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    zoom : float or one per axis, or tensor
        Factors: each side becomes ``round(side * zoom)``, halves to even, and must not vanish. Of a
        list whose numbers are tensors in part, sizes of the other axes stay known.
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
    grid_mode : bool, default False
        Whether pixels are areas whose outer edges are aligned, instead of points of which the
        first and the last are.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`
        The resampled array.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty or of a dtype SciPy does not take, `zoom` is not finite, negative, leaves
        no pixel, or has another length than the rank of `input`.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    The reference warns when `grid_mode` meets mode 'constant' or 'wrap'; nothing is said here.

    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: one axis after the other, taps along contiguous rows; axes that keep their size are not
    touched. Static shape is kept; sizes unknown while tracing stay so, and those that a tensor
    decides are unknown.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import zoom
    >>> zoom(tf.constant([0.0, 2.0]), 1.5, order=1).numpy().tolist()
    [0.0, 1.0, 2.0]
    """
    images = arguments.array_of(input, batch_axes=batch_axes)
    if batch_axes:
        return _zoomed(images, zoom, output, order, mode, cval, prefilter, grid_mode)
    found = _zoomed(images[tf.newaxis], zoom, output, order, mode, cval, prefilter, grid_mode)
    return tf.squeeze(found, [0])


def _zoomed(
    images: Any, zoom: Any, output: Any, order: Any, mode: Any, cval: Any, prefilter: Any, grid_mode: Any
) -> Any:
    rank = images.shape.rank - 1
    settings = arguments.common(images, output, order, mode, cval, prefilter)
    grid_mode = _checks.flag(grid_mode, "grid_mode")
    factors = _factors(zoom, rank)
    known = [factor for factor in factors if isinstance(factor, float)]
    if not np.isfinite(known).all() or any(factor < 0 for factor in known):
        raise OutsideDomain(explain("zoom", str(known), _FACTORS, "1 keeps a size."))
    images = _checks.not_empty(images, "input", element=slice(1, None))
    if known == [1.0] * rank and settings.prefilter:
        return assigned(images, settings.dtype)  # a copy
    axes = [_axis(images, axis, factor, settings, grid_mode) for axis, factor in enumerate(factors, 1)]
    sizes = [None if axis.coordinates is None else axis.coordinates.shape[0] for axis in axes]
    if all(size is not None for size in sizes) and math.prod(sizes) > 2**31 - 1:  # type: ignore[arg-type]
        raise OutsideDomain(
            explain("zoom", str(known), f"at most {2**31 - 1} pixels", "Choose smaller factors.")
        )
    found = tf.squeeze(resample(_settings(settings), images[..., tf.newaxis], axes, settings.cval), [-1])
    return _spared(found, images, factors, settings) if len(known) < rank and settings.prefilter else found


def _spared(found: Any, images: Any, factors: list[Any], settings: arguments.Common) -> Any:
    """Return the images where all factors turn out to be 1: the reference copies them."""
    copies = images
    for axis in range(1, len(factors) + 1):
        places = tf.minimum(tf.range(tf.shape(found)[axis]), tf.shape(images)[axis] - 1)
        copies = tf.gather(copies, places, axis=axis)
    ones = tf.reduce_all([tf.equal(tf.cast(factor, tf.float64), 1.0) for factor in factors])
    return tf.ensure_shape(tf.where(ones, assigned(copies, settings.dtype), found), found.shape)


def _factors(zoom: Any, rank: int) -> list[Any]:
    """Return a float per axis, or a tensor where it is not known while tracing."""
    factors = arguments.numbers_per_axis(zoom, rank, "zoom")
    if not tf.is_tensor(factors):
        return [float(factor) for factor in factors]
    listed = zoom if isinstance(zoom, (list, tuple)) else [None] * rank
    factors = tf.ensure_shape(factors, [rank])
    return [
        float(one) if isinstance(one, numbers.Real) else factor
        for one, factor in zip(listed, tf.unstack(factors), strict=True)
    ]


def _settings(common: arguments.Common) -> Settings:
    return Settings(common.order, common.mode, common.compute, common.dtype, common.prefilter)


def _axis(images: Any, axis: int, factor: Any, settings: arguments.Common, grid_mode: bool) -> Axis:
    size = images.shape[axis]
    if size is None or tf.is_tensor(factor):
        return _dynamic_axis(images, axis, factor, grid_mode)
    length = round(size * factor)
    if length == 0:
        given = f"{factor} of {size} pixels"
        raise OutsideDomain(
            explain("zoom", given, "at least one pixel along each axis", "Choose a larger factor.")
        )
    if length == size and (settings.prefilter or settings.order < 2):
        return unmoved(_settings(settings), size)
    index = np.arange(length, dtype=np.float64)
    if grid_mode:
        return Axis((index + 0.5) * (size / length) - 0.5)
    return Axis(index * ((size - 1) / (length - 1) if length > 1 else 1.0))


def _dynamic_axis(images: Any, axis: int, factor: Any, grid_mode: bool) -> Axis:
    size = tf.cast(tf.shape(images)[axis], tf.float64)
    checks = []
    if tf.is_tensor(factor):
        fits = tf.math.is_finite(factor) & (factor >= 0)
        given = explain("zoom", "another number at run time", _FACTORS, "1 keeps a size.")
        checks = [tf.debugging.Assert(fits, [given])]
        factor = tf.where(fits, factor, tf.ones_like(factor))
    length = tf.round(size * factor)
    message = explain(
        "zoom", "a factor of too few pixels", "at least one pixel along each axis", "Filter them out."
    )
    with tf.control_dependencies([*checks, tf.debugging.assert_positive(length, message)]):
        index = tf.range(length, dtype=tf.float64)
    if grid_mode:
        return Axis((index + 0.5) * (size / length) - 0.5)
    ratio = tf.where(length > 1, (size - 1) / tf.maximum(length - 1, 1), tf.ones_like(size))
    return Axis(index * ratio)
