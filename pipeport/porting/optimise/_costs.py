"""What loops cost that stay loops of the graph, told before they run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from pipeport.porting.optimise._loops import Parts, graphs_to_round, noted_parts

# Processor time of an operation in a round, in Dataset.map, whatever it computes; what is handed on counts
# as two. Eight loops of 33 to 99 operations took 0.71 to 1.18, 0.98 in the median (TensorFlow 2.21, two busy
# cores; alone in a graph 0.35 to 0.91).
_MICROSECONDS = 1.0
_HANDED_ON = 2

_found: ContextVar[list[GraphLoop] | None] = ContextVar("_found", default=None)


@dataclass(frozen=True)
class GraphLoop:
    """A loop that stays one of the graph.

    Attributes
    ----------
    file : str
        The user's file.
    number : int
        The line in it.
    rounds : int or None
        How many there are at most; None where that is known only at run time.
    operations : int
        How many a round has, with those of loops in it.
    """

    file: str
    number: int
    rounds: int | None
    operations: int

    @property
    def milliseconds(self) -> float | None:
        """Processor time of all rounds; None where their number is not known."""
        return None if self.rounds is None else self.rounds * self._of_round

    @property
    def is_slow(self) -> bool:
        """Whether it takes a millisecond or more, or nobody knows."""
        return self.milliseconds is None or self.milliseconds >= 1

    @property
    def cost(self) -> str:
        """What it costs, in words."""
        if self.milliseconds is None:
            return f"about {1000 * self._of_round:.2g} microseconds a round"
        return f"about {self.milliseconds:.2g} ms an element"

    @property
    def reason(self) -> str:
        """Why it costs that, in words."""
        rounds = "A round has" if self.rounds is None else f"{self.rounds:,} rounds of"
        return f"{rounds} {self.operations} operations, of a microsecond each"

    @property
    def _of_round(self) -> float:
        return self.operations * _MICROSECONDS / 1000


@contextlib.contextmanager
def told() -> Iterator[list[GraphLoop]]:
    """Collect the loops that are emitted as loops of the graph in the `with` block."""
    loops: list[GraphLoop] = []
    token = _found.set(loops)
    try:
        yield loops
    finally:
        _found.reset(token)


def note(nodes: list[Any], around: Any) -> None:
    """Note the loops among operations that are added to a graph as they are.

    `around`: the graph; the loops in a round of another are part of it.
    """
    loops = _found.get()
    if loops is None or graphs_to_round(around):  # its round counts it
        return
    for node in nodes:
        parts = noted_parts(node)
        if parts is not None and parts.line:
            file, _, number = parts.line.rpartition(", line ")
            loops.append(GraphLoop(file, int(number), parts.rounds, _of_round(parts)))


def _of_round(parts: Parts) -> int:
    return _operations(parts.first) + _operations(parts.second) + _HANDED_ON * len(parts.second.outputs)


def _operations(graph: Any) -> int:
    """Return how many operations a function runs, of a condition the larger side."""
    needed: set[Any] = set()
    waiting = [one.op for one in graph.outputs]
    waiting += [node for node in graph.get_operations() if node.op_def.is_stateful]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            waiting += [*(one.op for one in node.inputs), *node.control_inputs]
    count = 0
    for node in needed:
        parts = noted_parts(node)
        if parts is None:
            count += node.type not in ("Const", "Placeholder", "NoOp")
        elif parts.line:
            count += (parts.rounds or 1) * _of_round(parts)
        else:
            count += 1 + max(_operations(parts.first), _operations(parts.second))
    return count
