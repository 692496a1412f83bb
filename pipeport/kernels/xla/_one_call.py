"""Branches of a graph that are seldom taken."""

from __future__ import annotations

import atexit
import functools
from collections.abc import Callable, Hashable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.xla._keys import exact_key
from pipeport.kernels.xla._stored import called, definition, name_of, takes


def cold_branch(make: Callable[[], Any]) -> Callable[[], Any]:
    """Return a function for a branch that few files take, which stays one call in the graph.

    Inlined, each of its operations is handed on as dead for every file that takes the other branch:
    `cv2.imread` of a JPEG of 256 x 256 pixels took 1.16 ms of CPU time, now 1.05; OpenCV 0.96.
    """
    if tf.executing_eagerly():
        return make
    return _one_call(make)


def shared(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Callable[..., Any]:
    """Return `build(*static)` as one call in the graph: stored, or traced once for all graphs of the process.

    `build`: returns a function of tensors, which captures none. Returns: that function; eagerly as it is.
    """
    return build(*static) if tf.executing_eagerly() else _stored_or(_traced, build, static)


def stored(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Callable[..., Any]:
    """Return `build(*static)` as it is stored, or if it is not, as it is; see `shared`.

    It is not a call of its own when the graph runs, so every element may take it.
    """
    return build(*static) if tf.executing_eagerly() else _stored_or(_as_it_is, build, static)


def _stored_or(other: Callable[..., Any], build: Callable[..., Any], static: tuple[Hashable, ...]) -> Any:
    def call(*arguments: Any) -> Any:
        found = definition(name_of(build, static))
        if found is not None and takes(found, arguments):
            return called(found, arguments)
        return other(build, static, exact_key(static))(*arguments)

    return call


def _as_it_is(build: Callable[..., Any], static: tuple[Hashable, ...], _: Hashable) -> Any:
    return build(*static)


@functools.cache
def _traced(build: Callable[..., Callable[..., Any]], static: tuple[Hashable, ...], _: Hashable) -> Any:
    return _one_call(build(*static))


def _one_call(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as one call in the graph, by the operation that has no state.

    A `tf.function` that checks anything is called by the operation that has. `Dataset.map` without
    `num_parallel_calls` uses all cores only where nothing but the checks themselves has state.
    """
    function = tf.function(body, autograph=False, experimental_attributes={"_noinline": True})

    def call(*arguments: Any) -> Any:
        concrete = function.get_concrete_function(*arguments)
        given = [*arguments, *concrete.captured_inputs]
        types = [one.dtype for one in concrete.outputs]
        results = tf.raw_ops.PartitionedCall(args=given, Tout=types, f=concrete)
        for result, traced in zip(results, concrete.outputs, strict=True):
            result.set_shape(traced.shape)
        return tf.nest.pack_sequence_as(concrete.structured_outputs, results)

    return call


# Left to the end of the interpreter, TensorFlow 2.15's functions look for modules that are gone.
atexit.register(_traced.cache_clear)
