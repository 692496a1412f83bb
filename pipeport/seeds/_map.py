"""The dataset transformation that gives every element a seed of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import as_in_user_code, scanned
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.seeds._ambient import ambient, in_dataset
from pipeport.seeds._derive import as_seed, fold_in, numbered

# Seeds made at once, and where they end.
_BLOCK = 128
_ENDLESS = 2**62


def seeded_map(
    function: Callable[..., Any],
    seed: Any,
    *,
    epochs: int | None = None,
    epoch: Any = None,
    num_parallel_calls: int | None = None,
    deterministic: bool | None = None,
) -> Callable[[Any], Any]:
    """Map a function whose random natives draw from a seed per element.

    The seed of an element is a function of `seed`, of the epoch and of the element's position in the
    dataset this is applied to: the same for any number of parallel calls and any order in which they
    end, after a restart, in another process, and across an iterator's checkpoint.

    Parameters
    ----------
    function : callable
        Takes an element as in `tf.data.Dataset.map`; its random natives need no `seed=`.
    seed : int, or array_like of int, shape (2,)
        Of the whole run.
    epochs : int, optional
        Go through the dataset so many times, with other draws each time.
    epoch : int or scalar integer tensor or tf.Variable, optional
        The number of this epoch, read when an iterator begins. With neither, passes are counted: the
        first iterator over the dataset object is epoch 0, the next epoch 1.
    num_parallel_calls : int, optional
        As in `tf.data.Dataset.map`.
    deterministic : bool, optional
        As in `tf.data.Dataset.map`: whether elements keep their order. Their values do not depend on it.

    Returns
    -------
    callable
        What `tf.data.Dataset.apply` takes.

    Raises
    ------
    WrongType
        `function` cannot be called, `seed` or `epoch` is not of whole numbers, or what this is applied to
        is no dataset.
    OutsideDomain
        `seed` has another shape, or `epochs` is not positive.
    UnsupportedArgument
        Both `epochs` and `epoch` are given.

    Notes
    -----
    Counted passes live in a variable of this process: checkpoints of an iterator, tf.data service and
    `tf.data.Dataset.save` need `epochs`, or an `epoch` that is no variable. Where elements are dealt out to
    workers dynamically each counts its own, so take the position from the data there. A `cache` behind
    this freezes the draws; put it in front.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import seeds
    >>> from pipeport.idioms import random_flip_pair
    >>> data = tf.data.Dataset.from_tensors((tf.zeros([4, 4, 3]), tf.zeros([4, 4]))).repeat(3)
    >>> flipped = data.apply(seeds.seeded_map(random_flip_pair, 42, epochs=2, num_parallel_calls=-1))
    >>> int(flipped.cardinality())
    6
    """
    if not callable(function):
        raise WrongType(explain("function", repr(function), "a callable", "It takes one element."))
    run = _run_seed(seed)
    if epochs is not None and epoch is not None:
        advice = "`epochs` counts from 0 by itself; `epoch` names one."
        raise UnsupportedArgument(explain("epoch", "a value beside `epochs`", "one of the two", advice))
    if epochs is not None:
        _check_epochs(epochs)
    if epoch is not None:
        _check_epoch(epoch)

    def transformation(dataset: Any) -> Any:
        if not isinstance(dataset, tf.data.Dataset):
            advice = "Use dataset.apply(seeded_map(...))."
            raise WrongType(explain("dataset", type(dataset).__name__, "a tf.data.Dataset", advice))
        if epochs is not None:
            rounds = tf.data.Dataset.range(epochs)
            numbered = rounds.flat_map(lambda number: _seeded(dataset, run, lambda _: number))
        else:
            numbered = _seeded(dataset, run, _counter() if epoch is None else lambda _: epoch)
        known = dataset.cardinality().numpy() if tf.executing_eagerly() else tf.data.UNKNOWN_CARDINALITY
        if known >= 0:
            numbered = numbered.apply(tf.data.experimental.assert_cardinality(known * (epochs or 1)))

        def with_seed(own: Any, element: Any) -> Any:
            body = as_in_user_code(function)
            with ambient(own), in_dataset():
                return body(*element) if type(element) is tuple else body(element)

        return numbered.map(with_seed, num_parallel_calls=num_parallel_calls, deterministic=deterministic)

    return transformation


def _run_seed(seed: Any) -> Any:
    # A plain number is the usual way to say it; the other half is free.
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
        return np.array([int(seed) & (2**63 - 1), int(seed) >> 63], np.int64)
    return as_seed(seed)


def _check_epochs(epochs: Any) -> None:
    if not isinstance(epochs, (int, np.integer)) or isinstance(epochs, bool) or epochs < 1:
        advice = "Leave it out to count passes."
        raise OutsideDomain(explain("epochs", repr(epochs), "a positive integer", advice))


def _check_epoch(epoch: Any) -> None:
    dtype = getattr(epoch, "dtype", None)
    whole = tf.as_dtype(dtype).is_integer if dtype is not None else type(epoch) is int
    shape = getattr(epoch, "shape", ())
    if not whole or tuple(shape) != ():
        advice = "Count from 0."
        raise WrongType(explain("epoch", repr(epoch), "one integer", advice))


def _counter() -> Callable[[Any], Any]:
    """Return what counts passes: given whether one begins, it returns the number of the last that began."""
    passes = tf.Variable(-1, dtype=tf.int64, trainable=False, name="passes")
    return lambda begins: passes.assign_add(tf.cast(begins, tf.int64))


def _seeded(dataset: Any, run: Any, epoch_of: Callable[[Any], Any]) -> Any:
    """Return the elements of an epoch, each with what `fold_in` makes of the epoch's seed and its index.

    The number of the epoch is found as an iterator begins, and kept in the state of the scan, so that a
    checkpoint holds it. One function does all of it: TensorFlow optimises each anew for every iterator.
    """

    def block(number: Any, index: Any) -> tuple[Any, Any]:
        begins = tf.equal(index, 0)
        number = tf.where(begins, tf.cast(epoch_of(begins), tf.int64), number)
        return number, numbered(fold_in(run, number), index, _BLOCK)

    # Blocks of seeds, because a function called for each element costs as much as a cheap body.
    blocks = scanned(tf.data.Dataset.range(0, _ENDLESS, _BLOCK), tf.constant(0, tf.int64), block)
    return tf.data.Dataset.zip((blocks.unbatch(), dataset))
