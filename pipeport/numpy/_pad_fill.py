"""How each padding mode fills one axis; sizes and widths are integers or scalar tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.layout._padded import padded


def _static(*numbers: Any) -> bool:
    return all(isinstance(one, int) for one in numbers)


def _size(x: Any, axis: int) -> Any:
    """Return the size of an axis as an int where tracing knows it."""
    known = x.shape[axis]
    return tf.shape(x)[axis] if known is None else known


def _source(mode: str, i: Any, size: Any, lib: Any) -> Any:
    """Return where position i is read from; `lib` is NumPy for static sizes, else tf."""
    if mode == "edge":
        return lib.minimum(lib.maximum(i, 0), size - 1)
    if mode == "wrap":
        return lib.mod(i, size) if lib is np else tf.math.floormod(i, size)
    turn = size if mode == "symmetric" else size - 1
    period = lib.maximum(2 * turn, 1)
    i = lib.mod(i, period) if lib is np else tf.math.floormod(i, period)
    return lib.minimum(i, period - i - (1 if mode == "symmetric" else 0))


def _border(x: Any, axis: int, mode: str, start: Any, stop: Any, size: Any) -> Any:
    if _static(start, stop, size):
        return tf.gather(x, _source(mode, np.arange(start, stop), size, np), axis=axis)
    return tf.gather(x, _source(mode, tf.range(start, stop), size, tf), axis=axis)


def _nothing(width: Any) -> bool:
    return isinstance(width, int) and width == 0


def _not_empty(x: Any, axis: int, element_axis: int, mode: str) -> Any:
    size = x.shape[axis]
    allowed = "at least one element to repeat"
    advice = f"Mode {mode!r} cannot extend an empty axis; use 'constant'."
    if size is not None:
        if size == 0:
            raise OutsideDomain(explain("array", f"an empty axis {element_axis}", allowed, advice))
        return x
    message = explain("array", f"an empty axis {element_axis} at run time", allowed, advice)
    with tf.control_dependencies([tf.debugging.assert_positive(tf.shape(x)[axis], message)]):
        return tf.identity(x)


def repeated(x: Any, axis: int, before: Any, after: Any, mode: str) -> Any:
    """Pad one axis by copies of its own elements.

    Only the borders are gathered; the middle is copied whole by the concatenation.

    `before`, `after`: int or scalar int32 tensor. `mode`: {'edge', 'reflect', 'symmetric', 'wrap'}; as in
    `numpy.pad`, reflections even.
    """
    size = _size(x, axis)
    parts = [x]
    if not _nothing(before):
        parts.insert(0, _border(x, axis, mode, -before, 0, size))
    if not _nothing(after):
        parts.append(_border(x, axis, mode, size, size + after, size))
    return tf.concat(parts, axis)


def _slice(x: Any, axis: int, start: Any, stop: Any) -> Any:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _odd_chunk(edge: Any, chunk: Any) -> Any:
    if edge.dtype.is_bool:
        # NumPy computes 2 * edge - chunk in int64 and stores whether it is not zero.
        return tf.logical_or(edge, chunk)
    return edge + edge - chunk


def _minimum(a: Any, b: Any) -> Any:
    return min(a, b) if _static(a, b) else tf.minimum(a, b)


def _odd(x: Any, axis: int, before: int, after: int, include_edge: bool, size: Any, rounds: int) -> Any:
    """Reflect point-wise around the edges, in the chunks of numpy.pad: rounding depends on them."""
    left: Any = before
    right: Any = after
    for _ in range(rounds):
        if _nothing(left) and _nothing(right):
            break
        length = _size(x, axis)
        period = size if include_edge else size - 1
        whole = (length if include_edge else length - 1) // period * period
        skip = 0 if include_edge else 1
        parts = [x]
        if not _nothing(left):
            chunk = _minimum(whole, left)
            mirrored = tf.reverse(_slice(x, axis, skip, skip + chunk), [axis])
            parts.insert(0, _odd_chunk(_slice(x, axis, 0, 1), mirrored))
            left = left - chunk
        if not _nothing(right):
            chunk = _minimum(whole, right)
            stop = length - skip
            mirrored = tf.reverse(_slice(x, axis, stop - chunk, stop), [axis])
            parts.append(_odd_chunk(_slice(x, axis, length - 1, length), mirrored))
            right = right - chunk
        x = tf.concat(parts, axis)
    return x


def reflected_odd(x: Any, axis: int, before: int, after: int, mode: str) -> Any:
    """Pad one axis by twice the edge minus the reflection.

    `mode`: {'reflect', 'symmetric'}; without or with the edge in the reflection.
    """
    size = _size(x, axis)
    include_edge = mode == "symmetric"
    if isinstance(size, int):
        if size == 1:
            return repeated(x, axis, before, after, "edge")
        return _odd(x, axis, before, after, include_edge, size, before + after)
    # Each round at least doubles the reflected length, which starts at 1: a bound without the size.
    rounds = max(before, after).bit_length()
    shape = [None if a == axis else n for a, n in enumerate(x.shape)]

    def longer() -> Any:
        return tf.ensure_shape(_odd(x, axis, before, after, include_edge, size, rounds), shape)

    def single() -> Any:
        return tf.ensure_shape(repeated(x, axis, before, after, "edge"), shape)

    return tf.cond(size > 1, longer, single)


def checked(x: Any, pairs: list[tuple[Any, Any]], batch_axes: int, mode: str) -> Any:
    """Refuse to extend empty axes, which only mode 'constant' can.

    `pairs`: widths per axis of the element. `batch_axes`: axes in front of the element's. Returns: the same
    array, ordered after the run-time checks.
    """
    for axis, (before, after) in enumerate(pairs):
        if not (_nothing(before) and _nothing(after)):
            x = _not_empty(x, axis + batch_axes, axis, mode)
    return x


def constant(x: Any, pairs: list[tuple[Any, Any]], fills: list[tuple[Any, Any]], batch_axes: int) -> Any:
    """Pad with constants, axis by axis where they differ.

    `pairs`: widths per axis of the element. `fills`: values per axis, of the array's dtype. `batch_axes`:
    axes in front of the element's.
    """
    every = [fill for pair in fills for fill in pair]
    if any(map(tf.is_tensor, every)):  # one number for all
        return padded(x, _table(pairs, batch_axes), every[0])
    if all(fill.tobytes() == every[0].tobytes() for fill in every):
        return padded(x, _table(pairs, batch_axes), _fill(every[0])) if every else tf.identity(x)
    for axis, ((before, after), (first, last)) in enumerate(zip(pairs, fills, strict=True)):
        for width, fill in (((before, 0), first), ((0, after), last)):
            if not all(_nothing(one) for one in width):
                table: list[tuple[Any, Any]] = [(0, 0)] * len(pairs)
                table[axis] = width
                x = padded(x, _table(table, batch_axes), _fill(fill))
    return x


def _fill(value: Any) -> Any:
    # tf.pad takes -0.0 for 0, unless it is a tensor.
    return tf.constant(value) if any(value.tobytes()) else value


def _table(pairs: list[tuple[Any, Any]], batch_axes: int) -> list[tuple[Any, Any]]:
    return [(0, 0)] * batch_axes + pairs
