"""Tables of the definitions in the top-level statements of modules."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeport._reach._scopes import bound, imports

# All of a module; and those of its statements that define nothing, but may change what others define.
WHOLE, EFFECTS = "*", "!"
# What draws and judges, or drives a reference: it serves every pair, so that no pair is told from another.
JUDGES = ("contract", "verify", "references.augmentation._compared", "references.augmentation._driven")
# What every pair reaches, and how programs are stored, lowered and run as one function: tests of their own.
PLUMBING = (
    "errors",
    "kernels.inputs.arrays",
    "kernels.xla._precompile",
    "kernels.xla._lowered",
    "kernels.xla._slow_ops",
    "kernels.xla._shared",
    "kernels.xla._stored",
    "kernels.xla._single_threaded",
)
# Settings are inputs, and what each makes of a result is in the code that asks for it; TensorFlow's import
# and the warning about boundaries change no result.
_INPUTS = ("config", "_lazy", "_boundary")
# Not followed: what refers to them names them.
OPAQUE = (*JUDGES, *PLUMBING, *_INPUTS)


@dataclass(frozen=True)
class Definition:
    """A name of a module of the package: what a reference leads to."""

    module: str
    name: str


@dataclass(frozen=True)
class Module:
    """A module of the package, or something outside it that is known by its dotted name alone."""

    dotted: str
    inside: bool


@dataclass(frozen=True)
class Table:
    """The definitions in the top-level statements of one file.

    `statements`: by name, every statement that binds it. `imported`: by local name, the module and the name
    in it. `effects`: statements that run, and bind nothing.
    """

    statements: dict[str, list[ast.stmt]]
    imported: dict[str, tuple[str, str | None]]
    effects: list[ast.stmt]


def _for_types_alone(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in (
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    )


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield top-level statements, without what is there for type checkers."""
    for statement in body:
        if _for_types_alone(statement):
            yield from _flat(statement.orelse)  # type: ignore[attr-defined]
        else:
            yield statement


def _is_word(statement: ast.stmt) -> bool:
    """Say whether a statement is a docstring, another constant, `__all__`, or the version."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    assigns = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign))
    return assigns and bound([statement]) in ({"__all__"}, {"__version__"})


def _acts(statement: ast.stmt) -> bool:
    """Say whether a statement may change what others define: a call, or an item or attribute that is set."""
    if isinstance(
        statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    ):
        return False
    targets: list[ast.expr] = getattr(statement, "targets", [getattr(statement, "target", ast.Name("x"))])
    plain = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign))
    return not plain or any(
        isinstance(part, (ast.Subscript, ast.Attribute)) for t in targets for part in ast.walk(t)
    )


class Package:
    """The source files of a package.

    `root`: its folder, which gives it its name.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._tables: dict[str, Table] = {}
        self._found: dict[tuple[str, str], Definition | Module | None] = {}

    def file_of(self, dotted: str) -> Path | None:
        """Return the file of a module of this package, or None."""
        parts = dotted.split(".")
        if parts[0] != self.root.name:
            return None
        path = self.root.joinpath(*parts[1:])
        candidates = (path / "__init__.py", *([path.with_suffix(".py")] if len(parts) > 1 else []))
        return next((file for file in candidates if file.is_file()), None)

    def is_opaque(self, dotted: str) -> bool:
        """Say whether a module is known by its name alone: one of `OPAQUE`, or outside the package."""
        package, _, inside = dotted.partition(".")
        return package != self.root.name or any(f"{inside}.".startswith(f"{one}.") for one in OPAQUE)

    def table(self, dotted: str) -> Table:
        """Return the definitions of a module; its file is read once."""
        if dotted not in self._tables:
            file = self.file_of(dotted)
            if file is None:
                raise LookupError(dotted)
            self._tables[dotted] = _table_of(ast.parse(file.read_text(encoding="utf-8")))
        return self._tables[dotted]

    def find(self, dotted: str, name: str) -> Definition | Module | None:
        """Resolve a name of a module to its definition; None if there is none."""
        key = (dotted, name)
        if key not in self._found:
            self._found[key] = self._find(dotted, name)
        return self._found[key]

    def _find(self, dotted: str, name: str) -> Definition | Module | None:
        if self.is_opaque(dotted):
            return Module(f"{dotted}.{name}", inside=False)
        table = self.table(dotted)
        if name in table.statements:
            return Definition(dotted, name)
        # A package that imports its own submodule by name leads to the file below it.
        if name in table.imported and table.imported[name] != (dotted, name):
            return self.imported(*table.imported[name])
        below = f"{dotted}.{name}"
        return Module(below, inside=True) if self.file_of(below) else None

    def imported(self, module: str, name: str | None) -> Definition | Module | None:
        """Return the object of `import module` or `from module import name`."""
        if name is not None and not self.is_opaque(module) and self.file_of(module):
            return self.find(module, name)
        dotted = module if name is None else f"{module}.{name}"
        return Module(dotted, inside=not self.is_opaque(dotted) and self.file_of(dotted) is not None)

    def named(self, dotted: str) -> Definition | None:
        """Resolve a dotted name: a function, the class of a method, or a whole module."""
        if self.is_opaque(dotted):
            return None
        if self.file_of(dotted):
            return Definition(dotted, WHOLE)
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:cut])
            if self.file_of(module):
                found = self.find(module, parts[cut])
                return found if isinstance(found, Definition) else None
        return None


def _table_of(tree: ast.Module) -> Table:
    table = Table({}, {}, [])
    for statement in _flat(tree.body):
        if _is_word(statement):
            continue
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            table.imported.update({local: (module, name) for local, module, name in imports([statement])})
            continue
        for name in bound([statement]):
            table.statements.setdefault(name, []).append(statement)
        # An import in a `try`.
        table.imported.update({local: (module, name) for local, module, name in imports([statement])})
        if _acts(statement):
            table.effects.append(statement)
    return table
