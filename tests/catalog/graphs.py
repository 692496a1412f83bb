"""Look into traced graphs."""

from __future__ import annotations

from typing import Any

BOUNDARIES = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}


def operations(concrete: Any) -> list[str]:
    """Return the types of all operations of a concrete function, those of its function library included."""
    definition = concrete.graph.as_graph_def()
    inner = [node for function in definition.library.function for node in function.node_def]
    return [node.op for node in [*definition.node, *inner]]


def boundaries(concrete: Any) -> set[str]:
    """Return the Python calls a graph holds."""
    return BOUNDARIES.intersection(operations(concrete))
