"""Look into traced graphs."""

from __future__ import annotations

from typing import Any

from tensorflow.python.framework import op_def_registry

BOUNDARIES = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}


def operations(concrete: Any) -> list[str]:
    """Return the types of all operations of a concrete function, those of its function library included."""
    definition = concrete.graph.as_graph_def()
    inner = [node for function in definition.library.function for node in function.node_def]
    return [node.op for node in [*definition.node, *inner]]


def boundaries(concrete: Any) -> set[str]:
    """Return the Python calls a graph holds."""
    return BOUNDARIES.intersection(operations(concrete))


def with_state(concrete: Any) -> set[str]:
    """Return the operations for which `Dataset.map` takes a function to have state, as tf.data finds them.

    Checks are none. Branches and loops are looked into, calls are not: their operation says it.
    """
    definition = concrete.graph.as_graph_def()
    functions = {function.signature.name: function for function in definition.library.function}

    def found(nodes: Any) -> set[str]:
        kinds = set()
        for node in nodes:
            if node.op == "Assert" or not op_def_registry.get(node.op).is_stateful:
                continue
            if node.op in ("If", "While"):
                for key in ("then_branch", "else_branch", "cond", "body"):
                    if (name := node.attr[key].func.name) and functions[name].signature.is_stateful:
                        kinds |= found(functions[name].node_def)
            else:
                kinds.add(node.op)
        return kinds

    return found(definition.node)
