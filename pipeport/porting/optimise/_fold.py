"""Fold a traced graph: known checks, known choices, common subexpressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import BARRIER, set_control_inputs, set_input
from pipeport.porting.optimise._facts import facts_of
from pipeport.porting.optimise._inplace_updates import may_write, written
from pipeport.porting.optimise._ranges import Fact, array, is_kept
from pipeport.porting.optimise._scaled import Carry, carried, shortened
from pipeport.porting.optimise._thresholds import ORDERS, compared, shifted_once


class FoldedGraph:
    """A traced graph in which what is known while tracing takes the place of operations.

    The graph is changed: operations get other inputs of the same values. Those that nothing takes any more
    stay in it.

    `graph`: of a function that has been traced. `outputs`: what it gives; afterwards the same values in the
    same order. `dropped`: checks that cannot fail.
    """

    def __init__(self, graph: Any, outputs: list[Any]) -> None:
        self.dropped: set[Any] = set()
        self._graph = graph
        self._library: Any = None
        self._facts = facts_of(graph)
        self._stands: dict[Any, Any] = {}
        self._constants: dict[Any, Any] = {}
        self._made: dict[Any, list[Any]] = {}
        self._shifts: dict[Any, tuple[Any, Fact]] = {}
        self._writes = may_write(graph)
        self._given = {one.ref() for one in outputs}
        nodes = graph.get_operations()
        self._drop_checks(nodes)
        for node in nodes:
            self._fold(node)
        self._shift_once(nodes)
        self.outputs = [self._stands.get(one.ref(), one) for one in outputs]

    def _fold(self, node: Any) -> None:
        """Give an operation other inputs, and note what stands for its results."""
        for at, tensor in enumerate(node.inputs):
            stand = self._stands.get(tensor.ref())
            if stand is not None:
                set_input(node, at, stand)
        if node in self.dropped or node.op_def.is_stateful or node.control_inputs:
            return
        if node.type == "RightShift":
            self._shorten(node)
        truth = self._of_whole(node)
        if truth is not None:
            self._stands[node.outputs[0].ref()] = truth
            return
        found = carried(node, self._facts.of, self._shifts, self._alone) if node.type == "AddV2" else None
        if found is not None:
            self._carry(node, found)
            return
        for at, tensor in enumerate(node.outputs):
            stand = self._stand(node, at, tensor)
            if stand is not None and stand is not tensor:
                self._stands[tensor.ref()] = stand

    def _of_whole(self, node: Any) -> Any:
        """Return the truth of a comparison of fractions as one of whole numbers, or None."""
        sides = compared(node, self._facts.of) if node.type in ORDERS else None
        if sides is None:
            return None
        dtype = next(one.dtype for one in sides if tf.is_tensor(one))
        x, y = (one if tf.is_tensor(one) else self._number(one, dtype) for one in sides)
        with self._graph.as_default(), tf.control_dependencies(None):
            return getattr(tf.raw_ops, node.type)(x=x, y=y)

    def _shift_once(self, nodes: list[Any]) -> None:
        """Shift random bits once: at the end, because sums of halves are known by their two shifts."""
        needed = self._needed(nodes)

        def alone(tensor: Any) -> bool:
            return sum(user in needed for user in tensor.consumers()) == 1

        for node in nodes:
            once = shifted_once(node, self._facts.of, alone) if node in needed else None
            if once is None:
                continue
            source, *numbers = once
            by, mask = (self._number(one, tf.int64) for one in numbers)
            with self._graph.as_default(), tf.control_dependencies(None):
                found = tf.bitwise.bitwise_and(tf.bitwise.right_shift(source, by), mask)
            result = node.outputs[0]
            for user in result.consumers():
                for at, tensor in enumerate(user.inputs):
                    if tensor is result:
                        set_input(user, at, found)
            passed = {key for key, stand in self._stands.items() if stand is result}
            self._stands |= dict.fromkeys({*passed, result.ref()}, found)

    def _needed(self, nodes: list[Any]) -> set[Any]:
        """Return the operations that results or side effects depend on."""
        found = {self._stands.get(one, one.deref()).op for one in self._given}
        found |= {node for node in nodes if not node.outputs or node.op_def.is_stateful} - self.dropped
        waiting = list(found)
        while waiting:
            node = waiting.pop()
            before = {*(one.op for one in node.inputs), *node.control_inputs} - found
            found |= before
            waiting.extend(before)
        return found

    def _shorten(self, node: Any) -> None:
        by = self._facts.of(node.inputs[1])
        if by is not None:
            self._shifts[node.outputs[0].ref()] = node.inputs[0], by
        shorter = shortened(node, self._facts.of)
        if shorter is not None:
            set_input(node, 0, shorter.number)
            set_input(node, 1, self._constant(tf.int64, shorter.by))

    def _carry(self, node: Any, found: Carry) -> None:
        result = found.shift.outputs[0]
        set_input(found.total, found.at, found.number)
        self._facts.forget(found.total.outputs[0])
        self._facts.forget(result, self._facts.of(node.outputs[0]))
        self._stands[node.outputs[0].ref()] = result
        self._shorten(found.shift)

    def _alone(self, tensor: Any) -> bool:
        """Say whether nothing takes a tensor but one operation, which is left."""
        users = [
            user for user in tensor.consumers() if any(one.ref() not in self._stands for one in user.outputs)
        ]
        return len(users) == 1 and tensor.ref() not in self._given

    # Checks.

    def _drop_checks(self, nodes: list[Any]) -> None:
        """Leave out checks that hold, and let nothing wait for them."""
        for node in nodes:
            if self._holds(node) or (node.type == "Identity" and node.inputs[0].op in self.dropped):
                self.dropped.add(node)
        if not self.dropped:
            return
        for node in nodes:
            before = list(node.control_inputs)
            after = self._still(before)
            if after != before:
                set_control_inputs(node, after)
        self.dropped |= {node for node in nodes if node.type == "NoOp" and not node.control_inputs}

    def _still(self, nodes: list[Any]) -> list[Any]:
        """Return operations to wait for, without checks, but with what these waited for."""
        found: dict[Any, None] = {}
        for node in nodes:
            passed = node in self.dropped or node.type == "NoOp"
            found |= dict.fromkeys(self._still(list(node.control_inputs)) if passed else [node])
        return list(found)

    def _holds(self, node: Any) -> bool:
        """Say whether an operation checks a condition that is known to hold."""
        if node.type == "If":
            users = [user for tensor in node.outputs for user in tensor.consumers()]
            if any(user.type != "Identity" or user.outputs[0].consumers() for user in users):
                return False
            if "Assert" not in {one.op for one in self._function(node, "else_branch").node_def}:
                return False
            if any(one.op not in _CHECKED for one in self._function(node, "then_branch").node_def):
                return False
        elif node.type != "Assert":
            return False
        return self._truth(node.inputs[0]) is True

    def _truth(self, tensor: Any) -> bool | None:
        fact = self._facts.of(tensor)
        return None if fact is None or not fact.exact or not fact.low.size else bool(np.all(fact.low))

    def _function(self, node: Any, name: str) -> Any:
        if self._library is None:
            library = self._graph.as_graph_def().library.function
            self._library = {one.signature.name: one for one in library}
        return self._library[node.get_attr(name).name]

    # Values.

    def _stand(self, node: Any, at: int, tensor: Any) -> Any:
        """Return another tensor with the values of one, or None."""
        fact = self._facts.of(tensor)
        if fact is not None and fact.exact and _may_be_constant(tensor, fact):
            return self._constant(tensor.dtype, fact, tensor)
        found = self._passed(node, at)
        passed = found is not None and _alike(found, tensor) and not _has_gradient(node)
        return found if passed else self._twin(node, at)

    def _passed(self, node: Any, at: int) -> Any:
        """Return an operand, or what it was made of, that an operation passes on."""
        if node.type == "ConcatV2":
            return written(node, self._alone) if self._writes else None
        rule = _STANDS.get(node.type)
        return None if rule is None else rule(node, at, self._facts.of)

    def _constant(self, dtype: Any, fact: Fact, like: Any = None) -> Any:
        """Return a constant, which may be `like`, of those values; those of whole numbers are shared."""
        value = np.asarray(fact.low.tolist(), dtype.as_numpy_dtype).reshape(fact.low.shape)
        key = like.ref() if dtype.is_floating else (dtype, value.shape, value.tobytes())
        if key not in self._constants:
            if like is not None and like.op.type == "Const":
                self._constants[key] = like
            else:
                with self._graph.as_default(), tf.control_dependencies(None):
                    self._constants[key] = tf.constant(value, dtype)
        return self._constants[key]

    def _number(self, value: int, dtype: Any) -> Any:
        return self._constant(dtype, Fact(array(value), array(value)))

    def _twin(self, node: Any, at: int) -> Any:
        """Return the result of an operation of the same kind, on the same operands, that came before."""
        if node.type in ("Placeholder", "Const"):
            return None
        key = node.type, tuple(one.ref() for one in node.inputs)
        rows = self._made.setdefault(key, [])
        same = (one for one in rows if tuple(given.ref() for given in one.inputs) == key[1])
        found = next((one for one in same if one is node or _attributes(one) == _attributes(node)), None)
        if found is None:
            rows.append(node)
        return None if found is None or found is node else found.outputs[at]


_CHECKED = frozenset({"Const", "Identity", "NoOp"})


def _alike(one: Any, other: Any) -> bool:
    known = one.shape.rank is not None and other.shape.rank is not None
    return one.dtype == other.dtype and known and one.shape.as_list() == other.shape.as_list()


def _may_be_constant(tensor: Any, fact: Fact) -> bool:
    """Say whether a constant, which others may share, can stand for a tensor.

    Whether floats are constant in a program depends on what takes each; what lies behind a barrier is not;
    whole numbers that become floats show what these are; and a zero may have a sign.
    """
    fixed = tensor.op.type in ("Const", "Cast", BARRIER) or bool(np.any(fact.low == 0))
    return not (tensor.dtype.is_floating and fixed)


def _has_gradient(node: Any) -> bool:
    """Say whether an operation has a gradient of its own."""
    return "_gradient_op_type" in node.node_def.attr


def _attributes(node: Any) -> Any:
    definition = type(node.node_def)()
    definition.CopyFrom(node.node_def)
    definition.name = ""
    del definition.input[:]
    return definition


# What an operation leaves as it is.

_Known = Callable[[Any], Any]


def _kept(node: Any, at: int) -> Any:
    """Return an operand that has the sizes of the result, or None: others may widen what is unknown."""
    operand = node.inputs[at]
    if not _alike(operand, node.outputs[0]):
        return None
    others = [one.shape[::-1] for number, one in enumerate(node.inputs) if number != at]
    unknown = [place for place, size in enumerate(operand.shape[::-1]) if size is None]
    widened = any(place < other.rank and other[place] != 1 for place in unknown for other in others)
    return None if widened else operand


def _neutral(number: int, *, either: bool) -> Callable[[Any, int, _Known], Any]:
    """Give a rule for whole numbers that a number leaves as they are."""

    def rule(node: Any, _: int, known: _Known) -> Any:
        if not node.inputs[0].dtype.is_integer:
            return None
        sides = [(0, 1), (1, 0)] if either else [(0, 1)]
        for kept, other in sides:
            fact = known(node.inputs[other])
            found = fact is not None and fact.exact and np.all(fact.low == number)
            if found and _kept(node, kept) is not None:
                return node.inputs[kept]
        return None

    return rule


def _limit(*, largest: bool) -> Callable[[Any, int, _Known], Any]:
    def rule(node: Any, _: int, known: _Known) -> Any:
        facts = [known(one) for one in node.inputs]
        if any(fact is None for fact in facts) or not node.inputs[0].dtype.is_integer:
            return None
        for kept, other in ((0, 1), (1, 0)):
            more, less = (kept, other) if largest else (other, kept)
            if np.all(facts[more].low >= facts[less].high) and _kept(node, kept) is not None:
                return node.inputs[kept]
        return None

    return rule


def _mask(node: Any, _: int, known: _Known) -> Any:
    for kept, other in ((0, 1), (1, 0)):
        value, mask = known(node.inputs[kept]), known(node.inputs[other])
        if value is not None and mask is not None and is_kept(value, mask):
            return _kept(node, kept)
    return None


def _chosen(node: Any, _: int, known: _Known) -> Any:
    test = known(node.inputs[0])
    if test is None or not test.exact or not test.low.size:
        return None
    if np.all(test.low == 1):
        return _kept(node, 1)
    return _kept(node, 2) if np.all(test.low == 0) else None


def _equal(node: Any, _: int, known: _Known) -> Any:
    if node.inputs[0].dtype != tf.bool:
        return None
    for kept, other in ((0, 1), (1, 0)):
        fact = known(node.inputs[other])
        if fact is not None and fact.exact and np.all(fact.low == 1):
            return _kept(node, kept)
    return None


def _neutral_truth(number: int) -> Callable[[Any, int, _Known], Any]:
    """Give a rule for truths that one leaves as they are."""

    def rule(node: Any, _: int, known: _Known) -> Any:
        for kept, other in ((0, 1), (1, 0)):
            fact = known(node.inputs[other])
            if fact is not None and fact.exact and np.all(fact.low == number):
                return _kept(node, kept)
        return None

    return rule


def _reduced(node: Any, _: int, __: _Known) -> Any:
    return node.inputs[0] if node.inputs[0].shape.rank == 0 else None


def _unpacked(node: Any, at: int, _: _Known) -> Any:
    packed = node.inputs[0].op
    same = packed.type == "Pack" and packed.get_attr("axis") == node.get_attr("axis")
    return packed.inputs[at] if same else None


def _whole(node: Any, _: int, known: _Known) -> Any:
    """Return the source of a slice that takes all of it."""
    step = known(node.inputs[3])
    source = node.inputs[0]
    moved = any(node.get_attr(f"{name}_mask") for name in ("ellipsis", "new_axis", "shrink_axis"))
    forward = step is not None and step.exact and np.all(step.low == 1)
    return source if forward and not moved and source.shape.is_fully_defined() else None


def _same(node: Any, _: int, __: _Known) -> Any:
    return node.inputs[0]


def _reshaped(node: Any, _: int, __: _Known) -> Any:
    """Return the operand of a reshape whose sizes the count of elements settles."""
    shape = node.outputs[0].shape
    sizes = [None, None] if shape.rank is None else shape.as_list()
    known = shape.is_fully_defined() or (sizes.count(None) == 1 and 0 not in sizes)
    return node.inputs[0] if known else None


_STANDS: dict[str, Callable[[Any, int, _Known], Any]] = {
    "Add": _neutral(0, either=True), "AddV2": _neutral(0, either=True), "All": _reduced, "Any": _reduced,
    "BitwiseAnd": _mask, "Cast": _same, "EnsureShape": _same, "Equal": _equal,
    "FloorDiv": _neutral(1, either=False), "Identity": _same, "LogicalAnd": _neutral_truth(1),
    "LogicalOr": _neutral_truth(0), "Maximum": _limit(largest=True), "Minimum": _limit(largest=False),
    "Mul": _neutral(1, either=True), "Reshape": _reshaped, "RightShift": _neutral(0, either=False),
    "SelectV2": _chosen, "StridedSlice": _whole, "Sub": _neutral(0, either=False), "Unpack": _unpacked,
}  # fmt: skip
