"""Convolution of signals with kernels, as the product of overlapping frames with a matrix.

A second of audio in frames of 64 elements: a multiplication of matrices does twice to three times the
products that are needed, and is still faster than one dot product for each element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._margins import cut
from pipeport.kernels.xla._one_call import cold_branch

# Elements that a row of frames gives, for kernels below a size and for others. 16,000 float32 samples:
# 3 taps 0.27 ms with 32, 0.28 with 64, 0.30 with 128; 512 taps 0.50, 0.48, 0.54 (NumPy 0.31 and 0.78).
_SHORT, _LONG, _MANY = 32, 64, 128

# Up to so many taps a compiled sum of moved lines is faster, of known sizes.
_FEW = 64

# Whole numbers up to here float32 holds exactly.
_NARROW = 2**24


def convolved(x: Any, kernel: Any, first: Any, count: Any) -> Any:
    """Return some elements of the full convolutions of lines with a kernel.

    `x`: shape (..., N); the lines, one element long at least. `kernel`: shape (K,), dtype of `x`. `first`:
    the number of the first element that is wanted, below K. Returns: shape (..., count), dtype of `x`; sums
    of products: of integers modulo their range, of bool whether one product is true. What is not finite
    reaches the sums it belongs to alone.
    """
    before = sizes_of(kernel)[0] - 1 - first
    known = x.shape.is_fully_defined() and kernel.shape.is_fully_defined()
    if not (known and kernel.shape[0] <= _FEW):
        return _by_products(before, count)(x, kernel)
    taps = tf.get_static_value(kernel)
    finite = taps is not None and bool(np.isfinite(taps).all())
    by_products = _by_products(before, count)
    found = xla.run(_by_shifts, before, count, finite, otherwise=by_products)(x, kernel)
    return tf.ensure_shape(found, [*x.shape[:-1], count])


def _by_shifts(before: int, count: int, finite: bool) -> Callable[[Any, Any], Any]:
    """Return the sums of a few moved copies of the lines, which XLA adds up at once."""

    def run(x: Any, kernel: Any) -> Any:
        narrow = x.dtype == tf.float16
        signal, taps = (tf.cast(one, tf.float32) if narrow else one for one in (x, kernel))
        last, size = x.shape.rank - 1, x.shape[-1]
        padded = tf.pad(signal, [*[[0, 0]] * last, [before, max(count + kernel.shape[0] - before - size, 0)]])
        total = None
        for number, tap in enumerate(tf.unstack(tf.reverse(taps, [0]))):
            part = cut(padded, last, number, count)
            part = part & tap if x.dtype.is_bool else part * tap
            if not finite and not 0 <= number - before <= size - count:
                places = tf.range(count) + (number - before)
                part = tf.where((places >= 0) & (places < size), part, tf.zeros([], part.dtype))
            total = part if total is None else total | part if x.dtype.is_bool else total + part
        return tf.cast(total, x.dtype)

    return run


def _by_products(before: Any, count: Any) -> Callable[[Any, Any], Any]:
    return lambda x, kernel: _as_product(x, kernel, before, count)


def _as_product(x: Any, kernel: Any, before: Any, count: Any) -> Any:
    """Return the sums as products of frames with a matrix, and tap by tap where one is not finite."""
    computed = _computed(x.dtype, kernel.shape[0])
    signal, taps = (one if one.dtype == computed else tf.cast(one, computed) for one in (x, kernel))
    sums = _by_matrix(signal, taps, before, count)
    if x.dtype.is_floating or x.dtype.is_complex:
        by_taps = cold_branch(lambda: _by_taps(signal, taps, before, count))
        found = tf.cast(tf.cond(is_finite(sums), lambda: sums, by_taps), x.dtype)
    else:
        found = _back(sums, x.dtype)
    return tf.ensure_shape(found, [*x.shape[:-1], count if isinstance(count, int) else None])


def _computed(dtype: Any, taps: int | None) -> Any:
    """Return the dtype of the products: that of the lines where a matrix product serves it."""
    if dtype == tf.float16 or dtype.is_bool:
        return tf.float32
    if dtype.is_integer and dtype.size < 4:
        most = None if taps is None else taps * max(abs(dtype.min), dtype.max) ** 2
        return tf.float32 if most is not None and most < _NARROW else tf.float64
    return {tf.uint32: tf.int32, tf.uint64: tf.int64}.get(dtype, dtype)


def _back(sums: Any, dtype: Any) -> Any:
    if dtype.is_bool:
        return sums > 0
    if sums.dtype.is_floating:
        sums = tf.cast(sums, tf.int64)  # which the cast to fewer bits takes modulo
    return tf.cast(sums, dtype)


def is_finite(x: Any) -> Any:
    """Say whether all elements are finite, and their sum: one addition each, and no bool array."""
    total = tf.reduce_sum(x)
    if x.dtype.is_complex:
        return tf.math.is_finite(tf.math.real(total)) & tf.math.is_finite(tf.math.imag(total))
    return tf.math.is_finite(total)


def framed(x: Any, before: Any, count: Any, step: int, blocks: Any) -> Any:
    """Return frames of lines, each of several blocks, and each beginning a block after the one before.

    `x`: shape (..., N). `before`: how many zeros come before their first element. `count`: how many frames
    there are; beyond the lines' ends there are zeros. Returns: shape (..., count, blocks * step).
    """
    *lines, size = sizes_of(x)
    rows = count + blocks - 1
    after = rows * step - before - size
    known = isinstance(after, int)
    if not known or after < 0:
        x = x[..., : rows * step - before]
        after = max(after, 0) if known else tf.maximum(after, 0)
    padded = tf.pad(x, [*[[0, 0]] * len(lines), [before, after]])
    table = tf.reshape(padded, [*lines, rows, step])
    if isinstance(blocks, int) and blocks == 1:
        return table
    places = tf.range(count)[:, tf.newaxis] + tf.range(blocks)
    return tf.reshape(tf.gather(table, places, axis=-2), [*lines, count, blocks * step])


def _by_matrix(x: Any, kernel: Any, before: Any, count: Any) -> Any:
    taps = kernel.shape[0]
    step = _SHORT if taps is not None and taps < _MANY else _LONG
    blocks = (sizes_of(kernel)[0] + step - 2) // step + 1
    frames = framed(x, before, (count + step - 1) // step, step, blocks)
    sums = tf.matmul(frames, _shifted(tf.reverse(kernel, [0]), step, blocks * step), transpose_b=True)
    lines = sizes_of(x)[:-1]
    size = sizes_of(frames)[-2] * step
    return tf.reshape(sums, [*lines, size])[..., :count]


def _shifted(row: Any, count: int, width: Any) -> Any:
    """Return a matrix of rows, each moved by one place against the one before: (count, width)."""
    # In rows of one place more, each begins one place later by itself.
    once = tf.pad(row, [[0, width + 1 - sizes_of(row)[0]]])
    return tf.reshape(tf.tile(once, [count])[: count * width], [count, width])


def _by_taps(x: Any, kernel: Any, before: Any, count: Any) -> Any:
    """Return the sums tap by tap: slower, but without products that are none of theirs."""
    *lines, size = sizes_of(x)
    taps = sizes_of(kernel)[0]
    padded = tf.pad(x, [*[[0, 0]] * len(lines), [before, count + taps]])
    turned = tf.reverse(kernel, [0])
    static = [*x.shape[:-1], count if isinstance(count, int) else None]

    def step(tap: Any, total: Any) -> tuple[Any, Any]:
        part = cut(padded, padded.shape.rank - 1, tap, count) * turned[tap]
        places = tf.range(count) + (tap - before)
        inside = (places >= 0) & (places < size)
        return tap + 1, tf.ensure_shape(tf.where(inside, total + part, total), static)

    start = tf.ensure_shape(tf.zeros([*lines, count], x.dtype), static)
    _, total = tf.while_loop(lambda tap, _: tap < taps, step, (tf.constant(0), start))
    return total
