"""Rules for the bounds of small tensors, from the bounds of their operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf

# Whole numbers up to which floats hold each; exponents and bits.
_EXACT = 2**53
_MOST = 64


class Fact(NamedTuple):
    """Between which numbers each element lies; floats are numbers and finite.

    `low`, `high`: of the tensor's shape, both included. Whole numbers are those of Python, which are never
    too large; a truth is 0 or 1.
    """

    low: Any
    high: Any

    @property
    def exact(self) -> bool:
        """Whether all elements are known."""
        return bool(np.all(self.low == self.high))


def _truths(values: Any) -> Any:
    return np.asarray(values).astype(bool).astype(int).astype(object)


def _rising(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a rule for what grows, or stays, with each operand. So does rounding to floats."""
    return lambda _, *of: Fact(function(*(one.low for one in of)), function(*(one.high for one in of)))


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda node, one: _rising(function)(node, one) if node.inputs[0].dtype.is_floating else one


def _ends(values: Iterable[Any]) -> Fact:
    rows = [array(one) for one in values]
    low, high = rows[0], rows[0]
    for row in rows[1:]:
        low, high = array(np.minimum(low, row)), array(np.maximum(high, row))
    return Fact(low, high)


def array(values: Any) -> Any:
    """Return an array of what may be one number of Python's."""
    return np.asarray(values, object) if isinstance(values, int) else np.asarray(values)


def _product(_: Any, one: Fact, other: Fact) -> Fact:
    return _ends(left * right for left in one for right in other)


