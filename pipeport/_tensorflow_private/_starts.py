"""Functions of datasets that each new iterator takes as they are.

TensorFlow optimises and places the function of a map anew for each iterator, with all that it calls. A
function with the attribute that keeps its integers on the device is instantiated as it is. No document names
that use of the attribute: it is gated by release, and a test compares values and reads what is printed.
"""

from __future__ import annotations

import functools
import itertools
import sys
import threading
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

from pipeport._lazy import ExecutedBy, tf
from pipeport._tensorflow_private._barrier import BARRIER
from pipeport._tensorflow_private._programs import Function, context, functions_of
from pipeport._tensorflow_private._releases import FIRST, LAST, release, warn_if_newer
from pipeport._tensorflow_private._upstream import in_debug_mode

_ALONE = "experimental_ints_on_device"
# tf.data optimises functions with this mark for each iterator.
_OF_DATASET = "_tf_data_function"
_COMPILED = "_XlaMustCompile"
# What makes a dataset of another with a function, and the name of that.
_OPERATIONS = {
    "gen_dataset_ops": {
        "filter_dataset": "predicate",
        "flat_map_dataset": "f",
        "interleave_dataset": "f",
        "map_dataset": "f",
        "parallel_interleave_dataset_v4": "f",
        "parallel_map_dataset_v2": "f",
    },
    "gen_experimental_dataset_ops": {"scan_dataset": "f", "take_while_dataset": "predicate"},
}
# A call is instantiated with all optimisers; a condition as the function around it is.
_CONDITIONS = {"PartitionedCall": "StatelessIf", "StatefulPartitionedCall": "If"}
# TensorFlow computes what is constant beforehand. Where that calls a function it prints that it cannot. It
# does not try where there may be a state.
_WITH_STATE = {"StatelessIf": "If", "StatelessWhile": "While"}
_OF_CALLS = ("f", "config", "config_proto", "executor_type")
_TRUE = "pipeport_true"
# Without optimisers there are none to hold off, and the barrier would be compiled for each iterator.
_INSTEAD = {BARRIER: "IdentityN"}
# Operations that are computed by what a pass over the graph puts in their place.
_REPLACED = frozenset({"ParallelConcat"})
_numbers = itertools.count()
_is_started = threading.Event()


def start_alone(wanted: Callable[[], bool]) -> None:
    """Let datasets that are made from now on start faster, where that is wanted and right.

    The first call of a process wraps what TensorFlow makes datasets with; later ones do nothing.

    Parameters
    ----------
    wanted : callable
        Says whether it is wanted now.
    """
    if _is_started.is_set():
        return
    _is_started.set()
    for name, operations in _OPERATIONS.items():
        replace = functools.partial(_replace, operations, wanted)
        loaded = sys.modules.get(f"tensorflow.python.ops.{name}")
        if loaded is None:
            ExecutedBy(f"tensorflow.python.ops.{name}", functools.partial(_executed, replace))
        else:
            replace(loaded)


def _executed(
    replace: Callable[[ModuleType], None], execute: Callable[[ModuleType], None], module: ModuleType
) -> None:
    execute(module)
    replace(module)


def _replace(operations: dict[str, str], wanted: Callable[[], bool], module: ModuleType) -> None:
    for name, parameter in operations.items():
        original = getattr(module, name, None)
        if original is not None:
            setattr(module, name, _operation(original, parameter, wanted))


def _operation(
    original: Callable[..., Any], parameter: str, wanted: Callable[[], bool]
) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        function = kwargs.get(parameter)
        if function is not None and wanted() and _may_start_alone(function):
            kwargs[parameter] = _alone(function)
        return original(*args, **kwargs)

    return call


def _may_start_alone(function: Any) -> bool:
    """Say whether a function gives the same without placer and optimisers."""
    warn_if_newer()
    return (
        FIRST <= release() <= LAST
        and tf.executing_eagerly()
        and not in_debug_mode()
        and isinstance(function, tf.types.experimental.ConcreteFunction)
        # Of one machine without accelerators.
        and all(one.name.startswith("/device:CPU:") for one in tf.config.list_logical_devices())
        and all(
            one.device.endswith("/device:CPU:0")
            for one in function.captured_inputs
            if one.dtype in (tf.resource, tf.variant)
        )
    )


class _Unserved(Exception):
    """A function holds what a pass over its graph has to replace."""


