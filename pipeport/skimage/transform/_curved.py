"""Shared by swirl and warp_polar: sampling through a curved map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.sampling._interpolate import Map
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._splines import spline


def as_batch(image: Any, batch_axes: int, native: str) -> tuple[Any, bool]:
    """Return images (B, H, W, C), and whether they had channels.

    `image`: with `batch_axes` leading axes. `batch_axes`: 0 for one image, 1 for a batch. Returns: the batch,
    and whether there was a channel axis.
    """
    rank = image.shape.rank
    if rank is None or rank - batch_axes not in (2, 3):
        given = "an image of unknown rank" if rank is None else f"an image of rank {rank - batch_axes}"
        advice = f"Use tf.ensure_shape for an unknown rank, pipeport.batched({native}) for a batch."
        raise OutsideDomain(explain("image", given, "shape (H, W) or (H, W, C)", advice))
    coloured = rank - batch_axes == 3
    batch = image if coloured else image[..., tf.newaxis]
    return (batch if batch_axes else batch[tf.newaxis]), coloured


def as_given(batch: Any, batch_axes: int, coloured: bool) -> Any:
    """Undo `as_batch`."""
    drop = ([] if batch_axes else [0]) + ([] if coloured else [3])
    return tf.squeeze(batch, drop) if drop else batch


def column(value: Any, name: str, batch_axes: int) -> Any:
    """Return a finite number as a float, or a float64 tensor (1,) or (B,)."""
    number = _checks.finite_scalar(value, name, bool(batch_axes))
    return number if isinstance(number, float) else tf.reshape(number, [-1])


def pair(value: Any, name: str, batch_axes: int) -> tuple[Any, Any]:
    """Return two finite numbers as floats, or float64 tensors (1,) or (B,)."""
    advice = "Give two finite numbers."
    if not tf.is_tensor(value) and not isinstance(value, tf.Variable):
        try:
            parts = tuple(value)
        except TypeError as error:
            raise OutsideDomain(explain(name, repr(value), "two numbers", advice)) from error
        if len(parts) != 2:
            raise OutsideDomain(explain(name, repr(value), "two numbers", advice))
        if np.ndim(parts[0]) == 0 or tf.is_tensor(parts[0]):
            return column(parts[0], name, batch_axes), column(parts[1], name, batch_axes)
    value = as_tensor(value, name)
    if value.shape.rank not in ((1, 2) if batch_axes else (1,)) or value.shape[-1] != 2:
        raise OutsideDomain(explain(name, f"shape {value.shape}", "shape (2,)", advice))
    return column(value[..., 0], name, batch_axes), column(value[..., 1], name, batch_axes)


def positive(value: Any, name: str, batch_axes: int) -> Any:
    """Return a number as `column` does, above zero."""
    advice = "Give a length in pixels."
    number = column(value, name, batch_axes)
    if isinstance(number, float):
        if number <= 0:
            raise OutsideDomain(explain(name, number, "a number above 0", advice))
        return number
    message = explain(name, "zero or less", "a number above 0", advice)
    with tf.control_dependencies([tf.debugging.assert_positive(number, message)]):
        return tf.identity(number)


def sampled(
    images: Any,
    map_: Map,
    parameters: tuple[Any, ...],
    out: Sequence[Any],
    how: Sampling,
) -> Any:
    """Sample a batch through a map, with the checks and conversions of scikit-image's warp.

    `images`: shape (B, H, W, C). `out`: height and width of the result. Returns: shape (B, *out, C).
    """
    images = _checks.not_empty(images, "image", element=slice(1, 3))
    return spline(how.converted(images), map_, parameters, how, out)


def not_below_zero_by_rounding(coordinate: Any, functions: Any = None) -> Any:
    """Return coordinates with those that only rounding put below zero set to zero.

    A wrapping border adds the size to them, which gives the size itself: a pixel too far.
    """
    functions = functions or tf
    tiny = (coordinate < 0) & (coordinate > -1e-13)
    return functions.where(tiny, functions.zeros_like(coordinate), coordinate)


def spoils_a_channel(arguments: Mapping[str, Any]) -> bool:
    """Whether the reference, whose linear interpolation runs along channels too, multiplies NaN by zero."""
    image = np.asarray(arguments["image"])
    if image.dtype.kind != "f" or image.ndim < 3 or arguments.get("order") not in (None, 1):
        return False
    return not np.isfinite(image).all()


def picks_halves(arguments: Mapping[str, Any]) -> bool:
    """Whether pixels of float16 are to be picked, which SciPy has no code for."""
    return np.asarray(arguments["image"]).dtype == np.float16 and arguments.get("order") == 0


def interpolates_or_fits(arguments: Mapping[str, Any]) -> bool:
    """Whether the image can be sampled at this order, and `cval` is a truth value where those are picked."""
    kind, order = np.asarray(arguments["image"]).dtype.kind, arguments.get("order")
    if kind == "b":
        return order in (None, 0) and abs(arguments.get("cval", 0)) < 2
    if order == 0:
        return True
    # What a spline's recursion makes of infinities is nobody's promise.
    return order in (None, 1) or kind != "f" or not bool(np.isinf(arguments["image"]).any())


def nothing_but_nan(arguments: Mapping[str, Any]) -> bool:
    """Whether no pixel is a number."""
    image = np.asarray(arguments["image"])
    return image.dtype.kind == "f" and bool(np.isnan(image).all())


def differences(channels: Mapping[str, Any], outside: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return what both natives do differently.

    `channels`, `outside`: what witnesses need beside an image of two channels, or of nothing but NaN.
    """
    return (
        Difference(
            "float16 under order 0 gives float32; the reference has no code for it and fails.",
            witness=lambda: {"image": np.ones((3, 3), np.float16), "order": 0},
            applies=picks_halves,
            only={"image": "f", "order": (0,)},
        ),
        Difference(
            "A pixel that is not finite spoils its own channel alone; the reference makes the channel "
            "before it NaN as well.",
            witness=lambda: {"image": np.array([[[1.0, np.nan]]], np.float32), **channels},
            applies=spoils_a_channel,
            only={"image": "f", "order": (None, 1)},
        ),
        Difference(
            "An image of nothing but NaN keeps `cval` outside; the reference, whose clipping limits are "
            "then NaN, returns NaN everywhere.",
            witness=lambda: {"image": np.full((3, 3), np.nan, np.float32), **outside},
            applies=nothing_but_nan,
            only={"image": "f"},
        ),
    )
