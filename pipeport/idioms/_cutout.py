"""cutout."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays._select import select_rows
from pipeport.contract import (
    Exact,
    Image,
    Integer,
    OneOf,
    SameDistribution,
    SeedPair,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import fill_of, plane, sides_of, size_of
from pipeport.idioms._random import each
from pipeport.kernels import xla
from pipeport.kernels.inputs.integers import whole_numbers


def _hole(size: Any, sides: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return height and width of a hole; a float is a share of either side."""
    if not isinstance(size, float):
        return size_of(size if isinstance(size, (tuple, list)) else (size, size))
    if not 0 < size <= 1:
        allowed = "whole numbers of pixels, or a share in (0, 1]"
        raise OutsideDomain(explain("size", repr(size), allowed, "For two pixels write 2, not 2.0."))
    return _share(size, sides[0]), _share(size, sides[1])


def _share(size: float, side: Any) -> Any:
    if isinstance(side, int):
        return max(1, math.floor(size * side + 0.5))
    wide = tf.cast(side, tf.float64) * tf.constant(size, tf.float64)
    return tf.maximum(tf.cast(tf.floor(wide + 0.5), tf.int64), 1)


def _count(holes: Any) -> int:
    (number,) = whole_numbers(holes, "holes")
    if number < 1:
        raise OutsideDomain(explain("holes", repr(holes), "at least 1", "Leave the call out for none."))
    return number


def _draw(seed: Any, sides: tuple[Any, Any], holes: int) -> tuple[Any, Any]:
    """Return the rows and the columns of the centres."""
    limits = tf.stack([tf.cast(side, tf.int64) for side in sides])[:, tf.newaxis]
    rows, columns = tf.unstack(seeds.randint(seed, 0, limits, [2, holes]), 2)
    return rows, columns


def _within(centres: Any, length: Any, side: Any) -> Any:
    """Return for every hole which places along one axis it covers."""
    start = centres - tf.cast(length, tf.int64) // 2
    place = tf.range(tf.cast(side, tf.int64)) - start[:, tf.newaxis]
    return (place >= 0) & (place < tf.cast(length, tf.int64))


def _inside(rows: Any, columns: Any, height: Any, width: Any, sides: tuple[Any, Any]) -> Any:
    """Return for every pixel whether a hole covers it, bool (H, W)."""
    tall, wide = _within(rows, height, sides[0]), _within(columns, width, sides[1])
    return tf.reduce_any(tall[:, :, tf.newaxis] & wide[:, tf.newaxis], 0)


def _body(height: int, width: int) -> Callable[..., Any]:
    def filled(x: Any, rows: Any, columns: Any, color: Any) -> Any:
        hit = _inside(rows, columns, height, width, tuple(x.shape[:2]))
        return tf.where(hit if x.shape.rank == 2 else hit[:, :, tf.newaxis], color, x)

    return filled


@replaces(
    "pipeport.references.cutout",
    domain={
        "image": Image(sides=(1, 8)),
        "size": OneOf(1, 2, 3, (1, 4), (5, 2), 0.5, 0.25, 1.0, typical=48),
        "holes": Integer(1, 2),
        "fill": OneOf(0, 1, typical=0),
    },
    agreement=SameDistribution(
        application=Exact(),
        given="pipeport.references._augment.cutouts",
        statistic="pipeport.references._augment.cutout_statistic",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
def cutout(image: Any, size: Any, holes: int = 1, fill: Any = 0, *, seed: Any = None) -> Any:
    """Fill rectangles about pixels drawn anywhere in the image.

    Native equivalent of `pipeport.references.cutout`: a hole is cut at the border of the image, so
    that its visible part varies.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), bool or any number
        Sizes may be unknown.
    size : int, (int, int) or float
        Height and width of a hole in pixels; a float is its share of either side, in (0, 1],
        rounded half up to a pixel or more.
    holes : int, default 1
        How many; they may overlap.
    fill : number, or one per channel, default 0
        What is put there.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The image with its holes.

    Raises
    ------
    UnsupportedArgument
        There is no seed, or a rank, `size` or `holes` is not known while tracing.
    OutsideDomain
        An axis is empty, `size` or `holes` is not positive, `fill` does not fit the dtype, or `seed` has
        another shape.
    WrongType
        `size`, `holes` or `fill` are not numbers, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: the result is bit for bit one of the reference's; every pixel is as likely as any other to
    be a centre, within 2**-32.
    Graph: no Python at run time; static shape is kept. Compiled by XLA where it is known (see
    `pipeport.config`), once for all holes.
    The same seed draws the same on every engine. In the batched form `seed` has shape (B, 2), or (2,):
    element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import cutout
    >>> int(tf.reduce_sum(cutout(tf.ones([8, 8], tf.int32), 1, seed=(1, 2))))
    63
    """
    x = plane(image, "image", 0)
    sides = sides_of(x, 0)
    height, width = _hole(size, sides)
    color = _color(fill, x)
    rows, columns = _draw(seeds.look_up(seed), sides, _count(holes))
    color = color if color.shape.rank == 0 or x.shape.rank == 3 else tf.reshape(color, [])

    def by_rows(x: Any, rows: Any, columns: Any, color: Any) -> Any:
        filled = tf.reshape(_inside(rows, columns, height, width, sides), [-1])
        flat = tf.reshape(x, [-1, 1 if x.shape.rank == 2 else _channels(x)])
        color = color if color.shape.rank == 0 else tf.broadcast_to(color, tf.shape(flat))
        return tf.ensure_shape(tf.reshape(select_rows(filled, color, flat), tf.shape(x)), x.shape)

    known = x.shape.is_fully_defined()
    return xla.run(_body, height, width, known=known, otherwise=by_rows)(x, rows, columns, color)


def _channels(x: Any) -> Any:
    return tf.shape(x)[2] if x.shape[2] is None else x.shape[2]


def _color(fill: Any, x: Any) -> Any:
    color = fill_of(fill, x.dtype, "fill")
    known = x.shape[2] if x.shape.rank == 3 else 1
    if color.shape.rank and known is not None and color.shape[0] not in (1, known):
        advice = "Give one number, or as many as there are channels."
        raise OutsideDomain(explain("fill", f"{color.shape[0]} numbers", f"{known} channels", advice))
    return color


@batch_form(cutout)
def _cutout_batch(image: Any, size: Any, holes: int = 1, fill: Any = 0, *, seed: Any = None) -> Any:
    return each(partial(cutout, size=size, holes=holes, fill=fill), {"image": image}, seed)
