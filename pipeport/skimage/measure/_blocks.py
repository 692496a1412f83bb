"""Blocks of an array, each of which becomes one element."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import holds_tensor

# At 256x256x3 and factors (2, 2, 1), one thread: reduce_mean over reshaped axes 0.87 ms, sums of slices
# 0.62 ms, the same compiled 0.25 ms, NumPy 5.2 ms. Up to so many slices are added; beyond, a reduction.
_SLICES = 16


def sizes_of_blocks(value: Any, rank: int, name: str) -> tuple[int, ...]:
    """Return the size of a block along each axis."""
    advice = "Give one whole number, or a tuple with one per axis."
    allowed = f"a whole number, or a tuple of {rank} of them"
    if holds_tensor(value):
        raise WrongType(explain(name, "a tensor", allowed, advice))
    if np.isscalar(value):
        value = (value,) * rank
    elif len(value) != rank:
        raise OutsideDomain(explain(name, repr(value), allowed, advice))
    elif any(np.ndim(factor) == 0 and factor < 1 for factor in value):
        raise OutsideDomain(explain(name, repr(value), "1 or more", "Enlarge with resize."))
    if not isinstance(value, tuple):
        raise WrongType(explain(name, repr(value), allowed, advice))
    try:
        blocks = tuple(operator.index(factor) for factor in value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), allowed, advice)) from error
    if any(block < 1 for block in blocks):
        raise OutsideDomain(explain(name, repr(value), "1 or more", "Enlarge with resize."))
    return blocks


def fill_of(cval: Any, dtype: Any) -> Any:
    """Return the fill as NumPy assigns it to an array of that dtype."""
    if holds_tensor(cval):
        raise WrongType(explain("cval", "a tensor", "one number", "Give a Python number."))
    value = np.asarray(cval)
    if value.ndim or value.dtype.kind not in "biuf":
        raise WrongType(explain("cval", repr(cval), "one number", "Give a Python number."))
    if dtype.is_integer and (
        not np.isfinite(value) or not dtype.min <= math.trunc(value.item()) <= dtype.max
    ):
        advice = f"Choose one between {dtype.min} and {dtype.max}, or cast the image first."
        raise OutsideDomain(explain("cval", repr(cval), f"a value of {dtype.name}", advice))
    with np.errstate(over="ignore"):  # a large float becomes infinite in float16, as on assignment
        return value.astype(dtype.as_numpy_dtype)


def filled(image: Any, blocks: tuple[int, ...], fill: Any) -> Any:
    """Return the image with every axis filled up to whole blocks."""
    known = zip(image.shape, blocks, strict=True)
    if all(block == 1 or (size is not None and size % block == 0) for size, block in known):
        return image
    after = tf.math.floormod(-tf.shape(image), tf.constant(blocks, tf.int32))
    if image.shape.is_fully_defined():
        after = np.mod(-np.array(image.shape), blocks)
    value = tf.constant(fill, image.dtype)
    if image.dtype.is_bool:
        # tf.pad has no kernel for bool under XLA.
        wide = tf.pad(tf.cast(image, tf.uint8), _one_sided(after), constant_values=tf.cast(value, tf.uint8))
        return tf.cast(wide, tf.bool)
    return tf.pad(image, _one_sided(after), constant_values=value)


def _one_sided(after: Any) -> Any:
    return np.stack([np.zeros_like(after), after], 1) if isinstance(after, np.ndarray) else (
        tf.stack([tf.zeros_like(after), after], 1)
    )  # fmt: skip


def reduced(x: Any, axis: int, block: int, join: Any, reduce: Any) -> Any:
    """Return an axis of which each block became one element.

    `x`: the axis has whole blocks. `axis`, `block`: the axis, and how many elements a block has. `join`:
    takes two arrays, for short blocks. `reduce`: takes an array and an axis, for long ones.
    """
    sizes = list(x.shape) if x.shape.is_fully_defined() else tf.unstack(tf.shape(x), x.shape.rank)
    shape = [*sizes[:axis], sizes[axis] // block, *sizes[axis + 1 :]]
    outer, inner = (_product(part) for part in (sizes[:axis], sizes[axis + 1 :]))
    split = tf.reshape(x, [outer * shape[axis], block, inner])
    total = split[:, 0]
    if block <= _SLICES:
        for place in range(1, block):
            total = join(total, split[:, place])
    else:
        total = reduce(split, 1)
    return tf.reshape(total, shape)


def _product(sizes: Any) -> Any:
    product: Any = 1
    for size in sizes:
        product = product * size
    return product
