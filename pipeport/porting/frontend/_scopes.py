"""Which names of a function are its own, those of inner functions apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def scope(function: ast.FunctionDef) -> tuple[list[Any], list[ast.FunctionDef]]:
    """Return the statements of a function.

    Parameters
    ----------
    function : ast.FunctionDef
        Its tree.

    Returns
    -------
    (list of ast.AST, list of ast.FunctionDef)
        Its nodes without those of inner functions, and the inner functions.
    """
    own: list[Any] = []
    inner: list[ast.FunctionDef] = []
    todo: list[Any] = list(function.body)
    while todo:
        node = todo.pop(0)
        own.append(node)
        if isinstance(node, ast.FunctionDef):
            inner.append(node)
        elif not isinstance(node, ast.Lambda):
            todo = [*ast.iter_child_nodes(node), *todo]
    return own, inner


def local_names(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function defines: its parameters, what it assigns, imports and defines.

    Parameters
    ----------
    function : ast.FunctionDef
        Its tree.

    Returns
    -------
    set of str
        Without those of inner functions.
    """
    own, _ = scope(function)
    parameters = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return parameters | {name for node in own for name in (*stored(node), *declared(node))}


def stored(node: Any) -> Iterator[str]:
    """Yield the name that a node assigns or deletes."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id


def declared(node: Any) -> Iterator[str]:
    """Yield the name that a node makes local without an assignment: a parameter, an import, a function."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.FunctionDef):
        yield node.name
