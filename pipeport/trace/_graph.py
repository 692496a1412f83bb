"""The contents of a traced graph: nodes and constants, functions of its library included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """The contents of one traced graph.

    `nodes`: nodes of the graph and of every function in its library. `constant_bytes`: bytes of the tensors
    in its `Const` nodes. `captured_bytes`: bytes of the tensors it captured from outside; those of variables
    are not counted.
    """

    nodes: int
    constant_bytes: int
    captured_bytes: int


def holdings(concrete: Any) -> Holdings | None:
    """Count nodes and constants of a concrete function.

    `concrete`: as `get_concrete_function` gives it. Returns: None where the graph is too large to be written
    (2 GiB).
    """
    try:
        graph = concrete.graph.as_graph_def()
    except ValueError:
        return None
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    captured = (
        tensor for tensor in concrete.captured_inputs if tensor.dtype not in (tf.resource, tf.variant)
    )
    return Holdings(
        nodes=len(nodes),
        constant_bytes=sum(_bytes(node.attr["value"].tensor) for node in nodes if node.op == "Const"),
        captured_bytes=sum(_size(tensor.shape) * tensor.dtype.size for tensor in captured),
    )


def _bytes(tensor: Any) -> int:
    """Return the bytes of a constant in memory; its form in the graph may leave out equal values."""
    dtype = tf.dtypes.as_dtype(tensor.dtype)
    if dtype == tf.string:
        return sum(map(len, tensor.string_val))
    return _size(tf.TensorShape(tensor.tensor_shape)) * int(dtype.size)


def _size(shape: Any) -> int:
    return int(shape.num_elements() or 0)
