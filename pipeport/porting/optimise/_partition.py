"""Compile the stretches of a traced body that gain by it: pixelwise work between draws.

The graph of a body is cut into stages, by turns as it is and compiled. A stage is compiled where several
passes over images of known size become one, or many operations on few numbers, such as draws. Drawn slices,
natives that are compiled already, and whatever else `_compilable` does not list stay as they are, so nothing
is compiled again per element.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from pipeport import config
from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport.porting.optimise import _compilable as rules
from pipeport.porting.optimise._costs import note
from pipeport.porting.optimise._emit import Emission
from pipeport.porting.optimise._fold import FoldedGraph
from pipeport.porting.optimise._loops import graphs_to_round
from pipeport.porting.optimise._traced import Traced

# Elements of a tensor from which on a pass over it counts: below, starting a program costs as much.
_LARGE = 16_384
# Passes over large tensors that a program must save: its start costs as much as two or three.
_GAIN = 3
# Operations on few numbers that a program must save.
_NUMBERS = 20
# Rounds that a loop of the graph has: others of fewer are traced one by one.
_ROUNDS = 8
# Programs of one body. Each takes about a tenth of a second of the first batch.
_MOST = 6


def emitted(concrete: Any, *, ends: bool) -> list[Any]:
    """Add a traced function to the outer graph, with its profitable stretches compiled.

    `concrete`: a function without arguments; what it captured belongs to the graph around it. `ends`: whether
    its results are those of the whole body. Others may meet a threshold later. Returns: its results.
    """
    body = Traced(concrete.graph, folded=FoldedGraph(concrete.graph, list(concrete.graph.outputs)))
    around = tf.compat.v1.get_default_graph()
    found = {
        inner.ref(): outer if getattr(outer, "graph", None) is around else around.capture(outer)
        for inner, outer in zip(concrete.inputs, concrete.captured_inputs, strict=True)
    }
    _keep(concrete, around)
    emission = Emission(body, found)
    for stage in planned(body, ends=ends):
        emission.add(stage.nodes, compiled=stage.compiled)
        if not stage.compiled:
            note(stage.nodes, around)
    return [found[tensor.ref()] for tensor in body.outputs]


def _keep(concrete: Any, graph: Any) -> None:
    """Keep a function while a graph is there: TensorFlow forgets the functions that it calls with it."""
    while hasattr(graph, "outer_graph"):
        notes_on(graph).setdefault("functions", []).append(concrete)
        graph = graph.outer_graph


@dataclass
class Stage:
    """Operations that are added together.

    Attributes
    ----------
    compiled : bool
        Whether as one program.
    nodes : list of tf.Operation
        In an order in which they can run.
    """

    compiled: bool
    nodes: list[Any] = field(default_factory=list)


def planned(body: Traced, *, ends: bool) -> list[Stage]:
    """Return the operations of a body in stages, each of which needs only those before it.

    `body`: the body. Choices that are not compiled become the conditions again that they are. `ends`: whether
    its results are those of the whole body. Returns: all operations.
    """
    while True:
        stages = [Stage(False, body.nodes)] if config.jit() == "never" else _gainful(body, ends=ends)
        left = {node for stage in stages if not stage.compiled for node in stage.nodes} & set(body.choices)
        if not left:
            return stages
        body.restore(left)


def _gainful(body: Traced, *, ends: bool) -> list[Stage]:
    """Return stages whose programs save enough."""
    able = rules.compilable(body, ends=ends)
    numbers = {node for node in able if not _of_images(body, node) and rules.is_number(body, node)}
    stages = _imaging(body, _between_images(body, able))
    if graphs_to_round(tf.compat.v1.get_default_graph()):  # few numbers are a program with the loop, or none
        return stages
    parts = ([stage] if stage.compiled else _counting(body, stage, numbers) for stage in stages)
    return list(itertools.chain.from_iterable(parts))


def _counting(body: Traced, stage: Stage, numbers: set[Any]) -> list[Stage]:
    """Split a stage that is not compiled into programs of few numbers and the operations between them.

    They are not part of a program of images, where an index would be computed again for each pixel.
    """
    while True:
        stages = _staged(body, stage.nodes, numbers)
        few = {node for one in stages if one.compiled and _count(body, one) < _NUMBERS for node in one.nodes}
        if not few:
            return stages
        numbers = numbers - few


def _count(body: Traced, stage: Stage) -> int:
    """Return how many operations run in a stage, at least."""
    rounds = [body.loops[node][1] for node in stage.nodes if node in body.loops]
    return len(stage.nodes) + _ROUNDS * sum(len(one.nodes) for one in rounds)


def _imaging(body: Traced, chosen: set[Any]) -> list[Stage]:
    """Return stages with programs of operations between images."""
    while True:
        stages = _staged(body, body.nodes, chosen)
        programs = [stage for stage in stages if stage.compiled]
        loose = {node for stage in programs for node in _loose(body, stage)}
        if not loose:
            gains = {id(stage): _gain(body, stage) for stage in programs}
            least = max(_GAIN, min(sorted(gains.values())[-_MOST:], default=0))
            loose = {node for stage in programs if gains[id(stage)] < least for node in stage.nodes}
        if not loose:
            return stages
        chosen = chosen - loose


def _large(tensor: Any) -> bool:
    return (tensor.shape.num_elements() or 0) >= _LARGE


def _of_images(body: Traced, node: Any) -> bool:
    return any(map(_large, node.outputs)) or any(map(_large, body.operands(node)))


def _between_images(body: Traced, able: set[Any]) -> set[Any]:
    """Leave out what no image flows into, or out of: numbers that are computed beside."""
    images = {node for node in able if _of_images(body, node)}
    before: set[Any] = set()
    for node in body.nodes:
        if node in images or (node in able and any(one.op in before for one in body.operands(node))):
            before.add(node)
    after: set[Any] = set()
    for node in reversed(body.nodes):
        if node in images or (node in able and any(user in after for user in body.users_of(node))):
            after.add(node)
    return before & after


def _staged(body: Traced, nodes: list[Any], chosen: set[Any]) -> list[Stage]:
    """Cut operations of a body into stages, by turns as they are and compiled."""
    numbers: dict[Any, int] = {}
    for node in nodes:
        number = int(node in chosen)
        for source in itertools.chain((one.op for one in body.operands(node)), node.control_inputs):
            before = numbers.get(source, 0)
            number = max(number, before + (before % 2 != number % 2))
        numbers[node] = number
    _sink(body, numbers)
    stages = [Stage(number % 2 == 1) for number in range(max(numbers.values(), default=0) + 1)]
    for node, number in numbers.items():
        stages[number].nodes.append(node)
    return [stage for stage in stages if stage.nodes]


def _sink(body: Traced, numbers: dict[Any, int]) -> None:
    """Move operations that make large tensors of small ones to the first stage that needs them."""
    for node in reversed(list(numbers)):
        users = [numbers[user] for user in body.users_of(node) if user in numbers]
        if (
            numbers[node] % 2 == 1
            and users
            and any(map(_large, node.outputs))
            and not any(map(_large, body.operands(node)))
            and not any(tensor is one for tensor in node.outputs for one in body.outputs)
        ):
            first = min(users)
            numbers[node] = max(numbers[node], first if first % 2 == 1 else first - 1)


def _loose(body: Traced, stage: Stage) -> set[Any]:
    """Return cheap operations at the end of a stage that make an image of one which is there anyway."""
    inside = set(stage.nodes)
    found = set()
    for node in reversed(stage.nodes):
        ending = not any(user in inside for user in body.users_of(node))
        if (
            ending
            and any(map(_large, node.outputs))
            and not any(tensor is one for tensor in node.outputs for one in body.outputs)
            and rules.weight(node) <= 1
            and not any(
                _large(tensor) and tensor.op in inside and not body.is_needed_beyond(tensor, inside)
                for tensor in body.operands(node)
            )
        ):
            found.add(node)
            inside.remove(node)
    return found


def _gain(body: Traced, stage: Stage) -> float:
    """Return how many passes over images are saved: all but one for each image that leaves the stage."""
    inside = set(stage.nodes)
    leaving = sum(
        _large(tensor) and body.is_needed_beyond(tensor, inside)
        for node in stage.nodes
        for tensor in node.outputs
    )
    return sum(rules.weight(node) for node in stage.nodes if _of_images(body, node)) - max(leaving, 1)
