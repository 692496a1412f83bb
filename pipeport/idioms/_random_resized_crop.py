"""random_resized_crop."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Image,
    Integer,
    LabelOf,
    Maybe,
    OneOf,
    PerAxis,
    SameDistribution,
    SeedPair,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.idioms._plane import sides_of, size_of, steps
from pipeport.idioms._random import each, given, scene
from pipeport.kernels import xla

_TRIES = 10
_SCALE, _RATIO = (0.08, 1.0), (3 / 4, 4 / 3)


def _interval(pair: Any, name: str, most: float) -> tuple[float, float]:
    allowed = "(smallest, largest), positive" + (", at most 1" if most == 1 else "")
    numbers = (
        np.asarray(pair) if isinstance(pair, (tuple, list)) and not any(map(tf.is_tensor, pair)) else None
    )
    if numbers is None or numbers.dtype.kind not in "iuf" or numbers.shape != (2,):
        raise WrongType(explain(name, repr(pair), allowed, "Give two Python numbers."))
    low, high = float(numbers[0]), float(numbers[1])
    if not (0 < low <= high <= most and math.isfinite(high)):
        raise OutsideDomain(explain(name, repr(pair), allowed, "Give the smaller one first."))
    return low, high


def _middle(height: Any, width: Any, ratio: tuple[float, float]) -> tuple[Any, Any]:
    """Return the size of the largest box of an admissible ratio: float64 scalars."""
    narrow, broad = width < ratio[0] * height, width > ratio[1] * height
    tall = tf.where(narrow, tf.maximum(tf.round(width / ratio[0]), 1), height)
    wide = tf.where(broad, tf.maximum(tf.round(height * ratio[1]), 1), width)
    return tall, wide


def _draw(seed: Any, sides: tuple[Any, Any], scale: tuple[float, float], ratio: tuple[float, float]) -> Any:
    """Return first row, first column, height and width of the window, int64."""
    height, width = (tf.cast(side, tf.float64) for side in sides)
    share, shape, row, column = tf.unstack(seeds.uniform(seed, [4, _TRIES], "float64"))
    area = (share * (scale[1] - scale[0]) + scale[0]) * (height * width)
    shape = tf.exp(shape * math.log(ratio[1] / ratio[0])) * ratio[0]
    tall, wide = tf.round(tf.sqrt(area / shape)), tf.round(tf.sqrt(area * shape))
    fits = (tall > 0) & (tall <= height) & (wide > 0) & (wide <= width)
    first, some = tf.argmax(tf.cast(fits, tf.int32)), tf.reduce_any(fits)
    tall, wide, row, column = (tf.gather(values, first) for values in (tall, wide, row, column))
    whole = _middle(height, width, ratio)
    tall, wide = tf.where(some, tall, whole[0]), tf.where(some, wide, whole[1])
    rows, columns = height - tall, width - wide
    top = tf.where(some, tf.floor(row * (rows + 1)), tf.floor(rows / 2))
    left = tf.where(some, tf.floor(column * (columns + 1)), tf.floor(columns / 2))
    return tf.cast(tf.stack([top, left, tall, wide]), tf.int64)


def _column(values: Any, axis: int, rank: int) -> Any:
    return tf.reshape(values, [1] * axis + [-1] + [1] * (rank - axis - 1))


def _linear(x: Any, box: Any, size: tuple[int, int]) -> Any:
    """Resize the window between pixel centres, as `_plane.linear` does; integers are exact."""
    own, total = x.dtype, 1
    if own.is_integer:
        x = tf.cast(x, tf.int64)
    elif own == tf.float16:
        x = tf.cast(x, tf.float32)
    for axis, new in enumerate(size):
        start, old = box[axis], box[2 + axis]
        place, _, _ = steps(old, new, 0, new)
        low, part = (place - new) // (2 * new), (place - new) % (2 * new)
        near, far = (start + tf.clip_by_value(n, tf.constant(0, tf.int64), old - 1) for n in (low, low + 1))
        first, second = tf.gather(x, near, axis=axis), tf.gather(x, far, axis=axis)
        if own.is_integer:
            part = _column(part, axis, x.shape.rank)
            x, total = first * (2 * new - part) + second * part, total * 2 * new
        else:
            share = tf.cast(_column(tf.cast(part, tf.float64) / (2.0 * new), axis, x.shape.rank), x.dtype)
            x = first * (1 - share) + second * share
    return tf.cast((x + total // 2) // total if own.is_integer else x, own)


def _nearest(x: Any, box: Any, size: tuple[int, int]) -> Any:
    for axis, new in enumerate(size):
        place, _, _ = steps(box[2 + axis], new, 0, new)
        x = tf.gather(x, box[axis] + place // (2 * new), axis=axis)
    return x


def _body(size: tuple[int, int]) -> Callable[[Any, Any], Any]:
    return lambda x, box: _linear(x, box, size)


@replaces(
    "pipeport.references.random_resized_crop",
    domain={
        "image": Image(dtypes=("uint8", "uint16", "int32", "float16", "float32", "float64"), sides=(1, 6)),
        "size": PerAxis(spec=Integer(1, 7), count=2, single=False, typical=(224, 224)),
        "scale": OneOf((0.08, 1.0), (0.5, 0.75), (1, 1)),
        "ratio": OneOf((3 / 4, 4 / 3), (0.5, 0.5), (1, 3)),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given="pipeport.references._windows.resized_crops",
        statistic="pipeport.references._windows.resized_crop_statistic",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
def random_resized_crop(
    image: Any, size: Any, scale: Any = _SCALE, ratio: Any = _RATIO, mask: Any = None, *, seed: Any = None
) -> Any:
    """Cut a window of random area and shape, and resize it, and its mask, to one size.

    Native equivalent of `pipeport.references.random_resized_crop`, the training crop of classifiers: up
    to ten windows are drawn until one fits, else the largest of an admissible ratio is cut about the
    middle.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), integers of 32 bits or less, or floating
        Sizes may be unknown.
    size : (int, int)
        Height and width wanted.
    scale : (float, float), default (0.08, 1)
        Smallest and largest share of the area, drawn uniformly.
    ratio : (float, float), default (3/4, 4/3)
        Smallest and largest width by height; its logarithm is drawn uniformly.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width; resized to the nearest pixel.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, or (tf.Tensor, tf.Tensor)
        The image, resized linearly between pixel centres (integers rounded half up), and the mask if
        there is one, of their dtypes.

    Raises
    ------
    UnsupportedArgument
        There is no seed, or a rank or `size` is not known while tracing.
    OutsideDomain
        Sizes differ, an axis is empty, a limit does not fit, bool is to be interpolated, or `seed` has
        another shape.
    WrongType
        `size`, `scale` or `ratio` are not numbers known while tracing, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: given the window, integers and the mask are bit for bit the reference's, floating images as
    accurate; the windows have its distribution.
    Graph: no Python at run time. The output's static shape is known; compiled by XLA where the image's
    is too (see `pipeport.config`), once for all windows. The same seed draws the same on every engine,
    unless a side lies within rounding of half a pixel. In the batched form `seed` has shape (B, 2), or
    (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_resized_crop
    >>> random_resized_crop(tf.zeros([30, 40, 3], tf.uint8), (8, 8), seed=(1, 2)).shape
    TensorShape([8, 8, 3])
    """
    wanted = size_of(size)
    shares, ratios = _interval(scale, "scale", 1), _interval(ratio, "ratio", math.inf)
    x, y, _ = scene(image, mask, None)
    if not (x.dtype.is_integer and x.dtype.size <= 4) and not x.dtype.is_floating:
        allowed = "integers of 32 bits or less, or floating numbers"
        raise OutsideDomain(explain("image", f"dtype {x.dtype.name}", allowed, "Cast it first."))
    box = _draw(seeds.look_up(seed), sides_of(x, 0), shares, ratios)
    zoomed = xla.run(_body, wanted)(x, box)
    return given(
        tf.ensure_shape(zoomed, [*wanted, *x.shape[2:]]), None if y is None else _nearest(y, box, wanted)
    )


@batch_form(random_resized_crop)
def _random_resized_crop_batch(
    image: Any, size: Any, scale: Any = _SCALE, ratio: Any = _RATIO, mask: Any = None, *, seed: Any = None
) -> Any:
    return each(
        partial(random_resized_crop, size=size, scale=scale, ratio=ratio),
        {"image": image, "mask": mask},
        seed,
    )
