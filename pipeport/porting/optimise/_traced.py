"""A traced function, as the stretches to compile are sought in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.xla._order import mark_emitted
from pipeport.porting.optimise._fold import FoldedGraph
from pipeport.porting.optimise._loops import BlockWrite, block_write_of, parts_of
from pipeport.porting.optimise._selects import Choice, choice_of


def names(text: str) -> frozenset[str]:
    """Return the names in a text."""
    return frozenset(text.split())


def traced(run: Callable[[], list[Any]]) -> Any:
    """Trace a function without arguments.

    `run`: gives tensors; may use those of the graph around it. Returns: the traced function.
    """

    def marked() -> list[Any]:
        mark_emitted()
        return run()

    return tf.function(marked, autograph=False).get_concrete_function()


class Traced:
    """The operations of a traced function that something needs.

    `graph`: of the function. `looped`: whether it is part of a loop. `settled`: what was left out of it; then
    the graph's results are those given there. `nodes`: in an order in which they
    can run; placeholders are left out. `inputs`, `outputs`: its arguments and results. `definition`: all of
    it. `library`: the functions it calls, by name. `choices`: by operation, the conditions that only save
    time. `block_writes`: by operation, the numbers that a round of a loop writes to a block of an array.
    `loops`: by operation, the functions of its loops: what decides on a further round, and a round.
    `branches`: by operation, the functions of its conditions, in a part of a loop. `bounds`: by reference of
    a tensor, between which numbers its values lie, as far as that was asked for.
    """

    def __init__(self, graph: Any, *, looped: bool = False, folded: FoldedGraph | None = None) -> None:
        self.graph = graph
        self.looped = looped
        self.inputs = list(graph.inputs)
        self.outputs = list(graph.outputs) if folded is None else folded.outputs
        self.definition = graph.as_graph_def()
        self.library = {one.signature.name: one for one in self.definition.library.function}
        dropped = frozenset() if folded is None else folded.dropped
        every = [
            node for node in graph.get_operations() if node.type != "Placeholder" and node not in dropped
        ]
        self._every = _ordered(every)  # the parts of loops are folded when they are made
        found = ((node, choice_of(node, self.library)) for node in self._every)
        self.choices: dict[Any, Choice] = {node: choice for node, choice in found if choice is not None}
        writes = ((node, block_write_of(node)) for node in self._every if looped)
        self.block_writes: dict[Any, BlockWrite] = {
            node: write for node, write in writes if write is not None
        }
        self.loops: dict[Any, tuple[Traced, Traced]] = {}
        self.branches: dict[Any, tuple[Traced, Traced]] = {}
        self.bounds: dict[Any, tuple[float, float]] = {}
        for node in self._every:
            found_at = self.loops if node.type == "StatelessWhile" else self.branches if looped else None
            parts = None if found_at is None else parts_of(node)
            if found_at is not None and parts is not None:
                found_at[node] = (Traced(parts.first, looped=True), Traced(parts.second, looped=True))
        self._seek()

    def restore(self, nodes: set[Any]) -> None:
        """Take conditions as they are again.

        `nodes`: some of `choices`.
        """
        self.choices = {node: choice for node, choice in self.choices.items() if node not in nodes}
        self.bounds = {}
        self._seek()

    def _seek(self) -> None:
        needed = {tensor.op for tensor in self.outputs}
        needed |= {node for node in self._every if node.op_def.is_stateful or _only_acts(node)}
        for node in reversed(self._every):
            if node in needed:
                needed |= {tensor.op for tensor in self.operands(node)} | set(node.control_inputs)
        self.nodes = [node for node in self._every if node in needed]
        self._users: dict[Any, list[Any]] = {}
        for node in self.nodes:
            for tensor in self.operands(node):
                self._users.setdefault(tensor.ref(), []).append(node)

    def operands(self, node: Any) -> list[Any]:
        """Return the tensors that an operation is computed from."""
        if node in self.block_writes:
            return self.block_writes[node].operands
        choice = self.choices.get(node)
        if choice is None:
            return list(node.inputs)
        return [one for one in (choice.mask, choice.value, choice.other) if tf.is_tensor(one)]

    def users(self, tensor: Any) -> list[Any]:
        """Return the operations that take a tensor."""
        return self._users.get(tensor.ref(), [])

    def is_needed_beyond(self, tensor: Any, nodes: set[Any]) -> bool:
        """Say whether a tensor is a result of the body, or taken by an operation that is none of some."""
        return not nodes.issuperset(self.users(tensor)) or any(tensor is one for one in self.outputs)

    def users_of(self, node: Any) -> list[Any]:
        """Return the operations that take a result of another."""
        return [user for tensor in node.outputs for user in self.users(tensor)]


def _only_acts(node: Any) -> bool:
    """Say whether an operation may do something and gives nothing; a condition may be left so."""
    return not node.outputs and node.type != "StatelessIf"


def _ordered(nodes: list[Any]) -> list[Any]:
    """Return operations in an order in which they can run; those that were made last may be needed first."""
    inside, found = set(nodes), dict[Any, None]()
    waiting = [(node, False) for node in reversed(nodes)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            found[node] = None
        elif node not in found:
            waiting.append((node, True))
            sources = [*(one.op for one in node.inputs), *node.control_inputs]
            waiting.extend((one, False) for one in reversed(sources) if one in inside and one not in found)
    return list(found)
