"""Loops in a traced graph, and the assignments to symbolic slices in them, as a program can run them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport._tensorflow_private import is_round

_PARTS = "parts"
_PASSED = frozenset({"Identity", "EnsureShape"})


@dataclass
class Parts:
    """The two functions of a loop or of a condition.

    `first`, `second`: what decides on a further round, and a round. Or what is done if the condition holds,
    and if not. `line`: of a loop, file and line of the user's. `rounds`: how many it has at most, where that
    is known.
    """

    first: Any = None
    second: Any = None
    line: str = ""
    rounds: int | None = None

    def note(self, results: list[Any]) -> None:
        """Let the graph around know the functions of one of its operations.

        `results`: what the operation gave.
        """
        if not results:
            return
        source = results[0].op
        while source.type == "Identity":
            source = source.inputs[0].op
        notes_on(source.graph).setdefault(_PARTS, {})[source.name] = self


def graphs_to_round(graph: Any) -> list[Any]:
    """Return a graph and those around it up to a round of a loop, or nothing where there is none."""
    found = []
    while graph is not None:
        found.append(graph)
        if is_round(graph):
            return found
        graph = getattr(graph, "outer_graph", None)
    return []


def parts_of(node: Any) -> Parts | None:
    """Return the functions of a loop or of a condition, if they have no side effects.

    `node`: any operation. Returns: None where they are not known.
    """
    looped = node.type == "StatelessWhile"
    if not looped and node.type != "StatelessIf":
        return None
    found = noted_parts(node)
    if found is None:
        return None
    given = node.inputs if looped else node.inputs[1:]
    givers = (found.second,) if looped else (found.first, found.second)
    fits = all(len(one.inputs) == len(given) for one in (found.first, found.second))
    return found if fits and all(len(one.outputs) == len(node.outputs) for one in givers) else None


def noted_parts(node: Any) -> Parts | None:
    """Return the functions of a loop or of a condition, or None where they are not known."""
    found: Parts | None = notes_on(node.graph).get(_PARTS, {}).get(node.name)
    return found


@dataclass(frozen=True)
class BlockWrite:
    """A number that is written to a block of an array.

    `array`: what it is written to. `spans`: by axis, how much lies before, in and behind the block: a vector
    of three. `value`: the number.
    """

    array: Any
    spans: dict[int, Any]
    value: Any

    @property
    def operands(self) -> list[Any]:
        """The operands."""
        return [self.array, *self.spans.values(), self.value]

    def mask(self, sizes: dict[Any, Any], flat: int | None = None) -> Any:
        """Return where it writes.

        `sizes`: the spans, by reference of what stands for them here. `flat`: an axis that holds those behind
        it too. Returns: of size 1 along axes that are written to whole.
        """
        shape = self.array.shape.as_list()
        rank = len(shape) if flat is None else flat + 1
        found = tf.ones([1] * rank, tf.bool)
        for axis, span in self.spans.items():
            each = math.prod(shape[axis + 1 :]) if axis == flat else 1
            first, width, _ = tf.unstack(tf.cast(sizes[span.ref()], tf.int32) * each)
            places = tf.range(shape[axis] * each)
            inside = (places >= first) & (places < first + width)
            found &= tf.reshape(inside, [-1 if at == axis else 1 for at in range(rank)])
        return found

    def written(self, found: dict[Any, Any]) -> Any:
        """Return the array with the number in it.

        `found`: by reference of a tensor, what stands for it here. Returns: of the shape of the array.
        """
        # Axes behind the last span are one with it: a program is slow where the last axis is short.
        last = max(self.spans)
        shape = self.array.shape.as_list()
        array = tf.reshape(found[self.array.ref()], [*shape[:last], math.prod(shape[last:])])
        return tf.reshape(tf.where(self.mask(found, last), found[self.value.ref()], array), shape)


def block_write_of(node: Any) -> BlockWrite | None:
    """Return the block write of an operation that concatenates the surroundings of a block with a number.

    `node`: any operation.
    """
    spans: dict[int, Any] = {}
    array = None
    while True:
        cut = _cut(node)
        if cut is None:
            return None
        axis, inner = int(tf.get_static_value(cut.inputs[2])), node.inputs[1].op
        array = cut.inputs[0] if array is None else array
        spans[axis] = cut.inputs[1]
        if not array.shape.is_fully_defined():
            return None
        if inner.type == "Fill":
            size = inner.inputs[0].op
            fits = size.type == "Shape" and size.inputs[0] is cut.outputs[1]
            return BlockWrite(array, spans, inner.inputs[1]) if fits else None
        if inner.type != "ConcatV2" or inner.inputs[0].op.inputs[0] is not cut.outputs[1]:
            return None
        node = inner


def _cut(node: Any) -> Any:
    """Return the operation that cut apart what another joins again, but for the second of three pieces."""
    if node.type != "ConcatV2" or len(node.inputs) != 4:
        return None
    cut = node.inputs[0].op
    if cut.type != "SplitV" or len(cut.outputs) != 3:
        return None
    around = node.inputs[0] is cut.outputs[0] and node.inputs[2] is cut.outputs[2]
    axes = [tf.get_static_value(one) for one in (node.inputs[3], cut.inputs[2])]
    return cut if around and axes[0] is not None and axes[0] == axes[1] >= 0 else None


@dataclass(frozen=True)
class Late:
    """An array that a loop only writes numbers to: they can be put into it once, after the loop.

    `block_writes`: what a round writes, in order. `passed`: these, and what passes the array on unchanged.
    `shape`: of the places written to; 1 along axes that are written to whole.
    """

    block_writes: list[Any]
    passed: set[Any]
    shape: list[int]


def late_of(body: Any, test: Any, at: int) -> Late | None:
    """Return how an array in a loop is written to, if nothing else happens to it.

    `body`, `test`: the functions of the loop. `at`: which of its operands it is. Returns: None where it is
    read, or where the places are as many as its elements.
    """
    tensor, start = body.outputs[at], body.inputs[at]
    block_writes: list[Any] = []
    passed: set[Any] = set()
    axes: set[int] = set()
    while tensor is not start:
        node = tensor.op
        if tensor is not body.outputs[at] and len(body.users(tensor)) != 1:
            return None
        if node in body.block_writes:
            axes |= set(body.block_writes[node].spans)
            block_writes.insert(0, node)
            passed.add(node)
            tensor = body.block_writes[node].array
        elif node.type in _PASSED:
            passed.add(node)
            tensor = node.inputs[0]
        else:
            return None
    if not block_writes or len(body.users(start)) != 1 or test.users(test.inputs[at]):
        return None
    if sum(one is body.outputs[at] for one in body.outputs) != 1 or body.users(body.outputs[at]):
        return None
    sizes = start.shape.as_list()
    shape = [size if axis in axes else 1 for axis, size in enumerate(sizes)]
    return None if shape == sizes else Late(block_writes, passed, shape)
