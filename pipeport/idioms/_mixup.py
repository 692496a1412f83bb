"""mixup."""

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
from pipeport.idioms._mixing import batch_of, count_of, mean, order_of, parameter, share_of
from pipeport.idioms._random import each
from pipeport.kernels.inputs import _checks


def _draw(seed: Any, count: Any, alpha: float, per_element: bool) -> tuple[Any, Any]:
    """Return shares, (count,) or (), and an order."""
    first, second = tf.unstack(seeds.split(seed))
    return share_of(first, alpha, [count] if per_element else []), order_of(second, count)


def _drawn(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that the native draws for a call."""
    count, seed = len(arguments["images"]), arguments["seed"]
    share, order = _draw(seed, count, parameter(arguments["alpha"]), arguments["per_element"])
    return {"share": np.asarray(share), "order": np.asarray(order)}


@replaces(
    "pipeport.references.mixup",
    domain={
        "images": Shaped(
            shape=((1, 5), (1, 6), (1, 6), (1, 3)),
            dtypes=("uint8", "float32", "float64"),
            per_image=True,
            typical="pipeport.references._mixed.bytes_of_batch",
        ),
        "labels": Shaped(shape=("images.0", (1, 4)), per_image=True),
        "alpha": OneOf(0.2, 1, 3.5, 0.05),
        "per_element": Boolean(),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given="pipeport.references._mixed.mixed",
        statistic="pipeport.references._mixed.mixup_statistic",
        draw_parameters="pipeport.idioms._mixup._drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
    returns=("images", "labels"),
)
def mixup(images: Any, labels: Any, alpha: Any = 0.2, per_element: bool = False, *, seed: Any = None) -> Any:
    """Mix every element of a batch with another, and their labels in the same share.

    Native equivalent of `pipeport.references.mixup`, the body people write with ``np.random.beta`` and
    ``np.random.permutation``.

    Parameters
    ----------
    images : array_like, shape (B, ...), integers or floating
        The batch; sizes may be unknown.
    labels : array_like, shape (B, ...), floating
        One-hot, or numbers.
    alpha : float, default 0.2
        Both parameters of the beta distribution of what an element keeps of its own; positive.
    per_element : bool, default False
        Whether each element has a share of its own; else the batch has one.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each batch its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        ``share * x + (1 - share) * x[order]`` of images and of labels, of their shapes and dtypes;
        integers as float32.

    Raises
    ------
    UnsupportedArgument
        There is no seed, `per_element` is a tensor, or a rank is not known while tracing.
    OutsideDomain
        There are not as many labels as images, a dtype is another, `alpha` is not positive, or `seed` has
        another shape.
    WrongType
        `alpha` is not a Python number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Numbers unknown at trace time turn out to differ.

    Notes
    -----
    Agreement: given the draw, as accurate as NumPy; shares and orders have its distribution.
    Graph: no Python at run time; static shapes are kept. Compiled by XLA where sizes are known (see
    `pipeport.config`). The same seed draws the same on every engine. In the batched form, of several
    batches, `seed` has shape (N, 2), or (2,): batch i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import mixup
    >>> images, labels = mixup(tf.eye(3), tf.eye(3), seed=(1, 2))
    >>> bool(tf.reduce_all(images == labels))
    True
    """
    x, y = batch_of(images, labels)
    alpha, per_element = parameter(alpha), _checks.flag(per_element, "per_element")
    share, order = _draw(seeds.look_up(seed), count_of(x), alpha, per_element)
    x = x if x.dtype.is_floating else tf.cast(x, tf.float32)
    return mean(x, share, order), mean(y, share, order)


@batch_form(mixup)
def _mixup_batch(
    images: Any, labels: Any, alpha: Any = 0.2, per_element: bool = False, *, seed: Any = None
) -> Any:
    mix = partial(mixup, alpha=alpha, per_element=per_element)
    return each(mix, {"images": images, "labels": labels}, seed)
