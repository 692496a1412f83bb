"""Which names a function binds itself, so that they are not taken for those of its module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _inside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes of one scope; of a scope inside it the node alone, of a comprehension its walrus names."""
    for node in nodes:
        yield node
        if isinstance(node, _COMPREHENSIONS):
            yield from (part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
        elif not isinstance(node, _SCOPES):
            yield from _inside(ast.iter_child_nodes(node))


def parameters(arguments: ast.arguments) -> set[str]:
    """Return the names of all parameters."""
    several = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {a.arg for a in [*several, arguments.vararg, arguments.kwarg] if a is not None}


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that the statements of one scope bind, those of imports left out."""
    names: set[str] = set()
    elsewhere: set[str] = set()
    for node in _inside(nodes):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.NamedExpr(target=ast.Name(id=name)):
                names.add(name)
            case ast.ExceptHandler(name=str(name)):
                names.add(name)
            case (
                ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))
            ):
                names.add(name)
            case ast.Global(names=others):
                elsewhere.update(others)
    return names - elsewhere


def imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str, str | None]]:
    """Yield (local name, module, name in it or None) for the imports of one scope."""
    for node in _inside(nodes):
        yield from imported_by(node)


def imported_by(node: ast.AST) -> Iterator[tuple[str, str, str | None]]:
    """Yield the imports of one statement; nothing for any other node."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            # `import a.b` binds `a`; `import a.b as c` binds the module itself.
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name, None) if alias.asname else (first, first, None)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, node.module, alias.name
