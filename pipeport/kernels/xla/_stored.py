"""Functions of a graph as TensorFlow traced them once: read instead of traced anew in each process.

TensorFlow takes half a millisecond to trace an operation, and a thirtieth of that to read it. Stored are
functions of many operations that many graphs hold: decoders, branches that few files take, coefficients.
`python -m pipeport.kernels._storing` writes the file; a test compares it with what tracing gives.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from importlib import resources
from typing import Any, TypeVar

from pipeport._lazy import tf
from pipeport._tensorflow_private import context, functions_of

ARGUMENT = "argument_"
# The dtypes of the arguments: an attribute of the last of several operations.
TAKEN = "_Tin"
FILE = "traced.pb"
_Builder = TypeVar("_Builder", bound=Callable[..., Any])
_anew = ContextVar("_anew", default=False)
_names: dict[Callable[..., Any], str] = {}


def stored_as(name: str) -> Callable[[_Builder], _Builder]:
    """Name a builder whose functions are stored.

    `name`: unique, and independent of where the builder is defined.
    """

    def named(build: _Builder) -> _Builder:
        _names[build] = name
        return build

    return named


def name_of(build: Callable[..., Any], static: tuple[Hashable, ...]) -> str:
    """Return the name under which a function is stored: that of its builder, and the builder's arguments."""
    return "-".join((_names[build], *map(str, static)))


def definition(name: str) -> Any:
    """Return a stored function.

    Returns: tf.compat.v1.GraphDef or None; a call of it, or its operations, the last of which gives its
    result, with the functions that are called; None if it is not stored, or this TensorFlow cannot be told
    of them.
    """
    return None if _anew.get() or not can_make_known() else _definition(name)


@contextlib.contextmanager
def anew() -> Iterator[None]:
    """Trace all functions as if none were stored, within the context."""
    before = _anew.set(True)
    try:
        yield
    finally:
        _anew.reset(before)


@functools.cache
def _definition(name: str) -> Any:
    whole = _read()
    nodes = [one for one in whole.node if one.name == name or one.name.startswith(f"{name}/")]
    if not nodes:
        return None
    functions = {one.signature.name: one for one in whole.library.function}
    needed = [functions[one] for one in sorted(set().union(*(_called(one, functions) for one in nodes)))]
    return tf.compat.v1.GraphDef(node=nodes, library={"function": needed}, versions=whole.versions)


@functools.cache
def _read() -> Any:
    """Return all that is stored, as one graph."""
    whole = tf.compat.v1.GraphDef()
    whole.ParseFromString((resources.files(__package__) / FILE).read_bytes())
    return whole


def _called(node: Any, functions: dict[str, Any]) -> set[str]:
    """Return the names of the functions that an operation calls, and that these call."""
    found = {one.name for one in functions_of(node)}
    for name in list(found):
        found = found.union(*(_called(one, functions) for one in functions[name].node_def))
    return found


def takes(stored: Any, arguments: tuple[Any, ...]) -> bool:
    """Say whether a stored function is one of such dtypes."""
    last = stored.node[-1].attr
    taken = last["Tin" if "Tin" in last else TAKEN].list.type
    return list(taken) == [one.dtype.as_datatype_enum for one in arguments]


def called(stored: Any, arguments: tuple[Any, ...]) -> Any:
    """Add a stored function to the graph.

    `stored`: tf.compat.v1.GraphDef. `arguments`: what it is given; may belong to the graphs around.
    """
    make_known(stored)
    last = stored.node[-1]
    graph = tf.compat.v1.get_default_graph()
    # An import takes tensors of this graph alone, and knows nothing of what it has to wait for.
    waiting = (tf.identity(arguments[0]), *arguments[1:])
    given = {
        f"{ARGUMENT}{number}": one if getattr(one, "graph", None) is graph else graph.capture(one)
        for number, one in enumerate(waiting)
    }
    shapes = last.attr["_output_shapes"].list.shape
    names = [f"{last.name}:{number}" for number in range(len(shapes))]
    # XLA compiles no placeholder, though nothing reads it: the call takes what is nowhere but in `given`.
    with tf.control_dependencies(None):
        results = tf.graph_util.import_graph_def(stored, given, names, name="pipeport")
    for result, shape in zip(results, shapes, strict=True):
        result.set_shape(tf.TensorShape(shape))
    return results[0] if len(results) == 1 else tuple(results)


def make_known(stored: Any) -> None:
    """Tell TensorFlow the functions of a graph: an import makes them known to one graph alone.

    `stored`: tf.compat.v1.GraphDef.
    """
    known = context()
    for function in stored.library.function:
        if not known.has_function(function.signature.name):
            known.add_function_def(function)


def can_make_known() -> bool:
    """Say whether this TensorFlow can be told of functions."""
    return context() is not None
