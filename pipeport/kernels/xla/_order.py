"""The order of arithmetic: which operands Grappler and XLA would join with an operation, and must not.

NumPy computes `x * 0.3 * 10` as it is written, and rounds twice. In a graph the optimisers join such
operations, and thresholds that follow turn over. A barrier on the operand keeps the two apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport._tensorflow_private import kept

# Notes on graphs whose operations are copied to the graph around, where their order is kept.
_EMITTED, _KEPT = "emitted", "kept_apart"

_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Rule:
    """Operands that must be kept apart from an operation.

    `origins`: what the operand is made by, as `_origin` names it. `shown`: an expression of float32 `x` that
    is wrong in a graph or under XLA without the rule. `both`: whether only if both operands are made so.
    `dtypes`: of the operand: "floats", "small" integers, for which kernels are missing, or "truths".
    """

    kinds: str
    places: tuple[int, ...]
    origins: str
    shown: str
    both: bool = False
    dtypes: str = "floats"


_SUMS, _EITHER = "Add AddV2 Sub", (0, 1)
RULES = (
    Rule(_SUMS, _EITHER, _SUMS, "x - 7.3 + 7.3"),
    Rule("Mul", _EITHER, "Mul", "x * 0.3 * 10"),
    Rule("Mul Square", _EITHER, "Exp", "np.exp(x) * np.exp(x * 3)"),
    Rule("Mul Square", _EITHER, "Sqrt Rsqrt", "np.sqrt(np.abs(x)) * np.sqrt(np.abs(x))", both=True),
    Rule("Mul RealDiv", _EITHER, "Truth", "x * (x > 20) * 2"),
    Rule("RealDiv", (0,), "RealDiv Exp", "x / 3 / 5"),
    Rule("RealDiv", (1,), "RealDiv Sqrt Rsqrt Exp Pow", "0.3 / np.sqrt(x)"),
    Rule("RealDiv", (1,), "Other Zero", "x / 0.3"),
    Rule("RealDiv", (0,), "One", "1 / x"),
    Rule("Pow", (1,), "One Other PowerOfTwo Zero", "(-x) ** -0.5"),
    Rule("Pow", (0,), "Exp Sqrt Rsqrt", "np.exp(x) ** 0.3"),
    Rule("Sqrt", (0,), "Square Mul", "np.sqrt(x * x)"),
    Rule("Log", (0,), "Exp Pow Sqrt Rsqrt", "np.log(np.exp(x))"),
    Rule("LogicalNot", (0,), "Less LessEqual Greater GreaterEqual", "~(x < 3)", dtypes="truths"),
    Rule("Sub", (0,), "Zero", "0 - x.astype(np.uint8)", dtypes="small"),
    Rule("Mul Square", _EITHER, "Sub", "(x.astype(np.uint8) - 3) ** 2", both=True, dtypes="small"),
)


def rows(rules: Iterable[Rule]) -> dict[tuple[str, int, str], list[tuple[frozenset[str], bool]]]:
    """Return rules by kind of operation, place and dtypes of the operand: what it must not be made by."""
    found: dict[tuple[str, int, str], list[tuple[frozenset[str], bool]]] = {}
    for rule in rules:
        for kind, at in itertools.product(rule.kinds.split(), rule.places):
            row = (frozenset(rule.origins.split()), rule.both)
            found.setdefault((kind, at, rule.dtypes), []).append(row)
    return found


_ROWS = rows(RULES)
# Give the numbers they are given, perhaps elsewhere. The others do where they leave out, or sum up, nothing.
_MOVES = frozenset(
    """
    BroadcastTo EnsureShape ExpandDims Identity IdentityN Reshape ReverseV2 Squeeze Tile Transpose
    """.split()  # noqa: SIM905
)
_MAY_MOVE = frozenset({"Max", "Mean", "Min", "Prod", "Slice", "StridedSlice", "Sum"})
# Compilers look through the one behind the other: `np.stack([x, y])[1]` is y.
_TAKE = frozenset({"GatherV2", "Slice", "Split", "SplitV", "StridedSlice", "Unpack"})
_JOIN = frozenset({"ConcatV2", "Pack"})
_SHAPES = frozenset({"Rank", "Shape", "Size"})
_CONSTANTS = frozenset({"One", "Other", "PowerOfTwo", "Zero"})
# Some of TensorFlow's kernels are missing for these.
_SMALL = frozenset({"uint8", "uint16", "uint32", "uint64", "int8", "int16"})


def must_be_kept(kind: str, operands: Sequence[Any], at: int, outer: Mapping[Any, Any] = _NONE) -> bool:
    """Say whether an operand must be kept from being joined with an operation.

    `operands`: all that it takes, in a graph. `outer`: by reference of an argument of that graph, the tensor
    of the graph around it. Returns: whether the table above says so.
    """
    found = _ROWS.get((kind, at, _class_of(operands[at].dtype)))
    if found is None:
        return False
    names = [_origins(operand, outer) for operand in (operands[at], operands[at - 1])]
    if any(names[0] & origins and (not both or names[1] & origins) for origins, both in found):
        return True
    wanted = frozenset().union(*(origins for origins, _ in found)) & _CONSTANTS
    return bool(wanted) and _kind_of_constant(operands[at], outer) in wanted


def _class_of(dtype: Any) -> str:
    if dtype.name in _SMALL:
        return "small"
    return "truths" if dtype.is_bool else "floats" if dtype.is_floating or dtype.is_complex else "others"


def _origins(tensor: Any, outer: Mapping[Any, Any]) -> frozenset[str]:
    """Return the kinds of what a tensor is made by: several where it is taken out of what was joined."""
    node = _source(tensor, outer).op
    if node.type in _TAKE:
        joined = _source(node.inputs[0], outer).op
        if joined.type in _JOIN:
            return frozenset().union(*(_origins(part, outer) for part in joined.inputs))
    return frozenset({_origin(tensor, outer)})


def _origin(tensor: Any, outer: Mapping[Any, Any]) -> str:
    """Return the kind of the operation that a tensor is made by; some have names of their own."""
    node = _source(tensor, outer).op
    if node.type == "Cast" and node.inputs[0].dtype.is_bool:
        return "Truth"
    if node.type == "Mul" and _is_exact(node, outer):
        return "Drawn"
    if node.type == "RealDiv" and _kind_of_constant(node.inputs[1], outer) in ("PowerOfTwo", "One"):
        # A product with a power of two is what it becomes, and is exact: what is before can be joined.
        return "Mul" if _origin(node.inputs[0], outer) == "Mul" else "RealDiv"
    return str(node.type)


def _source(tensor: Any, outer: Mapping[Any, Any]) -> Any:
    """Return the source of a tensor, past operations that only move elements."""
    while True:
        node = tensor.op
        if node.type == "Placeholder" and tensor.ref() in outer:
            tensor = outer[tensor.ref()]
        elif node.inputs and (node.type in _MOVES or (node.type in _MAY_MOVE and _keeps_all(node))):
            tensor = node.inputs[tensor.value_index if node.type == "IdentityN" else 0]
        else:
            return tensor


def _keeps_all(node: Any) -> bool:
    count = node.inputs[0].shape.num_elements()
    return count is not None and count == node.outputs[0].shape.num_elements()


def _kind_of_constant(tensor: Any, outer: Mapping[Any, Any]) -> str | None:
    """Return the kind of a constant tensor, or None if Grappler does not fold it."""
    value = tf.get_static_value(_source(tensor, outer))
    if value is not None:
        if not value.any():
            return "Zero"
        return "One" if (value == 1).all() else "PowerOfTwo" if _is_power(value) else "Other"
    waiting, seen = [tensor], set()
    while waiting:
        node = _source(waiting.pop(), outer).op
        if node in seen or node.type == "Const" or (node.type in _SHAPES and _is_sized(node.inputs[0])):
            continue
        if not node.inputs or node.op_def.is_stateful or node.type.startswith("Stateless"):
            return None
        seen.add(node)
        waiting.extend(node.inputs)
    return "Other"


def _is_sized(tensor: Any) -> bool:
    return bool(tensor.shape.is_fully_defined())


def _is_power(value: Any) -> bool:
    return bool(np.all(np.frexp(np.abs(value))[0] == 0.5))


def _is_exact(node: Any, outer: Mapping[Any, Any]) -> bool:
    """Say whether a product is one of whole numbers and a power of two, as draws are: it is not rounded."""
    for one, other in (node.inputs, reversed(node.inputs)):
        whole = _source(one, outer).op
        if whole.type == "Cast" and whole.inputs[0].dtype.is_integer:
            value = tf.get_static_value(_source(other, outer))
            return value is not None and _is_power(value)
    return False


def in_order(kind: str, *operands: Any) -> list[Any]:
    """Return the operands of an operation that is about to be added, kept apart where they must be.

    Returns: as they are eagerly, and in graphs that are copied: there it is seen to when they are.
    """
    if tf.executing_eagerly() or is_emitted():
        return list(operands)
    graph = tf.compat.v1.get_default_graph()
    if any(getattr(one, "graph", None) is None for one in operands):
        return list(operands)
    return [
        _kept_once(graph, one) if one.graph is graph and must_be_kept(kind, operands, at) else one
        for at, one in enumerate(operands)
    ]


def mark_emitted() -> None:
    """Note that what is traced now is optimised and then copied into the graph around it."""
    notes_on(tf.compat.v1.get_default_graph())[_EMITTED] = True


def is_emitted() -> bool:
    """Say whether what is traced now is optimised and then copied into the graph around it."""
    return not tf.executing_eagerly() and _EMITTED in notes_on(tf.compat.v1.get_default_graph())


def _kept_once(graph: Any, tensor: Any) -> Any:
    """Return a tensor behind a barrier that all who take it share."""
    made = notes_on(graph).setdefault(_KEPT, {})
    if tensor.ref() not in made:
        made[tensor.ref()] = kept(tensor)
    return made[tensor.ref()]
