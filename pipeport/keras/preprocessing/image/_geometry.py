"""What Keras' geometric functions have in common: an affine map, about the middle, sampled as SciPy does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.sampling import _ndimage_borders as borders
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._maps import affine

DTYPES = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
IMAGE = Image(dtypes=("uint8", "int16", "int32", "float32", "float64"), channels=(1, 2, 3), non_finite=False)
MODES = OneOf(*borders.MODES, typical="nearest")
FILLS = OneOf(0.0, 1.0, -0.5, 2.25)
ORDERS = OneOf(0, 1, 2, 3, 5, typical=1)
# Which axis is that of rows, of columns, of channels.
AXES = {"row_axis": OneOf(0, 1, 2), "col_axis": OneOf(0, 1, 2), "channel_axis": OneOf(0, 2)}
# Numbers of a map that changes nothing, which Keras leaves out.
NEUTRAL = {"theta": 0.0, "tx": 0.0, "ty": 0.0, "shear": 0.0, "zx": 1.0, "zy": 1.0}


def valid(given: Mapping[str, Any]) -> bool:
    """Whether axes differ: rows and columns of images as people have them, (H, W, C) or (C, H, W)."""
    axes = [given.get(name, usual) for name, usual in (("row_axis", 1), ("col_axis", 2), ("channel_axis", 0))]
    return sorted(axes) == [0, 1, 2]


def planes(
    x: Any, row_axis: Any, col_axis: Any, channel_axis: Any, batch_axes: int
) -> tuple[Any, tuple[int, int, int]]:
    """Return images (B, plane, C), and the axes of rows, columns and channels.

    `x`: an image, or with `batch_axes` a batch of them. `batch_axes`: 1 for a batch. Returns: the first axis
    of the plane is that which comes first in `x`.
    """
    axes = []
    for name, axis in (("row_axis", row_axis), ("col_axis", col_axis), ("channel_axis", channel_axis)):
        if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
            raise UnsupportedArgument(explain(name, repr(axis), "0, 1 or 2", "Give a Python integer."))
        axes.append(int(axis))
    if sorted(axes) != [0, 1, 2]:
        allowed, advice = "0, 1 and 2, each once", "Of images (H, W, C) they are 0, 1, 2."
        raise OutsideDomain(explain("row_axis, col_axis, channel_axis", axes, allowed, advice))
    if axes[2] == 1:
        advice = "Channels are the first axis or the last."
        raise OutsideDomain(explain("channel_axis", 1, "0 or 2", advice))
    image = as_tensor(x, "x")
    if known_rank(image, "x") - batch_axes != 3:
        shape = image.shape[batch_axes:]
        raise OutsideDomain(explain("x", f"shape {shape}", "three axes", "Add one for the channels."))
    _checks.dtype_among(image, DTYPES, "x")
    image = _checks.not_empty(image, "x", element=slice(batch_axes, None))
    images = image if batch_axes else image[tf.newaxis]
    last = images if axes[2] == 2 else tf.transpose(images, [0, 2, 3, 1])
    return last, (axes[0], axes[1], axes[2])


def sides(images: Any, axes: tuple[int, int, int]) -> tuple[Any, Any]:
    """Return how many rows and columns images (B, plane, C) have: numbers, or float64 if unknown."""
    known = [
        images.shape[axis] if images.shape[axis] is not None else tf.cast(tf.shape(images)[axis], tf.float64)
        for axis in (1, 2)
    ]
    return (known[0], known[1]) if axes[0] < axes[1] else (known[1], known[0])


def settings(fill_mode: Any, cval: Any, order: Any, name: str) -> tuple[str, Any, int]:
    """Return a border rule, its value and the order of the spline; `name` is that parameter's."""
    _checks.one_of(fill_mode, borders.MODES, "fill_mode", "They are named as in scipy.ndimage.")
    if isinstance(order, (bool, np.bool_)) or not isinstance(order, (int, np.integer)) or not 0 <= order <= 5:
        advice = "1 is linear, 0 the nearest pixel."
        raise UnsupportedArgument(explain(name, repr(order), "an integer from 0 to 5", advice))
    return fill_mode, tf.convert_to_tensor(_checks.finite_scalar(cval, "cval"), tf.float64), int(order)


