"""Between which numbers the few numbers of a small tensor lie: draws, sizes, bounds of slices."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport.porting.optimise._extents import extent
from pipeport.porting.optimise._ranges import RULES, Fact, array

_FACTS = "facts"
# Elements of a tensor.
_MOST = 64


class Facts:
    """Facts about the small tensors of a graph, which may still grow.

    `graph`: the graph.
    """

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._found: dict[Any, Fact | None] = {}
        self._assumed: dict[Any, Fact] = {}
        self._read = 0

    def of(self, tensor: Any) -> Fact | None:
        """Return the facts about a tensor.

        `tensor`: of the graph. Returns: None of large tensors, of floats that may be anything, and of what
        are not numbers.
        """
        if tensor.ref() not in self._found:
            nodes = self._graph.get_operations()
            for node in nodes[self._read :]:
                self._note(node)
            self._read = len(nodes)
        return self._found.setdefault(tensor.ref(), None)

    def forget(self, tensor: Any, now: Fact | None = None) -> None:
        """Forget the facts about a tensor that was replaced.

        `tensor`: of the graph. `now`: what is known of it now.
        """
        self._found[tensor.ref()] = now

    def assume(self, assumed: dict[Any, Fact]) -> None:
        """Note conditions that hold where the graph runs.

        `assumed`: by reference of an argument, or of a tensor of the graph around, which may be captured
        later.
        """
        self._assumed = assumed

    def _note(self, node: Any) -> None:
        sizes = [one.shape.num_elements() for one in node.outputs]
        if not any(size is not None and size <= _MOST for size in sizes):
            return
        found = self._captured(node) if node.type == "Placeholder" else self._computed(node)
        facts = found if isinstance(found, list) else [found]
        for tensor, size, fact in zip(node.outputs, sizes, [*facts, *[None] * len(sizes)], strict=False):
            if size is not None and size <= _MOST:
                fits = None if fact is None else _fitting(fact, tensor)
                known = _any_number(tensor) if fits is None else fits
                if known is not None:
                    self._found[tensor.ref()] = known

    def _computed(self, node: Any) -> Fact | list[Fact] | None:
        if node.type == "Shape":  # of what may be large
            return extent(node.inputs[0], lambda one: self._found.get(one.ref()))
        rule = RULES.get(node.type)
        if rule is None:
            return None
        given = [self._found.get(one.ref()) for one in node.inputs]
        if any(one is None for one in given):
            return None
        with np.errstate(all="ignore"):
            found: Fact | list[Fact] | None = rule(node, *given)
        return found

    def _captured(self, node: Any) -> Fact | None:
        tensor = node.outputs[0]
        if tensor.ref() in self._assumed:
            return self._assumed[tensor.ref()]
        for outer, inner in getattr(self._graph, "captures", ()):
            if inner is tensor and getattr(outer, "graph", None) is not None:
                return fact_in(self._graph, outer)
        return None


def fact_in(graph: Any, tensor: Any) -> Fact | None:
    """Return what is known of a small tensor in a graph inside of its own, where conditions may hold."""
    while graph is not None and graph is not tensor.graph:
        if tensor.ref() in facts_of(graph)._assumed:
            return facts_of(graph)._assumed[tensor.ref()]
        graph = getattr(graph, "outer_graph", None)
    return facts_of(tensor.graph).of(tensor)


def facts_of(graph: Any) -> Facts:
    """Return facts about the small tensors of a graph, cached with the graph.

    `graph`: the graph. Returns: grows with the graph.
    """
    notes = notes_on(graph)
    if _FACTS not in notes:
        notes[_FACTS] = Facts(graph)
    found: Facts = notes[_FACTS]
    return found


def assumptions(truth: Any, *, holds: bool) -> dict[Any, Fact]:
    """Return facts about other tensors that follow from a condition or from its negation.

    `truth`: the condition, a scalar of a graph. `holds`: whether it holds. Returns: by reference of a tensor.
    """
    found: dict[Any, Fact] = {}
    if getattr(truth, "graph", None) is not None:
        _assume(facts_of(truth.graph), truth, holds, found)
    return found


def _assume(facts: Facts, truth: Any, holds: bool, found: dict[Any, Fact]) -> None:
    node = truth.op
    if node.type == "Identity":
        _assume(facts, node.inputs[0], holds, found)
    elif node.type == "LogicalNot":
        _assume(facts, node.inputs[0], not holds, found)
    elif node.type == ("LogicalAnd" if holds else "LogicalOr"):
        for one in node.inputs:
            _assume(facts, one, holds, found)
    elif node.type in _ORDERS:
        order, strict = _ORDERS[node.type]
        less, more = node.inputs[::order]
        if not holds:
            less, more, strict = more, less, not strict
        known = [found.get(one.ref()) or facts.of(one) for one in (less, more)]
        if known[0] is None or known[1] is None or less.shape.rank != 0 or more.shape.rank != 0:
            return
        step = int(strict and less.dtype.is_integer)
        most = array(np.minimum(known[0].high, array(known[1].high - step)))
        least = array(np.maximum(known[1].low, array(known[0].low + step)))
        bounds = Fact(known[0].low, most), Fact(least, known[1].high)
        for tensor, fact in zip((less, more), bounds, strict=True):
            found |= {one.ref(): fact for one in _same(tensor)}
    elif node.type in ("Equal", "NotEqual") and node.inputs[0].dtype.is_integer:
        left, right = (found.get(one.ref()) or facts.of(one) for one in node.inputs)
        if left is None or right is None or any(one.shape.rank != 0 for one in node.inputs):
            return
        narrowed = _equal if (node.type == "Equal") == holds else _unequal
        for tensor, fact in zip(node.inputs, (narrowed(left, right), narrowed(right, left)), strict=True):
            found |= {one.ref(): fact for one in _same(tensor)}


def _equal(one: Fact, other: Fact) -> Fact:
    return Fact(array(np.maximum(one.low, other.low)), array(np.minimum(one.high, other.high)))


def _unequal(one: Fact, other: Fact) -> Fact:
    """Return what is known of a whole number that is not another: one less where that is at an end."""
    if not other.exact:
        return one
    at_low, at_high = (array(end == other.low).astype(np.int64) for end in (one.low, one.high))
    return Fact(array(one.low + at_low), array(one.high - at_high))


def _same(tensor: Any) -> Iterator[Any]:
    """Give a tensor, and those of the graphs around that it was captured from."""
    yield tensor
    for outer, inner in getattr(tensor.graph, "captures", ()):
        if inner is tensor and getattr(outer, "graph", None) is not None:
            yield from _same(outer)


_ORDERS = {"Less": (1, True), "LessEqual": (1, False), "Greater": (-1, True), "GreaterEqual": (-1, False)}


def _any_number(tensor: Any) -> Fact | None:
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        return None
    shape = tensor.shape.as_list()
    low, high = _limits(tensor.dtype)
    return Fact(np.full(shape, low, object), np.full(shape, high, object))


@functools.cache
def _limits(dtype: Any) -> tuple[int, int]:
    return (0, 1) if dtype.is_bool else (int(dtype.min), int(dtype.max))


def _fitting(fact: Fact, tensor: Any) -> Fact | None:
    """Return a fact in the shape and dtype of a tensor, or None where it may lie outside, and wrap."""
    shape, dtype = tensor.shape.as_list(), tensor.dtype
    if dtype.is_floating:
        if dtype not in (tf.float32, tf.float64):
            return None
        low, high = (np.asarray(one).astype(dtype.as_numpy_dtype) for one in fact)
        inside = bool(np.isfinite(low).all() and np.isfinite(high).all())
    elif dtype.is_integer or dtype.is_bool:
        low, high = (np.asarray(one, object) for one in fact)
        least, most = _limits(dtype)
        inside = bool(np.all(low >= least) and np.all(high <= most))
    else:
        return None
    if not inside or not np.all(low <= high) or low.shape != tuple(shape):
        return None
    return Fact(low, high)
