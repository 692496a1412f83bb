"""Shared by mixup and cutmix: checked batches, drawn shares and orders, weighted means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._spans import number_of
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.seeds._gamma import beta

_ADVICE = "Batch the elements first, labels beside images."


def parameter(alpha: Any) -> float:
    """Return the parameter of the beta distribution, checked to be positive."""
    found = number_of(alpha, "alpha", "a positive number")
    if found <= 0:
        raise OutsideDomain(explain("alpha", repr(alpha), "a positive number", "1.0 draws uniformly."))
    return found


def batch_of(images: Any, labels: Any) -> tuple[Any, Any]:
    """Return images and labels as tensors, ordered after the check that there are as many of both."""
    x, y = as_tensor(images, "images"), as_tensor(labels, "labels")
    for name, part in (("images", x), ("labels", y)):
        known_rank(part, name)
        if part.shape.rank == 0:
            raise OutsideDomain(explain(name, "a scalar", "an array with a batch axis", _ADVICE))
    if not (x.dtype.is_integer or x.dtype.is_floating):
        raise OutsideDomain(explain("images", f"dtype {x.dtype.name}", "real numbers", "Cast it first."))
    if not y.dtype.is_floating:
        advice = "Make numbers of classes one-hot: tf.one_hot(labels, classes)."
        raise OutsideDomain(explain("labels", f"dtype {y.dtype.name}", "floating numbers", advice))
    one, other = x.shape[0], y.shape[0]
    allowed = "as many as there are images"
    if one is not None and other is not None:
        if one != other:
            raise OutsideDomain(explain("labels", f"{other} beside {one} images", allowed, _ADVICE))
        return x, y
    message = explain("labels", "another number at run time", allowed, _ADVICE)
    with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(x)[0], tf.shape(y)[0], message)]):
        return tf.identity(x), tf.identity(y)


def count_of(x: Any) -> Any:
    """Return the number of elements: an int where tracing knows it, else a scalar tensor."""
    return tf.shape(x)[0] if x.shape[0] is None else x.shape[0]


def share_of(seed: Any, alpha: float, shape: Any) -> Any:
    """Draw from the beta distribution whose parameters are equal, float64."""
    both = tf.constant(alpha, tf.float64)
    return beta(seed, both, both, shape)


def order_of(seed: Any, count: Any) -> Any:
    """Draw with which element each is mixed, int64."""
    return seeds.permutation(seed, count)


def _mean(values: Any, share: Any, order: Any) -> Any:
    kept = tf.reshape(tf.cast(share, values.dtype), [-1] + [1] * (values.shape.rank - 1))
    return kept * values + (1 - kept) * tf.gather(values, order)


def mean(values: Any, share: Any, order: Any) -> Any:
    """Return the mean of every element and its other, which counts 1 - share."""
    return tf.ensure_shape(fused(_mean, values, share, order), values.shape)


def fused(function: Callable[..., Any], x: Any, *others: Any) -> Any:
    """Call a function, compiled where the batch's sizes are known: gathering is then part of one pass."""
    return xla.run(_itself, function)(x, *others) if x.shape.rank > 2 else function(x, *others)


def _itself(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
