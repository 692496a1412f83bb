"""Sizes of crops at symbolic places: known where the symbolic number is known to lie inside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport.porting._values import is_array, tensor_of
from pipeport.porting.optimise._facts import facts_of

_INTERVAL = "interval"
# Draws of whole numbers: the names of their bounds, and how many the last adds: `random.randint` may give it.
_DRAWS = {
    "numpy.random.randint": (("low", "high"), 0),
    "numpy.random.Generator.integers": (("low", "high"), 0),
    "random.randrange": (("start", "stop"), 0),
    "random.randint": (("a", "b"), 1),
    "numpy.random.choice": (("a",), 0),
    "numpy.random.Generator.choice": (("a",), 0),
}
# Draws of numbers from 0 to 1.
_SHARES = ("numpy.random.rand", "numpy.random.random", "numpy.random.Generator.random", "random.random")
_BETWEEN = {"numpy.random.uniform": ("low", "high"), "numpy.random.Generator.uniform": ("low", "high"),
            "random.uniform": ("a", "b")}  # fmt: skip
_SAME = ("Identity", "Cast", "EnsureShape")
_ELEMENTWISE = ("AddV2", "Add", "Sub", "Mul", "RealDiv", "Neg", "Abs")


@dataclass(frozen=True)
class _Interval:
    """Between which numbers one lies, both included.

    `low`: the least. `high`: the most; beyond the size of an axis, where there is one. `size`: that size.
    """

    low: float
    high: float
    size: Any = None


def note(name: str, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note between which numbers a draw lies, where its bounds are known.

    `name`: of the draw. `result`: what it gave. `args`, `kwargs`: what it was given.
    """
    if not is_array(result) or tf.executing_eagerly():
        return
    found = None
    if name in _DRAWS:
        found = _of_integers(*_DRAWS[name], args, kwargs)
    elif name in _SHARES and not args and not kwargs:
        found = _Interval(0, 1)
    elif name in _BETWEEN:
        bounds = dict(zip(_BETWEEN[name], args, strict=False)) | kwargs
        low, high = (bounds.get(one) for one in _BETWEEN[name])
        if len(bounds) == 2 and isinstance(low, (int, float)) and isinstance(high, (int, float)):
            found = _Interval(min(low, high), max(low, high))
    if found is not None:
        notes_on(tensor_of(result))[_INTERVAL] = found


def _of_integers(names: Any, more: int, args: Any, kwargs: Any) -> _Interval | None:
    bounds = dict(zip(names, args, strict=False)) | kwargs
    if len(args) > len(names) or not set(bounds) <= {*names, "dtype", "endpoint"}:
        return None
    first, last = bounds.get(names[0]), bounds.get(names[-1]) if len(names) > 1 else None
    low, high = (0, first) if last is None else (first, last)
    endpoint = bounds.get("endpoint", False)
    if type(low) is not int or type(endpoint) is not bool:
        return None
    more += endpoint
    if type(high) is int:
        return _Interval(low, high - 1 + more)
    if not is_array(high) or tensor_of(high).shape.rank != 0 or not tensor_of(high).dtype.is_integer:
        return None
    size, times, beyond = _linear(tensor_of(high))
    return None if times != 1 or _axis_of(size) is None else _Interval(low, beyond - 1 + more, size)


def _kind(tensor: Any) -> str:
    """Return the type of the operation that gives a tensor; empty of a constant, which has none."""
    return str(tensor.op.type) if hasattr(tensor, "op") else ""


def _outer(tensor: Any) -> Any:
    """Return the tensor for which one stands inside a branch."""
    while _kind(tensor) == "Placeholder":
        found = [one for one, inner in getattr(tensor.graph, "captures", ()) if inner is tensor]
        if not found:
            break
        tensor = found[0]
    return tensor


def _linear(tensor: Any) -> tuple[Any, int, int]:
    """Return a whole number as another one, times a constant and a constant more."""
    times, more = 1, 0
    while True:
        tensor = _outer(tensor)
        kind = _kind(tensor)
        if _INTERVAL in notes_on(tensor) or tensor.dtype not in (tf.int32, tf.int64):
            return tensor, times, more
        if kind in _SAME and tensor.op.inputs[0].dtype in (tf.int32, tf.int64):
            tensor = tensor.op.inputs[0]
            continue
        if kind not in ("AddV2", "Add", "Sub", "Mul"):
            return tensor, times, more
        left, right = tensor.op.inputs
        first, last = tf.get_static_value(left), tf.get_static_value(right)
        if last is not None and not last.shape:
            number, other = int(last), left
        elif first is not None and not first.shape and kind != "Sub":
            number, other = int(first), right
        else:
            return tensor, times, more
        if kind == "Mul":
            times *= number
        else:
            more += times * (-number if kind == "Sub" else number)
        tensor = other


