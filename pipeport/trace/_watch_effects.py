"""Python side effects of tracing, from the state before and after."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.trace._watch_arguments import shortened
from pipeport.trace._watch_marks import is_symbolic
from pipeport.trace._watch_state import Seen, State

_MUTATORS = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "fill", "insert", "pop"}
    | {"popitem", "popleft", "remove", "reverse", "setdefault", "sort", "update"}
)


@dataclass(frozen=True)
class Effect:
    """Something that happened in Python while a function was traced."""

    subject: str
    message: str
    advice: str
    file: str = ""
    line: int = 0


def effects(before: State, after: State) -> list[Effect]:
    """Return the changes by tracing."""
    told = [(seen, _change(seen, after[key])) for key, seen in before.items() if key in after]
    told += [
        (seen, _leak(seen.name))
        for key, seen in after.items()
        if key not in before and any(map(is_symbolic, _parts(seen.value)))
    ]
    return [_effect(seen, *said) for seen, said in told if said is not None]


def _parts(value: Any) -> Iterator[Any]:
    """Yield a value and what it holds."""
    yield value
    if isinstance(value, (dict, list, tuple, set)):
        yield from value.values() if isinstance(value, dict) else value


def _effect(seen: Seen, message: str, advice: str) -> Effect:
    file, line = _line_of_change(seen)
    return Effect(f"{file}: {seen.name}", message, advice, file, line)


def _change(old: Seen, new: Seen) -> tuple[str, str] | None:
    """Return the change of a value and its fix; None where it did not change, or the change is harmless."""
    if old.mark == new.mark:
        return None
    name, kind = new.name, new.mark[0]
    if kind == "tensor":
        return _leak(name)
    if kind == "draws":
        return _draws(f"`{name}`")
    if kind == "position":
        return (
            f"`{name}` went on by what tracing took from it, and stays there",
            "Make it a tf.data.Dataset, or pass what it gives as an argument.",
        )
    if kind == "array":
        return f"the array `{name}` was changed", "Keep the state in a tf.Variable, and assign to that."
    if kind == "value":
        if old.mark[0] != "value":
            return None
        return (
            f"`{name}` changed from {shortened(repr(old.value))} to {shortened(repr(new.value))}",
            "Keep it in a tf.Variable and use assign_add, or count outside of the function.",
        )
    if kind != old.mark[0]:
        return None
    return _items(old.mark, new) if kind == "items" else _entries(old.mark, new)


def _draws(name: str) -> tuple[str, str]:
    return (
        f"random numbers were drawn from {name}: they are constants of the graph, the same in every call",
        "Draw with tf.random.stateless_uniform or tf.random.Generator, or with pipeport.seeds.",
    )


def _leak(name: str) -> tuple[str, str]:
    return (
        f"a tensor of the graph was kept in `{name}`: it has no value there",
        "Return it, or keep its value in a tf.Variable.",
    )


def _items(old: Any, new: Seen) -> tuple[str, str] | None:
    known = set(old[2])
    fresh = [part for part, mark in zip(new.value, new.mark[2], strict=False) if mark not in known]
    if fresh and all(_belongs_to_model(part) for part in fresh):
        return None
    kind, count = type(new.value).__name__, new.mark[1]
    grew = f"went from {old[1]} to {count} items" if count != old[1] else "got other items"
    return (
        f"the {kind} `{new.name}` {grew}",
        "Return what it should hold, or write to a tf.TensorArray or a tf.Variable.",
    )


def _entries(old: Any, new: Seen) -> tuple[str, str] | None:
    for key, mark in new.mark[1].items():
        place, value = f"{new.name}[{key!r}]", new.value.get(key)
        if key in old[1] and mark != old[1][key] and not _belongs_to_model(value):
            return (
                f"`{place}` changed",
                "Keep it in a tf.Variable and use assign_add, or count outside of the function.",
            )
        if key not in old[1] and is_symbolic(value):
            return _leak(place)
    return None


def _belongs_to_model(value: Any) -> bool:
    """Say whether a value is made once, on a first call, as variables and layers are."""
    return isinstance(value, (tf.Variable, tf.Module)) or hasattr(value, "trainable_variables")


def line_of_mention(function: types.FunctionType, name: str) -> int:
    """Return the line of the first mention of a name in a function, or that of the function."""
    code = function.__code__
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return code.co_firstlineno
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
    lines = [node.lineno for node in nodes if ast.unparse(node) == name]
    return code.co_firstlineno + min(lines, default=1) - 1


def _line_of_change(seen: Seen) -> tuple[str, int]:
    """Return file and line of the first change of a name, or of the function that mentions it."""
    code = seen.function.__code__
    try:
        nodes: Iterator[Any] = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(seen.function))))
    except (OSError, SyntaxError, TypeError):
        return code.co_filename, code.co_firstlineno
    draws = seen.mark[0] == "draws"
    lines = [node.lineno for node in nodes if _changes(node, seen.name, draws=draws)]
    return code.co_filename, code.co_firstlineno + min(lines, default=1) - 1


def _changes(node: Any, name: str, *, draws: bool) -> bool:
    if isinstance(node, ast.AugAssign):
        return _is(node.target, name)
    if isinstance(node, ast.Assign):
        return any(_is(target, name) for target in node.targets)
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Attribute) and _is(called.value, name):
        return draws or called.attr in _MUTATORS
    return _is(called, name) or any(_is(part, name) for part in node.args)


def _is(node: ast.expr, name: str) -> bool:
    text = ast.unparse(node)
    return text == name or text.startswith(f"{name}[")
