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
# Names of elements become one of so many numbers.
_NAMES = 2**63 - 1
_DEALT_OUT = explain(
    "index",
    "none, and elements that are dealt out among workers, none of which knows their positions",
    "a function that takes an element and gives its number or name, as the source has it",
    "Write, for instance, `Dataset.from_tensor_slices((range(len(images)), images)).apply(seeded_map(lambda "
    "number, image: augment(image), seed, epoch=0, index=lambda number, image: number))`.",
)


def seeded_map(
    function: Callable[..., Any],
    seed: Any,
    *,
    epochs: int | None = None,
    epoch: Any = None,
    index: Callable[..., Any] | None = None,
    num_parallel_calls: int | None = None,
    deterministic: bool | None = None,
) -> Callable[[Any], Any]:
    """Map a function whose random natives draw from a seed per element.

    The seed of an element is a function of `seed`, of the epoch and of the element's index, which is its
    position in the dataset this is applied to, or what `index` gives: the same for any number of parallel
    calls and any order in which they end, after a restart, in another process, and across an iterator's
    checkpoint. With `index` it is the same for any order of the elements, and any number of machines too.

    Parameters
    ----------
    function : callable
        Takes an element as in `tf.data.Dataset.map`; its random natives need no `seed=`.
    seed : int, or array_like of int, shape (2,)
        Of the whole run.
    epochs : int, optional
        Go through the dataset so many times, with other draws each time.
    epoch : int or scalar integer tensor or tf.Variable or callable, optional
        The number of this epoch, read when an iterator begins. With neither, passes are counted: the
        first iterator over the dataset object is epoch 0, the next epoch 1. Beside `index`, which needs
        `epochs` or an `epoch` that is not a variable, also a function that takes an element as `index` does.
    index : callable, optional
        Takes an element as `function` does, gives what it is known by: a number or a string, the name of its
        file for instance. Two elements of one index draw alike. By default elements are counted.
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
        `function` or `index` cannot be called, `seed`, `epoch` or what `index` gives is not of whole numbers,
        or what this is applied to is not a dataset.
    OutsideDomain
        `seed` or what `index` gives has another shape, or `epochs` is not positive.
    UnsupportedArgument
        Both `epochs` and `epoch` are given, or an `epoch` that is a function without `index`, or `index`
        without an epoch that leaves this process.
    tf.errors.InvalidArgumentError
        Elements are dealt out among workers (`DYNAMIC`), and there is no `index`: raised where they run.

    Notes
    -----
    Counted passes live in a variable of this process: checkpoints of an iterator, tf.data service and
    `tf.data.Dataset.save` need `epochs`, or an `epoch` that is not a variable. Where elements are dealt out
    to the workers of a tf.data service (`ShardingPolicy.DYNAMIC` and `FILE`) none knows the position, so it
    needs `index`; the index must come from the source itself, since `enumerate` counts anew in each
    worker. Whole epochs are dealt out there of `epochs`, elements of an `epoch`. A `cache` behind this
    freezes the draws; put it in front.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import seeds
    >>> from pipeport.idioms import random_flip_pair
    >>> data = tf.data.Dataset.from_tensors((tf.zeros([4, 4, 3]), tf.zeros([4, 4]))).repeat(3)
    >>> flipped = data.apply(seeds.seeded_map(random_flip_pair, 42, epochs=2, num_parallel_calls=-1))
    >>> int(flipped.cardinality())
    6

    For many machines, with names of files as indices:

    >>> names = tf.data.Dataset.from_tensor_slices(["a.png", "b.png"])
    >>> def draw(name):
    ...     return seeds.uniform(seeds.look_up())
    >>> drawn = names.apply(seeds.seeded_map(draw, 42, epoch=0, index=lambda name: name))
    """
    if not callable(function):
        raise WrongType(explain("function", repr(function), "a callable", "It takes one element."))
    run = _run_seed(seed)
    if epochs is not None and epoch is not None:
        advice = "`epochs` counts from 0 by itself; `epoch` names one."
        raise UnsupportedArgument(explain("epoch", "a value beside `epochs`", "one of the two", advice))
    if epochs is not None:
        _check_epochs(epochs)
    if index is not None and not callable(index):
        raise WrongType(explain("index", repr(index), "a callable", "It takes one element."))
    if callable(epoch) and index is None:
        advice = "Give `index` too: the number of an element in its epoch."
        raise UnsupportedArgument(explain("epoch", "a function without `index`", "a number", advice))
    if epoch is not None and not callable(epoch):
        _check_epoch(epoch)
    if index is not None and epochs is None and (epoch is None or isinstance(epoch, tf.Variable)):
        given = "none" if epoch is None else "a tf.Variable"
        allowed = "`epochs`, a number, or a function of the element"
        advice = "Build a dataset for each epoch, with its number: counts and variables stay in this process."
        raise UnsupportedArgument(explain("epoch", f"{given} beside `index`", allowed, advice))

    def transformation(dataset: Any) -> Any:
        if not isinstance(dataset, tf.data.Dataset):
            advice = "Use dataset.apply(seeded_map(...))."
            raise WrongType(explain("dataset", type(dataset).__name__, "a tf.data.Dataset", advice))
        if index is None:
            marked, seed_of = _by_position(dataset, run, epochs, epoch), _mark
        else:
            marked = dataset if epochs is None else _by_epoch(dataset, epochs)
            seed_of = _by_index(run, epoch, index)

        def with_seed(*element: Any) -> Any:
            own, element = seed_of(*element)
            body = as_in_user_code(function)
            with ambient(own), in_dataset():
                return body(*element)

        return marked.map(with_seed, num_parallel_calls=num_parallel_calls, deterministic=deterministic)

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


