"""Which names and attributes the user's loaded sources assign again or change in place."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeport._own import is_own
from pipeport.acceleration._effects import MUTATORS, Read

_PACKAGE = str(Path(__file__).parents[1])
# Where an object is made: what they assign is not assigned again.
_MAKING = ("__init__", "__new__", "__post_init__", "__setstate__")
_LOOKING = ("dumps", "len", "print", "repr", "sorted", "str")
_AGAIN = 2


@dataclass
class Changes:
    """What one source changes.

    `names`: its globals, assigned more than once or by a function. `enclosed`: names of its functions,
    assigned more than once. `attributes`: assigned outside of where objects are made. `mutated`: names and
    attributes whose object is changed in place. `anything`: what may change any of them, in words: `setattr`
    with a name that is computed, `vars`, `exec`.
    """

    names: set[str] = field(default_factory=set)
    enclosed: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    mutated: set[str] = field(default_factory=set)
    anything: str = ""


_kept: dict[str, tuple[int, Changes]] = {}


def change_of(reads: tuple[Read, ...]) -> str:
    """Return in words why a value that a function reads may change while its dataset is used.

    Returns: empty where every one is assigned once, and changed by nobody.
    """
    if not reads:
        return ""
    sources = _sources()
    for one in reads:
        if one.kind != "attribute" and one.module not in sources:
            return f"`{one.name}` is read from {one.module or 'a module'}, whose source is not to be found"
    for name, source in sources.items():
        if source.anything:
            return f"{source.anything} in {name} may change what it reads"
    for one in reads:
        if one.kind == "attribute":
            changed = any(one.name in source.attributes for source in sources.values())
        elif one.kind == "closure":
            changed = one.name in sources[one.module].enclosed
        else:
            changed = one.name in sources[one.module].names
            changed = changed or any(one.name in source.elsewhere for source in sources.values())
        if changed:
            return f"`{one.name}`, which it reads, is assigned again"
        if any(one.name in source.mutated for source in sources.values()):
            return f"`{one.name}`, which it reads, is changed in place"
    return ""


def _sources() -> dict[str, Changes]:
    """Return what each loaded source of the user changes, by the name of its module."""
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py") and is_own(file) and not file.startswith(_PACKAGE):
            changes = _changes_in(file)
            if changes is not None:
                found[name] = changes
    return found


def _changes_in(file: str) -> Changes | None:
    try:
        changed = Path(file).stat().st_mtime_ns
        if file not in _kept or _kept[file][0] != changed:
            tree = ast.parse(Path(file).read_bytes())
            visitor = _Visitor(tree)
            visitor.visit(tree)
            _kept[file] = changed, visitor.found()
    except (OSError, SyntaxError, ValueError):
        return None
    return _kept[file][1]


class _Scope:
    """Names that a function, a class or a module assigns."""

    def __init__(self, kind: str, name: str = "") -> None:
        self.kind, self.name = kind, name
        self.stored: Counter[str] = Counter()
        self.outer: set[str] = set()
        self.loops = 0


class _Visitor(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._making = frozenset(_MAKING)
        self._changes = Changes()
        self._scopes = [_Scope("module")]
        self._modules: set[str] = set()

    def found(self) -> Changes:
        changes = self._changes
        changes.names |= {name for name, count in self._scopes[0].stored.items() if count >= _AGAIN}
        return changes

    def _enter(self, node: Any, kind: str) -> None:
        scope = _Scope(kind, getattr(node, "name", ""))
        self._scopes.append(scope)
        arguments = getattr(node, "args", None)
        if isinstance(arguments, ast.arguments):
            scope.stored.update(one.arg for one in ast.walk(arguments) if isinstance(one, ast.arg))
        self.generic_visit(node)
        self._scopes.pop()
        if kind == "function":
            self._changes.enclosed |= {name for name, count in scope.stored.items() if count >= _AGAIN}

    def visit_FunctionDef(self, node: Any) -> None:
        self._scopes[-1].stored[node.name] += 1
        self._enter(node, "function")

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._enter(node, "function")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scopes[-1].stored[node.name] += 1
        outer, self._making = self._making, self._making | _only_in_making(node, self._tree)
        self._enter(node, "class")
        self._making = outer

    def _loop(self, node: Any) -> None:
        self._scopes[-1].loops += 1
        self.generic_visit(node)
        self._scopes[-1].loops -= 1

    visit_For = visit_AsyncFor = visit_While = _loop

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for one in node.names:
            name = one.asname or one.name.partition(".")[0]
            self._modules.add(name)
            self._scopes[-1].stored[name] += 1

    visit_ImportFrom = visit_Import

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._scopes[-1].outer |= set(node.names)

    visit_Nonlocal = visit_Global

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            return
        scope = self._scopes[-1]
        if node.id in scope.outer:
            self._changes.names.add(node.id)
            self._changes.enclosed.add(node.id)
        scope.stored[node.id] += _AGAIN if scope.loops else 1

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._scopes[-1].stored[node.target.id] += 1
        self._mutated(node.target)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            if not self._makes():
                self._changes.attributes.add(node.attr)
            if isinstance(node.value, ast.Name) and node.value.id in self._modules:
                self._changes.elsewhere.add(node.attr)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._mutated(node.value)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if _is_table(node.value):
            self._any("`vars`")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        if isinstance(called, ast.Attribute) and name in MUTATORS:
            self._mutated(called.value)
        if isinstance(called, ast.Name) and name in ("setattr", "delattr") and len(node.args) > 1:
            what = node.args[1]
            if not (isinstance(what, ast.Constant) and isinstance(what.value, str)):
                self._any(f"`{name}`")
            elif not self._makes():
                self._changes.attributes.add(what.value)
                self._changes.elsewhere.add(what.value)
        elif isinstance(called, ast.Name) and name in ("exec", "eval"):
            self._any(f"`{name}`")
        elif name not in _LOOKING and any(map(_is_table, node.args)):
            self._any("`vars`")
        self.generic_visit(node)

    def _makes(self) -> bool:
        """Say whether an object is being made here: in its class, or in a method that makes it."""
        return self._scopes[-1].kind == "class" or self._scopes[-1].name in self._making

    def _any(self, what: str) -> None:
        if not self._makes() and not self._changes.anything:
            self._changes.anything = what

    def _mutated(self, node: ast.expr) -> None:
        while isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        if _is_table(node):
            self._any("`vars`")
        elif isinstance(node, ast.Attribute):
            if not self._makes():
                self._changes.mutated.add(node.attr)
        elif isinstance(node, ast.Name) and not (self._makes() and node.id in self._scopes[-1].stored):
            # Of a function's own names only those that other functions see are of interest.
            self._changes.mutated.add(node.id)


def _only_in_making(made: ast.ClassDef, tree: ast.Module) -> frozenset[str]:
    """Return the private methods of a class that its file mentions only where an object of it is made."""
    methods = {one.name: one for one in made.body if isinstance(one, ast.FunctionDef)}
    found = {name for name in methods if name in _MAKING}
    mentioned = Counter(_mentions(tree))
    while True:
        within = Counter(one for name in found for one in _mentions(methods[name]))
        private = {name for name in within if name in methods and name.startswith("_")}
        more = {name for name in private if within[name] == mentioned[name]} - found
        if not more:
            return frozenset(found)
        found |= more


def _mentions(tree: ast.AST) -> list[str]:
    return [one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)]


def _is_table(node: ast.expr) -> bool:
    """Say whether an expression is the dictionary of an object's attributes, or of a module's names."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("globals", "locals", "vars")
    )
