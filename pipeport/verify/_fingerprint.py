"""What a result depends on: sources by hash, packages by version.

The sources are those a native imports, directly or through others, read from their text: a change in
one family's kernel leaves the results of another family valid. Docstrings, comments and layout are no
part of it: better words need no new proof. Nor is what verifies: that has a number, `PROTOCOL`, since a
new kind of parameter or agreement says nothing about the pairs that have none of it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import inspect
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pipeport
from pipeport.contract import Agreement, Callback, SameDistribution
from pipeport.verify._call import inner
from pipeport.verify._pair import Pair

ROOT = Path(pipeport.__file__).parent
# Raised by whoever draws or judges what was there before in another way. tests/equivalence/protocol.json
# holds what it stood for, so that no change of these folders passes without the question.
PROTOCOL = 2
VERIFIERS = ("contract", "verify")
# A change in any of these may change any result.
SHARED = ("_batched.py", "_boundary.py", "config.py")
_DISTRIBUTIONS = {"skimage": "scikit-image", "cv2": "opencv-python-headless", "PIL": "pillow"}


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _source(function: object) -> Path | None:
    try:
        return Path(inspect.getsourcefile(inspect.unwrap(function)) or "")  # type: ignore[arg-type]
    except TypeError:  # builtins have none; their version stands for them
        return None


def _file_of(dotted: str, root: Path) -> Path | None:
    """Return the file of a module of this package, or of what is taken from it; None for others."""
    parts = dotted.split(".")
    if parts[0] != root.name:
        return None
    for cut in range(len(parts), 1, -1):
        path = root.joinpath(*parts[1:cut])
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return file
    return None


@functools.cache
def _imported_by(file: Path, root: Path) -> frozenset[Path]:
    """Return the files of this package that a file imports, wherever in its text."""
    found: set[Path | None] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {_file_of(name.name, root) for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {_file_of(f"{node.module}.{name.name}", root) for name in node.names}
    return frozenset(found - {None})  # type: ignore[arg-type]


@functools.cache
def meaning(file: Path) -> bytes:
    """Return what a source does, whatever its docstrings, comments and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


def closure(files: set[Path], root: Path = ROOT) -> set[Path]:
    """Return these files and all of the package at `root` that they import, directly or not.

    Imports are absolute, as everywhere in this package; that packages import their modules for
    re-export is no dependence of the modules. What verifies is left out.
    """
    seen: set[Path] = set()
    waiting = set(files)
    while waiting:
        file = waiting.pop()
        seen.add(file)
        if root in file.parents:
            waiting |= {other for other in _imported_by(file, root) if not _verifies(other, root)} - seen
    return seen


def _verifies(file: Path, root: Path) -> bool:
    return root in file.parents and file.relative_to(root).parts[0] in VERIFIERS


def protocol() -> dict[str, int | str]:
    """Return the number of what draws and judges, and a hash of its sources."""
    digest = hashlib.sha256()
    for file in sorted(file for name in VERIFIERS for file in _files(ROOT / name)):
        digest.update(meaning(file))
    return {"protocol": PROTOCOL, "sources": digest.hexdigest()[:16]}


def _named(pair: Pair, agreement: Agreement) -> Iterator[str]:
    """Yield the dotted names of functions that a pair's contract refers to."""
    for key in ("jumps", "given", "statistic"):
        if getattr(agreement, key, None):
            yield getattr(agreement, key)
    if isinstance(agreement, SameDistribution):
        yield from _named(pair, agreement.application)
    if getattr(agreement, "floats", None):
        yield from _named(pair, agreement.floats)  # type: ignore[attr-defined]
    if pair.contract is not None:
        yield from (name for name in (pair.contract.to_reference, *(pair.contract.reads or ())) if name)
    for spec in pair.specs.values():
        if isinstance(kind := inner(spec), Callback):
            yield from kind.examples


def sources(pair: Pair) -> set[Path]:
    """Return the files a pair's results depend on."""
    start = {file for name in SHARED for file in _files(ROOT / name)}
    functions = [pair.native, pair.reference, getattr(pair.native, "__pipeport_batch_form__", None)]
    start |= {file for f in functions if f is not None and (file := _source(f)) and file.is_file()}
    start |= {file for name in _named(pair, pair.agreement) if (file := _file_of(name, ROOT))}
    return closure(start)


def fingerprint(pair: Pair, engine: str) -> str:
    """Return the hash of everything a case's result depends on.

    Parameters
    ----------
    pair : Pair
        What is verified.
    engine : str
        How the native is run.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256(f"{PROTOCOL}|{pair.name}|{engine}|{pair.agreement}".encode())
    for file in sorted(sources(pair)):
        digest.update(file.name.encode() + b"\0" + meaning(file))
    for name, version in sorted(versions(pair).items()):
        digest.update(f"{name}={version}\n".encode())
    return digest.hexdigest()[:16]


def versions(pair: Pair) -> dict[str, str]:
    """Return the versions of Python and of the packages that take part."""
    found = {"python": platform.python_version()}
    own = pair.reference_name.partition(".")[0]
    for package in ("tensorflow", "numpy", "hypothesis", _DISTRIBUTIONS.get(own, own.replace("_", "-"))):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            module = sys.modules.get(package)
            if hasattr(module, "__version__"):
                found[package] = str(module.__version__)  # type: ignore[union-attr]
    return found
