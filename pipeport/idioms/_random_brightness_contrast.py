"""random_brightness_contrast."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Image,
    OneOf,
    SameDistribution,
    SeedPair,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import plane
from pipeport.idioms._spans import Span, number_of, span_of, within
from pipeport.kernels import xla
from pipeport.seeds._elements import for_each

_DTYPES = "uint8, uint16, float32 or float64"


def _draw(seed: Any, brightness: Span, contrast: Span) -> Any:
    """Return (shift, gain), float64."""
    first, second = tf.unstack(seeds.split(seed))
    return tf.stack([within(first, brightness), 1 + within(second, contrast)])


def _drawn(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that the native draws for a call."""
    spans = (span_of(arguments[name], name) for name in ("brightness", "contrast"))
    shift, gain = _draw(arguments["seed"], *spans).numpy().tolist()
    return {"shift": shift, "gain": gain}


def _top(largest: Any, dtype: Any) -> float:
    if largest is None:
        return float(np.iinfo(dtype.as_numpy_dtype).max) if dtype.is_integer else 1.0
    top = number_of(largest, "largest", "a positive number or None")
    if top <= 0 or (dtype.is_integer and top > np.iinfo(dtype.as_numpy_dtype).max):
        advice = "None takes that of the dtype, 1 for floats."
        raise OutsideDomain(explain("largest", repr(largest), f"positive, and of {dtype.name}", advice))
    return top


def _lit(x: Any, drawn: Any, about: float | None, top: float) -> Any:
    """Change images (B, ...) by draws (B, 2): x gain + ((1 - gain) about + shift top), within 0 and top."""
    column = [-1] + [1] * (x.shape.rank - 1)
    shift, gain = (tf.reshape(drawn[:, n], column) for n in (0, 1))
    compute = tf.float32 if x.dtype in (tf.uint8, tf.float32) else tf.float64
    middle: Any = about
    if about is None:
        middle = tf.reduce_mean(tf.cast(x, tf.float64), list(range(1, x.shape.rank)), keepdims=True)
    moved = tf.cast((1 - gain) * middle + shift * top, compute)
    values = tf.cast(x, compute) * tf.cast(gain, compute) + moved
    values = tf.clip_by_value(values, tf.zeros([], compute), tf.constant(top, compute))
    return tf.cast(tf.round(values) if x.dtype.is_integer else values, x.dtype)


def _body(about: float | None, top: float) -> Any:
    return partial(_lit, about=about, top=top)


@replaces(
    "pipeport.references.random_brightness_contrast",
    domain={
        "image": Image(dtypes=("uint8", "uint16", "float32", "float64"), values=(0.0, 1.0), non_finite=False),
        "brightness": OneOf(0.2, 0, (0.1, 0.5), (-1, -0.25)),
        "contrast": OneOf(0.2, 0, (-0.5, 1.5), (-2.0, -0.1)),
        "about": OneOf(0, 0.5, 128, "mean"),
        "largest": OneOf(None, 1.0, 200),
    },
    agreement=SameDistribution(
        application=AsReference(discontinuities="pipeport.references._altered.lit_discontinuities"),
        given="pipeport.references._altered.lit",
        statistic="pipeport.references._altered.brightness_contrast_statistic",
        draw_parameters="pipeport.idioms._random_brightness_contrast._drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
@batchable
def random_brightness_contrast(
    batch_axes: int,
    image: Any,
    brightness: Any = 0.2,
    contrast: Any = 0.2,
    about: Any = 0,
    largest: Any = None,
    *,
    seed: Any = None,
) -> Any:
    """Multiply an image by a drawn factor, add a drawn number, and cut off what leaves its range.

    Native equivalent of `pipeport.references.random_brightness_contrast`, the body people write as
    ``np.clip(image * gain + shift, 0, 255)`` with two ``np.random.uniform``.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), uint8, uint16, float32 or float64
        Sizes may be unknown.
    brightness : float, or (float, float), default 0.2
        Smallest and largest part of `largest` to add, drawn uniformly; one number a means -a to a.
    contrast : float, or (float, float), default 0.2
        Smallest and largest factor, less 1, drawn uniformly; one number a means -a to a.
    about : float or 'mean', default 0
        The value that contrast leaves where it is; 'mean' is that of the whole image.
    largest : float or None, default None
        Largest value of the result, 0 being the smallest; None takes that of a whole-number dtype, and
        1 for floats.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        ``image * gain + (1 - gain) * about + shift * largest`` from 0 to `largest`; integers are rounded
        to nearest even.

    Raises
    ------
    UnsupportedArgument
        There is no seed, or the rank is not known while tracing.
    OutsideDomain
        An axis is empty, the image has another dtype, a number is not finite, limits are not in order,
        `largest` does not fit, or `seed` has another shape.
    WrongType
        A limit, `about` or `largest` is not a Python number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: given the draw, as accurate as NumPy; a value next to a half may be rounded either way. The
    draws have its distribution.
    Graph: no Python at run time; static shape is kept. Compiled by XLA where it is known (see
    `pipeport.config`). The same seed draws the same on every engine. In the batched form `seed` has shape
    (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_brightness_contrast
    >>> image = tf.constant([[0, 100, 250]], tf.uint8)
    >>> random_brightness_contrast(image, (0.1, 0.1), 0, seed=(1, 2)).numpy().tolist()
    [[26, 126, 255]]
    """
    draw = partial(
        _draw, brightness=span_of(brightness, "brightness"), contrast=span_of(contrast, "contrast")
    )
    if isinstance(about, str) and about != "mean":
        raise OutsideDomain(explain("about", repr(about), "a number or 'mean'", "Give one of these."))
    middle = None if isinstance(about, str) else number_of(about, "about", "a number or 'mean'")
    batch = bool(batch_axes)
    x = plane(image, "image", batch_axes)
    if x.dtype not in (tf.uint8, tf.uint16, tf.float32, tf.float64):
        raise OutsideDomain(explain("image", f"dtype {x.dtype.name}", _DTYPES, "Cast it first."))
    top = _top(largest, x.dtype)
    drawn = for_each(draw, seed, x, batch=batch)
    images = x if batch else x[tf.newaxis]
    found = xla.run(_body, middle, top)(images, drawn)
    return tf.ensure_shape(found if batch else tf.squeeze(found, [0]), x.shape)
