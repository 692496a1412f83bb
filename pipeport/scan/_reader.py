"""Reads files and keeps the parsed ones."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

from pipeport.scan import _files
from pipeport.scan._files import Problem
from pipeport.scan._module import Module, parsed
from pipeport.scan._resolve import Resolver


class Reader:
    """Reads files, and keeps the parsed ones."""

    def __init__(self, names: dict[Path, str], given: dict[Path, bytes] | None = None) -> None:
        self._names = names
        self._given = given or {}
        self.problems: list[Problem] = []
        self.resolver = Resolver(self.load, functools.cache(_files.find_module))

    def content(self, path: Path) -> bytes:
        """Return the bytes of a file, or what stands for them."""
        return self._given[path] if path in self._given else _files.content(path)

    def shown(self, path: Path) -> str:
        """Return the path as the user gave it."""
        return self._names.get(path, str(path))

    @functools.lru_cache(maxsize=256)  # noqa: B019 - lives as long as one scan
    def load(self, path: Path) -> Module | None:
        """Return a parsed file; None, and one problem, where it cannot be."""
        try:
            return self.parse(path, self.content(path))
        except ValueError as error:
            self.problems.append(Problem(self.shown(path), getattr(error, "line", None), str(error)))
            return None

    def parse(self, path: Path, raw: bytes) -> Module:
        """Parse a file."""
        return self.parsed(path, _files.text_of(path, raw))

    def parsed(self, path: Path, text: str) -> Module:
        """Parse the text of a file."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes in strings
                return parsed(path, text)
        except SyntaxError as error:
            raise NoPython(f"is not Python 3: {error.msg}", error.lineno) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"cannot be parsed: {type(error).__name__}") from error


class NoPython(ValueError):
    """A file is not Python of today, and where that shows."""

    def __init__(self, reason: str, line: int | None) -> None:
        super().__init__(reason)
        self.line = line
