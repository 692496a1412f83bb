"""What a boundary is given for some elements of its dataset."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import _upstream as inside
from pipeport._tensorflow_private import generator_of, graphs_in, graphs_of, inputs_of, python_function
from pipeport.acceleration._graphs import imported, leading_to
from pipeport.acceleration._traced import FunctionCall
from pipeport.meanings import names
from pipeport.verify._engines import BOUNDARIES

Unread = inside.Unread
# Operations that TensorFlow counts as stateful, and that change nothing which outlives an iterator.
_HARMLESS = names(
    "Assert Case GeneratorDataset If While ReadVariableOp StatefulPartitionedCall VarHandleOp "
    "LookupTableFind LookupTableFindV2 LookupTableSizeV2 Multinomial ParameterizedTruncatedNormal "
    "RandomGamma RandomPoissonV2 RandomShuffle RandomStandardNormal RandomUniform RandomUniformInt "
    "TruncatedNormal"
)


def elements(
    source: Any,
    graphs: list[Any],
    calls: list[FunctionCall],
    inputs: list[Any],
    count: int,
    effect_of: Callable[[Any], str],
) -> list[tuple[Any, ...]]:
    """Return what a boundary is given for the first elements of a dataset.

    The map function is not called again: of the graph that was traced so far, what leads to the inputs is run
    on the elements in front.

    `graphs`: of the map function, and of each `tf.function` from there to the boundary. `calls`: those that
    lead from one to the next. `inputs`: of the boundary, in the last graph. `effect_of`: takes a function
    that a boundary in front calls, gives in words what it changes besides. Returns: as a boundary gets them,
    one tuple an element.
    """
    plain = inside.without_order(source)
    for stage in _stages(plain):
        for one in graphs_of(stage):
            _check(one.get_operations(), effect_of)
    wanted = _wanted(graphs, calls, inputs)
    for graph, tensors in zip(graphs, wanted, strict=True):
        _check(leading_to([one for one in tensors if _is_in(one, graph)], control=True).values(), effect_of)
        for one in graphs_in(graph)[1:]:
            _check(one.get_operations(), effect_of)
    captured = inside.captures_of(graphs[0])
    if len(graphs[0].inputs) != len(captured) + len(tf.nest.flatten(plain.element_spec)):
        raise Unread("sparse or ragged elements in front")
    rows: list[tuple[Any, ...]] = []

    def keep(*values: Any) -> Any:
        rows.append(tuple(np.array(one) if isinstance(one, np.ndarray) else one for one in values))
        return np.int64(0)

    def given(*element: Any) -> Any:
        values = [*tf.nest.flatten(element), *(outer for outer, _ in captured)]
        for graph, tensors in zip(graphs, wanted, strict=True):
            made = iter(imported(graph, [one for one in tensors if _is_in(one, graph)], values))
            values = [next(made) if _is_in(one, graph) else one for one in tensors]
        return tf.numpy_function(keep, values, tf.int64)

    try:
        for _ in plain.take(count).map(given):
            pass
    except Exception as error:  # whatever stands in front
        text = re.sub(r"\{\{.*?\}\}\s*", "", str(error).strip()).partition("\n")[0]
        raise Unread(f"what stands in front cannot be read ({type(error).__name__}: {text[:120]})") from error
    if not rows:
        raise Unread("the dataset in front is empty")
    return rows


def _wanted(graphs: list[Any], calls: list[FunctionCall], inputs: list[Any]) -> list[list[Any]]:
    """Return for each graph what the next one is given, and what it captures; of the last the inputs."""
    found: list[list[Any]] = []
    for graph, call in zip(graphs[1:], calls, strict=True):
        captured = inside.captures_of(graph)
        placeholders = graph.inputs[: len(graph.inputs) - len(captured)]
        fits = len(placeholders) == len(call.tensors) and all(
            inner.dtype == tf.as_dtype(outer.dtype) and inner.shape.is_compatible_with(outer.shape)
            for inner, outer in zip(placeholders, call.tensors, strict=True)
        )
        if not fits:
            raise Unread("a tf.function around it is given other tensors than its call")
        found.append([*call.tensors, *(outer for outer, _ in captured)])
    return [*found, inputs]


def _is_in(value: Any, graph: Any) -> bool:
    return getattr(value, "graph", None) is graph


def _check(operations: Iterable[Any], effect_of: Callable[[Any], str]) -> None:
    """Refuse to run operations that change more than their results."""
    for one in operations:
        if one.type in BOUNDARIES:
            function = python_function(tf.compat.as_str(one.get_attr("token")))
            if function is None:
                raise Unread("the function of a boundary in front is gone")
            function = _given(function)
            made = generator_of(function)
            what = "a boundary" if made is None else "a generator"
            if why := effect_of(function if made is None else made):
                raise Unread(f"{what} in front may change more than its result: {why}")
        elif one.op_def.is_stateful and one.type not in _HARMLESS:
            raise Unread(f"{one.type} in front changes or depends on a state")


def _given(function: Any) -> Any:
    """Return the function that a boundary was given, which AutoGraph has wrapped; other wrappers stay."""
    return inspect.unwrap(function, stop=lambda one: not hasattr(one, "autograph_info__"))


def _stages(dataset: Any) -> Iterator[Any]:
    yield dataset
    for one in inputs_of(dataset):
        yield from _stages(one)
