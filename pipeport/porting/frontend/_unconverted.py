"""A function as its file has it, where AutoGraph has converted the function around it."""

from __future__ import annotations

import ast
import linecache
import types
from typing import Any

from pipeport._tensorflow_private import autograph_lines

_WRITTEN = "__autograph_generated_file"
_KEPT = "__pipeport_unconverted__"
_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def unconverted(function: types.FunctionType) -> types.FunctionType:
    """Return the original of a function that was defined inside one that AutoGraph has converted.

    `function`: any function. Returns: with the names around it as they are; the same function where AutoGraph
    did not write it, or where the text does not tell which one it was.
    """
    if _WRITTEN not in function.__code__.co_filename:
        return function
    if _KEPT not in vars(function):
        setattr(function, _KEPT, _original(function) or function)
    found: types.FunctionType = getattr(function, _KEPT)
    return found


def _original(function: types.FunctionType) -> types.FunctionType | None:
    code = function.__code__
    known = autograph_lines(code.co_filename)
    places = [known[line] for _, _, line in code.co_lines() if line in known]
    if not places or places[0][0].startswith("<"):
        return None  # of a transformed function, or of no file
    file = places[0][0]
    lines = [line for other, line in places if other == file]
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return None
    found = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS) and _may_be(node, code, lines)]
    node = min(found, key=_length, default=None)
    # Of two that stand side by side none is known to be it.
    if node is None or any(node not in ast.walk(other) for other in found):
        return None
    return _compiled(node, function, file)


def _length(node: Any) -> tuple[int, int]:
    return node.end_lineno - node.lineno, node.end_col_offset - node.col_offset


def _may_be(node: Any, code: types.CodeType, lines: list[int]) -> bool:
    own = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    same = tuple(own) == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return (
        same
        and getattr(node, "name", "<lambda>") == code.co_name
        and all(first <= line <= node.end_lineno for line in lines)
    )


def _compiled(node: Any, function: types.FunctionType, file: str) -> types.FunctionType:
    """Return a function of a node, with the closure and globals of its converted form."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    arguments = ast.arguments([], [ast.arg(name) for name in cells], None, [], [], None, [])
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.Return(node)]
    else:
        node.decorator_list, node.returns = [], None
        body = [node, ast.Return(ast.Name(node.name, ast.Load()))]
    for one in ast.walk(node.args):  # defaults are those of the function, and are not computed again
        if isinstance(one, ast.arg):
            one.annotation = None
    node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
    outer: Any = ast.FunctionDef("outer_", arguments, body, [], None)
    outer.lineno, outer.end_lineno, outer.col_offset, outer.end_col_offset = first, node.end_lineno, 0, 0
    space: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([outer], [])), file, "exec"), space)
    made = space["outer_"](*[None] * len(cells))
    code = made.__code__.replace(co_firstlineno=first)
    closure = tuple(cells[name] for name in code.co_freevars)
    original = types.FunctionType(code, function.__globals__, code.co_name, function.__defaults__, closure)
    original.__kwdefaults__ = function.__kwdefaults__
    original.__qualname__ = function.__qualname__.rpartition(".")[2]
    return original
