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

_Gradient = Callable[..., list[Any]]
# On a graph, the gradients that are registered for it; the registry refers to them weakly.
_HELD = "_pipeport_gradients"
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
        Takes the gradients of the results, gives those of `given`.

    Returns
    -------
    list of tf.Tensor
        The results.
    """

    def backward(*upstream: Any) -> list[Any]:
        return [*[None] * len(results), *gradient(*upstream[: len(results)])]

    graph = tf.compat.v1.get_default_graph()
    name = f"pipeport-gradient-{next(_numbers)}"
    if not hasattr(graph, _HELD):
        setattr(graph, _HELD, [])
    getattr(graph, _HELD).append(backward)
    held = weakref.ref(backward)
    tf.RegisterGradient(name)(lambda _, *upstream: held()(*upstream))  # type: ignore[misc]
    weakref.finalize(graph, _registry().pop, name, None).atexit = False
    return _overridden(name, results, given, backward)


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
    return _overridden(name, [result], [given], _passed)[0]


def _passed(*upstream: Any) -> list[Any]:
    return [None, upstream[0]]


@functools.cache
def _passing(name: str) -> str:
    tf.RegisterGradient(name)(lambda _, *upstream: _passed(*upstream))
    return name


def _overridden(
    name: str, results: Sequence[Any], given: Sequence[Any], backward: Callable[..., list[Any]]
) -> list[Any]:
    """Give results by an operation that has the gradient of a name, also for a `tf.GradientTape`."""
    before = [*results, *given]
    with tf.compat.v1.get_default_graph().gradient_override_map({"IdentityN": name}):
        after = tf.identity_n(before)
    record = importlib.import_module("tensorflow.python.eager.record")
    record.record_operation("pipeport", after, before, backward)
    return list(after[: len(results)])


def _registry() -> dict[str, Any]:
    operations = importlib.import_module("tensorflow.python.framework.ops")
    found: dict[str, Any] = operations.gradient_registry._registry
    return found
