"""The line of user code that is running, for error messages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

_PACKAGE = str(Path(__file__).parent.parent)
_translate: list[Callable[[str, int], tuple[str, int] | None]] = []


def translate(function: Callable[[str, int], tuple[str, int] | None]) -> None:
    """Have lines of generated code led back to the user's.

    `function`: takes a file and a line; gives those of the user, or None where it knows none.
    """
    _translate.append(function)


def here() -> str:
    """Return the file and the line of the user's code that is running."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        file, line = frame.f_code.co_filename, frame.f_lineno
        for one in _translate:
            found = one(file, line)
            if found is not None:
                return f"{found[0]}, line {found[1]}"
        if not _is_library(file):
            return f"{file}, line {line}"
        frame = frame.f_back
    return "a line that is not known"


def _is_library(file: str) -> bool:
    return file.startswith((_PACKAGE, "<")) or "site-packages" in file or "autograph_generated" in file
