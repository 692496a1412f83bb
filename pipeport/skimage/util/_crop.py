"""`skimage.util.crop`."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Boolean,
    Difference,
    Exact,
    OneOf,
    PadWidths,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, exact_rank

_ALLOWED = "an integer, a pair (before, after), or one pair per axis"
_ADVICE = "Give what to take off before and after, axis by axis."
# The kernel of tf.strided_slice stops at eight axes.
_MOST = 8

Width = Any  # an int, or an integer tensor of rank 0


def _valid(arguments: Mapping[str, Any]) -> bool:
    # Dictionaries are widths of NumPy's pad alone.
    if isinstance(arguments["crop_width"], Mapping):
        return False
    shape = np.shape(arguments["ar"])
    try:
        pairs = np.broadcast_to(np.asarray(arguments["crop_width"]), (len(shape), 2))
    except ValueError:
        return True
    # Much more than all: whether an axis is empty for any size cannot be told from a few.
    return all(before + after < size + 3 for size, (before, after) in zip(shape, pairs, strict=True))


def _nested_lists(arguments: Mapping[str, Any]) -> bool:
    return isinstance(arguments["ar"], (list, tuple))


@replaces(
    "skimage.util.crop",
    view_of="first",
    domain={
        "ar": Array(ranks=(1, 2, 3, 4)),
        "crop_width": PadWidths(of="ar", high=4, typical=((16, 16), (16, 16), (0, 0))),
        "copy": Boolean(),
        "order": OneOf("C", "F", "A", "K"),
    },
    agreement=Exact(),
    valid=_valid,
    differences=(
        Difference(
            "Nested lists are cropped too; the reference refuses what it cannot view without a copy.",
            witness=lambda: {"ar": [[1, 2, 3], [4, 5, 6]], "crop_width": ((0, 0), (1, 1))},
            applies=_nested_lists,
            where="numpy>=2",
        ),
    ),
)
@batchable
def crop(batch_axes: int, ar: Any, crop_width: Any, copy: bool = False, order: str = "K") -> Any:
    """Take elements off both ends of every axis.

    Parameters
    ----------
    ar : array_like, any shape, bool or any number
        The array; sizes may be unknown, the rank too if `crop_width` has a pair per axis.
    crop_width : int, sequence, or integer tensors in any place
        Elements to take off: one number for all ends, (before, after) for all axes, or one such pair
        per axis. As in the reference they are the ends of a slice: negative numbers count from
        the other end, and what is left may be empty.
    copy : bool, default False
        The result is an array of its own in either case: tensors do not change.
    order : {'C', 'F', 'A', 'K'}, default 'K'
        Memory layout of a copy, which tensors do not have; checked when `copy` is true, as there.

    Returns
    -------
    tf.Tensor, dtype of `ar`
        The smaller array. Sizes are unknown while tracing where the array's or the widths are.

    Raises
    ------
    OutsideDomain
        `crop_width` has another number of entries, or `order` is not listed.
    WrongType
        Widths that are not integers.
    UnsupportedArgument
        The rank is above 8, or neither known while tracing nor told by `crop_width`.
    tf.errors.InvalidArgumentError
        A rank unknown while tracing turns out to be another.

    Notes
    -----
    The reference returns a view unless `copy` is true; this returns a new tensor.

    Agreement: bit for bit, NaN included.
    Graph: one op, no Python at run time; static sizes are kept. Widths given as tensors have no XLA
    form, because the output shape depends on them.

    Source: `skimage/util/arraycrop.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import crop
    >>> crop(tf.constant([[1, 2, 3], [4, 5, 6]]), ((0, 1), (1, 0))).numpy().tolist()
    [[2, 3]]
    """
    x = as_tensor(ar, "ar")
    if _checks.flag(copy, "copy"):
        _check_order(order)
    widths = _nested(crop_width)
    if x.shape.rank is None:
        x = _with_rank(x, widths, batch_axes)
    if x.shape.rank > _MOST:
        advice = "Reshape neighbouring axes into one first."
        raise UnsupportedArgument(explain("ar", f"rank {x.shape.rank}", f"rank {_MOST} or less", advice))
    pairs = _pairs(widths, x.shape.rank - batch_axes)
    sizes = tf.shape(x)
    slices: list[slice] = [slice(None)] * batch_axes
    shape: list[int | None] = list(x.shape[:batch_axes])
    for axis, (before, after) in enumerate(pairs, batch_axes):
        size = x.shape[axis]
        if isinstance(before, int) and isinstance(after, int) and size is not None:
            start, stop, _ = slice(before, size - after).indices(size)
            slices.append(slice(start, max(start, stop)))
            shape.append(max(0, stop - start))
            continue
        untouched = isinstance(before, int) and isinstance(after, int) and before == after == 0
        end = (sizes[axis] if size is None else size) - after
        slices.append(slice(None) if untouched else slice(before, end))
        shape.append(size if untouched else None)
    return tf.ensure_shape(x[tuple(slices)], shape)


def _check_order(order: Any) -> None:
    if not isinstance(order, str):
        raise WrongType(explain("order", repr(order), "'C', 'F', 'A', 'K'", "Name one."))
    if order.upper() not in ("C", "F", "A", "K"):
        raise OutsideDomain(explain("order", repr(order), "'C', 'F', 'A', 'K'", "Name one of these."))


def _nested(value: Any) -> Any:
    """Return integers, tensors of rank 0, and lists of lists of them."""
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        tensor = tf.convert_to_tensor(value)
        if not tensor.dtype.is_integer:
            raise WrongType(explain("crop_width", f"dtype {tensor.dtype.name}", "integers", _ADVICE))
        if not tensor.shape.is_fully_defined():
            advice = "State it with tf.ensure_shape."
            raise UnsupportedArgument(explain("crop_width", "a tensor of unknown shape", _ALLOWED, advice))
        if tensor.shape.rank == 0:
            known = tf.get_static_value(tensor)
            return tf.cast(tensor, tf.int32) if known is None else int(known)
        return [_nested(item) for item in tf.unstack(tensor)]
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes)):
        return [_nested(item) for item in value]
    try:
        return operator.index(value)
    except TypeError as error:
        raise WrongType(explain("crop_width", repr(value), _ALLOWED, _ADVICE)) from error


def _with_rank(x: Any, widths: Any, batch_axes: int) -> Any:
    if not isinstance(widths, list) or len(widths) < 2 or not all(isinstance(item, list) for item in widths):
        advice = "Use tf.ensure_shape, or give one pair per axis."
        raise UnsupportedArgument(explain("ar", "an unknown rank", "a rank known while tracing", advice))
    message = explain("ar", "another rank", f"rank {len(widths)}, as in `crop_width`", "Check both.")
    return exact_rank(x, len(widths) + batch_axes, message)


def _pairs(widths: Any, rank: int) -> list[tuple[Width, Width]]:
    if not isinstance(widths, list):
        return [(widths, widths)] * rank
    if not widths:
        raise _wrong_length(widths)
    if not isinstance(widths[0], list):
        if len(widths) > 2 or any(isinstance(item, list) for item in widths):
            raise _wrong_length(widths)
        return [(widths[0], widths[-1])] * rank
    if len(widths) not in (1, rank):
        raise _wrong_length(widths)
    pairs = widths * rank if len(widths) == 1 else widths
    if any(not isinstance(pair, list) for pair in pairs):
        raise WrongType(explain("crop_width", repr(widths), _ALLOWED, _ADVICE))
    if any(len(pair) != 2 for pair in pairs):
        raise _wrong_length(widths)
    return [(before, after) for before, after in pairs]


def _wrong_length(widths: Any) -> OutsideDomain:
    return OutsideDomain(explain("crop_width", repr(widths), _ALLOWED, _ADVICE))
