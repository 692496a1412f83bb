"""Choices and orders of the elements of arrays, by seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays._elements import shuffled
from pipeport.arrays._promotion import constant
from pipeport.arrays._random import python_number, random_by, read, real
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy.random._arguments import Sizes
from pipeport.seeds._chosen import places


def _flag(value: Any, parameter: str) -> bool:
    known = tf.get_static_value(value) if tf.is_tensor(value) else value
    if not isinstance(known, (bool, int, np.bool_, np.integer)):
        raise WrongType(explain(parameter, repr(value), "True or False", "It decides the graph."))
    return bool(known)


def _axis_size(x: Any, axis: int) -> Any:
    known = x.shape[axis]
    return tf.shape(x, out_type=tf.int64)[axis] if known is None else tf.constant(known, tf.int64)


def _ranked(x: Any, parameter: str) -> int:
    if x.shape.rank is None:
        advice = "State its rank with tf.ensure_shape."
        raise UnsupportedArgument(explain(parameter, "an unknown rank", "known ranks", advice))
    return int(x.shape.rank)


def choice(seed: Any, a: Any, size: Any, replace: Any, p: Any, axis: Any = None, number: bool = True) -> Any:
    """Draw from the numbers below `a`, or from the elements of `a`; along `axis`, if that is given."""
    found = read(a, "a")
    values = constant(found.value, found.dtype) if found.plain else tf.convert_to_tensor(found.value)
    rank, sizes = _ranked(values, "a"), Sizes(() if size is None else size)
    if (rank == 0 and found.dtype.kind not in "biu") or (axis is None and rank > 1):
        allowed = "a whole number, or an array" + (" of one axis" if axis is None else "")
        given = f"rank {rank} of {found.dtype}"
        raise OutsideDomain(explain("a", given, allowed, "Draw indices, and take elements with them."))
    at = 0 if rank == 0 or axis is None else canonical(whole_number(axis, "axis"), rank, "axis")
    n = tf.cast(values, tf.int64) if rank == 0 else _axis_size(values, at)
    weights = None if p is None else real(p, "p")
    index = places(seed, n, sizes.asked, _flag(replace, "replace"), weights)
    index = tf.ensure_shape(index, sizes.static)
    if rank == 0:
        return python_number(index) if size is None and number else index
    return tf.gather(values, index, axis=at)


def _order(seed: Any, n: Any) -> Any:
    return seeds.permutation(seed, n)


def permutation(seed: Any, x: Any, axis: Any = 0) -> Any:
    """Return the numbers below `x`, or what `x` holds along an axis, in another order."""
    found = read(x, "x")
    if found.plain or found.value.shape.rank == 0:
        if found.dtype.kind not in "biu":
            given, advice = f"a scalar of {found.dtype}", "Give a whole number, or an array."
            raise BadIndex(explain("x", given, "a whole number, or an array", advice))
        if found.plain:
            return _order(seed, max(int(found.value), 0))
        return _order(seed, tf.maximum(tf.cast(found.value, tf.int64), 0))
    values = tf.convert_to_tensor(found.value)
    at = canonical(whole_number(axis, "axis"), _ranked(values, "x"), "axis")
    moved = tf.gather(values, _order(seed, _axis_size(values, at)), axis=at)
    return tf.ensure_shape(moved, values.shape)


def permuted(seed: Any, x: Any, axis: Any) -> Any:
    """Return an array whose lines along an axis are each in an order of their own; None for all elements."""
    found = read(x, "x")
    values = constant(found.value, found.dtype) if found.plain else tf.convert_to_tensor(found.value)
    rank = _ranked(values, "x")
    if axis is None:
        flat = tf.reshape(values, [-1])
        return tf.reshape(tf.gather(flat, _order(seed, _axis_size(flat, 0))), tf.shape(values))
    at = canonical(whole_number(axis, "axis"), rank, "axis")
    keys = seeds.uniform(seed, tf.shape(values), "float64")
    order = tf.argsort(keys, axis=at, stable=True)
    last = [one for one in range(rank) if one != at] + [at]
    lines = tf.gather(tf.transpose(values, last), tf.transpose(order, last), batch_dims=rank - 1)
    back = [last.index(one) for one in range(rank)]
    return tf.ensure_shape(tf.transpose(lines, back), values.shape)


def shuffle(seed: Any, x: Any, axis: Any = 0) -> None:
    """Shuffle an array or a list in place."""
    advice = "Write `x = numpy.random.permutation(x)`."
    if isinstance(x, list):
        if whole_number(axis, "axis") != 0:
            raise OutsideDomain(explain("axis", axis, "0 for a list", advice))
        x[:] = random_by("numpy.random.shuffle", shuffled, seed, x)
        return
    if not hasattr(type(x), "__pipeport_operand__"):
        given = f"a value of type {type(x).__name__}, which cannot be written to"
        raise WrongType(explain("x", given, "arrays of pipeport, and lists", advice))
    if not x.ndim:
        raise WrongType(explain("x", "a scalar", "arrays with an axis, and lists", advice))
    x[...] = permutation(seed, x, axis)
