"""Which files are scanned, and how they are read: nothing here runs their code."""

from __future__ import annotations

import io
import os
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeport.errors import UnsupportedArgument, explain
from pipeport.scan._notebook import Notebook

LARGEST = 4 * 2**20  # bytes; a larger file is data, not a program
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages", "venv"})
_SUFFIXES = (".py", ".pyi", ".ipynb")
_ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
STDIN = "-"


@dataclass(frozen=True)
class Problem:
    """A file that could not be scanned.

    Attributes
    ----------
    path : str
        The file.
    line : int or None
        Where, if it is a place in it.
    reason : str
        Why.
    cell : int or None
        Of a notebook: the number of the cell; `line` counts in it.
    in_file : int or None
        Of a notebook: the line of the file itself; None where it is not known.
    """

    path: str
    line: int | None
    reason: str
    cell: int | None = None
    in_file: int | None = None


def files(paths: list[Path], problems: list[Problem]) -> list[Path]:
    """Return the files below some paths, each once, sorted within each folder.

    `paths`: files and folders. Folders of installed packages and hidden ones are skipped unless they are
    named. `problems`: what cannot be read is added.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found |= dict.fromkeys(_below(path, problems))
        elif path.exists():
            found[path] = None
        else:
            advice = "Give files, folders, or - for standard input."
            raise UnsupportedArgument(explain("PATH", repr(str(path)), "paths that exist", advice))
    return list(found)


def _below(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    def failed(error: OSError) -> None:
        problems.append(Problem(str(error.filename), None, f"cannot be read: {error.strerror}"))

    seen: set[str] = set()
    for root, folders, names in os.walk(folder, onerror=failed, followlinks=True):
        real = os.path.realpath(root)
        if real in seen:  # a loop of links
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(
            one
            for one in folders
            if one not in _SKIPPED and not one.startswith(".") and not _is_venv(root, one)
        )
        for name in sorted(names):
            if name.endswith(_SUFFIXES):
                yield Path(root, name)


def _is_venv(root: str, name: str) -> bool:
    return os.path.exists(os.path.join(root, name, "pyvenv.cfg"))  # noqa: PTH110, PTH118 - for each folder


def content(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        if not path.is_file():
            raise ValueError("is not a file")
        size = path.stat().st_size
        if size > LARGEST:
            raise ValueError(f"has {size / 2**20:.0f} MiB, more than {LARGEST // 2**20}")
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error


def text_of(path: Path, raw: bytes) -> str:
    """Return the text of a program; of a notebook that of its cells, magics masked."""
    return Notebook(raw).text if path.suffix == ".ipynb" else decoded(raw)[0]


def decoded(raw: bytes) -> tuple[str, str]:
    """Return the text of a program, and its encoding."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return raw.decode(encoding), encoding
    except (SyntaxError, LookupError, UnicodeDecodeError) as error:
        raise ValueError(f"is not text: {error}") from error


def find_module(name: str, level: int, importer: Path) -> Path | None:
    """Return the file of a module that a file imports: beside it, or in a folder above within its project.

    `name`: dotted name; empty for `from . import x`. Returns: None where there is none.
    """
    parts = [one for one in name.split(".") if one]
    folder = importer.parent
    if level:
        for _ in range(level - 1):
            folder = folder.parent
        return _module_in(folder, parts)
    if not parts:
        return None
    for _ in range(12):
        found = _module_in(folder, parts)
        if found is not None:
            return found
        if (
            folder == folder.parent
            or folder.name in _SKIPPED
            or any((folder / one).exists() for one in _ROOTS)
        ):
            # A project may keep its package in src/.
            return _module_in(folder / "src", parts)
        folder = folder.parent
    return None


def _module_in(folder: Path, parts: list[str]) -> Path | None:
    base = folder.joinpath(*parts)
    if parts:
        file = base.with_name(f"{base.name}.py")
        if file.is_file():
            return file
    file = base / "__init__.py"
    return file if file.is_file() else None
