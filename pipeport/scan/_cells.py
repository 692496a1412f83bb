"""Places in notebooks: a cell, a line in it, and the line of the file that holds it."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from pathlib import Path

from pipeport.scan import _files
from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding
from pipeport.scan._notebook import Notebook

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:,]')
# Keys of the objects and lists around what a cell holds, in both forms of notebooks.
_CELLS = ([None, "cells", None], [None, "worksheets", None, "cells", None])
_SOURCES = ("source", "input")

At = tuple[int, int]  # a cell and a line in it


class Places:
    """Knows of each line of the program of a notebook the cell, the line in it, and the line of the file."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Notebook, dict[At, int]] | None] = {}

    def of_finding(self, finding: Finding) -> Finding:
        """Return a finding whose lines count in cells, where they are those of a notebook."""
        cell, line, in_file = self._place(finding.path, finding.line)
        reason_cell, reason_line, _ = self._place(*finding.reason_at)
        found = replace(
            finding,
            cell=cell,
            line=line,
            in_file=in_file,
            reason_at=(finding.reason_at[0], reason_line),
            reason_cell=reason_cell,
        )
        if finding.body is None:
            return found
        body_cell, body_line, _ = self._place(*finding.body)
        return replace(found, body=(finding.body[0], body_line), body_cell=body_cell)

    def of_problem(self, problem: Problem) -> Problem:
        """Return a problem whose line counts in a cell, where it is that of a notebook."""
        if problem.line is None:
            return problem
        cell, line, in_file = self._place(problem.path, problem.line)
        return replace(problem, cell=cell, line=line, in_file=in_file)

    def _place(self, path: str, line: int) -> tuple[int | None, int, int | None]:
        if not path.endswith(".ipynb"):
            return None, line, None
        if path not in self._known:
            self._known[path] = None
            with contextlib.suppress(ValueError):  # gone since it was read
                raw = _files.content(Path(path))
                self._known[path] = Notebook(raw), lines_in_file(raw)
        known = self._known[path]
        if known is None:
            return None, line, None
        at = known[0].place(line)
        return *at, known[1].get(at)


def lines_in_file(raw: bytes) -> dict[At, int]:
    """Return the line of the file for each line of each cell of a notebook.

    Returns: by cell and line in it; all count from 1. A cell that is one string has all its lines in one of
    the file.
    """
    text = raw.decode("utf-8-sig")
    found: dict[At, int] = {}
    around: list[str | None] = []  # for each open object or list the key it is the value of
    key: str | None = None
    last = ""
    cell, at, line, read = 0, 1, 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        line += text.count("\n", read, match.start())
        read = match.start()
        if token in "{[":
            around.append(key)
            key = None
            if token == "{" and around in _CELLS:
                cell, at = cell + 1, 1
        elif token in "}]":
            around.pop()
            key = None
        elif token == ":":
            key = json.loads(last)
        elif token == ",":
            key = None
        elif _holds_code(around, key):
            lines = json.loads(token).count("\n")
            found |= {(cell, number): line for number in range(at, at + lines + 1)}
            at += lines  # the next string goes on there
        else:
            last = token
    return found


def _holds_code(around: list[str | None], key: str | None) -> bool:
    if key is None:
        return around[:-1] in _CELLS and around[-1] in _SOURCES
    return around in _CELLS and key in _SOURCES
