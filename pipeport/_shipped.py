"""Folders of the repository that travel in the wheel: recipes and suites."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from pipeport.errors import PipeportError, explain


def find(inside: str, beside: str) -> Path | None:
    """Return the folder inside an installed package, else that beside the package in the repository.

    `inside`, `beside`: its path below the package, and below the repository's root. Returns: None where there
    is neither.
    """
    package = _package()
    folders = (package / inside, package.parent / beside)
    return next((folder for folder in folders if folder.is_dir()), None)


def require(what: str, inside: str, beside: str) -> Path:
    """Return the folder as `find` does.

    `what`: what it holds, for the message.
    """
    found = find(inside, beside)
    if found is None:
        advice = "Install pipeport again."
        raise PipeportError(explain(what, f"no folder near {_package()}", "a complete installation", advice))
    return found


def _package() -> Path:
    return Path(str(importlib.resources.files("pipeport")))