def _arguments(element: Any) -> tuple[Any, ...]:
    return element if type(element) is tuple else (element,)


def _mark(mark: Any, element: Any) -> tuple[Any, tuple[Any, ...]]:
    return mark, _arguments(element)


def _by_index(run: Any, epoch: Any, index: Callable[..., Any]) -> Callable[..., tuple[Any, tuple[Any, ...]]]:
    """Return what gives the seed of an element by its index, and the element without a mark of its epoch."""

    def seed_of(*element: Any) -> tuple[Any, tuple[Any, ...]]:
        number = epoch
        if epoch is None:
            number, element = _mark(*element)
        elif callable(epoch):
            number = _one_number("epoch", as_in_user_code(epoch)(*element))
        found = _one_number("index", as_in_user_code(index)(*element))
        return fold_in(fold_in(run, number), found), element

    return seed_of


def _one_number(parameter: str, value: Any) -> Any:
    """Return the number that a function of the user's gave, of a string one that stands for it."""
    value = tf.convert_to_tensor(value)
    if value.dtype == tf.string and parameter == "index":
        value = tf.strings.to_hash_bucket_fast(value, _NAMES)
    if not value.dtype.is_integer or value.shape.rank not in (None, 0):
        kind = OutsideDomain if value.dtype.is_integer else WrongType
        given = f"a function that gives {value.dtype.name} of shape {value.shape}"
        raise kind(explain(parameter, given, "one integer", "Take what the source numbers its elements by."))
    return value


def _counter() -> Callable[[Any], Any]:
    """Return what counts passes: given whether one begins, it returns the number of the last that began."""
    passes = tf.Variable(-1, dtype=tf.int64, trainable=False, name="passes")
    return lambda begins: passes.assign_add(tf.cast(begins, tf.int64))


def _by_epoch(dataset: Any, epochs: int) -> Any:
    """Return the elements of all epochs, each with the number of its own."""
    rounds = tf.data.Dataset.range(epochs)
    return rounds.flat_map(lambda number: dataset.map(lambda *element: (number, element)))


def _by_position(dataset: Any, run: Any, epochs: int | None, epoch: Any) -> Any:
    """Return the elements, each with its seed."""
    if epochs is None:
        pairs = _seeded(dataset, run, _counter() if epoch is None else lambda _: epoch)
    else:
        # Endless before they are taken: a worker without an epoch is told so by the first that it gets.
        rounds = scanned(tf.data.Dataset.range(_ENDLESS), tf.constant(0, tf.int64), _in_turn).take(epochs)
        pairs = rounds.flat_map(lambda number: _seeded(dataset, run, lambda _: number))
    known = dataset.cardinality().numpy() if tf.executing_eagerly() else tf.data.UNKNOWN_CARDINALITY
    if known >= 0:
        pairs = pairs.apply(tf.data.experimental.assert_cardinality(known * (epochs or 1)))
    return pairs


def _in_turn(expected: Any, number: Any, step: int = 1) -> tuple[Any, Any]:
    """Return what the next number must be, and the number, which is not when workers share the numbers."""
    turn = tf.equal(number, expected)
    # The operation alone: `tf.debugging` adds two functions, which each iterator would optimise.
    with tf.control_dependencies([tf.raw_ops.Assert(condition=turn, data=[_DEALT_OUT])]):
        return number + step, tf.identity(number)


def _seeded(dataset: Any, run: Any, epoch_of: Callable[[Any], Any]) -> Any:
    """Return the elements of an epoch, each with what `fold_in` makes of the epoch's seed and its index.

    The number of the epoch is found as an iterator begins, and kept in the state of the scan, so that a
    checkpoint holds it. One function does all of it: TensorFlow optimises each anew for every iterator.
    """

    def block(state: Any, index: Any) -> tuple[Any, Any]:
        number, expected = state
        expected, index = _in_turn(expected, index, _BLOCK)
        begins = tf.equal(index, 0)
        number = tf.where(begins, tf.cast(epoch_of(begins), tf.int64), number)
        return (number, expected), numbered(fold_in(run, number), index, _BLOCK)

    # Blocks of seeds, because a function called for each element costs as much as a cheap body.
    nothing = tf.constant(0, tf.int64)
    blocks = scanned(tf.data.Dataset.range(0, _ENDLESS, _BLOCK), (nothing, nothing), block)
    return tf.data.Dataset.zip((blocks.unbatch(), dataset))
