"""A traced port that says whether it serves an element, and gives its results where it does, in one pass.

Each operation runs once: what an assertion asks for before it, the rest where every assertion holds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport._tensorflow_private import graphs_called, stays_a_call
from pipeport.acceleration._graphs import computed, leading_to
from pipeport.kernels.xla._one_call import cold_branch
from pipeport.meanings import names

# Operations that end an element where an argument is none that they take.
_FAILING = names(
    "ConcatV2 DecodeBmp DecodeImage DecodeJpeg DecodePng DecodeRaw EnsureShape GatherNd GatherV2 "
    "Pack ReadFile Reshape Slice SplitV StringSplitV2 StringToNumber Substr"
)
# Operations that call functions once, all of them or one.
_CALLS, _CASES = names("PartitionedCall StatefulPartitionedCall"), names("Case StatelessCase")
_BRANCHES, _LOOPS = names("If StatelessIf"), names("While StatelessWhile")
_GUARDED = _CALLS | _CASES | _BRANCHES | _LOOPS


class Unserved(Exception):
    """A port that cannot take the place of its boundary, and why."""


def attempt_of(run: Any) -> Any:
    """Return what tries a traced function; None if there is no assertion in it.

    `run`: tf.types.experimental.ConcreteFunction. Returns: takes what `run` takes; gives whether every
    assertion holds, and the results of `run`, or others of their dtypes where one does not.
    """
    if not _guards(run.graph):
        return None

    def body(*inputs: Any) -> Any:
        # TensorFlow forgets the functions that an operation calls with the graph that they came from.
        notes_on(tf.compat.v1.get_default_graph())["attempted"] = run
        return _attempted(run.graph, [*inputs, *run.captured_inputs])

    signature = [tf.TensorSpec(one.shape, one.dtype) for one in _arguments(run)]
    return tf.function(body, autograph=False).get_concrete_function(*signature)


def _arguments(run: Any) -> list[Any]:
    captured = len(run.captured_inputs)
    inputs: list[Any] = run.graph.inputs
    return inputs[: len(inputs) - captured]


def _guards(graph: Any) -> list[Any]:
    """Return the assertions of a graph, and the branches and calls in it that have some inside, in order."""
    found = []
    for one in graph.get_operations():
        if one.type != "Assert":
            if not any(_guards(inner) for inner in graphs_called(one) if inner is not None):
                continue
            if one.type not in _GUARDED:
                raise Unserved(f"a refusal may come inside of {one.type}, at an element that was not tried")
        found.append(one)
    return found


def _stages(graph: Any) -> list[list[Any]]:
    """Return the guards of a graph in stages: what a later one asks for may end an element by itself.

    The first are assertions whose conditions cannot; what needs the results of a branch or call with
    assertions comes behind it.
    """
    guards = _guards(graph)
    inside = {one.name for one in guards if one.type != "Assert"}
    first: list[Any] = []
    later: list[list[Any]] = []
    for one in guards:
        needed = leading_to(_asked(one), control=False)
        behind = inside & needed.keys()
        if one.type == "Assert" and not behind and not _may_fail(needed):
            first.append(one)
            continue
        if not later or behind & {other.name for other in later[-1]}:
            later.append([])
        later[-1].append(one)
    return [first, *later] if first else later


def _may_fail(needed: Mapping[str, Any]) -> bool:
    return any(one.type in _FAILING for one in needed.values())


def _asked(guard: Any) -> list[Any]:
    return list(guard.inputs[:1] if guard.type == "Assert" else guard.inputs)


def _attempted(
    graph: Any,
    values: Sequence[Any],
    otherwise: Sequence[Any] | None = None,
    wanted: Sequence[Any] | None = None,
) -> list[Any]:
    """Return whether every assertion of a graph holds for its inputs, and its results.

    `otherwise`: results where one does not hold; None for zeros. `wanted`: which results; None for all.
    """
    found = {inner.ref(): value for inner, value in zip(graph.inputs, values, strict=True)}
    return _staged(graph, _stages(graph), found, otherwise, graph.outputs if wanted is None else wanted)


def _staged(
    graph: Any,
    stages: list[list[Any]],
    found: dict[Any, Any],
    otherwise: Sequence[Any] | None,
    wanted: Sequence[Any],
) -> list[Any]:
    """Do as `_attempted` from a stage on; `found`: by reference what of the graph is there, which grows."""
    if not stages:
        return [tf.constant(True), *computed(graph, wanted, found)]
    stage, *later = stages
    given = iter(computed(graph, [one for guard in stage for one in _asked(guard)], found))
    each = [_held(guard, [next(given) for _ in _asked(guard)], found) for guard in stage]

    def refused() -> list[Any]:
        return [tf.constant(False), *(map(zeros_like, wanted) if otherwise is None else otherwise)]

    holds = tf.reduce_all(tf.stack(each))
    served = functools.partial(_staged, graph, later, dict(found), otherwise, wanted)
    return list(tf.cond(holds, served, refused))


def zeros_like(tensor: Any) -> Any:
    """Return zeros in the place of a tensor that is not there."""
    rank = tensor.shape.rank
    return tf.zeros([] if rank is None else [side or 0 for side in tensor.shape], tensor.dtype)


def _held(guard: Any, given: list[Any], found: dict[Any, Any]) -> Any:
    """Return whether an assertion holds, or all in a branch, call or loop, whose results are added."""
    if guard.type == "Assert":
        return tf.reduce_all(given[0])
    inner = graphs_called(guard)
    if guard.type in _LOOPS:
        body, condition = inner
        holds, *results = _looped(body, condition, given)
    elif None in inner or any(one.dtype in (tf.variant, tf.resource) for one in guard.outputs):
        # It runs again, as it is: there are no zeros in the place of what it gives.
        return _chosen(guard, inner, given, lambda graph, rest: _attempted(graph, rest, wanted=()))[0]
    else:
        holds, *results = _chosen(guard, inner, given, _attempted)
    for tensor, result in zip(guard.outputs, results, strict=True):
        result.set_shape(tensor.shape)
        found[tensor.ref()] = result
    return holds


def _chosen(guard: Any, inner: list[Any], given: list[Any], of: Callable[..., list[Any]]) -> list[Any]:
    """Return what `of` gives for the function that a branch or call takes, and its arguments."""
    rest = given if guard.type in _CALLS else given[1:]

    def way(graph: Any) -> Callable[[], list[Any]]:
        return lambda: [tf.constant(True)] if graph is None else of(graph, rest)

    ways = [way(graph) for graph in inner]
    if guard.type in _CALLS:
        return list((cold_branch(ways[0]) if stays_a_call(guard.node_def) else ways[0])())
    if guard.type in _CASES:
        return list(tf.switch_case(given[0], ways))
    otherwise, then = ways  # in the order of the attributes' names
    return list(tf.cond(tf.cast(given[0], tf.bool), then, otherwise))


def _looped(body: Any, condition: Any, given: list[Any]) -> list[Any]:
    """Go through the rounds of a loop until an assertion in one does not hold."""
    shapes = [one.shape for one in body.inputs]

    def goes_on(holds: Any, *values: Any) -> Any:
        found = {inner.ref(): value for inner, value in zip(condition.inputs, values, strict=True)}
        return tf.logical_and(holds, computed(condition, condition.outputs, found)[0])

    def step(_holds: Any, *values: Any) -> Any:
        holds, *moved = _attempted(body, values, otherwise=values)
        return (holds, *(tf.ensure_shape(one, shape) for one, shape in zip(moved, shapes, strict=True)))

    begin = (tf.constant(True), *given)
    return list(tf.while_loop(goes_on, step, begin, shape_invariants=(tf.TensorShape([]), *shapes)))
