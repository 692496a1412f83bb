"""Between which numbers the values of a traced body lie, and the casts that need not pass through int64."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.porting.optimise._traced import Traced, names

# Bounds are kept well inside of int32, so that no rounding of floats leads out of it.
_MOST = 2.0**30
_ALL = (-math.inf, math.inf)
_NONE = (math.inf, -math.inf)
# Beyond, float32 may be infinite.
_HUGE = 1e30
_FLOATS = frozenset({"float32", "float64"})
_NARROW = frozenset({"uint8", "int8", "uint16", "int16"})
_SAME_VALUES = names(
    """
    BroadcastTo EnsureShape ExpandDims GatherV2 Identity Reshape ReverseV2 Slice Squeeze StridedSlice Tile
    Transpose XlaOptimizationBarrier
    """
)
Bounds = tuple[float, float]


def narrowed(body: Traced) -> set[Any]:
    """Return the casts to int64 that may go to int32: what follows is narrow, and int32 holds all.

    `body`: the body, with all its choices. Returns: each gives floats to casts to 8 or 16 bits only.

    A value that is not a number gives the least integer, whose last bits are zeros, or zero.
    """
    wanted = {node for node in body.nodes if _is_wide(body, node)}
    found = set()
    for node in body.nodes if wanted else ():
        for tensor in node.outputs:
            bounds(body, tensor)  # in order, so that none asks for long chains of others
        if node in wanted:
            low, high = bounds(body, node.inputs[0])
            if max(-low, high) < _MOST:
                found.add(node)
    return found


def _is_wide(body: Traced, node: Any) -> bool:
    """Say whether an operation gives floats as int64 to casts to 8 or 16 bits only."""
    if node.type != "Cast" or node.outputs[0].dtype != tf.int64 or node.inputs[0].dtype.name not in _FLOATS:
        return False
    users = body.users_of(node)
    return not body.is_needed_beyond(node.outputs[0], set(users)) and all(
        user.type == "Cast" and user.outputs[0].dtype.name in _NARROW for user in users
    )


def bounds(body: Traced, tensor: Any) -> Bounds:
    """Return two numbers between which all values lie that are numbers at all.

    `body`: the body, which keeps what is found. `tensor`: one of it, of real numbers. Returns: the lower
    first. Infinite where nothing is known.
    """
    seen = body.bounds
    if tensor.ref() not in seen:
        low, high = _found(body, tensor)
        seen[tensor.ref()] = (low if low > -_HUGE else -math.inf, high if high < _HUGE else math.inf)
    return seen[tensor.ref()]


def _found(body: Traced, tensor: Any) -> Bounds:
    node, dtype = tensor.op, tensor.dtype
    if dtype.is_integer and dtype.size < 4:
        return float(dtype.min), float(dtype.max)
    if dtype.is_bool:
        return 0.0, 1.0
    if dtype.name not in _FLOATS and not dtype.is_integer:
        return _ALL
    if node.type == "Const":
        return _of_constant(tf.get_static_value(tensor))
    choice = body.choices.get(node)
    if choice is not None:
        value = bounds(body, choice.value) if tf.is_tensor(choice.value) else _of_constant(choice.value)
        return _either(value, bounds(body, choice.other))
    if node.type == "Cast" and dtype.is_integer and not node.inputs[0].dtype.is_floating:
        low, high = bounds(body, node.inputs[0])
        return (low, high) if dtype.min <= low and high <= dtype.max else _ALL
    if node.type in _SAME_VALUES or (node.type == "Cast" and dtype.is_floating):
        return bounds(body, node.inputs[0])
    if node.type in ("Select", "SelectV2", "Pack"):
        return _of_parts(body, node)
    if node.type == "TopKV2" and dtype.is_integer:
        most = node.inputs[0].shape[-1]
        return (0.0, most - 1.0) if most and tensor is node.outputs[1] else _ALL
    if dtype.is_floating:
        return _computed(node.type, [bounds(body, one) for one in node.inputs], node)
    return _ALL


def _of_parts(body: Traced, node: Any) -> Bounds:
    """Return the bounds of what is taken from several; of `where(x < 0, y, x)`, if x is never negative, x."""
    parts = list(node.inputs) if node.type == "Pack" else list(node.inputs[1:])
    test = node.inputs[0].op
    if node.type == "SelectV2" and test.type == "Less" and test.inputs[0] is parts[1]:
        limit = tf.get_static_value(test.inputs[1])
        if limit is not None and np.all(bounds(body, parts[1])[0] >= limit):
            parts = parts[1:]
    return functools.reduce(_either, (bounds(body, one) for one in parts))


def _of_constant(values: Any) -> Bounds:
    """Return the bounds of an array's numbers; without any, bounds that add nothing to others."""
    values = np.asarray(values, np.float64)
    numbers = values[~np.isnan(values)]
    return (float(numbers.min()), float(numbers.max())) if numbers.size else _NONE


def _either(one: Bounds, other: Bounds) -> Bounds:
    return min(one[0], other[0]), max(one[1], other[1])


def _computed(kind: str, of: list[Bounds], node: Any) -> Bounds:
    """Return the bounds of a result of arithmetic; each is widened by what rounding may add."""
    if kind in ("Minimum", "Maximum", "ClipByValue"):
        return _limited(kind, of, node)
    if kind in ("Rint", "Round", "Floor", "Ceil"):
        return of[0][0] - 1, of[0][1] + 1
    if kind == "Neg":
        return -of[0][1], -of[0][0]
    if not all(map(math.isfinite, (end for pair in of for end in pair))):
        return _ALL
    if kind in ("Add", "AddV2"):
        return _wider(of[0][0] + of[1][0], of[0][1] + of[1][1])
    if kind == "Sub":
        return _wider(of[0][0] - of[1][1], of[0][1] - of[1][0])
    if kind == "RealDiv" and of[1][0] <= 0 <= of[1][1]:
        return _ALL
    if kind in ("Mul", "RealDiv"):
        ends = [one * other if kind == "Mul" else one / other for one in of[0] for other in of[1]]
        return _wider(min(ends), max(ends))
    return _ALL


def _wider(low: float, high: float) -> Bounds:
    more = 1e-6 * max(abs(low), abs(high))
    return low - more, high + more


def _limited(kind: str, of: list[Bounds], node: Any) -> Bounds:
    """Return the bounds after a limit, which counts where it is constant: of two, the number may be taken."""
    fixed = [one.op.type == "Const" and not np.isnan(tf.get_static_value(one)).any() for one in node.inputs]
    if kind == "ClipByValue":
        return _either(of[1], of[2]) if fixed[1] and fixed[2] else _ALL
    low, high = _either(*of)
    for limit, is_fixed in zip(of, fixed, strict=True):
        if is_fixed:
            low, high = (low, min(high, limit[1])) if kind == "Minimum" else (max(low, limit[0]), high)
    return low, high
