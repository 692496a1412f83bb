"""Traced functions that are equal, of which the first serves for all.

XLA keeps what it compiles for as long as the process lives, under the name of the function, and TensorFlow
gives each trace another name. A dataset that is made anew would be compiled anew, and keep its programs.
"""

from __future__ import annotations

import atexit
import hashlib
from typing import Any
from weakref import WeakKeyDictionary

from pipeport._lazy import tf
from pipeport._tensorflow_private import functions_of

# By what they compute; and which of these stands for a function.
_first: dict[bytes, Any] = {}
_stands_for: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def shared(concrete: Any) -> Any:
    """Return the first traced function that computes the same as one.

    Returns: itself, where none was before, or where it captures tensors.
    """
    if concrete.captured_inputs:
        return concrete
    if concrete not in _stands_for:
        _stands_for[concrete] = _first.setdefault(_digest(concrete), concrete)
    return _stands_for[concrete]


def _digest(concrete: Any) -> bytes:
    """Return a hash of all that a traced function computes, whatever the functions in it are called."""
    graph = concrete.graph.as_graph_def()
    functions = {one.signature.name: one for one in graph.library.function}
    names: dict[str, str] = {}
    waiting = [*graph.node]
    for node in waiting:
        for one in functions_of(node):
            if one.name in functions and one.name not in names:
                names[one.name] = f"function_{len(names)}"
                waiting.extend(functions[one.name].node_def)
            one.name = names.get(one.name, one.name)
    whole = tf.compat.v1.GraphDef(node=graph.node)
    for name, other in names.items():
        function = functions[name]
        function.signature.name = other
        whole.library.function.append(function)
    ends = [str(concrete.structured_input_signature), str(concrete.structured_outputs)]
    ends += [one.name for one in (*concrete.inputs, *concrete.outputs)]
    return hashlib.sha256("\n".join(ends).encode() + whole.SerializeToString(deterministic=True)).digest()


# Left to the end of the interpreter, TensorFlow 2.15's functions look for modules that are gone.
atexit.register(_first.clear)
