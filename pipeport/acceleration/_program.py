"""The native form of a boundary as one program, and what it does where it would refuse an element."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport._tensorflow_private import graphs_called
from pipeport.acceleration._graphs import imported, leading_to
from pipeport.acceleration._switch import Switch
from pipeport.meanings import names
from pipeport.porting import Ported
from pipeport.seeds._ambient import in_dataset

# What an element's draws begin with, below which whole numbers of 32 bits are drawn.
_LARGEST = 2**31 - 1
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


@dataclass(frozen=True)
class Program:
    """A traced port.

    `run`: takes a seed and the inputs, gives the results, flat. `serves`: takes the same, says whether it
    serves this element; None where it serves all.
    """

    run: Any
    serves: Any
    draws: bool

    def results(
        self, inputs: list[Any], number: int, python: Callable[[], list[Any]], switch: Switch | None = None
    ) -> list[Any]:
        """Return the results for one element in the graph at hand.

        `number`: of the boundary: what is drawn differs between two. `python`: adds the boundary itself, for
        elements that this does not serve. Returns: of the boundary's dtypes.
        """
        seed = tf.constant([0, 0], tf.int64)
        if self.draws:
            drawn = tf.random.uniform([2], -_LARGEST, _LARGEST, tf.int32)
            seed = seeds.fold_in(tf.cast(drawn, tf.int64), number)
        if self.serves is None and switch is None:
            return list(self.run(seed, *inputs))
        served = self._served(switch, seed, inputs)
        return list(tf.cond(served, lambda: list(self.run(seed, *inputs)), lambda: list(python())))

    def _served(self, switch: Switch | None, seed: Any, inputs: list[Any]) -> Any:
        if self.serves is None or switch is None:
            return self.serves(seed, *inputs) if switch is None else switch.read()
        return tf.cond(switch.read(), lambda: self.serves(seed, *inputs), lambda: tf.constant(False))


def traced(ported: Ported, specs: list[Any], dtypes: list[Any]) -> Program:
    """Trace a port for the inputs of its boundary."""

    def body(seed: Any, *inputs: Any) -> list[Any]:
        with seeds.ambient(seed), in_dataset():
            results = [tf.convert_to_tensor(one) for one in tf.nest.flatten(ported(*inputs))]
        found = [one.dtype for one in results]
        if found != dtypes:
            given = ", ".join(one.name for one in found) or "nothing"
            raise Unserved(f"gives {given} where Tout says {', '.join(one.name for one in dtypes)}")
        return results

    program = tf.function(body, autograph=False)
    run = program.get_concrete_function(tf.TensorSpec([2], tf.int64), *specs)
    return Program(run, _serves(run), draws=bool(run.graph.inputs[0].consumers()))


def _serves(run: Any) -> Any:
    """Return what says for an element whether every assertion of a program holds; None if there is none."""
    if not _guards(run.graph):
        return None

    def body(*inputs: Any) -> Any:
        return _all_hold(run.graph, [*inputs, *run.captured_inputs])

    signature = [tf.TensorSpec(one.shape, one.dtype) for one in _arguments(run)]
    return tf.function(body, autograph=False).get_concrete_function(*signature)


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


def _all_hold(graph: Any, values: list[Any]) -> Any:
    """Say whether every assertion of a graph, or of None, holds for its inputs."""
    return tf.constant(True) if graph is None else _stages_hold(graph, _stages(graph), values)


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


def _stages_hold(graph: Any, stages: list[list[Any]], values: list[Any]) -> Any:
    if not stages:
        return tf.constant(True)
    stage, *later = stages
    found = iter(imported(graph, [one for guard in stage for one in _asked(guard)], values, control=False))
    each = [_holds(guard, [next(found) for _ in _asked(guard)]) for guard in stage]
    holds = tf.reduce_all(tf.stack(each))
    if not later:
        return holds
    return tf.cond(holds, lambda: _stages_hold(graph, later, values), lambda: tf.constant(False))


def _asked(guard: Any) -> list[Any]:
    return list(guard.inputs[:1] if guard.type == "Assert" else guard.inputs)


def _holds(guard: Any, given: list[Any]) -> Any:
    if guard.type == "Assert":
        return tf.reduce_all(given[0])
    inner = graphs_called(guard)
    if guard.type in _CALLS:
        return _all_hold(inner[0], given)
    if guard.type in _LOOPS:
        body, condition = inner
        return _each_round_holds(body, condition, given)
    chosen, *rest = given
    ways = [functools.partial(_all_hold, one, rest) for one in inner]
    if guard.type in _CASES:
        return tf.switch_case(chosen, ways)
    otherwise, then = ways  # in the order of the attributes' names
    return tf.cond(tf.cast(chosen, tf.bool), then, otherwise)


def _each_round_holds(body: Any, condition: Any, given: list[Any]) -> Any:
    """Go through the rounds of a loop until an assertion in one does not hold."""
    shapes = [one.shape for one in body.inputs]

    def goes_on(holds: Any, *values: Any) -> Any:
        return tf.logical_and(holds, imported(condition, condition.outputs, values, control=False)[0])

    def step(_holds: Any, *values: Any) -> Any:
        holds = _all_hold(body, list(values))
        moved = tf.cond(
            holds, lambda: imported(body, body.outputs, values, control=False), lambda: list(values)
        )
        return (holds, *(tf.ensure_shape(one, shape) for one, shape in zip(moved, shapes, strict=True)))

    begin = (tf.constant(True), *given)
    return tf.while_loop(goes_on, step, begin, shape_invariants=(tf.TensorShape([]), *shapes))[0]


def _arguments(run: Any) -> list[Any]:
    captured = len(run.captured_inputs)
    inputs: list[Any] = run.graph.inputs
    return inputs[: len(inputs) - captured]


def _may_fail(needed: Mapping[str, Any]) -> bool:
    return any(one.type in _FAILING for one in needed.values())
