"""Between which numbers sizes lie that tracing does not know: whether a symbolic slice may be empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport.porting.optimise._ranges import Fact

_MOST = 2**31 - 1
_PASSED = frozenset({"EnsureShape", "Identity"})


def extent(tensor: Any, known: Callable[[Any], Fact | None]) -> Fact | None:
    """Return the known sizes of a shape.

    `tensor`: of any shape. `known`: gives what is known of a small tensor. Returns: one number per axis; None
    of an unknown rank.
    """
    if tensor.shape.rank is None:
        return None
    sizes = _sizes(tensor, known)
    return Fact(*(np.array(ends, object) for ends in zip(*sizes, strict=True))) if sizes else None


def _sizes(tensor: Any, known: Callable[[Any], Fact | None]) -> list[tuple[int, int]]:
    node = tensor.op
    found: list[Any] = [None] * tensor.shape.rank
    if None in tensor.shape.as_list() and node.inputs and node.inputs[0].shape.rank is not None:
        if node.type in _PASSED and node.inputs[0].shape.rank == len(found):
            found = _sizes(node.inputs[0], known)
        elif node.type == "StridedSlice" and not node.get_attr("ellipsis_mask"):
            found = _sliced(node, known)
    return [
        (size, size) if size is not None else limits or (0, _MOST)
        for size, limits in zip(tensor.shape.as_list(), found, strict=True)
    ]


def _sliced(node: Any, known: Callable[[Any], Fact | None]) -> list[Any]:
    """Return the sizes that a slice leaves; None where nothing is known."""
    before = _sizes(node.inputs[0], known)
    names = ("begin", "end", "new_axis", "shrink_axis")
    begin, end, new, shrink = (node.get_attr(f"{name}_mask") for name in names)
    found: list[Any] = []
    axis = 0
    for at in range(node.inputs[1].shape[0] or 0):
        bit = 1 << at
        if new & bit:
            found.append((1, 1))
            continue
        if not shrink & bit:
            whole = begin & end & bit and _one(node.inputs[3], at, known) == (1, 1)
            drawn = not (begin | end) & bit and before[axis][0] == before[axis][1]
            found.append(
                before[axis] if whole else _between(node, at, before[axis][0], known) if drawn else None
            )
        axis += 1
    return found + before[axis:]


def _between(node: Any, at: int, size: int, known: Callable[[Any], Fact | None]) -> tuple[int, int] | None:
    """Return the length from a begin inside an axis to the sum of begin and size."""
    first, last, step = (_one(one, at, known) for one in node.inputs[1:])
    if first is None or last is None or step != (1, 1) or first[0] < 0 or first[1] >= size or last[0] < 0:
        return None
    starts, stops = (one.op for one in node.inputs[1:3])
    least = last[0] - first[1]
    if starts.type == stops.type == "Pack" and stops.inputs[at].op.type == "AddV2":
        start, (one, other) = starts.inputs[at], stops.inputs[at].op.inputs
        width = known(other if one is start else one) if one is start or other is start else None
        least = max(least, int(width.low)) if width is not None and not width.low.ndim else least
    return min(max(least, 0), size - first[1]), size


def _one(tensor: Any, at: int, known: Callable[[Any], Fact | None]) -> tuple[int, int] | None:
    fact = known(tensor)
    return None if fact is None else (int(fact.low[at]), int(fact.high[at]))
