"""Time by stage: from TensorFlow's own model of a running dataset, or by running its prefixes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pipeport import _tensorflow_private as private
from pipeport.inspection._report import Stage
from pipeport.inspection._run import Ended, steady
from pipeport.inspection._stages import GENERATOR

# What does not make an iterator another stage's: versions, and how it is done.
_MANNER = re.compile(r"^(Parallel|Memory|File|Forever|Finite|Empty|From)|Impl$|V\d+$")
_FUSED = "MapAndBatch"
# Shortest run of a prefix.
_SHORTEST_S = 0.3
_ONE_EACH = ("map", "prefetch", "shuffle", "cache", "take", "repeat", "skip", "enumerate", "zip")


def kind(name: str) -> str:
    """Return the name of an operation or an iterator without version and manner."""
    while (shorter := _MANNER.sub("", name)) != name and shorter:
        name = shorter
    return name


def from_model(
    models: list[tuple[Any, Any]], stages: list[Stage], operations: dict[int, str]
) -> tuple[dict[int, float], set[int]]:
    """Return the seconds of each stage per element of the dataset, and the stages that run in parallel.

    `models`: as iterators tell them, early and late: what building them took is in both. `operations`: the
    operation of each, by number. Returns: seconds of all threads together, by number, where what TensorFlow
    added (a prefetch) counts to the stage that it reads; the numbers of stages that run on several elements
    at a time.
    """
    parallel: set[int] = set()
    seconds = dict.fromkeys((one.number for one in stages), 0.0)
    weights = [_elements(late) - _elements(early) for early, late in models]
    for (early, late), weight in zip(models, weights, strict=True):
        found = dict.fromkeys(seconds, 0.0)
        _Walk(early, late, stages, operations, found, parallel).add(late.output, stages[-1].number, 1.0)
        for number, one in found.items():
            seconds[number] += one * weight / sum(weights)
    return seconds, parallel


def moving(models: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the pairs between which elements came.

    `models`: early and late in a pass. Returns: None of passes so short that all was computed before their
    first element: such a model holds what it took to build the iterator, and nothing else.
    """
    return [(early, late) for early, late in models if _elements(late) > _elements(early)]


def _elements(model: Any) -> int:
    return int(model.nodes[model.output].num_elements)


class _Walk:
    """Goes down two models of one iterator and the stages, side by side."""

    def __init__(
        self,
        early: Any,
        late: Any,
        stages: list[Stage],
        operations: dict[int, str],
        seconds: dict[int, float],
        parallel: set[int],
    ) -> None:
        self._early, self._late = early.nodes, late.nodes
        self._stages = {one.number: one for one in stages}
        self._operations = operations
        self._seconds = seconds
        self._parallel = parallel

    def add(self, identity: int, number: int, scale: float) -> None:
        """Add a node and what it reads; `scale` says how many of its elements make one of the dataset."""
        node = self._late[identity]
        stage = self._stages[number]
        own = scale * self._each(identity)
        name, wanted = kind(node.name), kind(self._operations[number])
        below = [number]  # what TensorFlow added
        if node.name == _FUSED and wanted == "Batch" and stage.inputs:
            below = self._stages[stage.inputs[0]].inputs
            number = stage.inputs[0]
        elif name == wanted and stage.name != GENERATOR and not self._twice(node, stage):
            below = stage.inputs
        self._seconds[number] += own
        if node.name == _FUSED or node.name.startswith("Parallel"):
            self._parallel.add(number)
        inner = [one for one in self._stages.values() if one.inside == number]
        ends = [one.number for one in inner if not any(one.number in other.inputs for other in inner)]
        for place, one in enumerate(node.inputs):
            if place < len(below):
                self.add(one, below[place], self._scaled(node, one, scale))
            else:
                self.add(one, ends[0] if ends else number, self._scaled(node, one, scale))

    def _each(self, identity: int) -> float:
        """Return the seconds that a node took for one of its elements."""
        node, before = self._late[identity], self._early.get(identity)
        if before is not None and before.name == node.name and node.num_elements > before.num_elements:
            elements = node.num_elements - before.num_elements
            return float((node.processing_time - before.processing_time) * 1e-9 / elements)
        return float(node.processing_time * 1e-9 / max(1, node.num_elements))

    def _twice(self, node: Any, stage: Stage) -> bool:
        """Say whether a stage has two iterators, of which this is the outer one."""
        if len(node.inputs) != 1:
            return False
        name = kind(node.name)
        again = kind(self._late[node.inputs[0]].name) == name
        return again and not (stage.inputs and kind(self._operations[stage.inputs[0]]) == name)

    def _scaled(self, node: Any, below: int, scale: float) -> float:
        """Return how many elements of a node's input make one of the dataset, without buffered ones."""
        if node.ratio > 0 and len(node.inputs) == 1:
            return float(scale * node.ratio)
        return float(scale * self._late[below].num_elements / max(1, node.num_elements))


def by_prefixes(
    chain: list[tuple[Stage, Any]], seconds: float, watch: Callable[[str], None]
) -> dict[int, float]:
    """Return the seconds of each stage per element of the dataset, by running the dataset up to it.

    `chain`: stages one after the other, each with the dataset that ends in it. Returns: seconds by number:
    what a stage takes longer than the one before it, of elapsed time. A stage is left out where it is not
    known how many elements it makes of one, and with it all before it.
    """
    found: dict[int, float] = {}
    before = 0.0
    for place, (stage, dataset) in enumerate(chain):
        watch(f"stage {stage.number} of {len(chain)}")
        try:
            each = steady(dataset, max(_SHORTEST_S, seconds / len(chain)))
        except Ended:
            return {}
        if each is None:
            return {}
        ratio = stage.batch or (1.0 if place == 0 or stage.name in _ONE_EACH else None)
        if ratio is None:
            found.clear()
            ratio, before = 1.0, 0.0
        for number in found:
            found[number] *= ratio
        found[stage.number] = max(0.0, each - before * ratio)
        before = each
    return found


def chain_of(dataset: Any, stages: list[Stage]) -> list[tuple[Stage, Any]]:
    """Return the stages of a dataset without branches, each with the dataset that ends in it.

    Returns: in the order in which elements pass; empty where the dataset has branches or is restored.
    """
    datasets = [dataset]
    while len(inputs := private.inputs_of(datasets[-1])) == 1:
        datasets.append(inputs[0])
    outer = [one for one in stages if one.inside is None]
    # Options are not stage, and a generator is two datasets.
    datasets = [one for one in datasets if "Options" not in type(one).__name__]
    if outer and outer[0].name == GENERATOR:
        datasets.pop()
    if len(datasets) != len(outer) or any(len(one.inputs) > 1 for one in outer):
        return []
    return list(zip(outer, reversed(datasets), strict=True))
