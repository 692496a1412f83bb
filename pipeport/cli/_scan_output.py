"""What `pipeport scan` prints: the report, JSON, SARIF and the annotations of GitHub."""

from __future__ import annotations

import collections
import hashlib
import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from pipeport import __version__
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.scan import Finding, Problem, Result, Trial

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


# The report.


def show(result: Result) -> None:
    """Print the report, grouped by file, with a summary; nothing is said twice."""
    explained: dict[str, str] = {}
    for path, findings in itertools.groupby(result.findings, lambda one: one.path):
        _output.write_bold(path)
        same: dict[Any, list[Finding]] = {}
        for one in findings:
            alike = (_subject(one), _reason_at(one), one.reason) if one.kind == "bug" else id(one)
            same.setdefault(alike, []).append(one)
        shown: set[Any] = set()
        for ones in same.values():
            _show_one(ones, explained, shown)
        _output.write()
    _output.write_wrapped(_summary(result), 2)


def _show_one(ones: list[Finding], explained: dict[str, str], shown: set[Any]) -> None:
    """Print findings that differ in their place alone, without what was explained or shown before."""
    one = ones[0]
    places = ", ".join(
        str(each.line) if each.cell is None else _in_cell(each.cell, each.line) for each in ones
    )
    times = f", {len(ones)} times" if len(ones) > 1 else ""
    _output.write_wrapped(f"  {places}: {one.code} {_subject(one)}{times}", 4)
    before = explained.get(one.reason, "")
    _output.write_wrapped(f"    {before or _reason_at(one) + one.reason}", 4)
    if one.kind == "bug":
        explained.setdefault(one.reason, f"As in {one.path}, {_in_cell(one.cell, one.line)}.")
    if one.gain:
        _output.write_wrapped(f"    {one.gain}", 4)
    if one.trial is not None:
        _output.write_wrapped(f"    {_tried(one.trial)}", 4)
    if one.plan is not None and one.plan.stays:
        _output.write_wrapped(f"    It stays. {one.plan.stays}", 4)
    for line in one.diff.splitlines():
        key = line if line == "+import pipeport" else (one.cell, one.line, line)
        if key not in shown:
            click.secho(f"    {line}", fg={"-": "red", "+": "green"}.get(line[:1]))
        shown.add(key)


def _tried(trial: Trial) -> str:
    """Return what porting a function showed."""
    assumed = f", assuming {trial.assumed}" if trial.assumed else ""
    if trial.ports:
        return f"Ports{assumed}."
    reason = trial.reason.removesuffix(".")
    return f"Not tried: {reason}." if trial.ports is None else f"Does not port{assumed}: {reason}."


def _in_cell(cell: int | None, line: int) -> str:
    return f"line {line}" if cell is None else f"cell {cell}, line {line}"


def _reason_at(one: Finding) -> str:
    """Return where the reason shows, if that is another place."""
    path, line = one.reason_at
    if (path, line, one.reason_cell) == (one.path, one.line, one.cell):
        return ""
    other = "" if path == one.path else f"{path}, "
    return f"{other}{_in_cell(one.reason_cell, line)}: "


def told(problem: Problem) -> str:
    """Return a line about a file that cannot be read."""
    place = "" if problem.line is None else f":{problem.line}"
    if problem.line is not None and problem.cell is not None:
        place = f", {_in_cell(problem.cell, problem.line)}"
    return f"{problem.path}{place}: {problem.reason}"


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
    tried = [one.trial for one in result.findings if one.trial is not None]
    ports = sum(one.ports is True for one in tried)
    ran = f" {ports} of {len(tried)} port." if tried else ""
    return f"{files}{unread}, {found} finding{'s' * (found != 1)}: {', '.join(parts)}.{ran}"


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
                "body": None if one.body is None else _place(one.body, one.body_cell),
                "calls": list(one.calls),
                "verdict": one.verdict,
                "reason": one.reason,
                "reason_at": _place(one.reason_at, one.reason_cell),
                "diff": one.diff or None,
                "gain": one.gain or None,
                "run": None if one.trial is None else _trial(one.trial),
            }
            for one in result.findings
        ],
        "problems": [
            {"path": one.path, "line": one.line, "cell": one.cell, "reason": one.reason}
            for one in result.problems
        ],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {"ports": trial.ports, "reason": trial.reason or None, "assumed": trial.assumed or None}


def _place(at: tuple[str, int], cell: int | None) -> dict[str, Any]:
    return {"path": at[0], "line": at[1], "cell": cell}


def _level(code: str) -> str:
    """Return 'warning' for what can be changed, 'note' for what cannot."""
    return "note" if code in ("PP004", "PP005", "PP006") else "warning"


def _message(one: Finding) -> str:
    tried = "" if one.trial is None else f" {_tried(one.trial)}"
    return f"{_cell(one)}{_subject(one)}. {one.reason}{tried}"


def _cell(one: Finding | Problem) -> str:
    return "" if one.cell is None else f"Cell {one.cell}, line {one.line}: "


def _line(one: Finding | Problem) -> int:
    """Return the line in the file, which of a notebook is another than that in the cell."""
    return (one.line if one.cell is None else one.in_file) or 1


def github(result: Result) -> list[str]:
    """Return one command of GitHub's workflows for each finding and each problem."""
    lines = []
    for one in result.findings:
        kind = {"warning": "warning", "note": "notice"}[_level(one.code)]
        lines.append(_command(kind, one.path, _line(one), one.code, _message(one)))
    for problem in result.problems:
        lines.append(_command("error", problem.path, _line(problem), "not scanned", _message_of(problem)))
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
        "semanticVersion": __version__.replace(".dev", "-dev."),
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
    location = _location(problem.path, _line(problem))
    return {"level": "error", "message": {"text": _message_of(problem)}, "locations": [location]}


def _message_of(problem: Problem) -> str:
    return f"{_cell(problem)}{problem.reason}"
