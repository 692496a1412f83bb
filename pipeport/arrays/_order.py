"""Order: where the extremes are, sorting, and where elements are not zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._along import flag, not_empty, one_axis, ordered, truth
from pipeport.arrays._exchanged import Exchanged, is_exchangeable
from pipeport.arrays._places import true_places
from pipeport.arrays._sort_keys import from_keys, sort_keys
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import known_rank, limit_rank
from pipeport.kernels.inputs.integers import static

# Elements from which on a count of 65,536 values costs less than a sort.
_MANY = 16_384


def is_countable(x: Any) -> bool:
    """Say whether counting how often each value comes takes the place of a sort.

    Returns: of integers of 8 bits always, of 16 if there are many, or if their number is not known.
    """
    if not x.dtype.is_integer or x.dtype.size > 2:
        return False
    count = x.shape.num_elements()
    return bool(x.dtype.size == 1 or count is None or count >= _MANY)


def counts(numbers: Any, levels: int) -> Any:
    """Return how often each number comes.

    A sum by segments takes ten times as long where an operation has two threads.

    `numbers`: int32, rank 1; numbers from 0. `levels`: how many of them are counted; larger ones are not.
    Returns: int32, shape (levels,).
    """
    # Of a size known to XLA, as that of `tf.math.bincount` in a loop is not.
    return tf.raw_ops.DenseBincount(
        input=numbers, size=levels, weights=tf.zeros([0], tf.int32), binary_output=False
    )


class Counted:
    """Integers of few bits in ascending order, by how many there are of each.

    256x256x3 of bytes: a sort takes 17 ms of processor time, this count 0.5 (NumPy's percentile 2.5).

    `x`: integers of 8 or 16 bits, rank 1. `levels`: how many values there are of the dtype. `keys`: int32,
    shape of `x`; the number of the value of each, from 0. `number`: int32, shape (levels,).
    """

    def __init__(self, x: Any) -> None:
        self.dtype = x.dtype
        self.shape = x.shape
        self.levels = 1 << (8 * x.dtype.size)
        self.keys = self.key(x)
        self.number = counts(self.keys, self.levels)

    def key(self, x: Any) -> Any:
        """Return the numbers of values of the dtype: from 0, as int32."""
        return tf.cast(x, tf.int32) - self.dtype.min

    def value(self, keys: Any) -> Any:
        """Return the values with these numbers, in the dtype."""
        return tf.cast(keys + tf.constant(self.dtype.min, keys.dtype), self.dtype)

    def at(self, places: Any) -> Any:
        """Return the elements at places from 0."""
        until, wanted = tf.cumsum(self.number), tf.cast(places, tf.int32)
        keys = tf.raw_ops.UpperBound(sorted_inputs=until[tf.newaxis], values=tf.reshape(wanted, [1, -1]))
        return self.value(tf.ensure_shape(tf.reshape(keys, tf.shape(wanted)), wanted.shape))


def argmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return where the largest element is, as `numpy.argmax`.

    `axis`: along which axis; None in the flattened array. `keepdims`: whether the axis stays, with size one;
    all of them with axis None. Returns: int64; the first of several; the first NaN where there is one.
    """
    return _place(tf.argmax, x, axis, keepdims, "argmax")


def argmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return where the smallest element is, as `numpy.argmin`.

    `axis`: along which axis; None in the flattened array. `keepdims`: whether the axis stays, with size one;
    all of them with axis None. Returns: int64; the first of several; the first NaN where there is one.
    """
    return _place(tf.argmin, x, axis, keepdims, "argmin")


def _place(find: Callable[..., Any], x: Any, axis: Any, keepdims: Any, what: str) -> Any:
    keep, shape = flag(keepdims, "keepdims"), x
    scalar = x.shape.rank == 0
    x, along = one_axis(ordered(x, what), axis)
    limit_rank(x, "a", 7)
    x = not_empty(x, (along,))
    found = _first_number_or_nan(find, x, along) if x.dtype.is_floating else find(x, along)
    if not keep or scalar:
        return found
    if axis is not None:
        return tf.expand_dims(found, along)
    rank = shape.shape.rank
    return tf.reshape(found, tf.ones_like(tf.shape(shape)) if rank is None else [1] * rank)


def _first_number_or_nan(find: Callable[..., Any], x: Any, along: int) -> Any:
    nan = tf.math.is_nan(x)

    def beside_nan() -> Any:
        return tf.where(tf.reduce_any(nan, along), tf.argmax(nan, along), find(x, along))

    # 256x256x3 of float32 in one piece: without regard to NaN 81 microseconds, so 155, both sides always 378.
    return tf.cond(tf.reduce_any(nan), beside_nan, lambda: find(x, along))


def sort(x: Any, axis: Any = -1, kind: Any = None, order: Any = None, stable: Any = None) -> Any:
    """Sort along an axis, as `numpy.sort`.

    `axis`: along which axis; None sorts the flattened array. `kind`: NumPy's name of an algorithm; all give
    the same. `order`: fields of records, which tensors do not have. `stable`: another way to ask for a stable
    `kind`.
    """
    _check_kind(kind, order, stable)
    if axis is not None and x.shape.rank == 0:
        one_axis(x, axis)
        given, advice = "an array of rank 0", "Give axis=None."
        raise OutsideDomain(explain("a", given, "at least one axis", advice))
    x, along = one_axis(ordered(x, "sort"), axis)
    if is_exchangeable(x, along):
        return Exchanged(x, along).whole(along)
    keys = _along_last(ascending, sort_keys(x, zeros_apart=True), along)
    return from_keys(keys, x.dtype)


def argsort(x: Any, axis: Any = -1, kind: Any = None, order: Any = None, stable: Any = None) -> Any:
    """Return the places of the elements in ascending order, as `numpy.argsort` of kind 'stable'.

    `axis`: along which axis; None sorts the flattened array. `kind`: NumPy's name of an algorithm; all are
    stable here. `order`: fields of records, which tensors do not have. `stable`: another way to ask for a
    stable `kind`. Returns: int64; equal elements in the order in which they come, NaN last.
    """
    _check_kind(kind, order, stable)
    x, along = one_axis(ordered(x, "argsort"), axis)

    def places(keys: Any) -> Any:
        return tf.cast(_descending(keys)[1], tf.int64)

    return _along_last(places, sort_keys(x, zeros_apart=False), along)


def nonzero(x: Any) -> tuple[Any, ...]:
    """Return where elements are not zero, as `numpy.nonzero`.

    Returns: tuple of tf.Tensor, int64; indices along each axis, in the order of the elements. Their length is
    not known while tracing.
    """
    rank = known_rank(x)
    if rank == 0:
        advice = "Reshape it to one element, or compare it with 0."
        raise OutsideDomain(explain("a", "an array of rank 0", "at least one axis", advice))
    limit_rank(x, "a", 8)
    return tuple(tf.unstack(true_places(truth(x)), rank, axis=1))


def _check_kind(kind: Any, order: Any, stable: Any) -> None:
    if order is not None:
        advice = "Leave it out: tensors have no fields."
        raise UnsupportedArgument(explain("order", repr(order), "None", advice))
    if kind is not None and not (isinstance(kind, str) and kind[:1].lower() in ("q", "h", "m", "s")):
        allowed = "None, 'quicksort', 'heapsort', 'mergesort', 'stable'"
        raise UnsupportedArgument(explain("kind", repr(kind), allowed, "Every kind is stable here."))
    if static(stable, "stable") is not None and kind is not None:
        advice = "Every kind is stable here."
        raise UnsupportedArgument(explain("stable", f"{stable!r} beside kind", "one of them", advice))


def ascending(keys: Any) -> Any:
    """Return integers in ascending order along the last axis.

    `keys`: int32 or int64.
    """
    return tf.bitwise.invert(_descending(keys)[0])


def _descending(keys: Any) -> Any:
    # Of equal ones the lowest index comes first, which the inverted keys make the order of a stable sort.
    size = keys.shape[-1]
    return tf.math.top_k(tf.bitwise.invert(keys), tf.shape(keys)[-1] if size is None else size)


def _along_last(function: Callable[[Any], Any], keys: Any, along: int) -> Any:
    if along == -1:
        if keys.shape.rank is None:
            # top_k needs a rank: all other axes in one.
            shape = tf.shape(keys)
            rows = tf.reshape(keys, tf.stack([tf.reduce_prod(shape[:-1]), shape[-1]]))
            return tf.reshape(function(rows), shape)
        return function(keys)
    rank = known_rank(keys)
    if along == rank - 1:
        return function(keys)
    swap = list(range(rank))
    swap[along], swap[-1] = rank - 1, along
    return tf.transpose(function(tf.transpose(keys, swap)), swap)
