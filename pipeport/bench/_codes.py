"""Fingerprints of the code that is measured: a native's, or that of whole programs."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from pathlib import Path

import pipeport
from pipeport._reach import code_of, imported_by, is_defined

ROOT = Path(__file__).parents[1]


def of_native(name: str) -> str:
    """Return the fingerprint of a native; empty for a name the package does not define.

    `name`: its dotted name; empty for none.
    """
    try:
        return code_of(name)
    except LookupError:
        return ""


def of_programs(files: Sequence[Path], root: Path = ROOT, through: Sequence[str] = ()) -> str:
    """Return the fingerprint of program files and of what they take from the package.

    `files`: Python sources; comments and layout do not count. `root`: the folder of the package's sources.
    `through`: dotted names of the package by which they run.
    """
    digest = hashlib.sha256()
    names = list(through)
    for file in files:
        program = ast.parse(file.read_text(encoding="utf-8"))
        digest.update(ast.dump(program).encode() + b"\n")
        names += _taken(program, root.name)
    defined = [name for name in map(_place, dict.fromkeys(names)) if is_defined(name, root=root)]
    if defined:
        digest.update(code_of(*defined, root=root).encode())
    return digest.hexdigest()[:16]


def _place(name: str) -> str:
    """Return where a verb of the package is defined, `pipeport.porting.port`; any other name as it is."""
    package, _, verb = name.partition(".")
    module = pipeport._VERBS.get(verb) if package == pipeport.__name__ else None
    return f"{module}.{verb}" if module else name


def of_recipe(folder: Path, root: Path = ROOT) -> str:
    """Return the fingerprint of a recipe: of its programs before and after the migration."""
    return of_programs([folder / "before.py", folder / "after.py"], root)


def _taken(program: ast.Module, package: str) -> list[str]:
    """Return the dotted names of the package that a program mentions, in order."""
    imported = {
        local: module if name is None else f"{module}.{name}"
        for node in ast.walk(program)
        for local, module, name in imported_by(node)
    }
    found = []
    for node in ast.walk(program):
        if isinstance(node, (ast.Name, ast.Attribute)):
            first, dot, rest = ast.unparse(node).partition(".")
            dotted = imported.get(first, "") + dot + rest
            if dotted.partition(".")[0] == package:
                found.append(dotted)
    return found
