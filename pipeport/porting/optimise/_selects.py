"""Choices between pixels that a program makes without the condition, or the large mask, of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._select import NARROW


@dataclass(frozen=True)
class Choice:
    """An operation that is equivalent to `where(mask, value, other)`.

    It is `cond(any(mask), where(mask, value, other), other)`, whose condition only saves time; a choice by
    a mask that was spread to the size of the image; or one of whole numbers that go through floats.

    `mask`, `value`, `other`: operands of `tf.where`; the value may be a constant array.
    """

    mask: Any
    value: Any
    other: Any


def choice_of(node: Any, library: dict[str, Any]) -> Choice | None:
    """Return the choice that an operation makes, or None if it is none of these.

    `node`: any operation. `library`: the functions of its graph, by name.
    """
    if node.type == "Select" and node.inputs[0].op.type == "BroadcastTo":
        return Choice(_unspread(node.inputs[0]), *node.inputs[1:])
    if node.type == "Cast":
        return _of_whole_numbers(node)
    if node.type != "StatelessIf" or len(node.outputs) != 1:
        return None
    test = node.inputs[0].op
    if test.type != "Any" or test.outputs[0].shape.rank != 0:
        return None
    then, other = (library.get(node.get_attr(name).name) for name in ("then_branch", "else_branch"))
    if then is None or other is None:
        return None
    kept = _source(other, _result(other))
    selected = _node(then, _source(then, _result(then)))
    if selected is None or selected.op != "SelectV2":
        return None
    sources = [_source(then, one) for one in selected.input]
    places = {one.name: at for at, one in enumerate(then.signature.input_arg)}
    kept_at = {one.name: at for at, one in enumerate(other.signature.input_arg)}.get(kept)
    mask, value, unchanged = (places.get(one) for one in sources)
    if mask is None or unchanged is None or kept_at != unchanged:
        return None
    operands = node.inputs[1:]
    if operands[mask] is not test.inputs[0]:
        return None
    if value is not None:
        return Choice(operands[mask], operands[value], operands[unchanged])
    constant = _node(then, sources[1])
    if constant is None or constant.op != "Const":
        return None
    number = tf.make_ndarray(constant.attr["value"].tensor)
    return Choice(operands[mask], number, operands[unchanged])


def _of_whole_numbers(node: Any) -> Choice | None:
    chosen, dtype = node.inputs[0].op, node.outputs[0].dtype
    if chosen.type != "Select" or dtype.name not in NARROW or not dtype.is_integer:
        return None
    mask, *pair = chosen.inputs
    value, other = (_before_cast(one, dtype) for one in pair)
    if value is None or other is None or mask.shape != other.shape:
        return None
    return Choice(mask, value, other)


def _before_cast(tensor: Any, dtype: Any) -> Any:
    """Return the whole numbers that floats are made of, perhaps one for all, or None."""
    node = tensor.op
    if node.type == "Fill":
        node = node.inputs[1].op
    return node.inputs[0] if node.type == "Cast" and node.inputs[0].dtype == dtype else None


def _unspread(mask: Any) -> Any:
    while mask.op.type == "BroadcastTo":
        mask = mask.op.inputs[0]
    return mask


def _result(function: Any) -> str:
    return str(function.ret[function.signature.output_arg[0].name])


def _node(function: Any, name: str) -> Any:
    return next((one for one in function.node_def if one.name == name.partition(":")[0]), None)


def _source(function: Any, name: str) -> str:
    """Return the source of a value past identities: an argument or a node."""
    while True:
        node = _node(function, name)
        if node is None or node.op != "Identity":
            return name
        name = node.input[0]
