"""`as_strided`: an array read in steps of its own memory, as NumPy's windows often are written."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import tensors_in, view_of
from pipeport.arrays._sizes import dimensions, is_known
from pipeport.arrays._strides import is_plain
from pipeport.arrays._views import ReadOnly, Step
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.layout._sliding import windows_of
from pipeport.numpy._sized import sizes_of
from pipeport.porting._values import as_array, tensor_of

_INSIDE = "What lies outside is other memory: give fewer windows, or smaller ones."
_WHOLE = "Multiply what `x.strides` gives by whole numbers."


def as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True
) -> Any:
    """Return a view of the elements of an array in memory, at distances that are given in bytes.

    `x`: the array, in the order C and without gaps. `shape`: sizes of the view; those of the array.
    `strides`: bytes from an element to the next along each axis; those of the array. `subok`: refused: there
    are no subclasses. `writeable`: whether the view may be written to. Returns: the view. Raises
    OutsideDomain: the view reaches outside of the array, or does not have one stride per axis, each of whole
    elements. Raises UnsupportedArgument: the array may lie in memory in another order, or `subok` is given.
    Raises WrongType: it is not an array. Raises tf.errors.InvalidArgumentError: the view turns out to reach
    outside, or a stride to be none of whole elements.
    """
    array = as_array(x)
    if array is None:
        raise WrongType(explain("x", type(x).__name__, "an array", "Convert it with `np.asarray`."))
    if subok:
        raise UnsupportedArgument(explain("subok", "True", "False", "Leave it out: there are no subclasses."))
    if not is_plain(array):
        given, advice = "an array that may have gaps or another order", "Copy it first: `x = x.copy()`."
        raise UnsupportedArgument(explain("x", given, "one in the order C, without gaps", advice))
    sizes = sizes_of(tensors_in(tuple(array.shape) if shape is None else shape))
    distances = dimensions(tensors_in(array.strides if strides is None else strides), "strides")
    steps = [_of_elements(one, array.itemsize) for one in distances]
    if len(sizes) != len(steps):
        advice = "Give one stride per axis of the result."
        raise OutsideDomain(explain("strides", f"{len(steps)}", f"{len(sizes)}, as in shape", advice))
    read = _reader(tensor_of(array), sizes, steps)
    kind = ReadOnly if not writeable else Step if _no_overlap(sizes, steps) else _Overlapping
    return view_of(array, read(tensor_of(array)), kind(read, (sizes, steps)))


class _Overlapping(Step):
    """A view in which an element may stand twice: what a part of it is given would be lost in the other."""

    __slots__ = ()

    def written(self, x: Any, value: Any) -> Any:  # noqa: ARG002 - as every step takes it
        given, advice = "an assignment to windows that may overlap", "Write to the array itself."
        raise UnsupportedArgument(explain("array", given, "windows of known sizes that lie apart", advice))


def _no_overlap(sizes: list[Any], steps: list[Any]) -> bool:
    """Say whether no element surely stands twice in a view."""
    if not is_known((*sizes, *steps)):
        return False
    last = 0
    for step, size in sorted((step, size) for step, size in zip(steps, sizes, strict=True) if size > 1):
        if step <= last:
            return False
        last += (size - 1) * step
    return True


def _of_elements(stride: Any, itemsize: int) -> Any:
    """Return how many elements a stride passes."""
    allowed = f"whole elements, of {itemsize} bytes"
    if tf.is_tensor(stride):
        message = explain("strides", "part of an element", allowed, _WHOLE)
        with tf.control_dependencies([tf.debugging.Assert(stride % itemsize == 0, [message])]):
            return tf.identity(stride) // itemsize
    if stride % itemsize:
        raise OutsideDomain(explain("strides", stride, allowed, _WHOLE))
    return stride // itemsize


def _reader(x: Any, sizes: list[Any], steps: list[Any]) -> Callable[[Any], Any]:
    """Return the function that reads the view of any tensor of that shape."""
    message = explain("strides", "places outside of the array", "places inside", _INSIDE)
    if is_known((*sizes, *steps)) and x.shape.is_fully_defined():
        last = sum((size - 1) * step for size, step in zip(sizes, steps, strict=True))
        if 0 not in sizes and (min(steps, default=0) < 0 or last >= math.prod(x.shape)):
            raise OutsideDomain(message)
        paces = _paces(x.shape.as_list(), sizes, steps)
        if paces:
            counts = tuple(slice(size) for size in sizes[: len(paces)])
            return lambda x: windows_of(x, sizes[len(paces) :], paces)[counts]
    return lambda x: _gathered(x, sizes, steps, message)


def _paces(shape: list[int], sizes: list[int], steps: list[int]) -> list[int]:
    """Return the distances of neighbouring windows along each axis, or none where these are not windows."""
    rank = len(shape)
    own = [math.prod(shape[at + 1 :]) for at in range(rank)]
    if not rank or len(sizes) != 2 * rank or steps[rank:] != own or 0 in sizes:
        return []
    paces = [step // one for step, one in zip(steps, own, strict=False)]
    fits = all(
        pace > 0 and step == pace * one and (count - 1) * pace + window <= size
        for pace, step, one, count, window, size in zip(
            paces, steps, own, sizes, sizes[rank:], shape, strict=False
        )
    )
    return paces if fits else []


def _gathered(x: Any, sizes: list[Any], steps: list[Any], message: str) -> Any:
    """Return the elements by their numbers."""
    flat, rank = tf.reshape(x, [-1]), len(sizes)
    sizes, steps = ([tf.cast(one, tf.int64) for one in row] for row in (sizes, steps))
    index = tf.zeros([1] * rank, tf.int64)
    for at, (size, step) in enumerate(zip(sizes, steps, strict=True)):
        along = [1] * rank
        along[at] = -1
        index += tf.reshape(tf.range(size) * step, along)
    inside = tf.reduce_all((index >= 0) & (index < tf.size(flat, tf.int64)))
    with tf.control_dependencies([tf.debugging.Assert(inside, [message])]):
        return tf.gather(flat, index)


FUNCTIONS: dict[Any, Callable[..., Any]] = {np.lib.stride_tricks.as_strided: as_strided}
