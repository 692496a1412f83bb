"""Barriers against optimisers, and gradients of imported operations."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from typing import Any

from pipeport._lazy import tf

# Passes on what it is given; neither Grappler nor XLA joins operations over it.
BARRIER = "XlaOptimizationBarrier"


def kept(tensor: Any) -> Any:
    """Return a tensor as it is, which no optimiser joins with what takes it.

    Parameters
    ----------
    tensor : tf.Tensor
        The tensor.

    Returns
    -------
    tf.Tensor
        The same.
    """
    return _barrier()(tensor)


def register() -> None:
    """Make the barrier known to gradients and `tf.vectorized_map`, before a graph with one is used."""
    _barrier()


@functools.cache
def _barrier() -> Any:
    operations = importlib.import_module("tensorflow.compiler.tf2xla.ops.gen_xla_ops")
    loops = importlib.import_module("tensorflow.python.ops.parallel_for.pfor")

    def kept(tensor: Any) -> Any:
        return operations.xla_optimization_barrier(input=[tensor])[0]

    def over_rows(given: Any) -> list[Any]:
        return [loops.wrap(kept(given.stacked_input(at)), True) for at in range(given.num_inputs)]

    for registered, function in (
        (tf.RegisterGradient, lambda _, *upstream: list(upstream)),
        (loops.RegisterPFor, over_rows),
    ):
        try:
            registered(BARRIER)(function)
        except (KeyError, ValueError):  # somebody else has, perhaps TensorFlow itself
            continue
    return kept


def recorded(compute: Callable[[], list[Any]], given: Sequence[Any]) -> list[Any]:
    """Add operations to a graph so that a `tf.GradientTape` in it can differentiate them.

    A tape sees what Python functions add, and nothing of what is imported.

    Parameters
    ----------
    compute : callable
        Adds the operations to the current graph, and gives tensors.
    given : sequence of tf.Tensor
        All tensors of the graph that they use.

    Returns
    -------
    list of tf.Tensor
        What `compute` gives.
    """
    record = importlib.import_module("tensorflow.python.eager.record")
    with record.stop_recording():
        results = compute()
    sources = [one for one in given if _may_vary(one)]
    ends = [one for one in results if _may_vary(one)]
    if sources and ends:

        def backward(*upstream: Any) -> list[Any]:
            found: list[Any] = tf.gradients(ends, sources, list(upstream), stop_gradients=sources)
            return found

        record.record_operation("port", ends, sources, backward)
    return results


def _may_vary(tensor: Any) -> bool:
    return bool(tensor.dtype.is_floating or tensor.dtype.is_complex)
