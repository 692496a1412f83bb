"""Graphs that make equal operations once while they are traced."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from pipeport._lazy import tf

# Stand for more than the values they give: places where names, checks or barriers are put.
_APART = frozenset({"Identity", "IdentityN", "NoOp", "Placeholder", "XlaOptimizationBarrier"})
# Bytes of a constant that is compared with others.
_MOST = 1024


@contextlib.contextmanager
def making_once(graph: Any) -> Iterator[None]:
    """Let a graph give an operation again that it has, in place of an equal one, in the `with` block.

    Equal are operations of one kind, with the same attributes, on the same tensors. Those with state, those
    that wait for others and those that call functions are made each time.

    Parameters
    ----------
    graph : tf.Graph
        Of a function that is being traced.

    Yields
    ------
    None
        Nothing; afterwards the graph makes each operation again.

    Notes
    -----
    The operation of a graph of functions is made by its method `_create_op_internal`, for which TensorFlow
    has no public interface.
    """
    create = graph._create_op_internal
    devices = list(graph._device_function_stack.peek_objs())
    made: dict[Any, Any] = {}

    def once(
        op_type: str,
        inputs: Any,
        dtypes: Any = None,
        input_types: Any = None,
        name: Any = None,
        attrs: Any = None,
        op_def: Any = None,
        compute_device: bool = True,
    ) -> Any:
        key = None
        if (op_type == "Const" or _gives_values(op_type, inputs, op_def)) and _is_plain(graph, devices):
            key = _key(op_type, inputs, attrs)
        found = made.get(key) if key is not None else None
        if found is None:
            found = create(op_type, inputs, dtypes, input_types, name, attrs, op_def, compute_device)
            if key is not None:
                made[key] = found
        return found

    graph._create_op_internal = once
    try:
        yield
    finally:
        del graph._create_op_internal


def _is_plain(graph: Any, devices: list[Any]) -> bool:
    """Say whether an operation made now is decided by its kind, operands and attributes alone."""
    return not (
        graph._current_control_dependencies()
        or graph._attr_scope_map
        or graph._gradient_override_map
        or list(graph._colocation_stack.peek_objs())
        or graph._control_flow_context is not None
        or list(graph._device_function_stack.peek_objs()) != devices
        or importlib.import_module("tensorflow.python.eager.record").could_possibly_record()
    )


def _gives_values(kind: str, inputs: Any, op_def: Any) -> bool:
    """Say whether an operation stands for nothing but the values that it computes of its operands."""
    return not (
        op_def is None
        or op_def.is_stateful
        or kind in _APART
        or kind.startswith(("EmptyTensorList", "TensorList"))
        or any(one.dtype in (tf.resource, tf.variant) for one in inputs)
        or any(one.type in ("func", "list(func)") for one in op_def.attr)
    )


def _key(kind: str, inputs: Any, attrs: Any) -> Any:
    """Return what equal operations have in common, or None of large constants."""
    rows = sorted((attrs or {}).items())
    if kind == "Const" and attrs["value"].ByteSize() > _MOST:
        return None
    values = tuple((name, value.SerializeToString(deterministic=True)) for name, value in rows)
    return kind, tuple(one.ref() for one in inputs), values
