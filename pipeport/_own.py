"""Tell files of the user from those of Python and of installed packages."""

from __future__ import annotations

import functools
import sysconfig
from pathlib import Path


@functools.cache
def _library_folders() -> tuple[str, ...]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({sysconfig.get_path(name) for name in names})


@functools.cache
def is_own(file: str) -> bool:
    """Say whether a file is the user's: it belongs to no installed library.

    Returns: True for what `port` wrote of a function of the user's.
    """
    if file.startswith("<pipeport "):
        return True
    if file.startswith("<frozen"):
        return False
    if file.startswith(_library_folders()) or not {"site-packages", "dist-packages"}.isdisjoint(
        Path(file).parts
    ):
        return False
    inside = Path(file)
    while (inside.parent / "__init__.py").exists():
        inside = inside.parent
    return inside.name not in _installed(inside.parent)


@functools.cache
def _installed(folder: Path) -> frozenset[str]:
    """Return the modules and packages that were installed into a folder, as by `pip install --target`."""
    found: set[str] = set()
    for record in folder.glob("*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
        found |= {line.partition(",")[0].partition("/")[0] for line in lines}
    return frozenset(found)
