"""TensorFlow's functions: by name, references that keep them alive, and StableHLO as bytes."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple


class Function(NamedTuple):
    """A stand-in that operations accept as a function of TensorFlow.

    Attributes
    ----------
    name : str
        Of a function that the context knows.
    """

    name: str


def functions_of(node: Any) -> list[Any]:
    """Return the functions that an operation names, in the order of its attributes.

    Parameters
    ----------
    node : NodeDef
        The operation.

    Returns
    -------
    list of NameAttrList
        Of the operation itself: a name may be changed.
    """
    values = [node.attr[key] for key in sorted(node.attr)]
    return [one for value in values for one in (value.func, *value.list.func) if one.name]


def stays_a_call(node: Any) -> bool:
    """Say whether the function that an operation calls is not put in its place when a graph runs.

    Parameters
    ----------
    node : NodeDef
        The operation.

    Returns
    -------
    bool
        False where TensorFlow cannot be asked.
    """
    known = context()
    names = [one.name for one in functions_of(node)]
    return known is not None and any(
        known.has_function(name) and known.get_function_def(name).attr["_noinline"].b for name in names
    )


def context() -> Any:
    """Return the eager context, which holds TensorFlow's functions; None in other versions."""
    try:
        found = importlib.import_module("tensorflow.python.eager.context").context()
    except (ImportError, AttributeError):
        return None
    return found if hasattr(found, "has_function") and hasattr(found, "add_function_def") else None


def add_functions(graph: Any, other: Any) -> None:
    """Add to a graph the functions of another, before operations that call them are imported.

    An import with a library makes functions without graphs in Python: TensorFlow differentiates their calls
    by an operation that XLA refuses, and saves no gradient in them.

    Parameters
    ----------
    graph : tf.Graph
        To which operations are added.
    other : tf.Graph
        From which they come.
    """
    for name, function in other._functions.items():
        if not graph._is_function(name):
            graph._add_function(function)


def portable(module: str) -> bytes:
    """Return a module as bytes that other releases of TensorFlow read too.

    Parameters
    ----------
    module : str
        The text of StableHLO.

    Returns
    -------
    bytes
        In the oldest form that has all its operations.
    """
    stablehlo = importlib.import_module("tensorflow.compiler.mlir.stablehlo.stablehlo")
    try:
        found = stablehlo.serialize_portable_artifact_str(module, stablehlo.get_minimum_version())
    except ValueError:
        found = stablehlo.serialize_portable_artifact_str(module, stablehlo.get_current_version())
    return bytes(found)
