"""What `pipeport rewrite` prints: diffs, refusals, JSON."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.rewrite import Again, Change, Refusal, Result, Rewritten

_COLOURS = {"-": "red", "+": "green", "@": "cyan"}


def diff(file: Rewritten) -> list[str]:
    """Return the unified diff of a file, or of the cells of a notebook."""
    lines: list[str] = []
    for name, old, new in file.texts:
        both = old.splitlines(), new.splitlines()
        lines += difflib.unified_diff(*both, name, name, lineterm="")
    return lines


def show(result: Result, written: list[str] | None) -> None:
    """Print the diffs, or the names of written files, and what stays."""
    for file in result.files:
        if written is None:
            for line in diff(file):
                click.secho(line, fg=_COLOURS.get(line[:1]))
        elif file.shown in written:
            _output.write(f"written: {file.shown}")
    refusals = [one for file in result.files for one in file.refusals]
    for change in (change for file in result.files for change in file.changes if change.why):
        kind = {"import": "is imported from pipeport"}.get(change.becomes, "becomes the drop-in")
        _output.write_wrapped(f"{_place(change)}: {change.function} {kind}. {change.why}", 4)
    if refusals and (written is None or written):
        _output.write()
    for one in refusals:
        name = one.function or "what the text does not name"
        kind = "import" if one.wrapper == "tensorflow_addons" else one.wrapper
        what = f"{_place(one)}: {one.code} {kind} of {name} stays."
        _output.write_wrapped(f"{what} {one.reason}", 4)
    _output.write_wrapped(_summary(result, written, len(refusals)), 2)


def _place(one: Change | Refusal) -> str:
    return f"{one.path}:{one.line}" if one.cell is None else f"{one.path}, cell {one.cell}, line {one.line}"


def _summary(result: Result, written: list[str] | None, refused: int) -> str:
    changes = sum(len(file.changes) for file in result.files)
    where = sum(bool(file.changes) for file in result.files)
    did = "would be rewritten" if written is None else "rewritten"
    if not changes and not refused:
        return f"{_count(result.count, 'file')}: nothing to rewrite."
    stay = f", {refused} stay{'s' * (refused == 1)}" if refused else ""
    places, files = _count(changes, "place"), _count(where, "file")
    return f"{_count(result.count, 'file')}: {places} {did} in {files}{stay}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def plain(result: Result, written: list[str], again: Again | None = None) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "format": 1,
        "files": result.count,
        "changes": [
            {
                "path": one.path,
                "line": one.line,
                "cell": one.cell,
                "wrapper": one.wrapper,
                "function": one.function,
                "becomes": one.becomes,
                "why": one.why,
                "written": one.path in written,
            }
            for file in result.files
            for one in file.changes
        ],
        "refusals": [
            {
                "path": one.path,
                "line": one.line,
                "cell": one.cell,
                "wrapper": one.wrapper,
                "function": one.function,
                "code": one.code,
                "reason": one.reason,
            }
            for file in result.files
            for one in file.refusals
        ],
        "diffs": [
            {"path": file.shown, "diff": "\n".join(diff(file))} for file in result.files if file.changes
        ],
        "again": again and again.as_dict(),
        "problems": [
            {"path": one.path, "line": one.line, "cell": one.cell, "reason": one.reason}
            for one in result.problems
        ],
    }
