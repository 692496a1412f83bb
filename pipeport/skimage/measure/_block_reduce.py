"""`skimage.measure.block_reduce`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Difference,
    Integer,
    OneOf,
    PerAxis,
    batchable,
    contract_of,
    replaces,
)
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.skimage.measure._blocks import fill_of, filled, reduced, sizes_of_blocks

_DTYPES = ("bool", "uint8", "uint16", "int16", "int32", "float32", "float64")
_NAMES = ("sum", "mean", "max", "min", "median", "std", "var", "ptp", "prod", "any", "all")
_FUNCTIONS: dict[Any, str] = {getattr(np, name): name for name in _NAMES} | {np.amax: "max", np.amin: "min"}
_ALLOWED = ", ".join(f"numpy.{name}" for name in _NAMES)


def _name_of(func: Any) -> str:
    """Return the name of a function of NumPy, or of its native."""
    contract = contract_of(func)
    for function, name in _FUNCTIONS.items():
        if func is function or (contract is not None and contract.reference == f"numpy.{name}"):
            return name
    advice = "Reduce the blocks yourself: skimage.util.view_as_blocks gives them."
    raise UnsupportedArgument(explain("func", repr(func), _ALLOWED, advice))


def _reduce(name: str, blocks: tuple[int, ...], fill: Any) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        whole = filled(x, blocks, np.asarray(fill).astype(x.dtype.as_numpy_dtype))
        if name == "median":
            return _medians(whole, blocks)
        if name == "ptp":
            return _reduce("max", blocks, fill)(x) - _reduce("min", blocks, fill)(x)
        if name in ("std", "var"):
            return _spread(whole, blocks, name == "std")
        join, reduce, dtype = _ways(name, x.dtype)
        found = tf.cast(whole, _wide(name, x.dtype))
        # From the last axis, as NumPy adds: what cancels out along it does so before anything is rounded.
        for axis, block in reversed(list(enumerate(blocks))):
            if block > 1:
                found = reduced(found, axis, block, join, reduce)
        if name == "mean":
            found = tf.cast(found, tf.float64) / tf.constant(float(math.prod(blocks)), tf.float64)
        return tf.cast(found, dtype)

    return run


def _ways(name: str, dtype: Any) -> tuple[Any, Any, Any]:
    """Return how two blocks are joined, how one is reduced, and the dtype of the result."""
    if name == "max":
        return _largest, _most, dtype
    if name == "min":
        return _smallest, _least, dtype
    if name == "any":
        return operator.or_, tf.reduce_any, tf.bool
    if name == "all":
        return operator.and_, tf.reduce_all, tf.bool
    ways = (operator.mul, tf.reduce_prod) if name == "prod" else (operator.add, tf.reduce_sum)
    if dtype.is_floating:
        return *ways, dtype
    if name == "mean":
        return *ways, tf.float64
    return *ways, tf.uint64 if dtype.is_unsigned else tf.int64


def _wide(name: str, dtype: Any) -> Any:
    """Return the dtype that blocks are reduced in."""
    if name in ("any", "all"):
        return tf.bool
    if name in ("sum", "mean", "prod"):
        return tf.float64 if dtype.is_floating else tf.int64
    return tf.uint8 if dtype.is_bool else dtype


def _largest(first: Any, second: Any) -> Any:
    return _or_nan(tf.maximum(first, second), first, second)


def _smallest(first: Any, second: Any) -> Any:
    return _or_nan(tf.minimum(first, second), first, second)


def _or_nan(found: Any, first: Any, second: Any) -> Any:
    """Return an extreme of two arrays, NaN where either has one."""
    if not found.dtype.is_floating:
        return found
    return tf.where(tf.math.is_nan(first), first, tf.where(tf.math.is_nan(second), second, found))


def _most(x: Any, axis: int) -> Any:
    return _or_one(tf.reduce_max(x, axis), x, axis)


def _least(x: Any, axis: int) -> Any:
    return _or_one(tf.reduce_min(x, axis), x, axis)


def _or_one(found: Any, x: Any, axis: int) -> Any:
    """Return an extreme along an axis, NaN where there is one."""
    if not found.dtype.is_floating:
        return found
    spoilt = tf.reduce_any(tf.math.is_nan(x), axis)
    return tf.where(spoilt, tf.constant(np.nan, found.dtype), found)


def _rows_of(whole: Any, blocks: tuple[int, ...]) -> Any:
    """Return the elements of each block along a last axis, in a floating dtype."""
    rank, count = len(blocks), math.prod(blocks)
    sizes = [tf.shape(whole)[axis] // block for axis, block in enumerate(blocks)]
    parts = [part for size, block in zip(sizes, blocks, strict=True) for part in (size, block)]
    order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    wide = tf.cast(whole, whole.dtype if whole.dtype.is_floating else tf.float64)
    return tf.reshape(tf.transpose(tf.reshape(wide, parts), order), [*sizes, count])


def _spread(whole: Any, blocks: tuple[int, ...], root: bool) -> Any:
    """Return the variances of blocks, or their roots."""
    rows = _rows_of(whole, blocks)
    wide, count = tf.cast(rows, tf.float64), tf.constant(float(math.prod(blocks)), tf.float64)
    away = wide - tf.reduce_sum(wide, -1, keepdims=True) / count
    found = tf.reduce_sum(away * away, -1) / count
    return tf.cast(tf.sqrt(found) if root else found, rows.dtype)


def _medians(whole: Any, blocks: tuple[int, ...]) -> Any:
    rows, count = _rows_of(whole, blocks), math.prod(blocks)
    ordered = tf.sort(rows, -1)
    low, high = ordered[..., (count - 1) // 2], ordered[..., count // 2]
    middle = tf.where(tf.equal(low, high), low, (low + high) / 2)
    spoilt = tf.reduce_any(tf.math.is_nan(rows), -1)
    return tf.where(spoilt, tf.constant(np.nan, rows.dtype), middle)


def _cannot_hold(call: Mapping[str, Any]) -> bool:
    dtype, cval = np.asarray(call["image"]).dtype, call.get("cval", 0)
    if dtype.kind not in "iu":
        return False
    limits = np.iinfo(dtype)
    return not (math.isfinite(cval) and limits.min <= math.trunc(cval) <= limits.max)


def _fits(call: Mapping[str, Any]) -> bool:
    return np.asarray(call["image"]).dtype != bool or call.get("func") is not np.ptp


@replaces(
    "skimage.measure.block_reduce",
    domain={
        "image": Array(dtypes=_DTYPES, ranks=(1, 2, 3), sides=(1, 7), values=(-1.0, 1.0)),
        "block_size": PerAxis(spec=Integer(0, 4), of="image", typical=(2, 2, 1)),
        "func": OneOf(*(getattr(np, name) for name in _NAMES), typical=np.max),
        "cval": OneOf(0, 1, 0.75, -3.5, 7, typical=0),
    },
    agreement=AsReference(),
    refused={"func_kwargs": "cast the result instead"},
    valid=_fits,
    differences=(
        Difference(
            "A `cval` that an integer image cannot hold is refused; the reference wraps it around.",
            witness=lambda: {"image": np.ones((3, 3), np.uint8), "block_size": 2, "cval": 300},
            applies=_cannot_hold,
        ),
    ),
)
@batchable
def block_reduce(
    batch_axes: int,
    image: Any,
    block_size: Any = 2,
    func: Any = np.sum,
    cval: float = 0,
    func_kwargs: None = None,
) -> Any:
    """Replace each block of an image by what a function makes of it.

    Parameters
    ----------
    image : array_like, any shape, bool, uint8, uint16, int16, int32, float32 or float64
        The image; sizes may be unknown while tracing, the rank must be known.
    block_size : int or tuple of int, default 2
        Size of a block along every axis, or along each; 1 or more.
    func : callable, default numpy.sum
        `numpy.sum`, `mean`, `max`, `min`, `median`, `std`, `var`, `ptp` (not of bool), `prod`, `any` or
        `all`, or its native.
    cval : float, default 0
        Value of the elements that fill up incomplete blocks at the far end of an axis, cast to the dtype of
        the image (fractions of integer images are cut off).

    Returns
    -------
    tf.Tensor
        Each size divided by that of a block, rounded up, in the dtype that `func` gives.

    Raises
    ------
    OutsideDomain
        A block size below 1, not one per axis, a `cval` the integer image cannot hold, or another dtype.
    UnsupportedArgument
        `func` is another function, `func_kwargs` is given, or the rank is not known while tracing.
    WrongType
        `block_size` is neither a whole number nor a tuple of them.

    Notes
    -----
    Agreement: integers bit for bit, floats as accurate as the reference, judged against it in float64.
    Graph: one program where sizes are known, of medians a sort; static shape is kept.

    Source: `skimage/measure/block.py` of scikit-image 0.26.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport.skimage.measure import block_reduce
    >>> block_reduce(tf.constant([[1, 5, 2], [4, 0, 3]]), (2, 2), np.max).numpy().tolist()
    [[5, 3]]
    """
    x = as_tensor(image, "image")
    known_rank(x, "image")
    name = _name_of(func)
    _checks.dtype_among(x, _DTYPES[name == "ptp" :], "image")
    _checks.one_of(func_kwargs, (None, {}), "func_kwargs", "Cast the result instead.")
    blocks = (1,) * batch_axes + sizes_of_blocks(block_size, x.shape.rank - batch_axes, "block_size")
    found = xla.run(_reduce, name, blocks, fill_of(cval, x.dtype).item(), gains=name != "median")(x)
    return tf.ensure_shape(
        found,
        [None if side is None else -(-side // block) for side, block in zip(x.shape, blocks, strict=True)],
    )
