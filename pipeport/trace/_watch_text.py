"""The result of watching, as text."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pipeport.trace._watch_report import FunctionReport, State, WatchFinding

if TYPE_CHECKING:
    from pipeport.trace._watch import WatchReport


def lines(report: State | WatchReport) -> list[str]:
    """Return the report as lines of plain text: functions with findings, then the sums.

    `report`: what was found: the report of `watch`, or its state at one moment. Returns: lines without a line
    break; those that belong to another are indented.
    """
    report = report if isinstance(report, State) else report.state
    found: list[str] = []
    for function in report.functions:
        if function.findings:
            found.append(_heading(function))
            for finding in function.findings:
                found += _finding(finding, function)
    return [*found, *_intended(report), *report.notes, _sum(report)]


def _intended(report: State) -> Iterator[str]:
    for function in report.functions:
        reasons = [trace.expected for trace in function.traces if trace.expected]
        if reasons:
            why = "; ".join(dict.fromkeys(reasons))
            place = _place(function.file, function.line)
            yield f"{place} {function.name}: {_count(len(reasons), 'retrace')} as intended: {why}."


def _heading(function: FunctionReport) -> str:
    if not function.calls and not function.traces:
        return f"{_place(function.file, function.line)} {function.name}"
    seconds = sum(trace.seconds for trace in function.traces)
    counts = [_count(function.calls, "call"), _count(len(function.traces), "trace")]
    if function.traces:
        counts.append(f"{seconds:.2f} s of tracing")
    if function.traced_before:
        counts.append(f"{_count(function.traced_before, 'trace')} before")
    return f"{_place(function.file, function.line)} {function.name}: {', '.join(counts)}"


def _finding(finding: WatchFinding, function: FunctionReport) -> list[str]:
    place = ""
    if (finding.file, finding.line) not in {(function.file, function.line), ("", 0)}:
        place = f"{_place(finding.file, finding.line)} "
    repeated = f" ({_count(finding.times, 'retrace')})" if finding.kind == "retrace" else ""
    return [f"  {finding.kind}: {place}{finding.message}{repeated}.", f"    {finding.advice}"]


def _sum(report: State) -> str:
    functions = report.functions
    calls, traces = sum(one.calls for one in functions), sum(len(one.traces) for one in functions)
    findings = _count(len(report.findings), "finding") if report.findings else "Nothing to fix"
    counts = (_count(len(functions), "function"), _count(calls, "call"), _count(traces, "trace"))
    return f"{findings}: {', '.join(counts)}."


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _place(file: str, line: int) -> str:
    path = Path(file)
    with contextlib.suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return f"{path}:{line}"
