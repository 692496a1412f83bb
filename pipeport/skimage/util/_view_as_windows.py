"""`skimage.util.view_as_windows`."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, Exact, Integer, PerAxis, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.layout._sliding import windows_of

_MOST = 4


def _backwards(arguments: Mapping[str, Any]) -> bool:
    step = arguments.get("step", 1)
    return isinstance(step, tuple) and any(one < 0 for one in step)


def _fitting(arguments: Mapping[str, Any]) -> bool:
    """Whether windows fit; along one axis what does not is drawn too, of more nearly nothing would fit."""
    shape, window = np.shape(arguments["arr_in"]), arguments["window_shape"]
    window = window if isinstance(window, tuple) else (window,) * len(shape)
    if len(shape) == 1 or len(window) != len(shape):
        return True
    return all(size >= one for size, one in zip(shape, window, strict=True))


@replaces(
    "skimage.util.view_as_windows",
    view_of="first",
    domain={
        "arr_in": Array(ranks=(1, 2, 3, 4)),
        "window_shape": PerAxis(spec=Integer(1, 4), of="arr_in", typical=(32, 32, 3)),
        "step": PerAxis(spec=Integer(1, 3), of="arr_in", typical=(16, 16, 3)),
    },
    agreement=Exact(),
    valid=_fitting,
    differences=(
        Difference(
            "A negative step is refused; the reference accepts it where it leaves one window.",
            witness=lambda: {"arr_in": np.arange(3), "window_shape": (3,), "step": (-1,)},
            applies=_backwards,
        ),
    ),
)
@batchable
def view_as_windows(batch_axes: int, arr_in: Any, window_shape: Any, step: Any = 1) -> Any:
    """Take a window out of an array at every position, or at every so many.

    Parameters
    ----------
    arr_in : tensor or NumPy array, any shape of rank 4 or less, bool or any number
        The array; sizes may be unknown, the rank must be known.
    window_shape : int or tuple of int
        Size of the window along every axis, or along each; fractions are cut off.
    step : int or tuple of int, default 1
        Distance of neighbouring windows along every axis, or along each.

    Returns
    -------
    tf.Tensor, dtype of `arr_in`
        Of twice as many axes: which window, then where in the window.

    Raises
    ------
    WrongType
        `arr_in` is a list, or a size is not a number.
    OutsideDomain
        Not one size or step per axis, a window below 1 or larger than the array, a step below 1.
    UnsupportedArgument
        The rank is above 4, or not known while tracing.
    tf.errors.InvalidArgumentError
        A size unknown while tracing turns out smaller than the window.

    Notes
    -----
    The reference returns a view of its argument; this returns a new tensor with every window in it,
    which for a small step is as many times larger than the array as a window has elements.

    Agreement: bit for bit, NaN included.
    Graph: one gather, or one per axis where few elements stand together, or compiled with XLA for short
    windows of known sizes; static shape is kept.

    Source: `skimage/util/shape.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import view_as_windows
    >>> view_as_windows(tf.range(6), 3, step=2).numpy().tolist()
    [[0, 1, 2], [2, 3, 4]]
    """
    if not (tf.is_tensor(arr_in) or isinstance(arr_in, (tf.Variable, np.ndarray))):
        advice = "Convert it with tf.constant."
        raise WrongType(explain("arr_in", type(arr_in).__name__, "a tensor or a NumPy array", advice))
    x = tf.convert_to_tensor(arr_in)
    rank = x.shape.rank
    if rank is None or rank - batch_axes > _MOST:
        given = "an unknown rank" if rank is None else f"rank {rank - batch_axes}"
        advice = "State it with tf.ensure_shape, or reshape neighbouring axes into one."
        raise UnsupportedArgument(explain("arr_in", given, f"rank {_MOST} or less", advice))
    windows = _sizes(window_shape, rank - batch_axes, "window_shape", cut=True)
    steps = _sizes(step, rank - batch_axes, "step", cut=False)
    return windows_of(x, windows, steps, batch_axes)


def _sizes(value: Any, rank: int, name: str, cut: bool) -> tuple[int, ...]:
    allowed, advice = f"one whole number, or {rank} of them", "Give one per axis."
    if tf.is_tensor(value):
        raise WrongType(explain(name, "a tensor", allowed, "It shapes the graph: give Python numbers."))
    if isinstance(value, numbers.Number):
        value = (value,) * rank
        if name == "step" and rank == 0 and value:
            return ()
    try:
        values = tuple(value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), allowed, advice)) from error
    if len(values) != rank:
        raise OutsideDomain(explain(name, repr(value), allowed, advice))
    try:
        whole = tuple(int(one) if cut else operator.index(one) for one in values)
    except (TypeError, ValueError) as error:
        raise WrongType(explain(name, repr(value), allowed, advice)) from error
    if any(one < 1 for one in whole):
        raise OutsideDomain(explain(name, repr(value), "1 or more", advice))
    return whole
