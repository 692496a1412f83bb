"""Check a function before it runs: its calls, and all refusals at once."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeport.errors import PipeportError
from pipeport.meanings import STATEMENTS
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend._islands import Islands
from pipeport.porting.frontend._scopes import declared, local_names, scope, stored
from pipeport.porting.frontend._source import Source, plain, read
from pipeport.porting.frontend._transform import first_evaluated, is_boundary, shortened

UNKNOWN = object()
LATER = "decided when it runs"
_ADVICE_OBJECT = "Return it, or carry it in the dataset's elements."


@dataclass(frozen=True)
class Row:
    """One line of the report.

    Attributes
    ----------
    file : str
        Where it stands.
    line : int
        Its line.
    text : str
        The source.
    kind : str
        What becomes of it: 'native', 'draw', 'built-in', 'own function', 'TensorFlow', 'Python', 'refused',
        'island', or 'decided when it runs'.
    name : str
        What is called.
    advice : str
        Of a refusal: why, and the nearest way.
    is_call : bool
        Whether it is a call of a known object.
    """

    file: str
    line: int
    text: str
    kind: str
    name: str
    advice: str = ""
    is_call: bool = False

    @property
    def refused(self) -> bool:
        """Whether it keeps the function from being ported."""
        return self.kind == meanings.REFUSED


def report(function: Any, islands: Islands | None = None) -> list[Row]:
    """Report the replacement of every call of a function and of its helpers.

    Parameters
    ----------
    function : callable
        The function.
    islands : Islands or None
        Where calls without a native equivalent stay Python; None refuses them.

    Returns
    -------
    list of Row
        In the order of the source.
    """
    rows: list[Row] = []
    _Checker(rows, set(), islands).function(function)
    return rows


class _Checker:
    def __init__(self, rows: list[Row], seen: set[Any], islands: Islands | None) -> None:
        self._rows = rows
        self._seen = seen
        self.islands = islands

    def function(self, function: Any) -> None:
        inner, first, named = plain(function)
        if inner.__code__ in self._seen:
            return
        self._seen.add(inner.__code__)
        source = read(inner)
        code = inner.__code__
        bound: dict[str, Any] = dict(zip(code.co_varnames, first, strict=False)) | named
        _Body(self, source, bound).check()

    def add(
        self, source: Source, node: Any, kind: str, name: str, advice: str = "", *, is_call: bool = False
    ) -> None:
        text = shortened(ast.unparse(node)) if isinstance(node, ast.expr) else source.line(node.lineno)
        self._rows.append(Row(source.file, node.lineno, text, kind, name, advice, is_call))

    def own(self, source: Source, node: Any, function: Any) -> None:
        try:
            self.function(function)
        except PipeportError as error:
            self.add(source, node, meanings.REFUSED, meanings.dotted(function), str(error))


class _Body:
    def __init__(self, checker: _Checker, source: Source, bound: dict[str, Any]) -> None:
        self._checker = checker
        self._source = source
        self._bound = bound
        function = source.function
        names = function.__code__.co_freevars
        self._cells = dict(zip(names, function.__closure__ or (), strict=True))
        nodes = list(ast.walk(source.tree))
        self._stored = {name for node in nodes for name in stored(node)}
        declares = (node for node in nodes if node is not source.tree)
        self._local = self._stored | {name for node in declares for name in declared(node)}
        self._hoisted = list(_hoisted(source.tree))

    def check(self) -> None:
        for node in _in_order(self._source.tree):
            if type(node) in STATEMENTS:
                what, advice = STATEMENTS[type(node)]
                self._refuse(node, f"`{what}`", advice)
            elif isinstance(node, (ast.For, ast.While)) and node.orelse:
                self._refuse(
                    node, "`else` of a loop", "Set a flag where the loop breaks, and ask for it after."
                )
            elif isinstance(node, ast.FunctionDef) and node.decorator_list:
                self._refuse(node, "a decorated inner function", "Define it outside of the function.")
            elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                self._targets(node)
            elif isinstance(node, ast.Delete):
                self._deleted(node)
            elif isinstance(node, ast.NamedExpr):
                self._named(node)
            elif isinstance(node, ast.Call):
                self._call(node)
        for node, name in _written_outside(self._source.tree):
            if isinstance(node, ast.Call) and not meanings.writes(self._resolved(node.func)):
                continue
            what = f"writing to `{name}`, which is outside of the function"
            self._refuse(node, what, "Take a copy first (`x = x.copy()`), and return it.")

    def _refuse(self, node: Any, what: str, advice: str) -> None:
        self._checker.add(self._source, node, meanings.REFUSED, what, advice)

    def _targets(self, node: Any) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                    what = f"state kept on an object (`{ast.unparse(part)}`)"
                    advice = f"A graph keeps none. {_ADVICE_OBJECT}"
                    if part.attr in ("shape", "dtype"):
                        what, advice = f"assignment to `{ast.unparse(part)}`", "Use reshape or astype."
                    self._refuse(node, what, advice)

    def _deleted(self, node: ast.Delete) -> None:
        if any(not isinstance(target, ast.Name) for target in node.targets):
            self._refuse(node, "`del` of an element", "Make a new list or array without it.")

    def _named(self, node: ast.NamedExpr) -> None:
        if not any(node is one for one in self._hoisted):
            advice = "Assign it in a line of its own."
            self._refuse(node, "`:=` that is not evaluated first", advice)

    def _call(self, node: ast.Call) -> None:
        function = self._resolved(node.func)
        if function is UNKNOWN:
            self._checker.add(self._source, node, LATER, ast.unparse(node.func))
            return
        if isinstance(node.func, ast.Name) and function in (super, locals, globals, vars, eval, exec):
            self._refuse(node, f"`{node.func.id}`", "Name what you need.")
            return
        found = meanings.meaning(function)
        kind, islands = found.kind, self._checker.islands
        if kind == meanings.REFUSED and islands is not None and islands.accept(found.name):
            kind = meanings.ISLAND
        self._checker.add(self._source, node, kind, found.name, found.advice, is_call=True)
        if found.kind == meanings.OWN:
            self._checker.own(self._source, node, function)

    def _resolved(self, node: ast.expr) -> Any:
        """Return the object an expression stands for, where that is known beforehand."""
        if isinstance(node, ast.Name):
            return self._named_object(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._resolved(node.value)
            if owner is UNKNOWN:
                return UNKNOWN
            # Of an object only what is no property: looking those up would run code.
            if not isinstance(owner, (types.ModuleType, type)) and isinstance(
                getattr(type(owner), node.attr, None), property
            ):
                return UNKNOWN
            return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def _named_object(self, name: str) -> Any:
        if name in self._bound and name not in self._stored:
            return self._bound[name]
        if name in self._local:
            return UNKNOWN
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:
                return UNKNOWN
        space = self._source.function.__globals__
        return space.get(name, getattr(builtins, name, UNKNOWN))


def _in_order(tree: ast.AST) -> Iterator[Any]:
    """Yield the nodes below one in the order of the source."""
    boundary = is_boundary(tree)
    for child in ast.iter_child_nodes(tree):
        if boundary and isinstance(child.value if isinstance(child, ast.keyword) else child, ast.Lambda):
            continue  # stays Python
        yield child
        yield from _in_order(child)


def _written_outside(
    function: ast.FunctionDef, around: frozenset[str] = frozenset()
) -> Iterator[tuple[Any, str]]:
    """Yield writes to elements of names from outside of the function, inner functions included.

    Calls with `out=` are among them, whatever they call.
    """
    own, inner = scope(function)
    local = around | local_names(function)
    for node in own:
        for target in _written(node):
            while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
                target = target.value
            if isinstance(target, ast.Name) and target.id not in local:
                yield node, target.id
    for one in inner:
        yield from _written_outside(one, frozenset(local))


def _written(node: Any) -> list[Any]:
    """Return the targets of a node that are elements, and what a call may write to."""
    if isinstance(node, ast.Call):
        return [one.value for one in node.keywords if one.arg == "out"]
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for target in targets for part in ast.walk(target)]
    return [one for one in parts if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]


def _hoisted(tree: ast.AST) -> Iterator[ast.NamedExpr]:
    """Yield each `:=` that the transformation can put into a line of its own."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.Expr)):
            for _, _, inner in first_evaluated(node):
                if isinstance(inner, ast.NamedExpr):
                    yield inner
                    break
