"""Reads of the clock, which a graph has as constants: calls that every trace of a function does."""

from __future__ import annotations

import ast
import datetime
import functools
import inspect
import textwrap
import time
import types
from collections.abc import Iterator
from typing import Any

from pipeport.trace._problems import is_own
from pipeport.trace._user_code import plain_function
from pipeport.trace._watch_effects import Effect
from pipeport.trace._watch_state import Root

_DEEPEST = 4
_CLOCKS = (
    *(time.time, time.monotonic, time.perf_counter, time.process_time, time.thread_time),
    *(time.time_ns, time.monotonic_ns, time.perf_counter_ns, time.process_time_ns, time.thread_time_ns),
    *(datetime.datetime.now, datetime.datetime.today, datetime.date.today),
)
# The parts that run wherever the whole does; of all other nodes these are all parts.
_SURE: dict[type, tuple[str, ...]] = {
    ast.If: ("test",), ast.IfExp: ("test",), ast.While: ("test",), ast.Match: ("subject",),
    ast.Try: ("body", "finalbody"), ast.Lambda: (), ast.FunctionDef: (), ast.ClassDef: (),
}  # fmt: skip


def reads(roots: list[Root]) -> list[Effect]:
    """Return where functions and the user's functions that they call read the clock, on every way."""
    found: dict[str, Effect] = {}
    for function, instance in roots:
        for one in _reads(function, instance, _DEEPEST):
            found.setdefault(one.subject, one)
    return list(found.values())


def _reads(function: Any, instance: Any, depth: int) -> Iterator[Effect]:
    plain = plain_function(function)
    if not isinstance(plain, types.FunctionType) or not depth or not is_own(plain.__code__.co_filename):
        return
    code, space = plain.__code__, _space(plain, instance)
    for call in _calls_of(code):
        called = _resolved(call.func, space)
        if isinstance(called, types.BuiltinFunctionType) and called in _CLOCKS:
            line = code.co_firstlineno + call.lineno - 1
            text = ast.unparse(call)
            yield Effect(
                f"clock {code.co_filename}:{line}",
                f"the clock was read by `{text}`: the graph goes on with that time",
                "Use tf.timestamp(), or pass the time as an argument.",
                code.co_filename,
                line,
            )
        elif isinstance(called, (types.FunctionType, types.MethodType)):
            yield from _reads(called, getattr(called, "__self__", None), depth - 1)


def _space(function: types.FunctionType, instance: Any) -> dict[str, Any]:
    """Return what the names of a function stand for that it does not assign to."""
    code = function.__code__
    space = dict(function.__globals__)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        space[name] = None
        if cell != types.CellType():
            space[name] = cell.cell_contents
    space.update(dict.fromkeys((*code.co_varnames, *code.co_cellvars)))
    if instance is not None and code.co_argcount:
        space[code.co_varnames[0]] = instance
    return space


def _resolved(node: ast.expr, space: dict[str, Any]) -> Any:
    """Return what a name or an attribute stands for, None where only running tells."""
    if isinstance(node, ast.Name):
        return space.get(node.id)
    if not isinstance(node, ast.Attribute):
        return None
    owner = _resolved(node.value, space)
    if isinstance(owner, (types.ModuleType, type)):
        return getattr(owner, node.attr, None)
    method = inspect.getattr_static(type(owner), node.attr, None)
    return types.MethodType(method, owner) if isinstance(method, types.FunctionType) else None


@functools.cache
def _calls_of(code: types.CodeType) -> tuple[ast.Call, ...]:
    """Return the calls that a function does on every way."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError, TypeError):
        return ()
    kinds = ast.Lambda if code.co_name == "<lambda>" else (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    if not functions or (code.co_name == "<lambda>" and len(functions) > 1):
        return ()
    body = functions[0].body
    return tuple(call for part in (body if isinstance(body, list) else [body]) for call in _calls(part))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Call):
        yield node
    if isinstance(node, ast.BoolOp):
        parts: Any = node.values[:1]
    elif type(node) in _SURE:
        fields = (getattr(node, name) for name in _SURE[type(node)])
        parts = [part for one in fields for part in (one if isinstance(one, list) else [one])]
    else:
        parts = ast.iter_child_nodes(node)
    for part in parts:
        yield from _calls(part)
