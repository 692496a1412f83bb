"""Parts of a traced graph, computed in another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import add_functions


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


def imported(graph: Any, tensors: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """Compute tensors of a function's graph in the graph at hand.

    What has only to run before them runs too. `values`: for the inputs of the graph, captured ones included.
    Returns: in the order of `tensors`.
    """
    needed = leading_to(tensors, control=True)
    whole = graph.as_graph_def()
    part = type(whole)(versions=whole.versions, library=whole.library)
    for node in whole.node:
        if node.name in needed:
            part.node.add().CopyFrom(node)
    pairs = zip(graph.inputs, values, strict=True)
    # The identity is of the graph at hand, where a value may be of one around it.
    table = {inner.name: tf.identity(value) for inner, value in pairs if inner.op.name in needed}
    found: list[Any] = tf.graph_util.import_graph_def(part, table, [one.name for one in tensors], name="part")
    return found


def computed(graph: Any, tensors: Sequence[Any], found: dict[Any, Any]) -> list[Any]:
    """Compute tensors of a function's graph in the graph at hand, from what of it is there.

    Nothing is waited for that has only to run before. `found`: by reference of a tensor of the function's
    graph, the inputs among them, the one that is there; may be of a graph around; grows. Returns: in the
    order of `tensors`.
    """
    needed: dict[str, Any] = {}
    # Each graph has its own: operations of lists must know the shapes that they are given.
    constants: dict[Any, Any] = {}
    todo = [one.op for one in tensors if one.ref() not in found]
    while todo:
        one = todo.pop()
        if one.name not in needed:
            needed[one.name] = one
            todo += [value.op for value in one.inputs if value.ref() not in found]
    if needed:
        part = tf.compat.v1.GraphDef(versions=graph.graph_def_versions)
        given: dict[str, Any] = {}
        for one in needed.values():
            node = part.node.add()
            node.CopyFrom(one.node_def)
            del node.input[:]
            node.input.extend(value.name for value in one.inputs)
            node.attr.pop("_class", None)  # to be where an operation is that may not be here
            given |= {value.name: found[value.ref()] for value in one.inputs if value.ref() in found}
        here = tf.compat.v1.get_default_graph()
        add_functions(here, graph)
        made = [value for one in needed.values() for value in one.outputs]
        # The identity is of the graph at hand.
        table = {
            name: value if getattr(value, "graph", None) is here else tf.identity(value)
            for name, value in given.items()
        }
        names = [value.name for value in made]
        for value, new in zip(
            made, tf.graph_util.import_graph_def(part, table, names, name="part"), strict=True
        ):
            new.set_shape(value.shape)
            (constants if value.op.type == "Const" else found)[value.ref()] = new
    return [(constants if one.ref() in constants else found)[one.ref()] for one in tensors]
