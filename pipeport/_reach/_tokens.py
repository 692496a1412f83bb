"""A definition as text in which references to other definitions are marks."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from typing import Any

from pipeport._reach._modules import EFFECTS, WHOLE, Definition, Module, Package
from pipeport._reach._scopes import Comprehension, Function, bound, imports, parameters

Tokens = tuple[str | Definition, ...]

# Stands around a reference. Made here, so that no source holds it, not even this one; `ast.dump` escapes it.
_SIGN = chr(0xE000)
_ESCAPED = re.escape(repr(_SIGN)[1:-1])
_MARK = re.compile(f"{_ESCAPED}(.*?){_ESCAPED}(.*?){_ESCAPED}")
# What a contract says besides the promise; and the position of a sentence for readers, per constructor.
_BESIDES = ("aliases", "bench", "peers", "proven_against", "stock")
_SENTENCE = {"Difference": 0, "CannotServe": 1, "Within": 1}
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


class _Rewriter(ast.NodeTransformer):
    """Replace references into the package by marks, and drop docstrings and comments."""

    def __init__(self, package: Package, module: str, own: str) -> None:
        self.package, self.module, self.own = package, module, own
        # Innermost last: whether it is a class body, and what its names are (None: a value of its own).
        self.scopes: list[tuple[bool, dict[str, Definition | Module | None]]] = []

    # What a name or a chain of attributes leads to.

    def _look_up(self, name: str) -> tuple[bool, Definition | Module | None]:
        """Return whether a name is local, and its definition."""
        for depth, (is_class, names) in enumerate(reversed(self.scopes)):
            if name in names and (not is_class or depth == 0):
                return True, names[name]
        return False, self.package.find(self.module, name)

    def _resolve(self, node: ast.expr) -> Definition | Module | None:
        if isinstance(node, ast.Name):
            return self._look_up(node.id)[1]
        if isinstance(node, ast.Attribute):
            base = self._resolve(node.value)
            if isinstance(base, Module):
                if base.inside:
                    return self.package.find(base.dotted, node.attr)
                return Module(f"{base.dotted}.{node.attr}", inside=False)
        return None

    def _mark(self, found: Definition | Module, node: ast.expr) -> ast.expr:
        if isinstance(found, Module) and not found.inside:
            return ast.Name(found.dotted, getattr(node, "ctx", ast.Load()))
        target = found if isinstance(found, Definition) else Definition(found.dotted, WHOLE)
        return ast.Name(f"{_SIGN}{target.module}{_SIGN}{target.name}{_SIGN}", ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not self.scopes and isinstance(node.ctx, (ast.Store, ast.Del)):
            return ast.Name("this" if node.id == self.own else "another", node.ctx)
        found = self._resolve(node)
        return node if found is None else self._mark(found, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self._resolve(node)
        return self.generic_visit(node) if found is None else self._mark(found, node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str) and _DOTTED.fullmatch(node.value):
            found = self.package.named(node.value)
            if found is not None:
                return self._mark(found, node)
        return node

    # Scopes.

    def _scope(self, nodes: list[Any], names: set[str], *, is_class: bool = False) -> Any:
        table: dict[str, Definition | Module | None] = dict.fromkeys(names)
        for local, module, name in imports(nodes):
            table[local] = self.package.imported(module, name)
        return (is_class, table)

    def _function(self, node: Function) -> ast.AST:
        _drop_docstring(node)
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        self._defaults(node.args)
        node.returns = None
        if not self.scopes:
            node.name = "this" if node.name == self.own else "another"
        self.scopes.append(self._scope(node.body, parameters(node.args) | bound(node.body)))
        node.body = [self.visit(part) for part in node.body]
        self.scopes.pop()
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def _defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.visit(part) for part in arguments.defaults]
        arguments.kw_defaults = [part and self.visit(part) for part in arguments.kw_defaults]
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for one in [*every, arguments.vararg, arguments.kwarg]:
            if one is not None:
                one.annotation = None

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self.scopes.append((False, dict.fromkeys(parameters(node.args))))
        node.body = self.visit(node.body)
        self.scopes.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        _drop_docstring(node)
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        node.bases = [self.visit(part) for part in node.bases]
        node.keywords = [self.visit(part) for part in node.keywords]
        if not self.scopes:
            node.name = "this" if node.name == self.own else "another"
        self.scopes.append(self._scope(node.body, bound(node.body), is_class=True))
        node.body = [self.visit(part) for part in node.body]
        self.scopes.pop()
        return node

    def _comprehension(self, node: Comprehension) -> ast.AST:
        first = self.visit(node.generators[0].iter)
        targets = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        self.scopes.append((False, dict.fromkeys(targets)))
        node.generators[0].iter = ast.Constant(0)
        self.generic_visit(node)
        self.scopes.pop()
        node.generators[0].iter = first
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    # What does not count.

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = self.visit(node.target)
        node.value = node.value and self.visit(node.value)
        node.annotation = ast.Constant(ast.unparse(node.annotation))
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: ARG002 - what it binds counts where it is used
        return ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # noqa: ARG002
        return ast.Pass()

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Drop the words of an error, which are for readers; its kind counts."""
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                part.value = ""
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = self._resolve(node.func)
        name = called.dotted if isinstance(called, Module) else ""
        last = name.rpartition(".")[2]
        if name.startswith(f"{self.package.root.name}.contract"):
            if last == "replaces":
                node.keywords = [k for k in node.keywords if k.arg not in _BESIDES]
            if last in _SENTENCE and len(node.args) > _SENTENCE[last]:
                node.args[_SENTENCE[last]] = ast.Constant("")
        return self.generic_visit(node)


def _drop_docstring(node: Function | ast.ClassDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]


def tokens(package: Package, definition: Definition) -> Tokens:
    """Return a definition as normalised text with its references.

    `definition`: a name of a module, all of it (`WHOLE`), or its statements that define nothing (`EFFECTS`).
    Returns: the text between the references, and these.
    """
    table = package.table(definition.module)
    if definition.name == WHOLE:
        names = sorted({*table.statements, *table.imported})
        named = [package.find(definition.module, name) for name in names]
        return tuple(found for found in named if isinstance(found, Definition))
    statements = table.effects if definition.name == EFFECTS else table.statements[definition.name]
    found: list[str | Definition] = []
    for statement in statements:
        rewriter = _Rewriter(package, definition.module, definition.name)
        # The tree is changed in place: one that serves several definitions is copied.
        shared = statement in table.effects or bound([statement]) != {definition.name}
        found += _split(ast.dump(rewriter.visit(copy.deepcopy(statement) if shared else statement)))
    if table.effects and definition.name != EFFECTS:
        found.append(Definition(definition.module, EFFECTS))
    return tuple(found)


def _split(text: str) -> Iterator[str | Definition]:
    parts = _MARK.split(text)
    for index in range(0, len(parts) - 1, 3):
        yield parts[index]
        yield Definition(parts[index + 1], parts[index + 2])
    yield parts[-1]
