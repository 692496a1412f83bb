"""tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Exact, Integer, PerAxis, Stock, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.integers import static, whole_number
from pipeport.numpy._ranked import ranked

_ALLOWED = "whole numbers from 0: one, or one per axis"
_MOST = 7  # axes the kernel of tf.tile takes


def _unknown(value: Any) -> bool:
    return bool(tf.is_tensor(value)) and tf.get_static_value(value) is None


def _scalar(value: Any) -> Any:
    """Return one number of repetitions: an integer where tracing knows it, else a scalar tensor."""
    if not _unknown(value):
        return whole_number(value, "reps")
    if not value.dtype.is_integer:
        advice = "Cast it with tf.cast."
        raise WrongType(explain("reps", f"dtype {value.dtype.name}", _ALLOWED, advice))
    if value.shape.rank != 0:
        raise UnsupportedArgument(explain("reps", f"shape {value.shape}", _ALLOWED, "Give scalars."))
    return value


def _numbers(reps: Any) -> list[Any]:
    if _unknown(reps):
        if not reps.shape.is_fully_defined() or reps.shape.rank > 1:
            advice = "Its length must be known while tracing; use tf.ensure_shape."
            raise UnsupportedArgument(explain("reps", f"shape {reps.shape}", _ALLOWED, advice))
        reps = tf.unstack(reps) if reps.shape.rank else reps
    reps = static(reps, "reps") if tf.is_tensor(reps) and not _unknown(reps) else reps
    several = isinstance(reps, (list, tuple)) or (isinstance(reps, np.ndarray) and reps.ndim)
    return [_scalar(one) for one in reps] if several else [_scalar(reps)]


def _checked(number: Any) -> Any:
    if isinstance(number, int):
        if number < 0:
            raise OutsideDomain(explain("reps", number, _ALLOWED, "Count repetitions from 0."))
        return number
    message = explain("reps", "a negative number at run time", _ALLOWED, "Count repetitions from 0.")
    with tf.control_dependencies([tf.debugging.assert_non_negative(number, message)]):
        # A cast to the dtype it has would be no op, and carry no check.
        return tf.identity(tf.cast(number, tf.int32))


def _tiling(times: Any) -> Callable[[Any], Any]:
    def tiled(x: Any) -> Any:
        if x.dtype != tf.uint16:
            return tf.tile(x, times)
        # The kernel has no uint16; its bits travel as int16.
        return tf.bitcast(tf.tile(tf.bitcast(x, tf.int16), times), tf.uint16)

    return tiled


@replaces(
    "numpy.tile",
    domain={
        "A": Array(sides=(0, 4)),
        "reps": PerAxis(spec=Integer(0, 3), of="A", typical=2),
    },
    agreement=Exact(),
    stock=Stock(
        "tf.experimental.numpy.tile", "no kernel for uint16", "pipeport.references.stock_arrays.tile"
    ),
)
@batchable
def tile(batch_axes: int, A: Any, reps: Any) -> Any:
    """Repeat a whole array along its axes.

    Parameters
    ----------
    A : array_like, rank known while tracing, bool or any number
        The array; sizes may be unknown.
    reps : int, sequence of int, or integer tensors in any place
        How often along each axis, from 0. Fewer than there are axes count from the last axis; more
        add axes in front.

    Returns
    -------
    tf.Tensor, dtype of `A`
        The larger array. Sizes are unknown while tracing where the array's or the repetitions are.

    Raises
    ------
    OutsideDomain
        A negative number.
    UnsupportedArgument
        More than 7 axes, a tensor whose length is not known while tracing, or the rank of `A` is not.
    WrongType
        `reps` are not whole numbers.
    tf.errors.InvalidArgumentError
        Repetitions unknown at trace time turn out negative.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time; static sizes are kept. Compiled by XLA where the shape is known
    while tracing (see `pipeport.config`). Repetitions given as tensors have no XLA form, because
    the output shape depends on them.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import tile
    >>> tile(tf.constant([[1, 2]]), (2, 2)).numpy().tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    x, rank = ranked(A, "A", batch_axes)
    given = [_checked(number) for number in _numbers(reps)]
    more = max(len(given) - rank, 0)
    times = [1] * batch_axes + [1] * (rank + more - len(given)) + given
    if len(times) > _MOST:
        advice = "Reshape neighbouring axes into one first."
        raise UnsupportedArgument(explain("A", f"{len(times)} axes", f"{_MOST} or less", advice))
    # New axes in front of the element's own, by a slice that copies nothing.
    x = x[(*[slice(None)] * batch_axes, *[None] * more)] if more else x
    if not all(isinstance(number, int) for number in times):
        shape = [
            size * number if isinstance(number, int) and size is not None else None
            for size, number in zip(x.shape, times, strict=True)
        ]
        return tf.ensure_shape(_tiling(tf.stack(times))(x), shape)
    if all(number == 1 for number in times):
        return tf.identity(x)
    return xla.run(_tiling, tuple(times))(x)  # tile by two: 1,338 us, compiled 496
