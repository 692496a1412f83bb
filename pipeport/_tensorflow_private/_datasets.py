"""The live graph: tokens of Python functions, stages of a dataset, nodes of a tf.function."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private._programs import functions_of


def python_function(token: str) -> Any:
    """Return the function registered for the token of a PyFunc, or None if it is gone.

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


def generator_of(function: Any) -> Any:
    """Return what makes the elements of a `Dataset.from_generator`, or None of another function.

    Parameters
    ----------
    function : callable
        What `python_function` gives.

    Returns
    -------
    callable or None
        As `from_generator` was given it.
    """
    closure = getattr(function, "__closure__", None) or ()
    for one in (getattr(function, "__self__", None), *(cell.cell_contents for cell in closure)):
        if type(one).__qualname__ == "DatasetV2._GeneratorState":
            return one._generator
    return None


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


def scanned(dataset: Any, state: Any, function: Callable[..., Any]) -> Any:
    """Return `dataset.scan(state, function)`, of which TensorFlow's default graph keeps nothing.

    Parameters
    ----------
    dataset : tf.data.Dataset
        The dataset.
    state : nest of tf.Tensor
        What the first call takes.
    function : callable
        Takes the state and an element, gives both.

    Returns
    -------
    tf.data.Dataset
        The dataset holds its function itself, as those of a map do.
    """
    graph = tf.compat.v1.get_default_graph()
    before = set(graph._functions)
    found = dataset.scan(state, function)
    if tf.executing_eagerly():
        added = {tf.compat.as_str(one.function.name) for one in found._functions()}
        added.update(*(one._functions for one in graphs_of(found)))
        for name in added - before:
            graph._remove_function(name)
    return found


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


def graphs_called(operation: Any) -> list[Any]:
    """Return the graphs of the functions that an operation calls.

    Parameters
    ----------
    operation : tf.Operation
        In a graph.

    Returns
    -------
    list of tf.Graph or None
        In the order of the names of its attributes; None for a function without one in Python.
    """
    called = [operation.graph._get_function(one.name) for one in functions_of(operation.node_def)]
    return [getattr(one, "graph", None) for one in called]


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