def _axis_of(size: Any) -> tuple[Any, int] | None:
    """Return the tensor and the axis of which a number is the size."""
    if _kind(size) != "StridedSlice" or size.shape.rank != 0 or _kind(size.op.inputs[0]) != "Shape":
        return None
    axis = tf.get_static_value(size.op.inputs[1])
    return None if axis is None else (_outer(size.op.inputs[0].op.inputs[0]), int(axis[0]))


def _as_large(tensor: Any) -> Any:
    """Return the first tensor of those from which one was cast or computed with numbers, all of one shape."""
    while True:
        tensor = _outer(tensor)
        kind = _kind(tensor)
        if kind in _SAME:
            tensor = tensor.op.inputs[0]
            continue
        larger = [one for one in tensor.op.inputs if one.shape.rank != 0] if kind in _ELEMENTWISE else []
        if len(larger) != 1:
            return tensor
        tensor = larger[0]


def _interval(tensor: Any) -> _Interval | None:
    """Return between which numbers a whole number lies."""
    known: _Interval | None = notes_on(tensor).get(_INTERVAL)
    if known is None and (fact := _fact(tensor)) is not None:
        return _Interval(int(fact.low), int(fact.high))
    if known is not None or _kind(tensor) != "Cast" or not tensor.op.inputs[0].dtype.is_floating:
        return known
    number = _outer(tensor.op.inputs[0])
    scale = 1.0
    if _kind(number) == "Mul":
        left, right = number.op.inputs
        known_left, known_right = tf.get_static_value(left), tf.get_static_value(right)
        factor, number = (known_right, left) if known_left is None else (known_left, right)
        if factor is None or factor.shape:
            return None
        scale, number = float(factor), _outer(number)
    known = notes_on(number).get(_INTERVAL)
    if known is None or known.low < 0 or scale < 0:
        return None
    return _Interval(math.floor(known.low * scale), math.floor(known.high * scale))


def _fact(tensor: Any) -> Any:
    """Return what is known of a number of the graph that is not every number of its dtype."""
    fact = facts_of(tensor.graph).of(tensor) if hasattr(tensor, "graph") else None
    return None if fact is None or fact.high >= tensor.dtype.max else fact


def interval_of(tensor: Any) -> tuple[int, int] | None:
    """Return between which numbers a draw lies, or None where that is not known."""
    found: _Interval | None = notes_on(tensor).get(_INTERVAL)
    if found is None or found.size is not None or not tensor.dtype.is_integer:
        return None
    return int(found.low), int(found.high)


def size_of(part: Any, owner: Any, axis: int) -> int | None:
    """Return how long a slice is, from a symbolic start to a constant more.

    `part`: of the key. `owner`: what is sliced. `axis`: its axis. Returns: None where it is not known.
    """
    if (
        is_array(part.step)
        or part.step not in (None, 1)
        or not (is_array(part.start) and is_array(part.stop))
    ):
        return None
    (base, times, first), (*other, last) = _linear(tensor_of(part.start)), _linear(tensor_of(part.stop))
    if other[0] is not base or other[1] != times or times <= 0 or last < first:
        return None
    interval = _interval(base)
    if interval is None or interval.low * times + first < 0:
        return None
    length = owner.shape[axis]
    if interval.size is not None:
        axes = _axis_of(interval.size)
        if times != 1 or axes is None or axes[1] != axis or _as_large(axes[0]) is not _as_large(owner):
            return None
        length = 0
    return last - first if length is not None and interval.high * times + last <= length else None


def state(owner: Any, key: Any, result: Any) -> None:
    """State the sizes of a crop that are known from where it begins.

    `owner`: what the crop is of. `key`: its key. `result`: the crop.
    """
    if not is_array(result) or tf.executing_eagerly():
        return
    parts = key if isinstance(key, tuple) else (key,)
    rank = tensor_of(owner).shape.rank
    if rank is None or not any(isinstance(part, slice) for part in parts):
        return
    place = next((at for at, part in enumerate(parts) if part is Ellipsis), len(parts))
    before, after = parts[:place], parts[place + 1 :]
    left_out = rank - sum(part is not None for part in (*before, *after))
    axis = 0
    found: list[int | None] = []
    for part in (*before, *[slice(None)] * left_out, *after):
        if part is None:
            found.append(1)
            continue
        if isinstance(part, slice):
            found.append(size_of(part, tensor_of(owner), axis))
        elif not (type(part) is int or (is_array(part) and part.dtype.kind in "iu" and part.ndim == 0)):
            return
        axis += 1
    if len(found) == tensor_of(result).shape.rank:
        tensor_of(result).set_shape(found)
