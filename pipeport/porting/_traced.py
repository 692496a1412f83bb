"""A traced function, as the stretches to compile are sought in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.porting._choices import Choice, choice_of


def traced(run: Callable[[], list[Any]]) -> Any:
    """Trace a function without arguments.

    Parameters
    ----------
    run : callable
        Gives tensors; may use those of the graph around it.

    Returns
    -------
    tf.types.experimental.ConcreteFunction
        The traced function.
    """
    return tf.function(run, autograph=False).get_concrete_function()


class Traced:
    """The operations of a traced function that something needs.

    Parameters
    ----------
    concrete : tf.types.experimental.ConcreteFunction
        A function without arguments.

    Attributes
    ----------
    nodes : list of tf.Operation
        In an order in which they can run; placeholders are left out.
    outputs : list of tf.Tensor
        Its results.
    definition : tf.compat.v1.GraphDef
        All of it.
    library : dict
        The functions it calls, by name.
    choices : dict
        By operation, the conditions that only save time.
    """

    def __init__(self, concrete: Any) -> None:
        graph = concrete.graph
        self.outputs = list(graph.outputs)
        self.definition = graph.as_graph_def()
        self.library = {one.signature.name: one for one in self.definition.library.function}
        self._every = [node for node in graph.get_operations() if node.type != "Placeholder"]
        found = ((node, choice_of(node, self.library)) for node in self._every)
        self.choices: dict[Any, Choice] = {node: choice for node, choice in found if choice is not None}
        self._seek()

    def restore(self, nodes: set[Any]) -> None:
        """Take conditions as they are again.

        Parameters
        ----------
        nodes : set of tf.Operation
            Some of `choices`.
        """
        self.choices = {node: choice for node, choice in self.choices.items() if node not in nodes}
        self._seek()

    def _seek(self) -> None:
        needed = {tensor.op for tensor in self.outputs}
        needed |= {node for node in self._every if node.op_def.is_stateful or not node.outputs}
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
