"""What `pipeport scan` prints: the report, JSON, SARIF and the annotations of GitHub."""

from __future__ import annotations

import collections
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from pipeport import __version__
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.scan import Finding, Problem, Result

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


# The report.


def show(result: Result) -> None:
    """Print the report, grouped by file, with a summary."""
    path = None
    for one in result.findings:
        if one.path != path:
            if path is not None:
                _output.write()
            path = one.path
            _output.write_bold(path)
        _show_one(one)
    if result.findings:
        _output.write()
    _output.write_wrapped(_summary(result), 2)


def _show_one(one: Finding) -> None:
    place = str(one.line) if one.cell is None else f"cell {one.cell}, line {one.line}"
    _output.write_wrapped(f"  {place}: {one.code} {_subject(one)}", 4)
    at = "" if one.reason_at == (one.path, one.line) else f"line {one.reason_at[1]}: "
    if at and one.reason_at[0] != one.path:
        at = f"{one.reason_at[0]}, {at}"
    _output.write_wrapped(f"    {at}{one.reason}", 4)
    if one.gain:
        _output.write_wrapped(f"    {one.gain}", 4)
    for line in one.diff.splitlines():
        colour = {"-": "red", "+": "green"}.get(line[:1])
        click.secho(f"    {line}", fg=colour)


def _subject(one: Finding) -> str:
    if one.kind == "bug":
        from pipeport.scan import RULES

        return RULES[one.code].title
    name = one.function or "a function that the text does not name"
    through = "through a helper, " if one.kind == "helper" else ""
    return f"{through}{one.wrapper} of {name}: {one.verdict}"


def _summary(result: Result) -> str:
    files = f"{result.files} file{'s' * (result.files != 1)}"
    unread = f", {len(result.problems)} of them not scanned" if result.problems else ""
    if not result.findings:
        return f"{files}{unread}: no Python found inside graphs."
    from pipeport.scan import RULES

    counts = collections.Counter(one.code for one in result.findings)
    parts = [f"{counts[code]} {rule.title}" for code, rule in RULES.items() if counts[code]]
    found = len(result.findings)
    return f"{files}{unread}, {found} finding{'s' * (found != 1)}: {', '.join(parts)}."


# For programs.


def plain(result: Result) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "format": 1,
        "files": result.files,
        "findings": [
            {
                "path": one.path,
                "line": one.line,
                "cell": one.cell,
                "code": one.code,
                "kind": one.kind,
                "wrapper": one.wrapper,
                "function": one.function,
                "body": None if one.body is None else {"path": one.body[0], "line": one.body[1]},
                "calls": list(one.calls),
                "verdict": one.verdict,
                "reason": one.reason,
                "reason_at": {"path": one.reason_at[0], "line": one.reason_at[1]},
                "diff": one.diff or None,
                "gain": one.gain or None,
            }
            for one in result.findings
        ],
        "problems": [{"path": one.path, "line": one.line, "reason": one.reason} for one in result.problems],
    }


def _level(code: str) -> str:
    """Return 'warning' for what can be changed, 'note' for what cannot."""
    return "note" if code in ("PP004", "PP005", "PP006") else "warning"


def _message(one: Finding) -> str:
    cell = "" if one.cell is None else f"Cell {one.cell}, line {one.line}: "
    return f"{cell}{_subject(one)}. {one.reason}"


def _line(one: Finding) -> int:
    """Return the line in the file: that of a notebook's cell is none of its file."""
    return 1 if one.cell is not None else one.line


def github(result: Result) -> list[str]:
    """Return one command of GitHub's workflows for each finding and each problem."""
    lines = []
    for one in result.findings:
        kind = {"warning": "warning", "note": "notice"}[_level(one.code)]
        lines.append(_command(kind, one.path, _line(one), one.code, _message(one)))
    for problem in result.problems:
        lines.append(_command("error", problem.path, problem.line or 1, "not scanned", problem.reason))
    return lines


def _command(kind: str, path: str, line: int, title: str, message: str) -> str:
    def escaped(text: str, *more: str) -> str:
        for mark in ("%", "\r", "\n", *more):
            text = text.replace(mark, f"%{ord(mark):02X}")
        return text

    file, name = escaped(_uri(path), ":", ","), escaped(title, ":", ",")
    return f"::{kind} file={file},line={line},title={name}::{escaped(message)}"


def _uri(path: str) -> str:
    """Return a path with slashes, relative to the working directory where it lies below it."""
    relative = os.path.relpath(path)
    return Path(os.path.abspath(path) if relative.startswith("..") else relative).as_posix()  # noqa: PTH100


def sarif(result: Result) -> dict[str, Any]:
    """Return the result in the Static Analysis Results Interchange Format, version 2.1.0."""
    from pipeport.scan import RULES, page

    codes = list(RULES)
    driver = {
        "name": "pipeport",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule.code,
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": rule.why},
                "help": {"text": rule.why, "markdown": page(rule)},
                "defaultConfiguration": {"level": _level(rule.code)},
                "properties": {"tags": ["tensorflow", "performance"]},
            }
            for rule in RULES.values()
        ],
    }
    seen: collections.Counter[str] = collections.Counter()
    results = []
    for one in result.findings:
        what = f"{one.code} {_uri(one.path)} {one.wrapper} {one.function} {one.reason}"
        seen[what] += 1  # the n-th of its kind in the file: the same when lines are added above
        mark = f"{hashlib.sha256(what.encode()).hexdigest()[:16]}:{seen[what]}"
        results.append(
            {
                "ruleId": one.code,
                "ruleIndex": codes.index(one.code),
                "level": _level(one.code),
                "message": {"text": _message(one)},
                "locations": [_location(one.path, _line(one))],
                "partialFingerprints": {"primaryLocationLineHash": mark},
            }
        )
    invocation = {
        "executionSuccessful": not result.problems,
        "toolExecutionNotifications": [_notification(one) for one in result.problems],
    }
    run = {"tool": {"driver": driver}, "results": results, "invocations": [invocation]}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _location(path: str, line: int) -> dict[str, Any]:
    uri = _uri(path)
    outside = Path(uri).is_absolute()
    artifact = {"uri": Path(uri).as_uri()} if outside else {"uri": quote(uri), "uriBaseId": _ROOT}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}


def _notification(problem: Problem) -> dict[str, Any]:
    location = _location(problem.path, problem.line or 1)
    return {"level": "error", "message": {"text": problem.reason}, "locations": [location]}
