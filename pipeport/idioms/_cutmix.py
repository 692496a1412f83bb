"""cutmix."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    OneOf,
    SameDistribution,
    SeedPair,
    Shaped,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._mixing import batch_of, count_of, fused, mean, order_of, parameter, share_of
from pipeport.idioms._plane import plane, sides_of
from pipeport.idioms._random import each
from pipeport.kernels.inputs import _checks


def _draw(seed: Any, count: Any, sides: tuple[Any, Any], alpha: float, per_element: bool) -> Any:
    """Return shares, (count,) or (), an order, and rows and columns of the middles of boxes."""
    first, second, *others = tf.unstack(seeds.split(seed, 4))
    shape = [count] if per_element else []
    centre = [seeds.randint(own, 0, side, shape) for own, side in zip(others, sides, strict=True)]
    return share_of(first, alpha, shape), order_of(second, count), centre


def _drawn(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that the native draws for a call."""
    count, *sides = np.shape(arguments["images"])[:3]
    settings = parameter(arguments["alpha"]), arguments["per_element"]
    share, order, centre = _draw(arguments["seed"], count, (sides[0], sides[1]), *settings)
    return {"share": np.asarray(share), "order": np.asarray(order), "centre": np.stack(centre, -1)}


def _interval(centre: Any, root: Any, side: Any) -> tuple[Any, Any]:
    """Return which pixels of an axis a box covers, (B or 1, side), and how many these are."""
    side = tf.cast(side, tf.int64)
    half = tf.cast(tf.floor(tf.cast(side, tf.float64) * root), tf.int64) // 2
    first = tf.maximum(centre - half, tf.constant(0, tf.int64))
    end = tf.minimum(centre + half, side)
    place = tf.range(side)
    return (place >= first[:, tf.newaxis]) & (place < end[:, tf.newaxis]), end - first


def _pasted(x: Any, order: Any, rows: Any, columns: Any) -> Any:
    inside = rows[:, :, tf.newaxis] & columns[:, tf.newaxis]
    return tf.where(inside if x.shape.rank == 3 else inside[..., tf.newaxis], tf.gather(x, order), x)


@replaces(
    "pipeport.references.cutmix",
    domain={
        "images": Shaped(
            shape=((1, 5), (1, 7), (1, 7), (1, 3)),
            dtypes=("uint8", "float32", "float64"),
            per_image=True,
            typical="pipeport.references._mixed.bytes_of_batch",
        ),
        "labels": Shaped(shape=("images.0", (1, 4)), per_image=True),
        "alpha": OneOf(1.0, 2, 0.2),
        "per_element": Boolean(),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given="pipeport.references._mixed.pasted",
        statistic="pipeport.references._mixed.cutmix_statistic",
        draw_parameters="pipeport.idioms._cutmix._drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
    returns=("images", "labels"),
)
def cutmix(images: Any, labels: Any, alpha: Any = 1.0, per_element: bool = False, *, seed: Any = None) -> Any:
    """Paste a box of another element into every element of a batch, and mix their labels by its area.

    Native equivalent of `pipeport.references.cutmix`, the body people write with ``np.random.beta``,
    ``np.random.permutation`` and slice assignment.

    Parameters
    ----------
    images : array_like, shape (B, H, W) or (B, H, W, C), integers or floating
        The batch; sizes may be unknown.
    labels : array_like, shape (B, ...), floating
        One-hot, or numbers.
    alpha : float, default 1.0
        Both parameters of the beta distribution of the share outside the box; positive.
    per_element : bool, default False
        Whether each element has a box of its own; else the batch has one.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each batch its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        Images and labels, of their shapes and dtypes. A box has ``sqrt(1 - share)`` of either side, about
        a pixel drawn anywhere, and is cut at the border; labels are mixed by the area that is left.

    Raises
    ------
    UnsupportedArgument
        There is no seed, `per_element` is a tensor, or a rank is not known while tracing.
    OutsideDomain
        There are not as many labels as images, an image is empty, a rank or dtype is another, `alpha` is
        not positive, or `seed` has another shape.
    WrongType
        `alpha` is not a Python number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: given the draw, images are bit for bit the reference's, labels as accurate; boxes and orders
    have its distribution.
    Graph: no Python at run time; static shapes are kept. Compiled by XLA where sizes are known (see
    `pipeport.config`). The same seed draws the same on every engine. In the batched form, of several
    batches, `seed` has shape (N, 2), or (2,): batch i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import cutmix
    >>> images = tf.constant([0.0, 1.0])[:, tf.newaxis, tf.newaxis] * tf.ones([2, 8, 8])
    >>> mixed, labels = cutmix(images, tf.eye(2), seed=(1, 2))
    >>> bool(tf.reduce_mean(mixed[0]) == labels[0, 1])
    True
    """
    x, y = batch_of(images, labels)
    if x.shape.rank not in (3, 4):
        advice = "Give a batch of images."
        raise OutsideDomain(explain("images", f"shape {x.shape}", "(B, H, W) or (B, H, W, C)", advice))
    x = plane(x, "images", 1)
    alpha, per_element = parameter(alpha), _checks.flag(per_element, "per_element")
    sides = sides_of(x, 1)
    share, order, centre = _draw(seeds.look_up(seed), count_of(x), sides, alpha, per_element)
    root = tf.reshape(tf.sqrt(1 - share), [-1])
    (rows, tall), (columns, wide) = (
        _interval(tf.reshape(at, [-1]), root, side) for at, side in zip(centre, sides, strict=True)
    )
    found = fused(_pasted, x, order, rows, columns)
    whole = tf.cast(sides[0], tf.float64) * tf.cast(sides[1], tf.float64)
    return tf.ensure_shape(found, x.shape), mean(y, 1 - tf.cast(tall * wide, tf.float64) / whole, order)


@batch_form(cutmix)
def _cutmix_batch(
    images: Any, labels: Any, alpha: Any = 1.0, per_element: bool = False, *, seed: Any = None
) -> Any:
    mix = partial(cutmix, alpha=alpha, per_element=per_element)
    return each(mix, {"images": images, "labels": labels}, seed)
