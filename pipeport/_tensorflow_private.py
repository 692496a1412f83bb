"""What pipeport needs of TensorFlow and TensorFlow does not offer: the only place that imports its inside."""

from __future__ import annotations

import functools
import importlib
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