def _alone(function: Any) -> Any:
    """Return a function that computes the same, marked; itself where that cannot be."""
    copies = _Copies()
    try:
        found = copies.marked(tf.compat.as_str(function.name))
    except _Unserved:
        return function
    known, names = context(), [one.signature.name for one in copies.made]
    for one in copies.made:
        known.add_function_def(one)
    weakref.finalize(function, _forget, names).atexit = False
    return Function(found)


def _forget(names: list[str]) -> None:
    for name in names:
        context().remove_function(name)


class _Copies:
    """Functions that are called as conditions are, and programs of XLA as they were."""

    def __init__(self) -> None:
        self.made: list[Any] = []
        self._names: dict[tuple[str, bool], str] = {}
        self._suffix = f"_pipeport_{next(_numbers)}"

    def marked(self, name: str) -> str:
        """Return the name of a function that calls the copy of one, and has the mark."""
        if (name, True) in self._names:
            return self._names[name, True]
        inner = context().get_function_def(name)
        found = self._new(name, inner, f"{name}{self._suffix}_alone", marked=True)
        own = inner.signature
        found.signature.input_arg.extend(own.input_arg)
        found.signature.output_arg.extend(own.output_arg)
        found.signature.is_stateful = own.is_stateful
        found.attr[_ALONE].b = True
        call = found.node_def.add(
            name="body",
            op="StatefulPartitionedCall",  # it may ignore its arguments, and be constant
            input=[one.name for one in own.input_arg],
        )
        call.attr["f"].func.name = self._copied(name)
        call.attr["Tin"].list.type.extend(one.type for one in own.input_arg)
        call.attr["Tout"].list.type.extend(one.type for one in own.output_arg)
        _as_condition(call)
        _add_true(found)
        for at, one in enumerate(own.output_arg):
            found.ret[one.name] = f"body:output:{at}"
        return str(found.signature.name)

    def _new(self, name: str, like: Any, new: str, *, marked: bool) -> Any:
        found = type(like)()
        found.signature.name = self._names[name, marked] = new
        self.made.append(found)
        return found

    def _copied(self, name: str) -> str:
        if (name, False) in self._names:
            return self._names[name, False]
        inner = context().get_function_def(name)
        if _is_set(inner.attr, _COMPILED):
            return name
        found = self._new(name, inner, f"{name}{self._suffix}", marked=False)
        inner.signature.name = found.signature.name
        found.CopyFrom(inner)
        found.attr.pop(_OF_DATASET, None)
        constant, conditions = _constant(found), False
        for node in found.node_def:
            if node.op in _REPLACED:
                raise _Unserved
            node.op = _INSTEAD.get(node.op, node.op)
            if _is_set(node.attr, _COMPILED):
                continue
            copied = self.marked if "Dataset" in node.op else self._copied
            kept = False
            for one in functions_of(node):
                before, one.name = one.name, copied(one.name)
                kept = kept or one.name == before
            if node.op in _CONDITIONS and not kept:
                _as_condition(node)
                conditions = True
            if node.op in _WITH_STATE and node.name in constant:
                node.op = _WITH_STATE[node.op]
        if conditions:
            _add_true(found)
        return str(found.signature.name)


def _constant(function: Any) -> set[str]:
    """Return the names of the operations of a function that take nothing of its arguments."""
    given = {node.name: _given(node) for node in function.node_def}
    users: dict[str, list[str]] = {}
    for name, names in given.items():
        for one in names:
            users.setdefault(one, []).append(name)
    found, todo = set(given), [one.name for one in function.signature.input_arg]
    while todo:
        for name in users.pop(todo.pop(), ()):
            found.discard(name)
            todo.append(name)
    return found


def _given(node: Any) -> list[str]:
    return [one.partition(":")[0] for one in node.input if not one.startswith("^")]


def _is_set(attributes: Any, name: str) -> bool:
    return name in attributes and bool(attributes[name].b)


def _as_condition(call: Any) -> None:
    """Turn a call into a condition whose branches both are the function."""
    called = call.attr["f"].func
    for branch in ("then_branch", "else_branch"):
        call.attr[branch].func.CopyFrom(called)
    if "_output_shapes" in call.attr:
        call.attr["output_shapes"].CopyFrom(call.attr["_output_shapes"])
    for name in _OF_CALLS:
        call.attr.pop(name, None)
    call.attr["Tcond"].type = tf.bool.as_datatype_enum
    call.op = _CONDITIONS[call.op]
    call.input.insert(0, f"{_TRUE}:output:0")


def _add_true(function: Any) -> None:
    node = function.node_def.add(name=_TRUE, op="Const")
    node.attr["dtype"].type = tf.bool.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(True))
