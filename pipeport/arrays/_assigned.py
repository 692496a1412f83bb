"""The value of an assignment, cast and broadcast as NumPy does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor


def assigned(value: Any, dtype: Any) -> Any:
    """Return a value in the dtype of the array it is assigned to.

    `value`: a tensor, a NumPy array, a number, or nested lists of them.
    """
    wanted = np.dtype(dtype.as_numpy_dtype)
    python = isinstance(value, (bool, int, float, complex, list, tuple)) and not isinstance(value, np.generic)
    if python and not holds_tensor(value):
        return tf.constant(_of_python(value, wanted))
    if value is None or isinstance(value, (str, bytes)):
        given = f"{value!r} of type {type(value).__name__}"
        raise WrongType(explain("value", given, "numbers", "Convert it to a number."))
    tensor = cast(as_tensor(value, "value"), wanted)
    if tensor.shape.rank is None:
        advice = "State the rank with tf.ensure_shape."
        raise UnsupportedArgument(explain("value", "a tensor of unknown rank", "known ranks", advice))
    return tensor


def _of_python(value: Any, wanted: np.dtype[Any]) -> np.ndarray[Any, Any]:
    try:
        found = np.asarray(value)
    except ValueError as error:
        advice = "Pad the rows to one length."
        raise OutsideDomain(explain("value", "ragged nested lists", "arrays", advice)) from error
    if found.dtype.kind not in "biufc" and not _whole(found):
        given = f"{type(value).__name__} of dtype {found.dtype}"
        raise WrongType(explain("value", given, "numbers", "Convert it to a number."))
    if wanted.kind == "b":
        return np.asarray(found.astype(bool))
    drops = found.dtype.kind == "c" and wanted.kind != "c"
    if drops and any(isinstance(one, complex) for one in _leaves(value)):
        advice = "Take its real part, or give the array a complex dtype."
        raise WrongType(explain("value", f"{value!r}", f"real numbers for {wanted}", advice))
    if wanted.kind in "iu":
        _check_range(value, found, wanted)
    filled = np.empty(found.shape, wanted)
    try:
        with np.errstate(all="ignore"):
            filled[...] = found.real if drops else value
    except OverflowError as error:
        advice = "Scale it first."
        raise OutsideDomain(explain("value", "a whole number beyond floats", f"{wanted}", advice)) from error
    return filled


def _whole(found: np.ndarray[Any, Any]) -> bool:
    """Whether NumPy has no dtype for numbers only because whole ones are too large."""
    number = (int, float, complex, np.number)
    return found.dtype.kind == "O" and all(isinstance(one, number) for one in found.ravel())


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _check_range(value: Any, found: np.ndarray[Any, Any], wanted: np.dtype[Any]) -> None:
    """Refuse Python numbers that an integer dtype cannot hold; what NumPy made wraps around."""
    limits = np.iinfo(wanted)
    low, high = int(limits.min), int(limits.max)
    whole = found.dtype.kind in "biu"
    if whole and (not found.size or (int(found.min()) >= low and int(found.max()) <= high)):
        return
    for leaf in _leaves(value):
        if not isinstance(leaf, (int, float)) or isinstance(leaf, np.generic):
            continue
        if leaf != leaf or leaf in (float("inf"), float("-inf")) or not low <= int(leaf) <= high:
            advice = "Clip it first, or give the array a wider dtype."
            raise OutsideDomain(explain("value", repr(leaf), f"{low} to {high}, as {wanted} holds", advice))


def fits(value: Any, shape: Sequence[int | None]) -> None:
    """Refuse a value that cannot be broadcast to a shape, as far as tracing knows."""
    given = value.shape.as_list()
    room: list[int | None] = [*[1] * (len(given) - len(shape)), *shape]
    if any(
        has not in (None, 1) and size not in (None, has)
        for has, size in zip(given[::-1], room[::-1], strict=False)
    ):
        allowed = f"what broadcasts to {tuple(shape)}"
        raise OutsideDomain(explain("value", f"shape {value.shape}", allowed, "Give one value per element."))


def of_rank(value: Any, rank: int) -> Any:
    """Drop leading axes, of size 1, that are too many."""
    extra = value.shape.rank - rank
    return tf.squeeze(value, list(range(extra))) if extra > 0 else value


def spread(value: Any, shape: Any, sizes: Callable[[], Any]) -> Any:
    """Broadcast a value.

    `value`: the value, of that rank or a lower one. `shape`: the shape, as far as tracing knows it. `sizes`:
    returns the shape as a tensor. Returns: of that shape; what does not fit is an error of the graph.
    """
    whole = shape.is_fully_defined()
    if whole and value.shape == shape:
        return value
    wanted = shape.as_list() if whole else sizes()
    if value.shape.rank == 0:
        return tf.fill(wanted, value)
    last = shape[-2:].as_list()
    if value.shape.rank == 1 and len(shape) > 2 and None not in last:
        # A row first: one of 3 values to 256x256x3 takes 16 µs so, 179 in one step.
        value = tf.broadcast_to(value, last)
    value = tf.broadcast_to(value, wanted)
    value.set_shape(shape)
    return value


def rearranged(x: Any, axes: Sequence[int]) -> Any:
    """Return an array with other axes of size 1.

    `axes`: its axes, in their order, and -1 for one of size 1. Axes left out are of size 1.
    """
    if list(axes) == list(range(x.shape.rank)):
        return x
    sizes = [1 if at < 0 else x.shape[at] for at in axes]
    shape = [tf.shape(x)[at] if size is None else size for at, size in zip(axes, sizes, strict=True)]
    x = tf.reshape(x, shape)
    x.set_shape(sizes)
    return x
