"""Parts of a traced graph, computed in another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf


def leading_to(tensors: Sequence[Any], *, control: bool) -> dict[str, Any]:
    """Return the operations that tensors depend on, by name.

    `control`: whether what only has to run before is among them.
    """
    found: dict[str, Any] = {}
    todo = [one.op for one in tensors]
    while todo:
        one = todo.pop()
        if one.name not in found:
            found[one.name] = one
            todo += [value.op for value in one.inputs]
            todo += one.control_inputs if control else ()
    return found


def imported(graph: Any, tensors: Sequence[Any], values: Sequence[Any], *, control: bool) -> list[Any]:
    """Compute tensors of a function's graph in the graph at hand.

    `values`: for the inputs of the graph, captured ones included. Returns: in the order of `tensors`.
    """
    needed = leading_to(tensors, control=control)
    whole = graph.as_graph_def()
    part = type(whole)(versions=whole.versions, library=whole.library)
    for node in whole.node:
        if node.name in needed:
            kept = part.node.add()
            kept.CopyFrom(node)
            if not control:
                del kept.input[:]
                kept.input.extend(name for name in node.input if not name.startswith("^"))
    pairs = zip(graph.inputs, values, strict=True)
    # The identity is of the graph at hand, where a value may be of one around it.
    table = {inner.name: tf.identity(value) for inner, value in pairs if inner.op.name in needed}
    found: list[Any] = tf.graph_util.import_graph_def(part, table, [one.name for one in tensors], name="part")
    return found
