"""Adds the operations of a traced body to the graph around it, as they are or compiled."""

from __future__ import annotations

import functools
from collections.abc import Set
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import BARRIER, add_functions, copy_gradient, register, renew_gradient
from pipeport.errors import explain
from pipeport.kernels.xla._order import must_be_kept
from pipeport.kernels.xla._single_threaded import single_threaded
from pipeport.porting.optimise import _compilable as rules
from pipeport.porting.optimise._blocks import Sizes, block_of, sizes_in, source_of
from pipeport.porting.optimise._blocks import checked as check_of
from pipeport.porting.optimise._bounds import narrowed
from pipeport.porting.optimise._loops import Late, late_of
from pipeport.porting.optimise._traced import Traced

# Arithmetic that a compiler leaves as it is, between a whole number and a constant.
_FIRST = frozenset({"Add", "AddV2", "Mul", "Sub"})
# The binary logarithm of the least size that a program of unknown sizes is compiled for.
_LEAST = 6
_CONDITIONS = frozenset({"Case", "If", "StatelessCase", "StatelessIf"})
# With the reference of a tensor of the body, the key of the tensor around that stands behind a barrier.
_KEPT = "kept"


class Emission:
    """Adds the operations of one body to the graph around it.

    `body`: the body, with all its choices. `found`: by reference of a tensor of the body, the tensor of the
    graph around; grows as operations are added. `unknown`: the sizes of its inputs that are padded, see
    `_blocks.sizes_in`.
    """

    def __init__(self, body: Traced, found: dict[Any, Any], unknown: dict[Any, Any] | None = None) -> None:
        self._body = body
        self._sizes = sizes_in(body, unknown or {})
        self._found = found
        self._definitions = {node.name: node for node in body.definition.node}
        for node in narrowed(body):
            self._definitions[node.name].attr["DstT"].type = tf.int32.as_datatype_enum
            for user in body.users_of(node):
                self._definitions[user.name].attr["SrcT"].type = tf.int32.as_datatype_enum
        self._added: dict[str, Any] = {}
        self._outer = {one.ref(): found[one.ref()] for one in body.inputs if one.ref() in found}

    def add(self, nodes: list[Any], *, compiled: bool) -> None:
        """Add operations.

        Parameters
        ----------
        nodes : list of tf.Operation
            In an order in which they can run; what they need was added before.
        compiled : bool
            Whether as one program.
        """
        if compiled:
            self._add_program(nodes)
        else:
            self._added |= self._imported(nodes, self._found)

    def _imported(
        self, nodes: list[Any], found: dict[Any, Any], hidden: Set[Any] = frozenset()
    ) -> dict[str, Any]:
        """Copy operations to the current graph, note their results in `found`, return them by name.

        What must be kept apart from an operation is, but for what is hidden.
        """
        names = dict.fromkeys(node.name for node in nodes)
        definition = tf.compat.v1.GraphDef(versions=self._body.definition.versions)
        given: dict[str, Any] = {}
        barriers: dict[str, Any] = {}
        for node in nodes:
            copy = definition.node.add()
            copy.CopyFrom(self._definitions[node.name])
            if "_class" in copy.attr:  # to be where an operation is that may have been folded
                del copy.attr["_class"]
            renew_gradient(copy)
            for at, one in enumerate(node.inputs):
                if one.ref() not in hidden and must_be_kept(node.type, node.inputs, at, self._outer):
                    copy.input[at] = barrier = f"{one.op.name}/kept{one.value_index}"
                    if (_KEPT, one.ref()) in found:
                        given[f"{barrier}:0"] = found[_KEPT, one.ref()]
                        continue
                    if barrier not in barriers:
                        barriers[barrier] = one
                        added = definition.node.add(name=barrier, op=BARRIER, input=[one.name])
                        added.attr["T"].list.type.append(one.dtype.as_datatype_enum)
                if one.op.name not in names:
                    given[one.name] = found[one.ref()]
            if node.type in _CONDITIONS:
                _set_apart(definition, copy, given)
            for source in node.control_inputs:
                if source.name not in names:
                    given[f"^{source.name}"] = self._after(source.name)
        if any(map(_calls, definition.node)):
            add_functions(tf.compat.v1.get_default_graph(), self._body.graph)
        tensors = {tensor.ref(): tensor for node in nodes for tensor in node.outputs}
        wanted = {name: one.name for name, one in tensors.items()}
        for barrier, one in barriers.items():
            tensors[_KEPT, one.ref()], wanted[_KEPT, one.ref()] = one, f"{barrier}:0"
        if barriers:
            register()
        every = [*wanted.values(), *names]
        made = iter(tf.graph_util.import_graph_def(definition, given, every, name="port"))
        for (key, tensor), new in zip(tensors.items(), made, strict=False):
            new.set_shape(tensor.shape)
            found[key] = new
        added = dict(zip(names, made, strict=True))
        for node in nodes:
            copy_gradient(added[node.name], node)
        return added

    def _after(self, name: str) -> Any:
        """Return a tensor that is there once an operation has run."""
        with tf.control_dependencies([self._added[name]]):
            return tf.constant(0)

    def _add_program(self, nodes: list[Any]) -> None:
        body, inside = self._body, set(nodes)
        fixed, given = _outside(body, nodes)
        wanted = [
            tensor for node in nodes for tensor in node.outputs if body.is_needed_beyond(tensor, inside)
        ]
        products = rules.products_in_sums(body, nodes)
        checked = any(rules.checks(body, node) for node in nodes)
        padded = [one for one in given if not one.shape.is_fully_defined()]

        def run(compiled: bool, zero: Any, sizes: list[Any], values: list[Any]) -> list[Any]:
            found = {tensor.ref(): value for tensor, value in zip(given, values, strict=True)}
            unknown = {one.ref(): size for one, size in zip(padded, sizes, strict=True)}
            for one in () if compiled else padded:
                found[one.ref()] = _cut(found[one.ref()], unknown[one.ref()])
            for tensor, value in fixed:
                found[tensor.ref()] = tf.constant(value, tensor.dtype)
            self._sizes = sizes_in(body, unknown)
            inside = self.compute(nodes, products, found, zero, compiled=compiled)
            for one in () if compiled else wanted:
                if not one.shape.is_fully_defined():
                    room = tf.shape(values[_place(given, source_of(body, one, unknown))])
                    found[one.ref()] = _padded(found[one.ref()], room)
            return [*(found[one.ref()] for one in wanted), *([_all(inside)] if checked else [])]

        def program(zero: Any, sizes: list[Any], values: list[Any]) -> list[Any]:
            return run(True, zero, sizes, values)

        # A number that the compiler does not know, although it is always zero.
        zero = tf.zeros([], tf.int32)
        loops = any(node in body.loops for node in nodes)
        plain = functools.partial(run, False) if loops else None
        values = [self._found[tensor.ref()] for tensor in given]
        sizes = [tf.shape(self._found[tensor.ref()], tf.int64) for tensor in padded]
        refs = {tensor.ref() for tensor in padded}
        for at, tensor in enumerate(given):
            if not tensor.shape.is_fully_defined():
                values[at] = _padded(values[at], _room(tensor.shape, values[at]))
        made = single_threaded(program, differentiated=plain)(zero, sizes, values)
        for tensor, value in zip(wanted, made, strict=False):
            if not tensor.shape.is_fully_defined():
                value = _cut(value, sizes[_place(padded, source_of(body, tensor, refs))])
                value.set_shape(tensor.shape)
            self._found[tensor.ref()] = value
        for fine in made[len(wanted) :]:
            message = explain("index", "one outside, at run time", "indices inside of their axes", "Clip it.")
            tf.debugging.Assert(fine, [message])

    def compute(
        self,
        nodes: list[Any],
        products: set[Any],
        found: dict[Any, Any],
        zero: Any,
        *,
        compiled: bool = True,
    ) -> list[Any]:
        """Add operations to the program that is being traced.

        `nodes`: in an order in which they can run. `products`: references of tensors to hide from the
        compiler. `found`: by reference of a tensor of the body, that of the program; grows. `zero`: a zero
        that the compiler does not know. `compiled`: whether XLA runs its loops. Returns: truths, all of which
        hold where no index lay outside.
        """
        body = self._body
        inside: list[Any] = []
        for row in _rows(body, nodes, products):
            self._imported([node for node in row if not _rewritten(body, node)], found, products)
            for node in row:
                if (check := check_of(body, node)) is not None:
                    inside.append(check.holds(found, self._sizes))
                if node in body.loops and not compiled:
                    self._imported([node], found)
                elif _rewritten(body, node):
                    results = _results(body, node, found, zero, inside, self._sizes)
                    found |= {one.ref(): value for one, value in zip(node.outputs, results, strict=True)}
                for tensor in node.outputs:
                    if tensor.ref() in products:
                        found[tensor.ref()] = rules.hidden(found[tensor.ref()], zero)
        return inside


