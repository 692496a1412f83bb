"""One file as a tree, with the names of each of its scopes."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_BRANCHING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Where a statement stands: the branches around it, outermost first.
Chain = tuple[tuple[int, str], ...]
# Where an expression begins and ends: line, column, line, column; columns count characters.
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Binding:
    """A binding of a name.

    `kind`: 'import' (value: level, module, name or None), 'def', 'class', 'assign' (value: an expression),
    'each' (value: expressions, one after the other), 'param' (value: the default or None), or 'other'.
    """

    kind: str
    value: Any
    line: int
    chain: Chain


@dataclass(eq=False)
class Scope:
    """The names of a module, class, function or comprehension."""

    node: Any
    parent: Scope | None
    names: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[tuple[int, str]] = field(default_factory=list)

    @property
    def function(self) -> Scope | None:
        """The nearest scope of a function, itself included."""
        scope: Scope | None = self
        while scope is not None and not isinstance(scope.node, FUNCTIONS):
            scope = scope.parent
        return scope


@dataclass(eq=False)
class Module:
    """A parsed file.

    `scopes`: the scope of each function, lambda and class, by the identity of its node. `calls`: every call,
    with its scope and the branches around it. `decorated`: every decorated function or method, with the scope
    around it and the branches.
    """

    path: Path
    lines: list[str]
    tree: ast.Module
    top: Scope
    scopes: dict[int, Scope]
    calls: list[tuple[ast.Call, Scope, Chain]]
    decorated: list[tuple[Any, Scope, Chain]]
    around: dict[int, Scope]

    def span(self, node: Any) -> Span:
        """Return the place of a node."""

        def column(line: int, offset: int) -> int:
            return len(self.lines[line - 1].encode()[:offset].decode())

        start, end = column(node.lineno, node.col_offset), column(node.end_lineno, node.end_col_offset)
        return node.lineno, start, node.end_lineno, end


def parsed(path: Path, text: str) -> Module:
    """Parse a file."""
    tree = ast.parse(text)
    builder = _Builder(tree)
    builder.block(tree.body)
    return Module(
        path, re.split(r"\r\n|\r|\n", text), tree, builder.top, builder.scopes, builder.calls,
        builder.decorated, builder.around,
    )  # fmt: skip


class _Builder(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.top = self._scope = Scope(tree, None)
        self._chain: Chain = ()
        self.scopes: dict[int, Scope] = {}
        self.around: dict[int, Scope] = {}
        self.calls: list[tuple[ast.Call, Scope, Chain]] = []
        self.decorated: list[tuple[Any, Scope, Chain]] = []

    def block(self, nodes: list[Any]) -> None:
        for node in nodes:
            self.visit(node)

    def _bind(self, name: str, kind: str, value: Any, node: Any) -> None:
        binding = Binding(kind, value, node.lineno, self._chain)
        self._scope.names.setdefault(name, []).append(binding)

    def _inside(self, scope: Scope, nodes: list[Any]) -> None:
        before, chain = self._scope, self._chain
        self._scope, self._chain = scope, ()
        self.block(nodes)
        self._scope, self._chain = before, chain

    def _function(self, node: Any, body: list[Any]) -> None:
        self.around[id(node)] = self._scope
        arguments = node.args
        self.block([one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None])
        scope = self.scopes[id(node)] = Scope(node, self._scope)
        for one, default in defaults(arguments):
            scope.names[one.arg] = [Binding("param", default, node.lineno, ())]
        self._inside(scope, body)

    def visit_FunctionDef(self, node: Any) -> None:
        self._bind(node.name, "def", node, node)
        self.block(node.decorator_list)
        if node.decorator_list:
            self.decorated.append((node, self._scope, self._chain))
        self._function(node, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, "class", node, node)
        self.around[id(node)] = self._scope
        self.block([*node.decorator_list, *node.bases, *node.keywords])
        scope = self.scopes[id(node)] = Scope(node, self._scope)
        self._inside(scope, node.body)

    def _comprehension(self, node: Any) -> None:
        scope = Scope(node, self._scope)
        self._inside(scope, list(ast.iter_child_nodes(node)))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._each(node.target, node.iter)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            name = one.name if one.asname else one.name.partition(".")[0]
            self._bind(one.asname or name, "import", (0, name, None), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            if one.name == "*":
                self._scope.stars.append((node.level, node.module or ""))
            else:
                self._bind(one.asname or one.name, "import", (node.level, node.module or "", one.name), node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._assigned(target, node.value)
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._assigned(node.target, node.value)
        self.visit(node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self._assigned(node.target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self._targets(node.target)

    def _assigned(self, target: Any, value: Any) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, "assign", value, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            starred = any(isinstance(one, ast.Starred) for one in (*target.elts, *values))
            if len(values) == len(target.elts) and not starred:
                for one, part in zip(target.elts, values, strict=True):
                    self._assigned(one, part)
            else:
                self._targets(target)

    def _each(self, target: Any, values: Any) -> None:
        """Bind the variable of a loop."""
        listed = isinstance(values, (ast.List, ast.Tuple)) and values.elts
        if (
            isinstance(target, ast.Name)
            and listed
            and not any(isinstance(one, ast.Starred) for one in listed)
        ):
            self._bind(target.id, "each", listed, target)
        else:
            self._targets(target)

    def _targets(self, target: Any) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._bind(node.id, "other", None, node)

    def visit_With(self, node: Any) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self._assigned(item.optional_vars, item.context_expr)
                self.visit(item.optional_vars)
        self.block(node.body)

    visit_AsyncWith = visit_With

    def visit_Call(self, node: ast.Call) -> None:
        self.calls.append((node, self._scope, self._chain))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self._each(node.target, node.iter)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self._bind(node.name, "other", None, node)
        if not isinstance(node, _BRANCHING):
            super().generic_visit(node)
            return
        chain = self._chain
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                for number, child in enumerate(value):
                    one_each = isinstance(child, (ast.ExceptHandler, ast.match_case))
                    self._chain = (*chain, (id(node), f"{name}{number if one_each else ''}"))
                    self.visit(child)
                self._chain = chain
            elif isinstance(value, ast.AST):
                self.visit(value)


def parameters(function: Function) -> list[str]:
    """Return the names of the parameters that may be given by position."""
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]


def defaults(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return every parameter with its default; starred ones have none."""
    by_position = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(by_position) - len(arguments.defaults))
    found = list(zip(by_position, missing + list(arguments.defaults), strict=True))
    found += list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return found + [(one, None) for one in (arguments.vararg, arguments.kwarg) if one is not None]