def _quotient(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(node: Any, one: Fact, other: Fact) -> Fact | None:
        if not np.all(other.low > 0) or node.inputs[0].dtype.is_integer != (function is np.floor_divide):
            return None
        return _ends(function(left, right) for left in one for right in other)

    return rule


def _remainder(node: Any, one: Fact, other: Fact) -> Fact | None:
    if not np.all(other.low > 0) or not node.inputs[0].dtype.is_integer:
        return None
    same = (one.low >= 0) & (one.high < other.low)
    low, high = np.broadcast_arrays(one.low, one.high)
    return Fact(np.where(same, low, 0), np.where(same, high, other.high - 1))


def _power(node: Any, one: Fact, other: Fact) -> Fact | None:
    if other.exact and np.all(other.low == 0) and node.outputs[0].dtype.is_integer:
        ones = np.full(np.broadcast_shapes(one.low.shape, other.low.shape), 1, object)
        return Fact(ones, ones)
    fits = np.all(one.low >= 1) and np.all(other.low >= 0) and np.all(other.high <= _MOST)
    return _rising(np.power)(node, one, other) if fits and node.outputs[0].dtype.is_integer else None


def _root(node: Any, one: Fact) -> Fact | None:
    return _rising(np.sqrt)(node, one) if np.all(one.low >= 0) else None


def _shifted(_: Any, one: Fact, by: Fact) -> Fact | None:
    fits = by.exact and np.all(by.low >= 0) and np.all(by.low < _MOST)
    return Fact(one.low >> by.low, one.high >> by.low) if fits else None


def _masked(_: Any, one: Fact, other: Fact) -> Fact | None:
    highs = [fact.high for fact in (one, other) if np.all(fact.low >= 0)]
    if not highs:
        return None
    high = highs[0] if len(highs) == 1 else np.minimum(*highs)
    shape = np.broadcast_shapes(one.low.shape, other.low.shape)
    for fact, mask in ((one, other), (other, one)):
        if is_kept(fact, mask):
            return Fact(np.broadcast_to(fact.low, shape), np.broadcast_to(fact.high, shape))
    return Fact(np.full(shape, 0, object), np.broadcast_to(high, shape))


def is_kept(fact: Fact, mask: Fact) -> bool:
    """Say whether a mask, of ones in all lower places, leaves numbers as they are."""
    ones = mask.exact and np.all(mask.low >= 0) and np.all((mask.low & (mask.low + 1)) == 0)
    return bool(ones and np.all(fact.low >= 0) and np.all(fact.high <= mask.low))


def _cast(node: Any, one: Fact) -> Fact | None:
    source, target = node.inputs[0].dtype, node.outputs[0].dtype
    if target.is_bool:
        return Fact(_truths((one.low > 0) | (one.high < 0)), _truths((one.low != 0) | (one.high != 0)))
    if source.is_floating and not target.is_floating:
        fits = np.all(np.abs(one.low) < _EXACT) and np.all(np.abs(one.high) < _EXACT)
        return Fact(*(_whole(end) for end in one)) if fits else None
    if target.is_floating and not source.is_floating:
        fits = np.all(one.low >= -_EXACT) and np.all(one.high <= _EXACT)
        return Fact(*(end.astype(np.float64) for end in one)) if fits else None
    return one


def _whole(values: Any) -> Any:
    found = np.empty(values.shape, object)
    found.ravel()[:] = [int(value) for value in values.ravel()]
    return found


def _compared(sure: Callable[..., Any], never: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _, one, other: Fact(
        _truths(sure(one, other)), _truths(~np.asarray(never(one, other), bool))
    )


def _differ(one: Fact, other: Fact) -> Any:
    return (one.high < other.low) | (one.low > other.high)


def _agree(one: Fact, other: Fact) -> Any:
    return (one.low == one.high) & (other.low == other.high) & (one.low == other.low)


def _is_less(one: Fact, other: Fact) -> Any:
    return one.high < other.low


def _is_no_more(one: Fact, other: Fact) -> Any:
    return one.high <= other.low


def _is_more(one: Fact, other: Fact) -> Any:
    return one.low > other.high


def _chosen(_: Any, test: Fact, one: Fact, other: Fact) -> Fact:
    both = _ends([one.low, other.low]).low, _ends([one.high, other.high]).high
    ends = zip(both, one, other, strict=True)
    return Fact(
        *(np.where(test.low == 1, left, np.where(test.high == 0, right, hull)) for hull, left, right in ends)
    )


def _reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(node: Any, one: Fact, axes: Fact) -> Fact | None:
        if not axes.exact or not one.low.size:
            return None
        over = tuple(int(axis) for axis in axes.low.ravel())
        keep = node.get_attr("keep_dims")
        return Fact(*(np.asarray(function(end, axis=over, keepdims=keep)) if over else end for end in one))

    return rule


def _moved(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a rule for what only moves the elements of its first operand; the others must be known."""

    def rule(node: Any, one: Fact, *others: Fact) -> Any:
        if not all(other.exact for other in others):
            return None
        found = [function(node, end, *(other.low for other in others)) for end in one]
        if found[0] is None:
            return None
        if isinstance(found[0], list):
            return [Fact(*pair) for pair in zip(*found, strict=True)]
        return Fact(*found)

    return rule


def _sliced(node: Any, value: Any, start: Any, stop: Any, step: Any) -> Any:
    masks = {
        name: node.get_attr(f"{name}_mask")
        for name in ("ellipsis", "new_axis", "begin", "end", "shrink_axis")
    }
    if masks["ellipsis"] or masks["new_axis"]:
        return None
    key: list[Any] = []
    for at, ends in enumerate(zip(start, stop, step, strict=True)):
        first, last = (
            None if masks[name] >> at & 1 else int(end)
            for name, end in zip(("begin", "end"), ends, strict=False)
        )
        key.append(int(ends[0]) if masks["shrink_axis"] >> at & 1 else slice(first, last, int(ends[2])))
    return np.asarray(value[tuple(key)])


def _joined(node: Any, *of: Fact) -> Fact | None:
    if node.type == "Pack":
        return Fact(*(np.stack(ends, node.get_attr("axis")) for ends in zip(*of, strict=True)))
    if not of[-1].exact:
        return None
    return Fact(*(np.concatenate(ends, int(of[-1].low)) for ends in zip(*of[:-1], strict=True)))


def _pieces(node: Any, value: Any) -> list[Any]:
    axis = node.get_attr("axis")
    return [np.asarray(value.take(at, axis)) for at in range(value.shape[axis])]


def _in_shape(node: Any, value: Any, *_: Any) -> Any:
    shape = node.outputs[0].shape.as_list()
    return np.reshape(value, shape) if value.size == math.prod(shape) else None


def _constant(node: Any) -> Fact | None:
    value = np.asarray(tf.get_static_value(node.outputs[0]))
    if value.dtype.kind in "iu":
        value = value.astype(object)
    elif value.dtype.kind == "b":
        value = _truths(value)
    elif value.dtype.kind != "f":
        return None
    return Fact(value, value)


def _taken(node: Any, value: Fact, indices: Fact, axis: Fact) -> Fact | None:
    if indices.exact and axis.exact and not node.get_attr("batch_dims"):
        return Fact(*(np.take(end, indices.low.astype(int), int(axis.low)) for end in value))
    if not value.low.size:
        return None
    ends = array(np.min(value.low)), array(np.max(value.high))
    return Fact(*(np.broadcast_to(end, node.outputs[0].shape.as_list()) for end in ends))


def _filled(node: Any, _: Fact, value: Fact) -> Fact:
    return Fact(*(np.broadcast_to(end, node.outputs[0].shape.as_list()) for end in value))


def _counted(_: Any, *bounds: Fact) -> Fact | None:
    if not all(one.exact for one in bounds) or bounds[0].low.dtype != object:
        return None
    value = np.array(range(*(int(one.low) for one in bounds)), object)
    return Fact(value, value)


def _split(node: Any, axis: Fact, one: Fact) -> list[Fact] | None:
    if not axis.exact:
        return None
    ends = [np.split(end, node.get_attr("num_split"), int(axis.low)) for end in one]
    return [Fact(*pair) for pair in zip(*ends, strict=True)]


RULES: dict[str, Callable[..., Any]] = {
    "Add": _rising(np.add), "AddV2": _rising(np.add), "All": _reduced(np.min), "Any": _reduced(np.max),
    "BitwiseAnd": _masked, "Cast": _cast, "Ceil": _of_floats(np.ceil), "ConcatV2": _joined,
    "Const": _constant,
    "EnsureShape": _moved(_in_shape),
    "Equal": _compared(_agree, _differ),
    "ExpandDims": _moved(_in_shape),
    "Fill": _filled, "Floor": _of_floats(np.floor), "FloorDiv": _quotient(np.floor_divide),
    "FloorMod": _remainder,
    "GatherV2": _taken,
    "Greater": _compared(_is_more, _is_no_more),
    "GreaterEqual": _compared(lambda one, other: one.low >= other.high, _is_less),
    "Identity": _moved(_in_shape),
    "IsFinite": lambda _, one: Fact(*[_truths(np.ones(one.low.shape))] * 2),
    "IsNan": lambda _, one: Fact(*[_truths(np.zeros(one.low.shape))] * 2),
    "Less": _compared(_is_less, lambda one, other: one.low >= other.high),
    "LessEqual": _compared(_is_no_more, _is_more),
    "LogicalAnd": _rising(np.minimum),
    "LogicalNot": lambda _, one: Fact(1 - one.high, 1 - one.low),
    "LogicalOr": _rising(np.maximum), "Maximum": _rising(np.maximum), "Minimum": _rising(np.minimum),
    "Mul": _product,
    "Neg": lambda _, one: Fact(-one.high, -one.low),
    "NotEqual": _compared(_differ, _agree),
    "Pack": _joined, "Pow": _power, "Range": _counted, "RealDiv": _quotient(np.true_divide),
    "Reshape": _moved(_in_shape), "RightShift": _shifted, "Rint": _of_floats(np.rint),
    "Round": _of_floats(np.rint),
    "SelectV2": _chosen,
    "Sign": _rising(lambda end: _truths(end > 0) - _truths(end < 0)),
    "Split": _split, "Sqrt": _root, "Squeeze": _moved(_in_shape), "StridedSlice": _moved(_sliced),
    "Sub": lambda _, one, other: Fact(one.low - other.high, one.high - other.low),
    "Unpack": _moved(_pieces), "XlaOptimizationBarrier": _moved(_in_shape),
}  # fmt: skip