def _set_apart(definition: Any, condition: Any, given: dict[str, Any]) -> None:
    """Let no tensor be given twice to a condition: Grappler makes nothing of `x + x` in a branch of it.

    `definition`: gets operations more. `given`: tensors of the graph around, by name of an input.
    """
    seen: set[Any] = set()
    for at, name in enumerate(condition.input):
        if name.startswith("^"):
            break
        whole = name if ":" in name else f"{name}:0"
        tensor = id(given[whole]) if whole in given else whole
        if tensor in seen:
            again = definition.node.add(name=f"{condition.name}/again{at}", op="Identity", input=[name])
            again.attr["T"].type = condition.attr["Tin"].list.type[at - 1]
            condition.input[at] = again.name
        seen.add(tensor)


def _place(tensors: list[Any], tensor: Any) -> int:
    return next(at for at, one in enumerate(tensors) if one is tensor)


def _room(shape: Any, value: Any) -> Any:
    """Return sizes of which programs are compiled: powers of two where they are not known."""
    size = tf.shape(value)
    steps = tf.constant([2**power for power in range(_LEAST, 31)], tf.int32)
    wider = tf.gather(steps, tf.searchsorted(steps, size))
    return tf.where([one is None for one in shape], wider, size)


def _padded(value: Any, room: Any) -> Any:
    return tf.pad(value, tf.stack([tf.zeros_like(room), room - tf.shape(value)], axis=1))


