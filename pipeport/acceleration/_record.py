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
    source: Any, graph: Any, inputs: list[Any], count: int, effect_of: Callable[[Any], str]
) -> list[tuple[Any, ...]]:
    """Return what a boundary is given for the first elements of a dataset.

    The map function is not called again: of the graph that was traced so far, what leads to the inputs is run
    on the elements in front.

    `inputs`: of the boundary, in that graph. `effect_of`: takes a function that a boundary in front calls,
    gives in words what it changes besides. Returns: as a boundary gets them, one tuple an element.
    """
    plain = inside.without_order(source)
    for stage in _stages(plain):
        for one in graphs_of(stage):
            _check(one.get_operations(), effect_of)
    _check(leading_to(inputs, control=True).values(), effect_of)
    for one in graphs_in(graph)[1:]:
        _check(one.get_operations(), effect_of)
    captured = inside.captures_of(graph)
    if len(graph.inputs) != len(captured) + len(tf.nest.flatten(plain.element_spec)):
        raise Unread("sparse or ragged elements in front")
    rows: list[tuple[Any, ...]] = []

    def keep(*values: Any) -> Any:
        rows.append(tuple(np.array(one) if isinstance(one, np.ndarray) else one for one in values))
        return np.int64(0)

    def given(*element: Any) -> Any:
        values = [*tf.nest.flatten(element), *(outer for outer, _ in captured)]
        found = imported(graph, inputs, values)
        return tf.numpy_function(keep, found, tf.int64)

    try:
        for _ in plain.take(count).map(given):
            pass
    except Exception as error:  # whatever stands in front
        text = re.sub(r"\{\{.*?\}\}\s*", "", str(error).strip()).partition("\n")[0]
        raise Unread(f"what stands in front cannot be read ({type(error).__name__}: {text[:120]})") from error
    if not rows:
        raise Unread("the dataset in front is empty")
    return rows


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
