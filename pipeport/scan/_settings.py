"""Suppressed findings: settings in pyproject.toml, and comments in the source."""

from __future__ import annotations

import fnmatch
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.scan import _rules
from pipeport.scan._files import STDIN

FILE = "pyproject.toml"
_TABLE = "[tool.pipeport.scan]"
_KEYS = ("exclude", "select", "ignore")
_COMMENT = re.compile(r"#\s*pipeport:\s*ignore\b(?:\[(?P<codes>[^\]]*)\])?")


@dataclass(frozen=True)
class Settings:
    """The suppressed codes and paths of a scan.

    Attributes
    ----------
    codes : frozenset of str
        What is reported.
    exclude : tuple of str
        Patterns of paths relative to `root`; '*' goes over slashes.
    root : Path or None
        The folder of the settings.
    """

    codes: frozenset[str]
    exclude: tuple[str, ...] = ()
    root: Path | None = None

    def excluded(self, path: Path) -> bool:
        """Whether a file, or a folder around it, is left out."""
        if self.root is None or not self.exclude:
            return False
        relative = os.path.relpath(os.path.abspath(path), self.root)  # noqa: PTH100 - links stay
        parts = relative.replace(os.sep, "/").split("/")
        ways = ["/".join(parts[: number + 1]) for number in range(len(parts))]
        return any(fnmatch.fnmatchcase(way, pattern) for way in ways for pattern in self.exclude)


def settings(
    paths: list[str], *, select: list[str] | None = None, ignore: list[str] | None = None
) -> Settings:
    """Read the settings of the project that holds some paths.

    Parameters
    ----------
    paths : list of str
        What is scanned: the first pyproject.toml with a table `[tool.pipeport.scan]` in the folder around all
        of them, or above it, counts.
    select, ignore : list of str, optional
        Codes; they take the place of those in the file.

    Returns
    -------
    Settings
        What is reported.

    Raises
    ------
    UnsupportedArgument
        The file is not a TOML, has a key that does not exist, or a code does not exist.
    WrongType
        A key holds something else than a list of strings.
    """
    root, table = _table(paths)
    exclude = tuple(one.rstrip("/") for one in _strings(table, "exclude"))
    chosen = _strings(table, "select") if select is None else select
    left_out = _strings(table, "ignore") if ignore is None else ignore
    codes = _rules.known(chosen, "select") if chosen else frozenset(_rules.RULES)
    return Settings(codes - _rules.known(left_out, "ignore"), exclude, root)


def _table(paths: list[str]) -> tuple[Path | None, dict[str, Any]]:
    absolute = [os.path.abspath("." if path == STDIN else path) for path in paths]  # noqa: PTH100
    folder = Path(os.path.commonpath(absolute))
    for parent in (folder, *folder.parents):
        file = parent / FILE
        if not file.is_file():
            continue
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            advice = "Correct the file."
            raise UnsupportedArgument(explain(str(file), str(error), "TOML", advice)) from error
        table = data.get("tool", {}).get("pipeport", {}).get("scan")
        if table is None:
            continue
        if not isinstance(table, dict) or (wrong := sorted(set(table) - set(_KEYS))):
            given = ", ".join(wrong) if isinstance(table, dict) else repr(table)
            advice = "Correct or remove it."
            raise UnsupportedArgument(explain(f"{_TABLE} in {file}", given, ", ".join(_KEYS), advice))
        return parent, table
    return None, {}


def _strings(table: dict[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        advice = f'Write {key} = ["..."].'
        raise WrongType(explain(f"{key} in {_TABLE}", repr(value), "a list of strings", advice))
    return value


def ignored(lines: list[str], first: int, last: int) -> frozenset[str] | None:
    """Return the codes that comments in some lines name.

    `first`, `last`: which lines; they count from 1. Returns: None where a comment without codes ignores all.
    """
    codes: frozenset[str] = frozenset()
    for line in lines[first - 1 : last]:
        found = _COMMENT.search(line)
        if found is None:
            continue
        if found["codes"] is None:
            return None
        given = [one.strip() for one in found["codes"].split(",")]
        codes |= _rules.known(given, "# pipeport: ignore")
    return codes