def _cut(value: Any, sizes: Any) -> Any:
    return tf.slice(value, tf.zeros_like(sizes), sizes)


def _all(truths: list[Any]) -> Any:
    """Return whether all truths hold."""
    return functools.reduce(tf.logical_and, truths, tf.constant(True))


def _calls(definition: Any) -> bool:
    """Say whether an operation calls a function."""
    return any(value.HasField("func") or value.list.func for value in definition.attr.values())


def _rewritten(body: Traced, node: Any) -> bool:
    """Say whether a program does not do an operation as the graph does."""
    found = (body.choices, body.block_writes, body.loops, body.branches)
    if any(node in one for one in found) or rules.divides(node):
        return True
    if node.type == "MatMul":
        return rules.repeats_truths(node)
    return body.looped and (node.type == "Shape" or block_of(node) is not None)


def _outside(body: Traced, nodes: list[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Return the inputs of a program: constants with their values, and the rest.

    Floats that need not be constant are none: a compiler would turn divisions by them into products, and
    draw two constants together. Where one meets whole numbers, it only shows that all results are numbers.
    """
    inside = set(nodes)
    fixed: dict[Any, tuple[Any, Any]] = {}
    given: dict[Any, Any] = {}
    for node in nodes:
        constant = rules.constants(node)
        for tensor in body.operands(node):
            if tensor.op in inside:
                continue
            if any(tensor is one for one in constant):
                fixed[tensor.ref()] = (tensor, tf.get_static_value(tensor))
            elif (number := _number(node, tensor)) is not None:
                fixed[tensor.ref()] = (tensor, number)
            else:
                given[tensor.ref()] = tensor
    return list(fixed.values()), [tensor for name, tensor in given.items() if name not in fixed]


def _number(node: Any, tensor: Any) -> Any:
    """Return the value of an operand, where it is a number that may be constant in a program, or None."""
    if node.type in _FIRST and tensor.op.type == "Const" and tensor.shape.rank == 0:
        others = [one.op for one in node.inputs if one is not tensor]
        if all(one.type == "Cast" and one.inputs[0].dtype.is_integer for one in others):
            return tf.get_static_value(tensor)
    is_whole = tensor.shape.rank == 0 and (tensor.dtype.is_integer or tensor.dtype.is_bool)
    return tf.get_static_value(tensor) if is_whole else None


def _rows(body: Traced, nodes: list[Any], hidden: set[Any]) -> list[list[Any]]:
    """Put operations into rows: what is hidden, and what is chosen, stands in a row before its users."""
    at: dict[Any, int] = {}
    for node in nodes:
        row = 0
        for tensor in body.operands(node):
            if tensor.op in at:
                apart = tensor.ref() in hidden or _rewritten(body, tensor.op) or _rewritten(body, node)
                row = max(row, at[tensor.op] + apart)
        at[node] = row
    rows: list[list[Any]] = [[] for _ in range(max(at.values(), default=-1) + 1)]
    for node in nodes:
        rows[at[node]].append(node)
    return rows


def _chosen(choice: Any, found: dict[Any, Any]) -> Any:
    other = found[choice.other.ref()]
    value = (
        found[choice.value.ref()] if tf.is_tensor(choice.value) else tf.constant(choice.value, other.dtype)
    )
    return tf.where(found[choice.mask.ref()], value, other)


def _results(
    body: Traced, node: Any, found: dict[Any, Any], zero: Any, inside: list[Any], sizes: Sizes
) -> list[Any]:
    """Add an operation that a program does not do as the graph does; `inside` grows by what it checks."""
    if node in body.choices:
        return [_chosen(body.choices[node], found)]
    if node in body.block_writes:
        return [body.block_writes[node].written(found)]
    if node in body.loops or node in body.branches:
        parts = body.loops[node] if node in body.loops else body.branches[node]
        add = _looped if node in body.loops else _branched
        unknown = [None if one.shape.is_fully_defined() else sizes(one) for one in node.inputs]
        results = add(parts, [found[one.ref()] for one in node.inputs], zero, unknown)
        inside.extend(results[len(node.outputs) :])
        return results[: len(node.outputs)]
    if node.type == "MatMul":
        return [rules.repeated(node, found[node.inputs[0].ref()])]
    if (block := block_of(node)) is not None:
        return [block.result(found, sizes)]
    if node.type == "Shape":
        # Of this graph: what is imported takes no tensor of a graph around.
        return [tf.identity(tf.cast(sizes(node.inputs[0]), node.outputs[0].dtype))]
    return [rules.divided(node, *(found[one.ref()] for one in node.inputs))]


def _part(
    part: Traced, given: Any, zero: Any, sizes: list[Any], without: frozenset[Any] = frozenset()
) -> tuple[dict[Any, Any], list[Any]]:
    """Add a function of a loop or of a condition to a program, but for some operations.

    `sizes`: of what it is given, where they are not known while tracing. Returns: what stands for its
    tensors, and the truths of `Emission.compute`.
    """
    found = {one.ref(): value for one, value in zip(part.inputs, given, strict=True)}
    unknown = {one.ref(): size for one, size in zip(part.inputs, sizes, strict=True)}
    nodes = [node for node in part.nodes if node not in without]
    products = rules.products_in_sums(part, nodes, part=True)
    inside = Emission(part, found, unknown).compute(nodes, products, found, zero)
    return found, inside


def _looped(parts: tuple[Traced, Traced], start: list[Any], zero: Any, sizes: list[Any]) -> list[Any]:
    """Add a loop to a program; what is only written to gets the numbers after it, all at once.

    It ends where an index lies outside. Returns: its results, and whether all lay inside if any may not.
    """
    test, body = parts
    late = {at: one for at in range(len(start)) if (one := late_of(body, test, at)) is not None}
    apart = frozenset(node for one in late.values() for node in one.passed)
    checks = [tf.constant(True)] if rules.has_checks(body) else []

    def go_on(*state: Any) -> Any:
        more = _part(test, state[: len(start)], zero, sizes)[0][test.outputs[0].ref()]
        return _all([more, *state[len(start) :]])

    def round_(*state: Any) -> Any:
        found, inside = _part(body, state[: len(start)], zero, sizes, apart)
        return [
            *(
                _written(body, late[at], state[at], found) if at in late else found[tensor.ref()]
                for at, tensor in enumerate(body.outputs)
            ),
            *([_all(inside)] if checks else []),
        ]

    state = [
        (tf.zeros(late[at].shape, tf.bool), tf.zeros(late[at].shape, value.dtype)) if at in late else value
        for at, value in enumerate(start)
    ]
    results = tf.while_loop(go_on, round_, [*state, *checks])
    return [tf.where(*one, start[at]) if at in late else one for at, one in enumerate(results)]


def _branched(parts: tuple[Traced, Traced], operands: list[Any], zero: Any, sizes: list[Any]) -> list[Any]:
    """Add a condition to a program.

    Returns: its results, and whether all indices lay inside if any may not.
    """
    test, *given = operands
    checks = any(map(rules.has_checks, parts))

    def side(part: Traced) -> Any:
        def run() -> list[Any]:
            around = tf.compat.v1.get_default_graph()
            found, inside = _part(part, map(around.capture, given), zero, sizes[1:])
            results = [tf.identity(found[tensor.ref()]) for tensor in part.outputs]
            return [*results, tf.identity(_all(inside))] if checks else results

        return run

    results = tf.cond(test, *map(side, parts))
    return list(results) if isinstance(results, (list, tuple)) else [results]


def _written(body: Traced, late: Late, state: Any, found: dict[Any, Any]) -> tuple[Any, Any]:
    """Return where was written and what, after a round."""
    places, numbers = state
    for node in late.block_writes:
        write = body.block_writes[node]
        mask = write.mask(found)
        places, numbers = places | mask, tf.where(mask, found[write.value.ref()], numbers)
    return places, numbers
