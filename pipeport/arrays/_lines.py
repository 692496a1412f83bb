"""The line of user code that is running, for error messages."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType

_PACKAGE = str(Path(__file__).parent.parent)
_translate: list[Callable[[str, int], tuple[str, int] | None]] = []


def translate(function: Callable[[str, int], tuple[str, int] | None]) -> None:
    """Have lines of generated code led back to the user's.

    `function`: takes a file and a line; gives those of the user, or None where it knows none.
    """
    _translate.append(function)


def here() -> str:
    """Return the file and the line of the user's code that is running."""
    return _first_of_user(traceback.walk_stack(sys._getframe(1)))


def of(error: BaseException) -> str:
    """Return the file and the line of the user's code that raised an error."""
    return _first_of_user(reversed(list(traceback.walk_tb(error.__traceback__))))


def _first_of_user(frames: Iterable[tuple[FrameType, int]]) -> str:
    for frame, line in frames:
        file = frame.f_code.co_filename
        for one in _translate:
            found = one(file, line)
            if found is not None:
                return f"{found[0]}, line {found[1]}"
        if not _is_library(file):
            return f"{file}, line {line}"
    return "a line that is not known"


def _is_library(file: str) -> bool:
    return file.startswith((_PACKAGE, "<")) or "site-packages" in file or "autograph_generated" in file
