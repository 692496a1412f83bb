"""Which names of a function are its own, those of inner functions apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from pipeport.porting.control._join import RENAMED


def scope(function: ast.FunctionDef) -> tuple[list[Any], list[ast.FunctionDef]]:
    """Return the statements of a function.

    `function`: its tree. Returns: its nodes without those of inner functions, and the inner functions.
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

    `function`: its tree. Returns: without those of inner functions.
    """
    own, _ = scope(function)
    parameters = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return parameters | {name for node in own for name in (*stored(node), *declared(node))}


def stored(node: Any) -> Iterator[str]:
    """Yield the name that a node assigns or deletes."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id
    elif isinstance(node, ast.MatchAs) and node.name is not None:
        yield node.name


def declared(node: Any) -> Iterator[str]:
    """Yield the name that a node makes local without an assignment: a parameter, an import, a function."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.FunctionDef):
        yield node.name


def appends(statement: Any) -> str:
    """Return the name of the list that a statement appends to, or an empty text."""
    call = statement.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return ""
    owner = call.func.value
    known = call.func.attr in ("append", "extend") and len(call.args) == 1
    return owner.id if known and isinstance(owner, ast.Name) else ""


def growing_lists(function: ast.FunctionDef) -> set[str]:
    """Return the names of lists that a function makes and appends to, which have no other name.

    `function`: its tree. Returns: an assignment of the list with an element more does what `append` does to
    them.
    """
    own, inner = scope(function)
    found = {name for node in own if isinstance(node, ast.Expr) and (name := appends(node))}
    found -= {one.id for node in inner for one in ast.walk(node) if isinstance(one, ast.Name)}
    found -= {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    begun = [one for node in own if isinstance(node, ast.Assign) for one in _begun(node)]
    ends = {id(part) for node in own if isinstance(node, ast.Return) for part in ast.walk(node)}
    loads = [one for node in own if id(node) not in ends for one in _aliased(node)]
    stores = [name for node in own for name in stored(node)]
    lambdas = [node for node in own if isinstance(node, ast.Lambda)]
    loads += [one.id for node in lambdas for one in ast.walk(node) if isinstance(one, ast.Name)]
    return {one for one in found if stores.count(one) == begun.count(one) > 0 and one not in loads}


def renamed_lists(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the body of a function in which what a list becomes at last has a name of its own.

    `rows = np.stack(rows)` ends the list; the array, under the same name, would keep it from being one that
    grows. Names that inner functions use stay.
    """
    own, inner = scope(function)
    lists = {name for node in own if isinstance(node, ast.Expr) and (name := appends(node))}
    lambdas = [node for node in own if isinstance(node, ast.Lambda)]
    lists -= {one.id for node in (*inner, *lambdas) for one in ast.walk(node) if isinstance(one, ast.Name)}
    for name in sorted(lists):
        for at, node in enumerate(function.body):
            ends = isinstance(node, ast.Assign) and name not in _begun(node)
            targets = node.targets if isinstance(node, ast.Assign) else []
            if ends and len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name:
                rest = [one for later in function.body[at + 1 :] for one in ast.walk(later)]
                for one in (targets[0], *rest):
                    if isinstance(one, ast.Name) and one.id == name:
                        one.id = f"{name}{RENAMED}"
                break
    return function.body


def _begun(node: ast.Assign) -> Iterator[str]:
    """Yield the names that an assignment gives a list of their own."""
    for target in node.targets if len(node.targets) == 1 else ():
        several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        targets, values = (target.elts, node.value.elts) if several else ([target], [node.value])  # type: ignore[attr-defined]
        for one, value in zip(targets, values, strict=False):
            made = isinstance(value, (ast.List, ast.ListComp)) or ast.unparse(value).startswith("list(")
            if isinstance(one, ast.Name) and made:
                yield one.id


def _aliased(node: Any) -> Iterator[str]:
    """Yield the names whose values a node may give another name."""
    holders = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp, ast.NamedExpr)
    if isinstance(node, holders):
        values: list[Any] = list(ast.iter_child_nodes(node))
    else:
        values = [node.value] if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else []
    for one in values:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield one.id
