"""Gradients of a graph's tensors that go when the graph goes.

`tf.custom_gradient` registers a gradient for each call and for ever, and with it the graph: a dataset that is
made anew in each epoch would keep all its graphs.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on

_Gradient = Callable[[list[Any], list[Any]], list[Any]]
# On a graph, the gradients that are registered for it; the registry refers to them weakly.
_HELD = "gradients"
_alive: weakref.WeakValueDictionary[str, Callable[..., Any]] = weakref.WeakValueDictionary()
# What all their names begin with, and the attribute of an operation that has such a name.
_PREFIX, _ATTRIBUTE = "pipeport-gradient-", "_gradient_op_type"
_numbers = itertools.count()


def with_gradient(results: Sequence[Any], given: Sequence[Any], gradient: _Gradient) -> list[Any]:
    """Return tensors of the current graph, differentiated as a function says.

    Parameters
    ----------
    results : sequence of tf.Tensor
        The tensors.
    given : sequence of tf.Tensor
        What they are computed from.
    gradient : callable
        Takes tensors that stand for `given` in the graph that is differentiated, and the gradients of the
        results; gives those of the former.

    Returns
    -------
    list of tf.Tensor
        The results.
    """
    count = len(results)
    given = [tf.identity(one) if _is_captured(one) else one for one in given]

    def backward(operation: Any, *upstream: Any) -> list[Any]:
        return [*[None] * count, *gradient(list(operation.inputs)[count:], list(upstream[:count]))]

    name = _registered(backward)
    after: list[Any] = _overridden(
        name, [*results, *given], lambda *upstream: backward(after[0].op, *upstream)
    )
    return after[:count]


def _is_captured(tensor: Any) -> bool:
    """Say whether a tensor may come from a graph around, which a saved gradient would look for."""
    if hasattr(tensor, "numpy"):
        return False
    return tensor.graph is not tf.compat.v1.get_default_graph() or tensor.op.type == "Placeholder"


def renew_gradient(node: Any) -> None:
    """Give a node that is about to be imported to the current graph a gradient there.

    `node`: tf.compat.v1.NodeDef, changed in place if it has a gradient of `with_gradient`.
    """
    backward = _alive.get(_name(node))
    if backward is not None:
        node.attr[_ATTRIBUTE].s = _registered(backward).encode()


def copy_gradient(copy: Any, operation: Any) -> None:
    """Let a copy of an operation be differentiated as the operation is, by what TensorFlow keeps in Python.

    `copy`, `operation`: tf.Operation; a call of a traced function has such a gradient.
    """
    copy._gradient_function = operation._gradient_function


def _registered(backward: Callable[..., Any]) -> str:
    """Register a gradient for as long as the current graph lives, and return its name.

    `tf.saved_model.save` asks for the gradient of a name, and does not give the operation.
    """
    graph = tf.compat.v1.get_default_graph()
    name = f"{_PREFIX}{next(_numbers)}"
    notes_on(graph).setdefault(_HELD, []).append(backward)
    _alive[name] = backward
    here: Any = weakref.ref(graph)

    def registered(operation: Any, *upstream: Any) -> Any:
        if operation is None:
            operation = next(one for one in here().get_operations() if _name(one.node_def) == name)
        return _alive[name](operation, *upstream)

    tf.RegisterGradient(name)(registered)
    weakref.finalize(graph, _registry().pop, name, None).atexit = False
    return name


def passing_gradient(result: Any, given: Any) -> Any:
    """Return a tensor of the current graph, whose gradient is that of another.

    Parameters
    ----------
    result, given : tf.Tensor
        The tensor and the other, of one dtype and shape.

    Returns
    -------
    tf.Tensor
        The result.
    """
    # TensorFlow saves one gradient for a name, of the first shape that it meets.
    name = _passing(f"pipeport-passing-{result.dtype.name}-{result.shape}")
    return _overridden(name, [result, given], _passed)[0]


def _passed(*upstream: Any) -> list[Any]:
    return [None, upstream[0]]


@functools.cache
def _passing(name: str) -> str:
    tf.RegisterGradient(name)(lambda _, *upstream: _passed(*upstream))
    return name


def _overridden(name: str, tensors: Sequence[Any], backward: Callable[..., Any]) -> list[Any]:
    """Give tensors by an operation that has the gradient of a name, also for a `tf.GradientTape`."""
    with tf.compat.v1.get_default_graph().gradient_override_map({"IdentityN": name}):
        after = tf.identity_n(tensors)
    record = importlib.import_module("tensorflow.python.eager.record")
    record.record_operation("pipeport", after, tensors, backward)
    return list(after)


def _name(node: Any) -> str:
    """Return under which name the gradient of an operation of a graph definition is registered."""
    return node.attr[_ATTRIBUTE].s.decode() if _ATTRIBUTE in node.attr else ""


def _registry() -> dict[str, Any]:
    operations = importlib.import_module("tensorflow.python.framework.ops")
    found: dict[str, Any] = operations.gradient_registry._registry
    return found
