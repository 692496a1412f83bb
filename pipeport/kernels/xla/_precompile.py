"""Compile programs in the background while tracing goes on.

XLA compiles a program when it first runs: those of a map one after the other, before its first element.
Tracing holds Python's lock and compiling does not, so a thread compiles a program as soon as it is known.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import Function, context
from pipeport.kernels.xla._stored import make_known

# The last thread: each waits for the one before, so that one program at a time is compiled. Several threads
# may trace: one that is to be waited for has been started.
_last: threading.Thread | None = None
_starts = threading.Lock()


def precompile(definition: Any, inputs: Sequence[Any]) -> None:
    """Compile the program that a graph calls, in the background.

    `definition`: tf.compat.v1.GraphDef; the call of the program, alone, and the program. `inputs`: what the
    program takes; all sizes are known.

    XLA keeps a compiled program for the whole process, under its name. A graph that needs it earlier waits
    for the compilation in progress. The process ends after the compilation that is running then.
    """
    global _last  # noqa: PLW0603
    if not tf.compat.v1.executing_eagerly_outside_functions():
        return
    rows = [(one.shape, one.dtype) for one in inputs]
    with _starts:
        thread = threading.Thread(target=_after, args=(_last, definition, rows), name="pipeport-compile")
        thread.start()
        _last = thread


def _after(before: threading.Thread | None, definition: Any, rows: Sequence[tuple[Any, Any]]) -> None:
    if before is not None:
        before.join()
    if threading.main_thread().is_alive():
        # Whatever is wrong with a program is said where the user runs it.
        with contextlib.suppress(Exception):
            _run(definition, rows)


def _run(definition: Any, rows: Sequence[tuple[Any, Any]]) -> None:
    """Run a program once, on zeros, where `Dataset.map` runs it."""
    make_known(definition)
    caller, known = _caller(definition), context()
    known.add_function_def(caller)
    try:
        with tf.device("/CPU:0"):
            tf.raw_ops.PartitionedCall(
                args=[tf.zeros(*row) for row in rows],
                Tout=[one.type for one in caller.signature.output_arg],
                f=Function(caller.signature.name),
            )
    finally:
        known.remove_function(caller.signature.name)


def _caller(definition: Any) -> Any:
    """Return a function of the call alone: XLA finds a program again if a graph called it."""
    [call], [program] = definition.node, definition.library.function
    caller = type(program)(signature=program.signature)
    caller.signature.name += "_precompile"
    node = caller.node_def.add()
    node.CopyFrom(call)
    node.input[:] = [one.name for one in caller.signature.input_arg]
    for at, one in enumerate(caller.signature.output_arg):
        caller.ret[one.name] = f"{node.name}:output:{at}"
    return caller


def wait() -> None:
    """Wait until everything is compiled."""
    if _last is not None:
        _last.join()
