"""Functions that graphs hold and few elements reach, as TensorFlow traced them: read instead of traced anew.

TensorFlow takes half a millisecond to trace an operation, and a thirtieth of that to read it. What decides
that a file holds no EXIF data is traced; what reads the data is stored. `python -m pipeport.kernels._storing`
writes the files; a test compares them with what tracing gives.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Hashable
from importlib import resources
from typing import Any

from pipeport._lazy import tf

CALL, ARGUMENT = "call", "argument_"
_FOLDER = "traced"


def name_of(build: Callable[..., Any], static: tuple[Hashable, ...]) -> str:
    """Return the name under which a function is stored: its module, its builder, what that is given."""
    parts = (build.__module__.rpartition(".")[2], build.__name__, *static)
    return "-".join(str(part).strip("_") for part in parts)


@functools.cache
def definition(name: str) -> Any:
    """Return a stored function.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    tf.compat.v1.GraphDef or None
        Its arguments and a call of it, with the function and all that it calls; None if it is not stored, or
        this TensorFlow cannot be told of it.
    """
    file = resources.files(__package__) / _FOLDER / f"{name}.pb"
    if not file.is_file() or _context() is None:
        return None
    found = tf.compat.v1.GraphDef()
    found.ParseFromString(file.read_bytes())
    return found


def takes(stored: Any, arguments: tuple[Any, ...]) -> bool:
    """Say whether a stored function is one of such dtypes."""
    dtypes = [node.attr["dtype"].type for node in stored.node[:-1]]
    return dtypes == [one.dtype.as_datatype_enum for one in arguments]


def called(stored: Any, arguments: tuple[Any, ...]) -> Any:
    """Add a call of a stored function to the graph.

    Parameters
    ----------
    stored : tf.compat.v1.GraphDef
        The function.
    arguments : tuple of tf.Tensor
        What it is given; may belong to the graphs around.

    Returns
    -------
    tf.Tensor or tuple of tf.Tensor
        What it gives.
    """
    _make_known(stored)
    call = stored.node[-1]
    graph = tf.compat.v1.get_default_graph()
    # An import takes tensors of this graph alone, and knows nothing of what it has to wait for.
    waiting = (tf.identity(arguments[0]), *arguments[1:])
    given = {
        f"{ARGUMENT}{number}": one if getattr(one, "graph", None) is graph else graph.capture(one)
        for number, one in enumerate(waiting)
    }
    shapes = call.attr["_output_shapes"].list.shape
    names = [f"{CALL}:{number}" for number in range(len(shapes))]
    # XLA compiles no placeholder, though nothing reads it.
    alone = tf.compat.v1.GraphDef(node=[call], library=stored.library, versions=stored.versions)
    with tf.control_dependencies(None):
        results = tf.graph_util.import_graph_def(alone, given, names, name=f"pipeport_{CALL}")
    for result, shape in zip(results, shapes, strict=True):
        result.set_shape(tf.TensorShape(shape))
    return results[0] if len(results) == 1 else tuple(results)


def _make_known(stored: Any) -> None:
    """Tell TensorFlow the functions: an import makes them known to the graph, not to those around it."""
    context = _context()
    for function in stored.library.function:
        if not context.has_function(function.signature.name):
            context.add_function_def(function)


def _context() -> Any:
    """Return what keeps TensorFlow's functions; None of a version that keeps it elsewhere."""
    try:
        found = importlib.import_module("tensorflow.python.eager.context").context()
    except (ImportError, AttributeError):
        return None
    return found if hasattr(found, "has_function") and hasattr(found, "add_function_def") else None
