"""What pipeport needs of TensorFlow and TensorFlow does not offer: the only place that imports its inside."""

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


# The live graph: tokens of Python functions, and what a dataset or a tf.function is made of.


def python_function(token: str) -> Any:
    """Return what TensorFlow calls for the token of a PyFunc: the wrapper of a function; None if it is gone.

    Parameters
    ----------
    token : str
        The attribute of the operation.

    Returns
    -------
    callable or None
        Of `tf.py_function` the function that it was given.
    """
    registered = _registry()._funcs.get(token)
    return getattr(registered, "_func", registered)


def wrapped(token: str, around: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[[], None]:
    """Put a function around what TensorFlow calls for a token, until it is taken off.

    Parameters
    ----------
    token : str
        Of a function that is registered.
    around : callable
        Takes the function, gives the one to call in its place.

    Returns
    -------
    callable
        Takes it off.
    """
    funcs = _registry()._funcs
    registered = funcs[token]
    if hasattr(registered, "_func"):
        before = registered._func
        registered._func = around(before)

        def restore() -> None:
            registered._func = before
    else:
        kept = [around(registered)]  # the registry holds no function alive
        funcs[token] = kept[0]

        def restore() -> None:
            funcs[token] = registered
            kept.clear()

    return restore


def _registry() -> Any:
    return importlib.import_module("tensorflow.python.ops.script_ops")._py_funcs


def inputs_of(dataset: Any) -> list[Any]:
    """Return the datasets that a dataset is made of.

    Parameters
    ----------
    dataset : tf.data.Dataset
        The dataset.

    Returns
    -------
    list of tf.data.Dataset
        None for a source.
    """
    return list(dataset._inputs())


def graphs_of(dataset: Any) -> list[Any]:
    """Return the graphs of the functions of one stage, those of functions in them included.

    Parameters
    ----------
    dataset : tf.data.Dataset
        The stage.

    Returns
    -------
    list of tf.Graph
        Each once.
    """
    found: list[Any] = []
    for function in dataset._functions():
        _add_graphs(function.function.graph, found)
    return found


def _add_graphs(graph: Any, found: list[Any]) -> None:
    if any(graph is one for one in found):
        return
    found.append(graph)
    for name in graph._functions:
        inner = getattr(graph._get_function(name), "graph", None)
        if inner is not None:
            _add_graphs(inner, found)


def graphs_in(graph: Any) -> list[Any]:
    """Return a graph and those of the functions in it.

    Parameters
    ----------
    graph : tf.Graph
        The graph.

    Returns
    -------
    list of tf.Graph
        Each once.
    """
    found: list[Any] = []
    _add_graphs(graph, found)
    return found


def traces_of(function: Any) -> list[Any]:
    """Return the concrete functions of a tf.function that has been called.

    Parameters
    ----------
    function : tf.function
        The function.

    Returns
    -------
    list of tf.types.experimental.ConcreteFunction
        In the order of tracing.
    """
    return list(function._list_all_concrete_functions())


def saved_graphs(data: bytes) -> list[Any]:
    """Return the graphs of a SavedModel without loading it.

    Parameters
    ----------
    data : bytes
        Its `saved_model.pb`.

    Returns
    -------
    list of GraphDef
        Functions in their libraries.
    """
    saved = importlib.import_module("tensorflow.core.protobuf.saved_model_pb2").SavedModel.FromString(data)
    return [one.graph_def for one in saved.meta_graphs]


def autograph_lines(file: str) -> dict[int, tuple[str, int]]:
    """Return which line of which file each line of a program comes from that AutoGraph has written.

    Parameters
    ----------
    file : str
        Its name, as code objects have it.

    Returns
    -------
    dict of int to (str, int)
        Empty for other files.
    """
    made = importlib.import_module("tensorflow.python.autograph.impl.api")._TRANSPILER._cache._cache
    for factories in list(made.values()):
        for factory in list(factories.values()):
            if factory.module.__file__ == file:
                places = factory.source_map.items()
                return {place.lineno: (one.loc.filename, one.loc.lineno) for place, one in places}
    return {}