def _cosine_and_sine(degrees: Any) -> tuple[Any, Any]:
    if tf.is_tensor(degrees):
        radians = degrees * (np.pi / 180)
        return tf.math.cos(radians), tf.math.sin(radians)
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _matrix(numbers: Mapping[str, Any], height: Any, width: Any) -> list[Any]:
    """Return a, b, c, d, e, f of (row, column) -> (a row + b column + c, d row + e column + f).

    A turn, a shift, a shear and a zoom, applied from the last to the first, about the middle.
    """
    theta, tx, ty, shear, zx, zy = (numbers[name] for name in NEUTRAL)
    (cos, sin), (stand, lean) = _cosine_and_sine(theta), _cosine_and_sine(shear)
    a, b, d, e = cos, -sin, sin, cos
    c, f = a * tx + b * ty, d * tx + e * ty
    b, e = b * stand - a * lean, e * stand - d * lean
    a, b, d, e = a * zx, b * zy, d * zx, e * zy
    middle_row, middle_column = height / 2 - 0.5, width / 2 - 0.5
    c, f = c + middle_row, f + middle_column
    return [
        a, b, c - a * middle_row - b * middle_column,
        d, e, f - d * middle_row - e * middle_column,
    ]  # fmt: skip


def _row(value: Any) -> Any:
    return tf.reshape(tf.convert_to_tensor(value, tf.float64), [-1])


def nothing(numbers: Mapping[str, Any]) -> bool:
    """Return whether it is known that nothing is asked for: Keras then returns the image itself."""
    return all(not tf.is_tensor(value) and value == NEUTRAL[name] for name, value in numbers.items())


def transformed(
    images: Any, axes: tuple[int, int, int], numbers: Mapping[str, Any], rule: tuple[str, Any, int]
) -> Any:
    """Return images through an affine map, in the order of axes they came with.

    `numbers`: those of `NEUTRAL` that are not, each a number or float64, () or (B,). Returns: (B, plane, C),
    or (B, C, plane), of the dtype of `images`.
    """
    mode, cval, order = rule
    found = {**NEUTRAL, **numbers}
    back = [0, 1, 2, 3] if axes[2] == 2 else [0, 3, 1, 2]
    if nothing(found):
        return tf.transpose(images, back) if axes[2] == 0 else images
    height, width = sides(images, axes)
    a, b, c, d, e, f = (_row(value) for value in _matrix(found, height, width))
    if axes[1] > axes[0]:  # Keras takes the first coordinate for that of columns
        a, b, c, d, e, f = e, d, f, b, a, c
    like = tf.shape(a + b + c + d + e + f)
    a, b, c, d, e, f = (tf.broadcast_to(one, like) for one in (a, b, c, d, e, f))
    matrix = tf.stack([tf.stack([a, b], 1), tf.stack([d, e], 1)], 1)
    own = images.dtype
    compute = tf.float32 if own == tf.float32 and order <= 1 else tf.float64
    sizes = [tf.shape(images)[axis] if images.shape[axis] is None else images.shape[axis] for axis in (1, 2)]
    result = sample(
        Plan(affine, order, mode, compute, own), images, (matrix, tf.stack([c, f], 1)), cval, tuple(sizes)
    )
    same = [tf.equal(_row(value), NEUTRAL[name]) for name, value in found.items()]
    if any(tf.is_tensor(value) for value in found.values()) and all(
        tf.is_tensor(value) or value == NEUTRAL[name] for name, value in found.items()
    ):
        unchanged = tf.reshape(tf.reduce_all([tf.broadcast_to(one, like) for one in same], 0), [-1, 1, 1, 1])
        result = tf.where(unchanged, images, result)
    return tf.transpose(result, back) if axes[2] == 0 else result
